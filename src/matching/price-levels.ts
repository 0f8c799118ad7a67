import { assert } from '../base/assert.ts';
import { FarLevels } from './far-levels.ts';
import { grown, none } from './order-pool.ts';
import { TickBits } from './tick-bits.ts';

/**
 * The price levels of one side, by *key*: the price for bids, its negative for asks, so that the greatest is best.
 *
 * A window of ticks that always contains the best level is a dense circle with a bitmap; what is worse than the
 * window is kept sorted. A level keeps its slot for life, so orders can point at it.
 *
 *     worst ... far (sorted) ... | low ... dense ... best ... low + window |  (nothing is better)
 */
export class PriceLevels {
  /** Columns by slot. `total` is the sum of the level's lots; `head` is its oldest order. */
  key = new Float64Array(64);
  total = new Float64Array(64);
  head = new Int32Array(64);
  tail = new Int32Array(64);
  /** How many orders of accounts stand here (the rest belongs to nobody). */
  owned = new Int32Array(64);
  /** A number of the holder's; 0 when the level is made. */
  mark = new Float64Array(64);
  /** Slot of the best level, or `none`. */
  best = none;
  readonly #window: number;
  readonly #mask: number;
  readonly #dense: Int32Array;
  readonly #bits: TickBits;
  readonly #far = new FarLevels();
  #low = 0;
  #denseSize = 0;
  #free = none;
  #used = 0;

  constructor(windowTicks: number) {
    const powerOfTwo = (windowTicks & (windowTicks - 1)) === 0;
    assert(powerOfTwo && windowTicks >= 1_024, 'a window is a power of two of at least 1024 ticks');
    this.#window = windowTicks;
    this.#mask = windowTicks - 1;
    this.#dense = new Int32Array(windowTicks).fill(none);
    this.#bits = new TickBits(windowTicks);
  }

  /** How many levels there are. */
  get size(): number {
    return this.#denseSize + this.#far.size;
  }

  /** The slot of the level at `key`, or `none`. */
  find(key: number): number {
    const offset = key - this.#low;
    if (offset < 0) return this.#far.size === 0 ? none : this.#far.find(key);
    return offset < this.#window ? (this.#dense[key & this.#mask] as number) : none;
  }

  /** Makes an empty level at `key`, where there is none; its slot. */
  insert(key: number): number {
    const slot = this.#takeSlot(key);
    const best = this.best;
    if (best === none) this.#low = key - this.#reach();
    else if (key - this.#low >= this.#window) this.#slideUp(key - this.#reach());
    if (key < this.#low) {
      this.#far.insert(key, slot);
      return slot;
    }
    this.#place(key, slot);
    if (best === none || key > (this.key[best] as number)) this.best = slot;
    return slot;
  }

  /** Takes out a level. */
  remove(slot: number): void {
    const key = this.key[slot] as number;
    if (key < this.#low) {
      this.#far.remove(key);
    } else {
      const place = key & this.#mask;
      this.#dense[place] = none;
      this.#bits.unset(place);
      this.#denseSize -= 1;
      if (slot === this.best) this.#findBest(place);
    }
    this.head[slot] = this.#free;
    this.#free = slot;
  }

  /** The slot of the next worse level, or `none`. */
  worse(slot: number): number {
    const key = this.key[slot] as number;
    if (key < this.#low) return this.#far.behind(key);
    const place = this.#bits.before(key & this.#mask);
    const found = this.#dense[place] as number;
    if (found !== slot && (this.key[found] as number) < key) return found;
    return this.#far.size === 0 ? none : this.#far.behind(this.#low);
  }

  /** How far above the window's low end the best level is put when the window moves. */
  #reach(): number {
    return (this.#window >>> 2) * 3;
  }

  #findBest(place: number): void {
    if (this.#denseSize === 0) {
      if (this.#far.size === 0) {
        this.best = none;
        return;
      }
      this.#slideDown(this.#far.nearestKey - this.#reach());
      this.best = this.#dense[this.#bits.before((this.#low + this.#window - 1) & this.#mask)] as number;
      return;
    }
    this.best = this.#dense[this.#bits.before(place)] as number;
    const bestKey = this.key[this.best] as number;
    if (this.#far.size > 0 && bestKey - this.#low < this.#window >>> 2) {
      this.#slideDown(bestKey - this.#reach());
    }
  }

  /** Moves the window towards better prices; what it leaves behind becomes far. */
  #slideUp(low: number): void {
    const end = Math.min(low, this.#low + this.#window);
    for (let key = this.#low; key < end && this.#denseSize > 0; key++) {
      const place = key & this.#mask;
      const slot = this.#dense[place] as number;
      if (slot === none) continue;
      this.#dense[place] = none;
      this.#bits.unset(place);
      this.#denseSize -= 1;
      this.#far.insert(key, slot);
    }
    this.#low = low;
  }

  /** Moves the window towards worse prices; far levels it reaches become dense. */
  #slideDown(low: number): void {
    this.#low = low;
    while (this.#far.size > 0 && this.#far.nearestKey >= low) {
      const key = this.#far.nearestKey;
      this.#place(key, this.#far.pop());
    }
  }

  #place(key: number, slot: number): void {
    const place = key & this.#mask;
    this.#dense[place] = slot;
    this.#bits.set(place);
    this.#denseSize += 1;
  }

  #takeSlot(key: number): number {
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
