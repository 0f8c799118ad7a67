import { defineStrategy, z } from 'godwit/strategy';

/** Asks for a list, for margin and for too small an order, none of which the second venue takes, then buys once. */
export default defineStrategy({
  name: 'buyer',
  params: z.strictObject({}),
  products: () => ['spot', 'margin'],
  feeds: () => [{ symbol: 'AB-C', book: true }],
  create({ orders, margin }) {
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
        orders.place({ ...order, product: 'margin', price: '99' });
        margin.set('AB-C', { balance: '10' });
        orders.place({ ...order, quantity: '1', price: '99' });
        orders.place({ ...order, price: '100.5' });
      },
    };
  },
});
