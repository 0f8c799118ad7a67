import { defineStrategy, millis, z } from 'godwit/strategy';

/** Reads of a turn, as many as it times together. */
const reads = 100;

/** Reads books and orders, and tells how long a read took at most: for each turn the mean of a hundred. */
export default defineStrategy({
  name: 'reader',
  params: z.strictObject({ symbols: z.array(z.string()), everyMs: z.int() }),
  feeds: ({ symbols }) => symbols.map((symbol) => ({ symbol, book: true })),
  create({ params: { symbols, everyMs }, orders, market, timers, log }) {
    let turn = 0;
    return {
      onStart: () => void timers.every(millis(everyMs), 'read'),
      onTimer() {
        const begun = process.hrtime.bigint();
        let levels = 0;
        let live = 0;
        for (let at = 0; at < reads; at++) {
          const book = market.book(symbols[(turn * reads + at) % symbols.length] ?? '');
          levels += book.depth('buy') + book.depth('sell');
          if (book.status === 'live') live += 1;
        }
        const between = process.hrtime.bigint();
        const open = orders.open(symbols[turn % 12] ?? '').length;
        const end = process.hrtime.bigint();
        turn += 1;
        log.info(`${between - begun} ${end - between} ${live} ${levels} ${open}`);
      },
    };
  },
});
