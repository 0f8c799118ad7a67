import { defineStrategy, millis, z } from 'godwit/strategy';

/** Asks for orders without end in every second turn: so many in one handler, and computes for as long besides. */
export default defineStrategy({
  name: 'flooder',
  params: z.strictObject({ symbol: z.string(), turnMs: z.int(), intents: z.int(), busyMs: z.int() }),
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create({ params: { symbol, turnMs, intents, busyMs }, orders, market, timers }) {
    return {
      onStart: () => void timers.every(millis(100), 'flood'),
      onTimer() {
        const nowMs = performance.timeOrigin + performance.now();
        const { bestBid } = market.book(symbol);
        if (Math.floor(nowMs / turnMs) % 2 === 0 || bestBid === undefined) return;
        for (let at = 0; at < intents; at++)
          orders.place({ symbol, side: 'buy', quantity: 10, price: Math.round(bestBid * 0.97) - at });
        const end = performance.now() + busyMs;
        while (performance.now() < end);
      },
    };
  },
});
