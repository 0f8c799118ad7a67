import { assert } from '../../core/base/assert.ts';
import type { Ticks } from '../../core/model/instrument.ts';
import type { OrderType, Side } from '../../core/model/order.ts';
import type { OrderPool } from './order-pool.ts';
import { none } from './order-pool.ts';
import { OrderQueue } from './order-queue.ts';
import type { OrderRecord } from './order-record.ts';

const windowTicks = 1_024;

/**
 * Suspended orders of one instrument, by stop price, then by time.
 *
 * `falling` fires when the last price is at or below the stop price, highest stop first; `rising` when it is at or
 * above, lowest stop first. Source: v3-gaps, section 10 ("Stop orders").
 */
export class Triggers {
  readonly #falling: OrderQueue;
  readonly #rising: OrderQueue;

  constructor(pool: OrderPool) {
    this.#falling = new OrderQueue(pool, windowTicks);
    this.#rising = new OrderQueue(pool, windowTicks);
  }

  add(record: OrderRecord): void {
    const { stopPrice, type, side } = record;
    assert(stopPrice !== undefined, 'an order without a stop price was to wait for a trigger');
    const rising = firesRising(type, side);
    record.handle = rising
      ? this.#rising.append(-stopPrice, record.remaining, record.index)
      : this.#falling.append(stopPrice, record.remaining, record.index);
    record.where = 'triggers';
  }

  remove(record: OrderRecord): void {
    const rising = firesRising(record.type, record.side);
    (rising ? this.#rising : this.#falling).remove(record.handle);
    record.handle = none;
    record.where = 'nowhere';
  }

  /** The handle of the order that fires first at this last price, or `none`. */
  due(last: Ticks): number {
    const rising = this.#rising.levels;
    if (rising.best !== none && (rising.key[rising.best] as number) >= -last)
      return rising.head[rising.best] as number;
    const falling = this.#falling.levels;
    if (falling.best !== none && (falling.key[falling.best] as number) >= last)
      return falling.head[falling.best] as number;
    return none;
  }
}

/** Whether the order waits for the price to rise: a buy stop, or a sell take-profit. */
export function firesRising(type: OrderType, side: Side): boolean {
  const stop = type === 'stopLimit' || type === 'stopMarket';
  return stop === (side === 'buy');
}
