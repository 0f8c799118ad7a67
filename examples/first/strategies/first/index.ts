import { defineStrategy, later, seconds, z } from 'godwit/strategy';

export default defineStrategy({
  name: 'first',
  params: z.strictObject({
    symbol: z.string().default('ETHBTC').describe('what is traded'),
    quantity: z.string().default('0.05').describe('size of the order in base currency'),
    requoteTicks: z.int().min(1).max(1_000).default(3).describe('move the order when the touch moved so far'),
  }),
  feeds: ({ symbol }) => [{ symbol, book: true, trades: true }],
  create({ params, market, orders, position, clock, log }) {
    const { symbol, quantity, requoteTicks } = params;
    let placeFrom = 0;
    return {
      onBook({ status, bestBid, bestAsk }) {
        if (status !== 'live' || bestBid === undefined || bestAsk === undefined) return;
        const [order] = orders.open(symbol);
        if (order?.price !== undefined) {
          const touch = order.side === 'buy' ? bestBid : bestAsk;
          if (Math.abs(touch - order.price) >= requoteTicks) orders.cancel(order.clientOrderId);
          return;
        }
        // An order is refused before the first trade, and when it repeats one of the last second.
        if (market.lastTrade(symbol) === undefined || clock.now() < placeFrom) return;
        placeFrom = later(clock.now(), seconds(1));
        const held = position(symbol).quantity;
        if (held > 0) orders.place({ symbol, side: 'sell', quantity: held, price: bestAsk, postOnly: true });
        else orders.place({ symbol, side: 'buy', quantity, price: bestBid, postOnly: true });
      },
      onOrder(order, denial) {
        if (denial !== undefined) log.warn('refused by us', { side: order.side, ...denial });
      },
      onStop: () => orders.cancelAll(symbol),
    };
  },
});
