import { assert } from './assert.ts';
import { OccupancyBitmap, blockShift } from './occupancy-bitmap.ts';
import { SparseLevels } from './sparse-levels.ts';

/**
 * A number for each price level of one side, by *key*: the price for bids, its negative for asks, so that the greatest
 * is best. 0 is no level.
 *
 * A window of ticks that always contains the best level is a dense circle of cells with marks to find the next one; what is
 * worse than the window is kept by key. When the best leaves the middle half, the window is moved so that it stands at
 * three quarters again.
 *
 *     worst ... far ... | low ... dense ... best ... low + window |  (nothing is better)
 */
export class PriceWindow {
  /** Mask of a key: its value stands at `key & mask` of the cells when it is inside the window. */
  readonly mask: number;
  readonly cells: Float64Array;
  /** Marks by `key & mask >>> blockShift`: a write into the cells sets a 1 here and calls `grow`. */
  readonly marks: Uint8Array;
  readonly #window: number;
  readonly #blocks: OccupancyBitmap;
  readonly #far = new SparseLevels();
  #low = Number.NEGATIVE_INFINITY;
  #bestKey = Number.NEGATIVE_INFINITY;
  #denseSize = 0;

  /** `window` in ticks: a power of two from 1024 up. */
  constructor(window: number) {
    const powerOfTwo = (window & (window - 1)) === 0;
    assert(powerOfTwo && window >= 1_024, 'a window is a power of two of at least 1024 ticks');
    this.#window = window;
    this.mask = window - 1;
    this.cells = new Float64Array(window);
    this.#blocks = new OccupancyBitmap(window);
    this.marks = this.#blocks.marks;
  }

  /** How many levels there are. */
  get size(): number {
    return this.#denseSize + this.#far.size;
  }

  /** -Infinity when there is no level. */
  get bestKey(): number {
    return this.#bestKey;
  }

  /** Where the window begins; -Infinity when there is no level. Nothing in it is better than `bestKey`. */
  get low(): number {
    return this.#low;
  }

  at(key: number): number {
    const offset = key - this.#low;
    if (offset < 0) return this.#far.size === 0 ? 0 : this.#far.at(key);
    return offset < this.#window ? (this.cells[key & this.mask] as number) : 0;
  }

  /** Sets a cell, 0 removes it; what was there before. */
  set(key: number, cell: number): number {
    const offset = key - this.#low;
    if (offset < 0) return this.#far.set(key, cell);
    if (offset >= this.#window) return this.#setAbove(key, cell);
    const place = key & this.mask;
    const before = this.cells[place] as number;
    this.cells[place] = cell;
    if (cell === 0) {
      if (before !== 0) this.#dropped(key);
    } else if (before === 0) {
      this.marks[place >>> blockShift] = 1;
      this.#denseSize += 1;
      if (key > this.#bestKey) this.#bestKey = key;
    }
    return before;
  }

  /** So many more levels stand behind the best now, and inside the window; less than 0: fewer. */
  grow(levels: number): void {
    this.#denseSize += levels;
  }

  /** The key of the next worse level, or -Infinity. */
  keyBelow(key: number): number {
    if (key > this.#low && this.#denseSize > 0) {
      const place = key & this.mask;
      const found = this.#blocks.below(this.cells, place);
      const below = key - ((place - found) & this.mask);
      if (found >= 0 && below !== key && below >= this.#low) return below;
    }
    return this.#far.size === 0 ? Number.NEGATIVE_INFINITY : this.#far.below(key);
  }

  /** Shows all levels, best first, until `visit` answers false. */
  forEach(visit: (key: number, cell: number) => boolean | void): void {
    let key = this.#bestKey;
    for (let left = this.#denseSize; left > 0; left--) {
      if (visit(key, this.cells[key & this.mask] as number) === false) return;
      if (left > 1) key = this.keyBelow(key);
    }
    if (this.#far.size > 0) this.#far.forEach(visit);
  }

  clear(): void {
    this.cells.fill(0);
    this.#blocks.clear();
    this.#far.clear();
    this.#denseSize = 0;
    this.#low = Number.NEGATIVE_INFINITY;
    this.#bestKey = Number.NEGATIVE_INFINITY;
  }

  /** The window follows what is better than all of it. */
  #setAbove(key: number, cell: number): number {
    if (cell === 0) return 0;
    this.#slideUp(this.#lowFor(key));
    return this.set(key, cell);
  }

  /** The best level, at three quarters of the window when the window moves. */
  #lowFor(bestKey: number): number {
    return bestKey - (this.#window >>> 2) * 3;
  }

  #dropped(key: number): void {
    this.#denseSize -= 1;
    if (key !== this.#bestKey) return;
    const best = this.#denseSize > 0 ? this.keyBelow(key) : (this.#far.best ?? Number.NEGATIVE_INFINITY);
    this.#bestKey = best;
    if (best === Number.NEGATIVE_INFINITY) this.#low = best;
    else if (this.#far.size > 0 && best - this.#low < this.#window >>> 2) this.#slideDown(this.#lowFor(best));
  }

  /** Moves the window towards better prices; what it leaves behind becomes far. */
  #slideUp(low: number): void {
    // Counted in steps: a key above 2^53 would not grow by one.
    const fallen = Math.min(low - this.#low, this.#window);
    for (let step = 0; step < fallen && this.#denseSize > 0; step++) {
      const key = this.#low + step;
      const place = key & this.mask;
      const cell = this.cells[place] as number;
      if (cell === 0) continue;
      this.cells[place] = 0;
      this.#denseSize -= 1;
      this.#far.set(key, cell);
    }
    this.#low = low;
  }

  /** Moves the window towards worse prices; far levels it reaches become dense. */
  #slideDown(low: number): void {
    this.#low = low;
    const far = this.#far;
    for (let key = far.best; key !== undefined && key >= low; key = far.best) {
      const place = key & this.mask;
      this.cells[place] = far.set(key, 0);
      this.marks[place >>> blockShift] = 1;
      this.#denseSize += 1;
    }
  }
}
