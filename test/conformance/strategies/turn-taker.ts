import { defineStrategy, millis, z } from 'godwit/strategy';

/** At every step at which nothing of its own lives: at even ones it buys, at odd ones it sells, through the touch. */
export default defineStrategy({
  name: 'turn-taker',
  params: z.strictObject({
    symbol: z.string(),
    /** Ticks beyond the opposite best price; a market order without. */
    through: z.int().min(0).optional(),
    quantity: z.string(),
    everyMs: z.int().positive(),
  }),
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create({ params, market, orders, timers }) {
    const { symbol, through, quantity, everyMs } = params;
    let step = 0;
    return {
      onStart() {
        timers.every(millis(everyMs), 'turn');
      },
      onTimer() {
        const { bestBid, bestAsk } = market.book(symbol);
        const side = step++ % 2 === 0 ? 'buy' : 'sell';
        if (bestBid === undefined || bestAsk === undefined || orders.openCount(symbol) > 0) return;
        if (through === undefined) {
          orders.place({ symbol, side, type: 'market', quantity });
          return;
        }
        const price = side === 'buy' ? bestAsk + through : bestBid - through;
        orders.place({ symbol, side, price, quantity, timeInForce: 'IOC' });
      },
    };
  },
});
