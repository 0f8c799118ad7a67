import { defineStrategy, millis, z } from 'godwit/strategy';

/** One order a while after the start, so many ticks from the best bid; cancelled a while after its answer, if asked. */
export default defineStrategy({
  name: 'one-order',
  params: z.strictObject({
    symbol: z.string(),
    side: z.enum(['buy', 'sell']),
    type: z.enum(['limit', 'market']).default('limit'),
    offsetTicks: z.int().default(0),
    quantity: z.string().default('1'),
    postOnly: z.boolean().default(false),
    afterMs: z.int().min(1),
    cancelAfterMs: z.int().min(1).optional(),
  }),
  feeds: ({ symbol }) => [{ symbol, book: true, trades: true }],
  create: ({ params, market, orders, timers }) => ({
    onStart() {
      timers.after(millis(params.afterMs), 'place');
    },
    onTimer(name) {
      const { symbol, side, type, offsetTicks, quantity, postOnly } = params;
      if (name === 'cancel') {
        orders.cancelAll(symbol);
        return;
      }
      const { bestBid } = market.book(symbol);
      if (bestBid === undefined) return;
      if (type === 'market') orders.place({ symbol, side, quantity, type });
      else orders.place({ symbol, side, quantity, price: bestBid + offsetTicks, postOnly });
    },
    onOrder(order) {
      if (order.state !== 'new' || order.cancelPending || params.cancelAfterMs === undefined) return;
      timers.after(millis(params.cancelAfterMs), 'cancel');
    },
  }),
});
