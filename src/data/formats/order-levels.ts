import type { LevelBuffer } from '../../core/model/level-buffer.ts';
import type { BookSide } from '../../core/model/order-changes.ts';
import { orderActions } from '../../core/model/order-changes.ts';
import type { OrderWriter } from './order-writer.ts';

export type { BookSide } from '../../core/model/order-changes.ts';

/** How a feed names an order. */
export type OrderKey = number | bigint | string;

interface Resting {
  /** The number at the writer; 0 without one. */
  readonly number: number;
  side: BookSide;
  price: number;
  size: number;
  /** Part of its size written as executed whose removal the feed has not reported yet. */
  executed: number;
}

/**
 * Folds single orders into price levels: what feeds of orders (Bitstamp L3, LOBSTER, Databento MBO) need to become books.
 *
 * Prices are ticks, sizes lots. Every call changes the totals of the levels it touches; `drain` then writes those levels,
 * each once with its new total (0 when it is gone), ready for a `bookUpdate`. Return values report what a recording may get wrong:
 * the caller counts them as findings.
 *
 * With a writer, single orders are written, too: executions when they are reported, before the change of the book that follows. An
 * order that moves or grows loses its priority; so does one that shows its whole size again after an execution.
 */
export class OrderLevels {
  readonly #orders = new Map<OrderKey, Resting>();
  /** Total size by price, for each side. */
  readonly #totals: readonly [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
  readonly #touched: readonly [Set<number>, Set<number>] = [new Set(), new Set()];
  readonly #writer: OrderWriter | undefined;
  /** Numbers of the orders cleared last: a book that is rebuilt names most of them again. */
  #cleared = new Map<OrderKey, number>();

  constructor(writer?: OrderWriter) {
    this.#writer = writer;
  }

  /** How many orders rest. */
  get size(): number {
    return this.#orders.size;
  }

  has(id: OrderKey): boolean {
    return this.#orders.has(id);
  }

  /** The resting size of an order; 0 when there is none of that id. */
  sizeOf(id: OrderKey): number {
    return this.#orders.get(id)?.size ?? 0;
  }

  /** A new order. `known`: one of that id was resting already; the new one takes its place. */
  add(id: OrderKey, side: BookSide, price: number, size: number): 'added' | 'known' {
    const old = this.#orders.get(id);
    if (old !== undefined) this.#leaveLevel(id, old);
    const number = old?.number ?? this.#cleared.get(id) ?? this.#writer?.number() ?? 0;
    this.#join(id, { number, side, price, size, executed: 0 });
    return old === undefined ? 'added' : 'known';
  }

  /** An order has this price and size now. `moved`: at another price. `unknown`: nothing of that id rests, nothing changes. */
  changeOrder(id: OrderKey, price: number, size: number): 'changed' | 'moved' | 'unknown' {
    const order = this.#orders.get(id);
    if (order === undefined) return 'unknown';
    if (order.price === price && size <= order.size - order.executed && size > 0) {
      this.#shrink(order, order.size - size);
      return 'changed';
    }
    const moved = order.price !== price;
    const { number, side } = order;
    this.#leaveLevel(id, order);
    this.#join(id, { number, side, price, size, executed: 0 });
    return moved ? 'moved' : 'changed';
  }

  /** An order lost `by` of its size; what has nothing left is gone. `unknown` changes nothing. */
  reduce(id: OrderKey, by: number): 'reduced' | 'gone' | 'unknown' {
    const order = this.#orders.get(id);
    if (order === undefined) return 'unknown';
    if (by >= order.size) {
      this.#leaveLevel(id, order);
      return 'gone';
    }
    this.#shrink(order, by);
    return 'reduced';
  }

  /** Notes that `size` of what an order loses next went to a taker, and no more than it has. */
  executed(id: OrderKey, size: number): 'known' | 'unknown' {
    const order = this.#orders.get(id);
    if (order === undefined) return 'unknown';
    const lots = Math.min(size, order.size - order.executed);
    order.executed += lots;
    const { number, side, price } = order;
    this.#writer?.write(orderActions.executes, { order: number, side, price, lots });
    return 'known';
  }

  /** An order left the book. */
  remove(id: OrderKey): 'removed' | 'unknown' {
    const order = this.#orders.get(id);
    if (order === undefined) return 'unknown';
    this.#leaveLevel(id, order);
    return 'removed';
  }

  /** Every order left the book. */
  clear(): void {
    for (const side of [0, 1] as const) {
      for (const price of this.#totals[side].keys()) this.#touched[side].add(price);
      this.#totals[side].clear();
    }
    if (this.#writer !== undefined)
      this.#cleared = new Map([...this.#orders].map(([id, { number }]) => [id, number]));
    this.#orders.clear();
  }

  /** The total at a price, 0 when nothing rests there. */
  totalAt(side: BookSide, price: number): number {
    return this.#totals[side].get(price) ?? 0;
  }

  /** Writes the levels touched since the last call with their new totals into the message begun in `buffer`. */
  drain(buffer: LevelBuffer): void {
    for (const side of [0, 1] as const) {
      for (const price of this.#touched[side]) buffer.push(side, price, this.totalAt(side, price));
      this.#touched[side].clear();
    }
  }

  /** Writes every order, oldest first: a whole book carries orders instead of changes. */
  writeAll(): void {
    this.#writer?.restart();
    for (const { number, side, price, size } of this.#orders.values())
      this.#writer?.write(orderActions.joins, { order: number, side, price, lots: size });
    // A whole book shows what stands there: what was executed before it is no part of it.
    for (const order of this.#orders.values()) order.executed = 0;
  }

  /** Writes all levels into the message begun in `buffer`, for a `bookSnapshot`, and forgets what was touched. */
  fill(buffer: LevelBuffer): void {
    for (const side of [0, 1] as const) {
      for (const [price, total] of this.#totals[side]) buffer.push(side, price, total);
      this.#touched[side].clear();
    }
  }

  /** Behind all that rest, in the queue of its price as in the map. */
  #join(id: OrderKey, order: Resting): void {
    this.#orders.set(id, order);
    this.#shift(order.side, order.price, order.size);
    const { number, side, price, size } = order;
    this.#writer?.write(orderActions.joins, { order: number, side, price, lots: size });
  }

  #leaveLevel(id: OrderKey, order: Resting): void {
    this.#orders.delete(id);
    this.#shrink(order, order.size);
  }

  #shrink(order: Resting, by: number): void {
    const { number, side, price } = order;
    const executed = Math.min(by, order.executed);
    order.executed -= executed;
    order.size -= by;
    this.#shift(side, price, -by);
    this.#writer?.write(orderActions.leaves, { order: number, side, price, lots: by - executed });
  }

  #shift(side: BookSide, price: number, by: number): void {
    const totals = this.#totals[side];
    const total = (totals.get(price) ?? 0) + by;
    if (total > 0) totals.set(price, total);
    else totals.delete(price);
    this.#touched[side].add(price);
  }
}
