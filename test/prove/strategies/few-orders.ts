import { defineStrategy, millis, z } from 'godwit/strategy';

const params = z.strictObject({
  symbols: z.array(z.string()),
  /** Where it keeps an order. */
  quoted: z.array(z.string()),
});

/** Follows very many books, and keeps one order far from the market on a few of them. */
export default defineStrategy({
  name: 'few-orders',
  params,
  feeds: ({ symbols }) => symbols.map((symbol) => ({ symbol, book: true })),
  create: ({ params: { quoted }, orders, market, timers }) => ({
    onStart: () => void timers.every(millis(200), 'look'),
    onTimer() {
      for (const symbol of quoted) {
        const { bestBid, status } = market.book(symbol);
        if (bestBid === undefined || status !== 'live' || orders.open(symbol).length > 0) continue;
        orders.place({ symbol, side: 'buy', quantity: 10, price: Math.round(bestBid * 0.97) });
      }
    },
  }),
});
