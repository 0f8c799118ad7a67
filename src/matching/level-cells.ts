import { assert } from '../base/assert.ts';
import { BlockMarks, blockShift, isThere } from '../base/block-marks.ts';
import { FarCells } from '../base/far-cells.ts';
import { levelStride } from '../model/level-arena.ts';

/**
 * A number for each price level of one side, by *key*: the price for bids, its negative for asks, so that the greatest
 * is best. 0 is no level.
 *
 * A window of ticks that always contains the best level is a dense circle of cells with marks to find the next one; what is
 * worse than the window is kept by key.
 *
 *     worst ... far ... | low ... dense ... best ... low + window |  (nothing is better)
 */
export class LevelCells {
  readonly #window: number;
  readonly #mask: number;
  readonly #cells: Float64Array;
  readonly #blocks: BlockMarks;
  readonly #far = new FarCells();
  #low = 0;
  #denseSize = 0;
  #bestKey = Number.NEGATIVE_INFINITY;

  constructor(windowTicks: number) {
    const powerOfTwo = (windowTicks & (windowTicks - 1)) === 0;
    assert(powerOfTwo && windowTicks >= 1_024, 'a window is a power of two of at least 1024 ticks');
    this.#window = windowTicks;
    this.#mask = windowTicks - 1;
    this.#cells = new Float64Array(windowTicks);
    this.#blocks = new BlockMarks(windowTicks);
  }

  get size(): number {
    return this.#denseSize + this.#far.size;
  }

  /** -Infinity when there is no level. */
  get bestKey(): number {
    return this.#bestKey;
  }

  cellAt(key: number): number {
    const offset = key - this.#low;
    if (offset < 0) return this.#far.size === 0 ? 0 : this.#far.at(key);
    return offset < this.#window ? (this.#cells[key & this.#mask] as number) : 0;
  }

  /** Sets a cell; 0 removes it. */
  set(key: number, cell: number): void {
    if (cell !== 0) {
      if (this.#reach(key)) this.#put(key, cell);
      else this.#far.set(key, cell);
    } else if (key < this.#low) this.#far.set(key, 0);
    else if (this.cellAt(key) !== 0) this.#drop(key);
  }

  /** See `PriceLevels.setRun`. */
  setRun(levels: Float64Array, start: number, end: number, limit: number): number {
    const side = levels[start];
    const sign = side === 0 ? 1 : -1;
    let at = start;
    for (;;) {
      at = this.#setBehind(levels, at, end, limit);
      if (at >= end || levels[at] !== side) return at;
      const key = (levels[at + 1] as number) * sign;
      if (key >= limit || this.cellAt(key) < 0) return at;
      this.set(key, levels[at + 2] as number);
      at += levelStride;
      if (at >= end || levels[at] !== side) return at;
    }
  }

  /** The key of the next worse level, or -Infinity. */
  keyBelow(key: number): number {
    if (key > this.#low && this.#denseSize > 0) {
      const place = key & this.#mask;
      const found = this.#blocks.below(this.#cells, place);
      const below = key - ((place - found) & this.#mask);
      if (found >= 0 && below !== key && below >= this.#low) return below;
    }
    return this.#far.size === 0 ? Number.NEGATIVE_INFINITY : this.#far.below(key);
  }

  /** As `setRun`, but stops before the best level too, and before one outside the window: no search, and few branches. */
  #setBehind(levels: Float64Array, start: number, end: number, limit: number): number {
    const side = levels[start];
    const sign = side === 0 ? 1 : -1;
    const mask = this.#mask;
    const cells = this.#cells;
    const { marks } = this.#blocks;
    const low = this.#low;
    const top = Math.min(this.#bestKey, limit);
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
      grown += isThere(lots) - isThere(before);
    }
    this.#denseSize += grown;
    return at;
  }

  /** Whether `key` is inside the window, which follows when it is better than all of it. */
  #reach(key: number): boolean {
    if (this.#bestKey === Number.NEGATIVE_INFINITY) this.#low = this.#lowFor(key);
    else if (key - this.#low >= this.#window) this.#slideUp(this.#lowFor(key));
    return key >= this.#low;
  }

  #put(key: number, cell: number): void {
    const place = key & this.#mask;
    if (this.#cells[place] === 0) {
      this.#blocks.marks[place >>> blockShift] = 1;
      this.#denseSize += 1;
      if (key > this.#bestKey) this.#bestKey = key;
    }
    this.#cells[place] = cell;
  }

  #drop(key: number): void {
    const place = key & this.#mask;
    this.#cells[place] = 0;
    this.#denseSize -= 1;
    if (key === this.#bestKey) this.#findBest();
  }

  /** The best level, at three quarters of the window when the window moves. */
  #lowFor(bestKey: number): number {
    return bestKey - (this.#window >>> 2) * 3;
  }

  /** The best level has gone. */
  #findBest(): void {
    const far = this.#far;
    if (this.#denseSize === 0) {
      if (far.best !== undefined) this.#slideDown(this.#lowFor(far.best));
      // What was nearest is best now, and stands in the window.
      this.#bestKey = this.#denseSize === 0 ? Number.NEGATIVE_INFINITY : this.#low + (this.#window >>> 2) * 3;
      return;
    }
    const key = this.keyBelow(this.#bestKey);
    this.#bestKey = key;
    if (far.size > 0 && key - this.#low < this.#window >>> 2) this.#slideDown(this.#lowFor(key));
  }

  /** Moves the window towards better prices; what it leaves behind becomes far. */
  #slideUp(low: number): void {
    const end = Math.min(low, this.#low + this.#window);
    for (let key = this.#low; key < end && this.#denseSize > 0; key++) {
      const place = key & this.#mask;
      const cell = this.#cells[place] as number;
      if (cell === 0) continue;
      this.#cells[place] = 0;
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
      const place = key & this.#mask;
      this.#cells[place] = far.set(key, 0);
      this.#blocks.marks[place >>> blockShift] = 1;
      this.#denseSize += 1;
    }
  }
}
