import { assert } from '../../../core/base/assert.ts';
import type { Ticks } from '../../../core/model/instrument.ts';
import { firesRising } from '../../../core/model/order.ts';
import type { OrderPool } from '../book/index.ts';
import { none, OrderQueue } from '../book/index.ts';
import type { OrderRecord } from './record.ts';

const windowTicks = 1_024;

/**
 * Suspended orders of one instrument, by stop price, then by time.
 *
 * `falling` fires when the last price is at or below the stop price, highest stop first; `rising` when it is at or
 * above, lowest stop first. Source: v3-gaps, section 10 ("Stop orders").
 */
export class Triggers {
  /** Each is made for its first order: most markets never have one, and each trade asks for what is due. */
  #falling: OrderQueue | undefined = undefined;
  #rising: OrderQueue | undefined = undefined;
  readonly #pool: OrderPool;

  constructor(pool: OrderPool) {
    this.#pool = pool;
  }

  add(record: OrderRecord): void {
    const { stopPrice, type, side } = record;
    assert(stopPrice !== undefined, 'an order without a stop price was to wait for a trigger');
    const rising = firesRising(type, side);
    const key = rising ? -stopPrice : stopPrice;
    record.handle = this.#queue(rising).append(key, record.remaining, record.index);
    record.where = 'triggers';
  }

  remove(record: OrderRecord): void {
    const rising = firesRising(record.type, record.side);
    this.#queue(rising).remove(record.handle);
    record.handle = none;
    record.where = 'nowhere';
  }

  /** The handle of the order that fires first at this last price, or `none`. */
  due(last: Ticks): number {
    const rising = this.#rising?.levels;
    if (rising !== undefined && rising.best !== none && (rising.key[rising.best] as number) >= -last)
      return rising.head[rising.best] as number;
    const falling = this.#falling?.levels;
    if (falling !== undefined && falling.best !== none && (falling.key[falling.best] as number) >= last)
      return falling.head[falling.best] as number;
    return none;
  }

  #queue(rising: boolean): OrderQueue {
    if (rising) return (this.#rising ??= new OrderQueue(this.#pool, windowTicks));
    return (this.#falling ??= new OrderQueue(this.#pool, windowTicks));
  }
}
