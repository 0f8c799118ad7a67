import { defineStrategy, millis, z } from 'godwit/strategy';
import type { Side } from 'godwit/strategy';
import { roundHalfEven } from './round-half-even.ts';

const sides: readonly Side[] = ['buy', 'sell'];

/**
 * At every step a post-only order at each of some distances from the mid price, on both sides; what rests elsewhere is
 * cancelled. Prices are computed in doubles, in this order of operations, because the measured runs were.
 */
export default defineStrategy({
  name: 'ladder-maker',
  params: z.strictObject({
    symbol: z.string(),
    tick: z.number().positive(),
    distance: z.number().positive(),
    levels: z.int().positive(),
    quantity: z.string(),
    everyMs: z.int().positive(),
  }),
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create: ({ params, market, orders, timers }) => ({
    onStart() {
      timers.every(millis(params.everyMs), 'quote');
    },
    onTimer() {
      const { symbol, tick, distance, levels, quantity } = params;
      const { bestBid, bestAsk } = market.book(symbol);
      if (bestBid === undefined || bestAsk === undefined) return;
      const mid = (bestBid * tick + bestAsk * tick) / 2;
      const wanted = {
        buy: Array.from({ length: levels }, (_, i) => roundHalfEven((mid - distance * (i + 1)) / tick)),
        sell: Array.from({ length: levels }, (_, i) => roundHalfEven((mid + distance * (i + 1)) / tick)),
      };
      const open = orders.open(symbol);
      for (const { side, price, state, cancelPending, clientOrderId } of open) {
        const stays = price !== undefined && wanted[side].includes(price);
        if (!stays && state === 'new' && !cancelPending) orders.cancel(clientOrderId);
      }
      for (let i = 0; i < levels; i++) {
        for (const side of sides) {
          const price = wanted[side][i] as number;
          if (open.some((order) => order.side === side && order.price === price)) continue;
          orders.place({ symbol, side, price, quantity, postOnly: true });
        }
      }
    },
  }),
});
