import { defineStrategy, millis, z } from 'godwit/strategy';

/** Decisions that one line tells. */
const perLine = 5;

/** Decides on an order every so often, takes the one before back, and tells when by the clock that all processes share. */
export default defineStrategy({
  name: 'decider',
  params: z.strictObject({ symbol: z.string(), everyMs: z.int() }),
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create({ params: { symbol, everyMs }, orders, market, timers, log }) {
    const noted: string[] = [];
    let turn = 0;
    return {
      onStart: () => void timers.every(millis(everyMs), 'decide'),
      onTimer() {
        const { bestBid, status } = market.book(symbol);
        if (bestBid === undefined || status !== 'live') return;
        turn += 1;
        for (const { clientOrderId, state, cancelPending } of orders.open(symbol))
          if (state === 'new' && !cancelPending) orders.cancel(clientOrderId);
        const price = Math.round(bestBid * 0.97) - (turn % 100);
        const decidedAt = process.hrtime.bigint();
        const id = orders.place({ symbol, side: 'buy', quantity: 10, price });
        noted.push(`${id} ${decidedAt}`);
        if (noted.length === perLine) log.info(noted.splice(0).join(','));
      },
    };
  },
});
