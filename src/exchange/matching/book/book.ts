import type { Ticks } from '../../../core/model/instrument.ts';
import type { Side } from '../../../core/model/order.ts';
import type { OrderPool } from './order-pool.ts';
import { noOwner, none } from './order-pool.ts';
import { PriceLevels } from './price-levels.ts';

/**
 * One side of a book (or one direction of triggers): orders by price, then by time, as intrusive queues per level.
 *
 * Prices are keys here (see `PriceLevels`). Handles come from the pool and are never checked: who holds a handle
 * across commands keeps a ticket instead.
 */
export class OrderQueue {
  readonly levels: PriceLevels;
  /** The best key at which an account's order stands; -Infinity when there is none. */
  ownedBest = Number.NEGATIVE_INFINITY;
  #ownedCount = 0;
  readonly #pool: OrderPool;

  constructor(pool: OrderPool, windowTicks: number) {
    this.#pool = pool;
    this.levels = new PriceLevels(pool, windowTicks);
  }

  /** How many orders of accounts stand here. */
  get ownedCount(): number {
    return this.#ownedCount;
  }

  /** Puts an order at the end of the queue at `key`; its handle. */
  append(key: number, quantity: number, owner: number): number {
    const levels = this.levels;
    let slot = levels.find(key);
    if (slot === none) slot = levels.insert(key);
    return this.appendAt(slot, quantity, owner);
  }

  /** Puts an order at the end of the queue of the level in `slot`; its handle. */
  appendAt(slot: number, quantity: number, owner: number): number {
    const pool = this.#pool;
    const levels = this.levels;
    const handle = pool.takeHandle();
    const tail = levels.tail[slot] as number;
    pool.quantity[handle] = quantity;
    pool.owner[handle] = owner;
    pool.level[handle] = slot;
    pool.next[handle] = none;
    pool.previous[handle] = tail;
    if (tail === none) levels.head[slot] = handle;
    else pool.next[tail] = handle;
    levels.tail[slot] = handle;
    levels.total[slot] = (levels.total[slot] as number) + quantity;
    if (owner !== noOwner) {
      levels.owned[slot] = (levels.owned[slot] as number) + 1;
      this.#ownedCount += 1;
      const key = levels.key[slot] as number;
      if (key > this.ownedBest) this.ownedBest = key;
    }
    return handle;
  }

  /** Takes `by` lots off an order that keeps some. */
  reduce(handle: number, by: number): void {
    const pool = this.#pool;
    const total = this.levels.total;
    const slot = pool.level[handle] as number;
    pool.quantity[handle] = (pool.quantity[handle] as number) - by;
    total[slot] = (total[slot] as number) - by;
  }

  /** Takes an order out, and its level when it was the last. The handle is free afterwards. */
  remove(handle: number): void {
    const pool = this.#pool;
    const levels = this.levels;
    const slot = pool.level[handle] as number;
    const previous = pool.previous[handle] as number;
    const next = pool.next[handle] as number;
    if (previous === none) levels.head[slot] = next;
    else pool.next[previous] = next;
    if (next === none) levels.tail[slot] = previous;
    else pool.previous[next] = previous;
    levels.total[slot] = (levels.total[slot] as number) - (pool.quantity[handle] as number);
    if ((pool.owner[handle] as number) !== noOwner) this.#disown(slot);
    if (next === none && previous === none) levels.remove(slot);
    pool.giveHandle(handle);
  }

  /**
   * Sets the anonymous quantity of a level without orders of accounts (0 removes it); false, and nothing is done,
   * when an account's order stands there. Code that keeps a foreign market in this queue can use `levels.setRun`, too.
   */
  setAnonymous(key: number, quantity: number): boolean {
    return this.levels.setAnonymous(key, quantity);
  }

  // What follows reads single columns, for walks outside this class.

  /** The slot of the level at `key`, or -1. */
  slotAt(key: number): number {
    return this.levels.find(key);
  }

  /** The oldest (the youngest) order of a level, or -1. */
  headOf(slot: number): number {
    return this.levels.head[slot] ?? none;
  }

  tailOf(slot: number): number {
    return this.levels.tail[slot] ?? none;
  }

  /** The next younger (older) order of the same level, or -1. */
  after(handle: number): number {
    return this.#pool.next[handle] ?? none;
  }

  before(handle: number): number {
    return this.#pool.previous[handle] ?? none;
  }

  quantityOf(handle: number): number {
    return this.#pool.quantity[handle] ?? 0;
  }

  isOwned(handle: number): boolean {
    return this.#pool.owner[handle] !== noOwner;
  }

  /** A number that names this order and no later one under the same handle. */
  ticketOf(handle: number): number {
    return this.#pool.ticket(handle);
  }

  /** Whether the order of a ticket still stands somewhere. */
  holds(ticket: number): boolean {
    return this.#pool.handleOf(ticket) !== none;
  }

  totalOf(slot: number): number {
    return this.levels.total[slot] ?? 0;
  }

  ownedOf(slot: number): number {
    return this.levels.owned[slot] ?? 0;
  }

  keyOf(slot: number): number {
    return this.levels.key[slot] ?? 0;
  }

  #disown(slot: number): void {
    const levels = this.levels;
    const left = (levels.owned[slot] as number) - 1;
    levels.owned[slot] = left;
    this.#ownedCount -= 1;
    if (this.#ownedCount === 0) {
      this.ownedBest = Number.NEGATIVE_INFINITY;
      return;
    }
    if (left > 0 || levels.key[slot] !== this.ownedBest) return;
    this.ownedBest = levels.ownedBelow(this.ownedBest);
  }
}

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
