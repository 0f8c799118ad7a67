import { defineStrategy, millis, z } from 'godwit/strategy';

/**
 * Once a second, from `from` on: one post-only buy half a currency unit below the middle and one sell above it, unless
 * one of that side lives. The strategy of the published runs of hftbacktest, for benches.
 */
export default defineStrategy({
  name: 'second-maker',
  params: z.strictObject({
    symbol: z.string(),
    quantity: z.string().default('1'),
    /** Distance from the middle, in ticks. */
    away: z.int().positive().default(5),
    /** Microseconds of wall time at which it begins. */
    from: z.number().default(0),
  }),
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create({ params, market, orders, timers, clock }) {
    const { symbol, quantity, away, from } = params;
    return {
      onStart() {
        timers.every(millis(1_000), 'quote');
      },
      onTimer() {
        const { bestBid, bestAsk } = market.book(symbol);
        if (clock.now() < from || bestBid === undefined || bestAsk === undefined) return;
        const open = orders.open(symbol);
        const middle = (bestBid + bestAsk) / 2;
        for (const side of ['buy', 'sell'] as const) {
          if (open.some((order) => order.side === side)) continue;
          const price = Math.round(side === 'buy' ? middle - away : middle + away);
          orders.place({ symbol, side, quantity, price, postOnly: true });
        }
      },
    };
  },
});
