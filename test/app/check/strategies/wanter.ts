import { defineStrategy, seconds, z } from 'godwit/strategy';
import type { Order } from 'godwit/strategy';

const params = z.strictObject({
  /** Whether an order of which nothing is known is asked for once more: the mistake. */
  sendsAgain: z.boolean().default(false),
});

/** Wants one small bid below the market, renewed every ten seconds. */
export default defineStrategy({
  name: 'wanter',
  params,
  feeds: () => [{ symbol: 'BTCUSDT', book: true }],
  create({ params: { sendsAgain }, orders, market, timers }) {
    let bid: Order | undefined;
    const place = (): void => {
      const { status, bestBid } = market.book('BTCUSDT');
      if (status !== 'live' || bestBid === undefined) return;
      orders.place({ symbol: 'BTCUSDT', side: 'buy', quantity: 100, price: bestBid - 2_000 });
    };
    return {
      onStart: () => void timers.every(seconds(5), 'renew'),
      onTimer() {
        if (bid?.state === 'unknown') {
          if (sendsAgain) place();
        } else if (bid?.state === 'new') orders.cancel(bid.clientOrderId);
        else place();
      },
      onOrder(order) {
        bid = order;
      },
    };
  },
});
