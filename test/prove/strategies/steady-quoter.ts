import { defineStrategy, millis, z } from 'godwit/strategy';

const params = z.strictObject({
  symbols: z.array(z.string()),
  /** Between two new orders, milliseconds. */
  everyMs: z.int(),
  /** Live orders on each symbol at most: the oldest goes for a new one. */
  most: z.int(),
});

/** Places one order after the other, symbol by symbol, now near the touch and now across it, and cancels the oldest. */
export default defineStrategy({
  name: 'steady-quoter',
  params,
  feeds: ({ symbols }) => symbols.map((symbol) => ({ symbol, book: true })),
  create({ params: { symbols, everyMs, most }, orders, market, position, random, timers }) {
    let turn = 0;
    return {
      onStart: () => void timers.every(millis(everyMs), 'quote'),
      onTimer() {
        turn += 1;
        const symbol = symbols[turn % symbols.length] ?? '';
        const { bestBid, bestAsk, status } = market.book(symbol);
        if (bestBid === undefined || bestAsk === undefined || status !== 'live') return;
        const open = orders.open(symbol);
        const oldest = open[0];
        if (open.length >= most && oldest !== undefined) orders.cancel(oldest.clientOrderId);
        // What is held is sold again, so that no position grows.
        const side = position(symbol).quantity > 0 ? 'sell' : 'buy';
        const crosses = random.chance(0.05);
        const near = side === 'buy' ? bestBid : bestAsk;
        const away = side === 'buy' ? -1 : 1;
        const far = side === 'buy' ? bestAsk : bestBid;
        const price = crosses ? far : near + away * random.between(1, 40);
        orders.place({ symbol, side, price, quantity: 10, ...(!crosses && { postOnly: true }) });
      },
    };
  },
});
