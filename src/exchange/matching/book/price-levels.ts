import { blockShift, isNonZero } from '../../../core/base/occupancy-bitmap.ts';
import { PriceWindow } from '../../../core/base/price-window.ts';
import { levelStride } from '../../../core/model/level-buffer.ts';
import type { OrderPool } from './order-pool.ts';
import { grown, none, noOwner } from './order-pool.ts';

/** Columns of the levels in which single orders stand, by slot. A level keeps its slot while it has orders. */
class LevelSlots {
  key = new Float64Array(64);
  /** The sum of the level's lots. */
  total = new Float64Array(64);
  /** The oldest and the youngest order. For a free slot `head` is the next free one. */
  head = new Int32Array(64);
  tail = new Int32Array(64);
  /** How many orders of accounts stand here (the rest is anonymous). */
  owned = new Int32Array(64);
  /** A number of the holder's; 0 when the level is made. */
  mark = new Float64Array(64);
  #free = none;
  #used = 0;

  /** A slot for an empty level at `key`. */
  protected takeSlot(key: number): number {
    let slot = this.#free;
    if (slot !== none) {
      this.#free = this.head[slot] as number;
    } else {
      if (this.#used === this.key.length) this.#grow();
      slot = this.#used++;
    }
    this.key[slot] = key;
    this.total[slot] = 0;
    this.head[slot] = none;
    this.tail[slot] = none;
    this.owned[slot] = 0;
    this.mark[slot] = 0;
    return slot;
  }

  protected giveSlot(slot: number): void {
    this.head[slot] = this.#free;
    this.#free = slot;
  }

  #grow(): void {
    const length = this.key.length * 2;
    this.key = grown(new Float64Array(length), this.key);
    this.total = grown(new Float64Array(length), this.total);
    this.head = grown(new Int32Array(length), this.head);
    this.tail = grown(new Int32Array(length), this.tail);
    this.owned = grown(new Int32Array(length), this.owned);
    this.mark = grown(new Float64Array(length), this.mark);
  }
}

/**
 * The price levels of one side, by *key*: the price for bids, its negative for asks, so that the greatest is best.
 *
 * A positive cell is the quantity of an anonymous level: nothing more is kept of it until a caller asks for
 * its orders; then it gets a slot, as a level has in which an order of an account stands. A negative cell is `~slot`: the
 * level's orders stand in queue there.
 */
export class PriceLevels extends LevelSlots {
  readonly #pool: OrderPool;
  readonly #cells: PriceWindow;

  constructor(pool: OrderPool, windowTicks: number) {
    super();
    this.#pool = pool;
    this.#cells = new PriceWindow(windowTicks);
  }

  /** How many levels there are. */
  get size(): number {
    return this.#cells.size;
  }

  /** The best level's key; -Infinity when there is none. */
  get bestKey(): number {
    return this.#cells.bestKey;
  }

  /** Slot of the best level, or `none`. */
  get best(): number {
    const key = this.#cells.bestKey;
    return key === Number.NEGATIVE_INFINITY ? none : this.find(key);
  }

  /** The slot of the level at `key`, or `none`. */
  find(key: number): number {
    const cell = this.#cells.at(key);
    if (cell < 0) return ~cell;
    return cell === 0 ? none : this.#open(key, cell);
  }

  /** All lots at `key`. */
  totalAt(key: number): number {
    const cell = this.#cells.at(key);
    return cell < 0 ? (this.total[~cell] as number) : cell;
  }

  /** How many orders of accounts stand at `key`. */
  ownedAt(key: number): number {
    const cell = this.#cells.at(key);
    return cell < 0 ? (this.owned[~cell] as number) : 0;
  }

  /** Makes an empty level at `key`, where there is none; its slot. */
  insert(key: number): number {
    const slot = this.takeSlot(key);
    this.#cells.set(key, ~slot);
    return slot;
  }

  /** Takes out a level with a slot. */
  remove(slot: number): void {
    this.#cells.set(this.key[slot] as number, 0);
    this.giveSlot(slot);
  }

  /**
   * Sets the quantity of an anonymous level (0 removes it); false, and nothing is done, when an order of an
   * account stands there.
   */
  setAnonymous(key: number, lots: number): boolean {
    const cell = this.#cells.at(key);
    if (cell < 0) {
      if (this.owned[~cell] !== 0) return false;
      this.#close(~cell);
    }
    this.#cells.set(key, lots);
    return true;
  }

  /**
   * `setAnonymous` for levels of flat triples (side, price, size), from `start` on while they are of the side that begins
   * there, have keys below `limit` and no slot, at most up to `end`. Returns where it stopped. Nearly every change is
   * inside the window and behind the best: those need neither a call nor a branch on what they do.
   */
  setRun(levels: Float64Array, start: number, end: number, limit: number): number {
    const side = levels[start];
    const sign = side === 0 ? 1 : -1;
    let at = start;
    for (;;) {
      at = this.#setBehind(levels, at, end, limit);
      if (at >= end || levels[at] !== side) return at;
      const key = (levels[at + 1] as number) * sign;
      if (key >= limit || this.#cells.at(key) < 0) return at;
      this.#cells.set(key, levels[at + 2] as number);
      at += levelStride;
      if (at >= end || levels[at] !== side) return at;
    }
  }

  /** The slot of the next worse level, or `none`. */
  worse(slot: number): number {
    const key = this.#cells.keyBelow(this.key[slot] as number);
    return key === Number.NEGATIVE_INFINITY ? none : this.find(key);
  }

  /** The key of the next worse level in which an order of an account stands, or -Infinity. */
  ownedBelow(key: number): number {
    let at = this.#cells.keyBelow(key);
    while (at !== Number.NEGATIVE_INFINITY && this.ownedAt(at) === 0) at = this.#cells.keyBelow(at);
    return at;
  }

  /** The keys of all levels, best first. */
  keys(): number[] {
    const keys: number[] = [];
    for (let key = this.#cells.bestKey; key !== Number.NEGATIVE_INFINITY; key = this.#cells.keyBelow(key))
      keys.push(key);
    return keys;
  }

  /**
   * As `setRun`, but stops before the best level too, and before one outside the window: no search, and few branches. Fast twin of
   * `setAnonymous`: row `corridor-resident-touch-maker`, 1.1 times as fast.
   */
  #setBehind(levels: Float64Array, start: number, end: number, limit: number): number {
    const side = levels[start];
    const sign = side === 0 ? 1 : -1;
    const ring = this.#cells;
    const { cells, marks, mask, low } = ring;
    const top = Math.min(ring.bestKey, limit);
    // An imported constant would be looked up for each level.
    const stride = levelStride;
    const shift = blockShift;
    let grown = 0;
    let at = start;
    for (; at < end && levels[at] === side; at += stride) {
      const key = (levels[at + 1] as number) * sign;
      if (key < low || key >= top) break;
      const place = key & mask;
      const before = cells[place] as number;
      if (before < 0) break;
      const lots = levels[at + 2] as number;
      cells[place] = lots;
      marks[place >>> shift] = 1;
      grown += isNonZero(lots) - isNonZero(before);
    }
    ring.grow(grown);
    return at;
  }

  /** Gives an anonymous level a slot: one order holds it all. */
  #open(key: number, lots: number): number {
    const pool = this.#pool;
    const slot = this.takeSlot(key);
    const handle = pool.takeHandle();
    pool.quantity[handle] = lots;
    pool.owner[handle] = noOwner;
    pool.level[handle] = slot;
    pool.next[handle] = none;
    pool.previous[handle] = none;
    this.head[slot] = handle;
    this.tail[slot] = handle;
    this.total[slot] = lots;
    this.#cells.set(key, ~slot);
    return slot;
  }

  /** Gives back the orders and the slot of an anonymous level; its cell is set next. */
  #close(slot: number): void {
    const pool = this.#pool;
    for (let handle = this.head[slot] as number; handle !== none;) {
      const next = pool.next[handle] as number;
      pool.giveHandle(handle);
      handle = next;
    }
    this.giveSlot(slot);
  }
}
