import { defineStrategy, z } from 'godwit/strategy';
import type { BookView, ClientOrderId, Side } from 'godwit/strategy';

const params = z.strictObject({
  symbol: z.string(),
  lots: z.int().positive().default(10),
  /** Ticks between the touch and a new quote. */
  away: z.int().min(0).default(2),
  /** A side rests so long after it placed an order: equal orders within a second are refused. */
  pauseMs: z.int().min(0).default(1_000),
  /** A quote is withdrawn when the touch has moved so far from where it was meant to stand. */
  driftMax: z.int().positive().default(20),
});

interface Desk {
  readonly side: Side;
  id: ClientOrderId | undefined;
  quietUntil: number;
}

/** One order a side near the touch, withdrawn and placed anew when the touch has gone elsewhere: for benches. */
export default defineStrategy({
  name: 'touch-maker',
  params,
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create({ params, orders, clock }) {
    const { symbol, lots, away, pauseMs, driftMax } = params;
    const desks: readonly Desk[] = [
      { side: 'buy', id: undefined, quietUntil: 0 },
      { side: 'sell', id: undefined, quietUntil: 0 },
    ];
    const steer = (desk: Desk, price: number): void => {
      const order = desk.id === undefined ? undefined : orders.get(desk.id);
      const state = order?.state;
      if (state === 'pending' || state === 'unknown') return;
      if (order === undefined || (state !== 'new' && state !== 'partiallyFilled')) {
        if (clock.now() < desk.quietUntil) return;
        desk.quietUntil = clock.now() + pauseMs * 1_000;
        desk.id = orders.place({ symbol, side: desk.side, quantity: lots, price, postOnly: true });
        return;
      }
      if (Math.abs((order.price ?? price) - price) > driftMax && !order.cancelPending)
        orders.cancel(order.clientOrderId);
    };
    return {
      onBook(book: BookView) {
        const { bestBid, bestAsk } = book;
        if (bestBid === undefined || bestAsk === undefined || bestBid >= bestAsk) return;
        steer(desks[0] as Desk, bestBid - away);
        steer(desks[1] as Desk, bestAsk + away);
      },
    };
  },
});
