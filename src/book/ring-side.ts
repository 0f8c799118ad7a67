import { assert } from '../base/assert.ts';
import { BlockMarks, blockShift, isThere } from '../base/block-marks.ts';
import { FarCells } from '../base/far-cells.ts';
import type { Lots, Ticks } from '../model/instrument.ts';
import { levelStride } from '../model/level-arena.ts';
import type { LadderDirection, LadderSide } from './ladder-side.ts';

/**
 * One side as a ring of ticks around the touch, with marks to find the next level and the best price cached.
 *
 * ```
 *   far            |<------------- window ------------->|
 *   ...............low ................ best ........low + width
 * ```
 * Keys rise towards the best: the price for bids, its negative for asks. Every level with a key of at least `low`
 * is in the ring, every other one in `far`; nothing stands above the window. When the best leaves the middle
 * half, the window is moved so that it stands at three quarters again.
 */
export class RingSide implements LadderSide {
  readonly direction: LadderDirection;
  readonly #sign: 1 | -1;
  readonly #width: number;
  readonly #mask: number;
  readonly #sizes: Float64Array;
  readonly #blocks: BlockMarks;
  readonly #far = new FarCells();
  #low = 0;
  #near = 0;
  /** Key and quantity of the best level; meaningful while `#near` is not 0. */
  #bestKey = 0;
  #bestSize = 0;

  /** `width` in ticks: a power of two from 1024 up. */
  constructor(direction: LadderDirection, width = 65_536) {
    assert(
      width >= 1024 && (width & (width - 1)) === 0,
      'the width of a ring is a power of two from 1024 up',
    );
    this.direction = direction;
    this.#sign = direction === 'bid' ? 1 : -1;
    this.#width = width;
    this.#mask = width - 1;
    this.#sizes = new Float64Array(width);
    this.#blocks = new BlockMarks(width);
  }

  get size(): number {
    return this.#near + this.#far.size;
  }

  get best(): Ticks | undefined {
    return this.#near === 0 ? undefined : ((this.#bestKey * this.#sign) as Ticks);
  }

  get bestQuantity(): Lots {
    return (this.#near === 0 ? 0 : this.#bestSize) as Lots;
  }

  set(price: Ticks, lots: Lots): Lots {
    const key = price * this.#sign;
    if (key < this.#low || key >= this.#low + this.#width) return this.#setOutside(key, lots);
    const slot = key & this.#mask;
    const before = this.#sizes[slot] as Lots;
    if (lots === 0) {
      if (before !== 0) this.#remove(key, slot);
      return before;
    }
    this.#sizes[slot] = lots;
    if (before === 0) {
      this.#blocks.marks[slot >>> blockShift] = 1;
      this.#near += 1;
      if (this.#near === 1 && this.#far.size === 0) this.#settle(key, lots);
      else if (key > this.#bestKey) this.#bestKey = key;
    }
    if (key === this.#bestKey) this.#bestSize = lots;
    return before;
  }

  /** Nearly every change is inside the window and behind the best: no call, no search, no branch on what it does. */
  setRun(levels: Float64Array, start: number, end: number): number {
    const side = levels[start];
    let at = start;
    for (;;) {
      at = this.setBehind(levels, at, end, 0);
      if (at >= end || levels[at] !== side) return at;
      this.set(levels[at + 1] as Ticks, levels[at + 2] as Lots);
      at += levelStride;
      if (at >= end || levels[at] !== side) return at;
    }
  }

  /**
   * As `setRun`, but stops before a level of the best price, or better, or far outside, and before one whose key, by its
   * lowest five bits, has its bit set in `skip`.
   */
  setBehind(levels: Float64Array, start: number, end: number, skip: number): number {
    const side = levels[start];
    const sign = this.#sign;
    const mask = this.#mask;
    const sizes = this.#sizes;
    const { marks } = this.#blocks;
    const low = this.#low;
    // An imported constant would be looked up for each level.
    const stride = levelStride;
    const shift = blockShift;
    const best = this.#near === 0 ? low : this.#bestKey;
    let grown = 0;
    let at = start;
    for (; at < end && levels[at] === side; at += stride) {
      const key = (levels[at + 1] as number) * sign;
      if (key >= best || key < low) break;
      const slot = key & mask;
      if (((skip >>> (slot & 31)) & 1) !== 0) break;
      const lots = levels[at + 2] as number;
      grown += isThere(lots) - isThere(sizes[slot] as number);
      sizes[slot] = lots;
      marks[slot >>> shift] = 1;
    }
    this.#near += grown;
    return at;
  }

  quantityAt(price: Ticks): Lots {
    const key = price * this.#sign;
    if (key < this.#low) return this.#far.at(key) as Lots;
    return (key >= this.#low + this.#width ? 0 : this.#sizes[key & this.#mask]) as Lots;
  }

  clear(): void {
    this.#sizes.fill(0);
    this.#blocks.clear();
    this.#far.clear();
    this.#near = 0;
  }

  forEach(visit: (price: Ticks, lots: Lots) => boolean | void): void {
    let key = this.#bestKey;
    for (let left = this.#near; left > 0; left--) {
      if (visit((key * this.#sign) as Ticks, this.#sizes[key & this.#mask] as Lots) === false) return;
      if (left > 1) key = this.#nextBelow(key);
    }
    if (this.#far.size > 0)
      this.#far.forEach((far, lots) => visit((far * this.#sign) as Ticks, lots as Lots));
  }

  /** The key of the next level of the ring below `key`; there must be one. */
  #nextBelow(key: number): number {
    const slot = key & this.#mask;
    return key - ((slot - this.#blocks.below(this.#sizes, slot)) & this.#mask);
  }

  #settle(key: number, lots: number): void {
    this.#bestKey = key;
    this.#bestSize = lots;
  }

  #remove(key: number, slot: number): void {
    this.#sizes[slot] = 0;
    this.#near -= 1;
    if (key !== this.#bestKey) return;
    if (this.#near === 0) {
      if (this.#far.size > 0) this.#moveTo(this.#lowFor(this.#far.best as number));
      return;
    }
    const next = this.#nextBelow(key);
    this.#settle(next, this.#sizes[next & this.#mask] as number);
    if (this.#far.size > 0 && next < this.#low + this.#width / 4) this.#moveTo(this.#lowFor(next));
  }

  #setOutside(key: number, lots: Lots): Lots {
    if (this.#near === 0) {
      // Then `far` is empty too: the window stands wherever the first level comes.
      if (lots === 0) return lots;
      this.#low = this.#lowFor(key);
    } else if (key < this.#low) {
      return this.#far.set(key, lots) as Lots;
    } else {
      if (lots === 0) return lots;
      this.#moveTo(this.#lowFor(key));
    }
    return this.set((key * this.#sign) as Ticks, lots);
  }

  #lowFor(bestKey: number): number {
    return bestKey - (this.#width / 4) * 3;
  }

  /** Moves the window. What falls out goes to `far`, what comes in is taken from it; then the best is found again. */
  #moveTo(low: number): void {
    const old = this.#low;
    const fallen = Math.min(low - old, this.#width);
    for (let step = 0; step < fallen && this.#near > 0; step++) {
      const key = old + step;
      const slot = key & this.#mask;
      const lots = this.#sizes[slot] as Lots;
      if (lots === 0) continue;
      this.#far.set(key, lots);
      this.#sizes[slot] = 0;
      this.#near -= 1;
    }
    this.#low = low;
    while (this.#far.size > 0 && (this.#far.best as number) >= low) this.#takeBestOfFar();
    this.#findBest();
  }

  #takeBestOfFar(): void {
    const key = this.#far.best as number;
    const slot = key & this.#mask;
    this.#sizes[slot] = this.#far.set(key, 0);
    this.#blocks.marks[slot >>> blockShift] = 1;
    this.#near += 1;
  }

  #findBest(): void {
    if (this.#near === 0) return;
    const slot = this.#low & this.#mask;
    const key = this.#low + ((this.#blocks.below(this.#sizes, slot) - slot) & this.#mask);
    this.#settle(key, this.#sizes[key & this.#mask] as number);
  }
}
