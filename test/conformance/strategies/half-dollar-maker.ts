import { defineStrategy, millis, z } from 'godwit/strategy';
import { roundHalfEven } from './round-half-even.ts';

/**
 * Once a second: one post-only buy half a dollar below the mid price and one post-only sell half a dollar above, where
 * none lives. Prices are computed in doubles, in this order of operations, because the published run was.
 */
export default defineStrategy({
  name: 'half-dollar-maker',
  params: z.strictObject({
    symbol: z.string(),
    tick: z.number().positive(),
    distance: z.number().positive(),
    quantity: z.string(),
    everyMs: z.int().positive(),
  }),
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create: ({ params, market, orders, timers }) => ({
    onStart() {
      timers.every(millis(params.everyMs), 'quote');
    },
    onTimer() {
      const { symbol, tick, distance, quantity } = params;
      const { bestBid, bestAsk } = market.book(symbol);
      if (bestBid === undefined || bestAsk === undefined) return;
      const mid = (bestBid * tick + bestAsk * tick) / 2;
      const open = orders.open(symbol);
      for (const side of ['buy', 'sell'] as const) {
        if (open.some((order) => order.side === side)) continue;
        const wanted = side === 'buy' ? mid - distance : mid + distance;
        orders.place({ symbol, side, price: roundHalfEven(wanted / tick), quantity, postOnly: true });
      }
    },
  }),
});
