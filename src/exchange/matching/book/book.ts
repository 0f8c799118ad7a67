import type { Ticks } from '../../../core/model/instrument.ts';
import type { Side } from '../../../core/model/order.ts';
import type { OrderPool } from './order-pool.ts';
import { OrderQueue } from './order-queue.ts';

/** Bids and asks of one instrument. */
export class OrderBook {
  readonly bids: OrderQueue;
  readonly asks: OrderQueue;

  constructor(pool: OrderPool, windowTicks: number) {
    this.bids = new OrderQueue(pool, windowTicks);
    this.asks = new OrderQueue(pool, windowTicks);
  }

  /** The queue in which orders of `side` rest. */
  queue(side: Side): OrderQueue {
    return side === 'buy' ? this.bids : this.asks;
  }

  /** Best price of a side, or `undefined`. */
  best(side: Side): Ticks | undefined {
    const { bestKey } = this.queue(side).levels;
    return bestKey === Number.NEGATIVE_INFINITY ? undefined : priceOf(side, bestKey);
  }
}

/** The key under which orders of `side` at `price` rest: greater is better. */
export function keyOf(side: Side, price: number): number {
  return side === 'buy' ? price : -price;
}

/** The price behind a key. */
export function priceOf(side: Side, key: number): Ticks {
  return (side === 'buy' ? key : -key) as Ticks;
}
