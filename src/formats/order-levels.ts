import type { LevelArena } from '../model/level-arena.ts';

/** How a feed names an order. */
export type OrderKey = number | bigint | string;
/** Of a level in a flat array: 0 bid, 1 ask. */
export type BookSide = 0 | 1;

interface Resting {
  side: BookSide;
  price: number;
  size: number;
}

/**
 * Folds single orders into price levels: what feeds of orders (Bitstamp L3, LOBSTER, Databento MBO) need to become books.
 *
 * Prices are ticks, sizes lots. Every call changes the totals of the levels it touches; `drain` then writes those levels,
 * each once with its new total (0 when it is gone), ready for a `bookUpdate`. Answers tell what a recording may get wrong:
 * the caller counts them as findings.
 */
export class OrderLevels {
  readonly #orders = new Map<OrderKey, Resting>();
  /** By side: total size by price. */
  readonly #totals: readonly [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
  readonly #touched: readonly [Set<number>, Set<number>] = [new Set(), new Set()];

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
    if (old !== undefined) this.#shift(old.side, old.price, -old.size);
    this.#orders.set(id, { side, price, size });
    this.#shift(side, price, size);
    return old === undefined ? 'added' : 'known';
  }

  /** An order has this price and size now. `moved`: at another price. `unknown`: nothing of that id rests, nothing changes. */
  change(id: OrderKey, price: number, size: number): 'changed' | 'moved' | 'unknown' {
    const order = this.#orders.get(id);
    if (order === undefined) return 'unknown';
    const moved = order.price !== price;
    this.#shift(order.side, order.price, -order.size);
    order.price = price;
    order.size = size;
    this.#shift(order.side, price, size);
    return moved ? 'moved' : 'changed';
  }

  /** An order lost `by` of its size; what has nothing left is gone. `unknown` changes nothing. */
  reduce(id: OrderKey, by: number): 'reduced' | 'gone' | 'unknown' {
    const order = this.#orders.get(id);
    if (order === undefined) return 'unknown';
    if (by >= order.size) {
      this.remove(id);
      return 'gone';
    }
    order.size -= by;
    this.#shift(order.side, order.price, -by);
    return 'reduced';
  }

  /** An order left the book. */
  remove(id: OrderKey): 'removed' | 'unknown' {
    const order = this.#orders.get(id);
    if (order === undefined) return 'unknown';
    this.#orders.delete(id);
    this.#shift(order.side, order.price, -order.size);
    return 'removed';
  }

  /** Every order left the book. */
  clear(): void {
    for (const side of [0, 1] as const) {
      for (const price of this.#totals[side].keys()) this.#touched[side].add(price);
      this.#totals[side].clear();
    }
    this.#orders.clear();
  }

  /** The total at a price, 0 when nothing rests there. */
  totalAt(side: BookSide, price: number): number {
    return this.#totals[side].get(price) ?? 0;
  }

  /** Writes the levels touched since the last call with their new totals into the message begun in `arena`. */
  drain(arena: LevelArena): void {
    for (const side of [0, 1] as const) {
      for (const price of this.#touched[side]) arena.push(side, price, this.totalAt(side, price));
      this.#touched[side].clear();
    }
  }

  /** Writes all levels into the message begun in `arena`, for a `bookSnapshot`, and forgets what was touched. */
  fill(arena: LevelArena): void {
    for (const side of [0, 1] as const) {
      for (const [price, total] of this.#totals[side]) arena.push(side, price, total);
      this.#touched[side].clear();
    }
  }

  #shift(side: BookSide, price: number, by: number): void {
    const totals = this.#totals[side];
    const total = (totals.get(price) ?? 0) + by;
    if (total > 0) totals.set(price, total);
    else totals.delete(price);
    this.#touched[side].add(price);
  }
}
