import { defineStrategy, z } from 'godwit/strategy';
import { Stepping } from './stepping.ts';

/** The decisions of `Stepping` as a strategy. */
export default defineStrategy({
  name: 'stepping-maker',
  params: z.strictObject({
    symbol: z.string(),
    from: z.int(),
    every: z.int().min(1),
    lotsMax: z.int().min(1),
    leans: z.boolean(),
  }),
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create({ params, orders }) {
    const { symbol } = params;
    const deciding = new Stepping(params);
    const ids = new Map<number, string>();
    const numbers = new Map<string, number>();
    return {
      onBook({ bestBid, bestBidQuantity, bestAsk, bestAskQuantity, exchangeTime }) {
        if (bestBid === undefined || bestAsk === undefined) return;
        const touch = { bid: bestBid, bidLots: bestBidQuantity, ask: bestAsk, askLots: bestAskQuantity };
        for (const act of deciding.onBook(touch, Math.floor(exchangeTime / 1_000))) {
          if ('cancel' in act) {
            const id = ids.get(act.cancel);
            if (id !== undefined) orders.cancel(id as never);
            continue;
          }
          const { side, price, lots } = act;
          const id = orders.place({ symbol, side, price: price as never, quantity: lots as never });
          ids.set(act.place, id);
          numbers.set(id, act.place);
        }
      },
      onFill(fill, order) {
        deciding.onFill(order.side, fill.quantity);
      },
      onOrder({ state, clientOrderId }) {
        const number = numbers.get(clientOrderId);
        if (number === undefined) return;
        if (['filled', 'canceled', 'expired', 'rejected', 'denied'].includes(state)) deciding.onEnd(number);
      },
    };
  },
});
