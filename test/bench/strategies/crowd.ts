import { defineStrategy, millis, z } from 'godwit/strategy';

/** Watches many books, and keeps one order in motion far from them, beside those that rest from before. */
export default defineStrategy({
  name: 'crowd',
  params: z.strictObject({ symbols: z.array(z.string()), everyMs: z.int() }),
  feeds: ({ symbols }) => symbols.map((symbol) => ({ symbol, book: true })),
  create({ params: { symbols, everyMs }, orders, market, timers }) {
    let turn = 0;
    let id: ReturnType<typeof orders.place> | undefined;
    return {
      onStart: () => void timers.every(millis(everyMs), 'move'),
      onTimer() {
        const symbol = symbols[turn % symbols.length] ?? '';
        const { bestBid } = market.book(symbol);
        turn += 1;
        if (id !== undefined) orders.cancel(id);
        if (bestBid === undefined) return;
        id = orders.place({ symbol, side: 'buy', quantity: 10, price: Math.round(bestBid * 0.97) });
      },
    };
  },
});
