import { defineStrategy, isTerminal, z } from 'godwit/strategy';
import type { BookView, ClientOrderId, Order, Side } from 'godwit/strategy';

const params = z.strictObject({
  symbol: z.string(),
  /** A contract is traded on cross margin. */
  product: z.enum(['spot', 'futures']).default('spot'),
  lots: z.int().positive().default(10),
  /** Ticks between the touch and a new quote. */
  away: z.int().min(0).default(2),
  /** A side rests so long after it placed an order: equal orders within a second are refused. */
  pauseMs: z.int().min(0).default(1_000),
  /** A quote is withdrawn when the touch has moved so far from where it was meant to stand. */
  driftMax: z.int().positive().default(20),
});

/** A side as its orders' news have reported it. */
interface Desk {
  readonly side: Side;
  id: ClientOrderId | undefined;
  /** The order of that id, as reported last; `undefined` until there is a verdict. */
  order: Order | undefined;
  quietUntil: number;
}

/**
 * One order a side near the touch, withdrawn and placed anew when the touch has gone elsewhere: for benches. It hears of
 * its orders instead of asking for them with every change of the book.
 */
export default defineStrategy({
  name: 'touch-maker',
  params,
  feeds: ({ symbol }) => [{ symbol, book: true }],
  products: ({ product }) => [product],
  create({ params, orders, clock }) {
    const { symbol, lots, away, pauseMs, driftMax, product } = params;
    const buy: Desk = { side: 'buy', id: undefined, order: undefined, quietUntil: 0 };
    const sell: Desk = { side: 'sell', id: undefined, order: undefined, quietUntil: 0 };
    const steer = (desk: Desk, price: number): void => {
      const { id, order } = desk;
      if (id === undefined) {
        if (clock.now() < desk.quietUntil) return;
        desk.quietUntil = clock.now() + pauseMs * 1_000;
        desk.order = undefined;
        const order = { symbol, side: desk.side, quantity: lots, price, postOnly: true };
        desk.id = orders.place(
          product === 'spot' ? order : { ...order, product, marginMode: 'cross', marginAuto: true },
        );
        return;
      }
      if (order === undefined || order.state === 'pending' || order.state === 'unknown') return;
      if (Math.abs((order.price ?? price) - price) > driftMax && !order.cancelPending) orders.cancel(id);
    };
    return {
      onBook(book: BookView) {
        const { bestBid, bestAsk } = book;
        if (bestBid === undefined || bestAsk === undefined || bestBid >= bestAsk) return;
        steer(buy, bestBid - away);
        steer(sell, bestAsk + away);
      },
      onOrder(order) {
        const desk = order.side === 'buy' ? buy : sell;
        if (order.clientOrderId !== desk.id) return;
        desk.order = order;
        if (isTerminal(order.state)) desk.id = undefined;
      },
    };
  },
});
