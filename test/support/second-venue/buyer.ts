import { defineStrategy, z } from 'godwit/strategy';

/** Asks for a list and for too small an order, which the second venue takes neither of, then buys once. */
export default defineStrategy({
  name: 'buyer',
  params: z.strictObject({}),
  feeds: () => [{ symbol: 'AB-C', book: true }],
  create({ orders }) {
    let hasBegun = false;
    return {
      onBook({ status, bestBid, bestAsk }) {
        if (hasBegun || status !== 'live' || bestBid === undefined || bestAsk === undefined) return;
        hasBegun = true;
        const order = { symbol: 'AB-C', side: 'buy', quantity: '3' } as const;
        orders.placeList({
          contingency: 'oneCancelOther',
          orders: [
            { ...order, price: '97' },
            { ...order, side: 'sell', price: '103' },
          ],
        });
        orders.place({ ...order, quantity: '1', price: '99' });
        orders.place({ ...order, price: '100.5' });
      },
    };
  },
});
