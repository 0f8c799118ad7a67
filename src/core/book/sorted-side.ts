import type { Lots, Ticks } from '../model/instrument.ts';
import { levelStride } from '../model/level-buffer.ts';
import type { LadderDirection, LadderSide } from './ladder-side.ts';

const linearSteps = 16;
const loopMoveMax = 32;

/**
 * One side as two parallel arrays, best at the END: changes happen near the touch, so few elements move however
 * deep the book is. A search walks a few steps from the best, then halves.
 *
 * Prices are kept as keys that rise towards the best: the price itself for bids, its negative for asks.
 */
export class SortedSide implements LadderSide {
  readonly direction: LadderDirection;
  readonly #sign: 1 | -1;
  #keys = new Float64Array(64);
  #sizes = new Float64Array(64);
  #count = 0;

  constructor(direction: LadderDirection) {
    this.direction = direction;
    this.#sign = direction === 'bid' ? 1 : -1;
  }

  get size(): number {
    return this.#count;
  }

  get best(): Ticks | undefined {
    const count = this.#count;
    return count === 0 ? undefined : (((this.#keys[count - 1] as number) * this.#sign) as Ticks);
  }

  get bestQuantity(): Lots {
    const count = this.#count;
    return (count === 0 ? 0 : this.#sizes[count - 1]) as Lots;
  }

  set(price: Ticks, lots: Lots): Lots {
    const key = price * this.#sign;
    const at = this.#lastAtMost(key);
    if (at >= 0 && this.#keys[at] === key) {
      const before = this.#sizes[at] as Lots;
      if (lots === 0) this.#removeAt(at);
      else this.#sizes[at] = lots;
      return before;
    }
    if (lots !== 0) this.#insertAt(at + 1, key, lots);
    return 0 as Lots;
  }

  setRun(levels: Float64Array, start: number, end: number): number {
    const side = levels[start];
    let at = this.#count === 0 ? this.#fill(levels, start, end) : start;
    for (; at < end && levels[at] === side; at += levelStride)
      this.set(levels[at + 1] as Ticks, levels[at + 2] as Lots);
    return at;
  }

  quantityAt(price: Ticks): Lots {
    const key = price * this.#sign;
    const at = this.#lastAtMost(key);
    return (at >= 0 && this.#keys[at] === key ? this.#sizes[at] : 0) as Lots;
  }

  clear(): void {
    this.#count = 0;
  }

  forEach(visit: (price: Ticks, lots: Lots) => boolean | void): void {
    for (let i = this.#count - 1; i >= 0; i--) {
      const price = ((this.#keys[i] as number) * this.#sign) as Ticks;
      if (visit(price, this.#sizes[i] as Lots) === false) return;
    }
  }

  /** Index of the last key that is at most `key`, -1 when all are above. */
  #lastAtMost(key: number): number {
    const keys = this.#keys;
    let at = this.#count - 1;
    const stop = Math.max(-1, at - linearSteps);
    while (at > stop && (keys[at] as number) > key) at -= 1;
    if (at > stop || at < 0) return at;
    let low = 0;
    let high = at;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as number) <= key) low = middle + 1;
      else high = middle - 1;
    }
    return high;
  }

  /** Levels from the best outwards, in the order of a snapshot, into an empty side. Returns where that order ends. */
  #fill(levels: Float64Array, start: number, end: number): number {
    const side = levels[start];
    let last = Number.POSITIVE_INFINITY;
    let stop = start;
    for (; stop < end && levels[stop] === side; stop += levelStride) {
      const key = (levels[stop + 1] as number) * this.#sign;
      if (!(key < last) || levels[stop + 2] === 0) break;
      last = key;
    }
    const count = (stop - start) / levelStride;
    while (this.#keys.length < count) this.#grow();
    for (let i = count - 1, at = start; i >= 0; i--, at += levelStride) {
      this.#keys[i] = (levels[at + 1] as number) * this.#sign;
      this.#sizes[i] = levels[at + 2] as number;
    }
    this.#count = count;
    return stop;
  }

  #removeAt(at: number): void {
    const count = this.#count - 1;
    const keys = this.#keys;
    const sizes = this.#sizes;
    if (count - at > loopMoveMax) {
      keys.copyWithin(at, at + 1, count + 1);
      sizes.copyWithin(at, at + 1, count + 1);
    } else {
      for (let i = at; i < count; i++) {
        keys[i] = keys[i + 1] as number;
        sizes[i] = sizes[i + 1] as number;
      }
    }
    this.#count = count;
  }

  #insertAt(at: number, key: number, lots: number): void {
    if (this.#count === this.#keys.length) this.#grow();
    const count = this.#count;
    const keys = this.#keys;
    const sizes = this.#sizes;
    if (count - at > loopMoveMax) {
      keys.copyWithin(at + 1, at, count);
      sizes.copyWithin(at + 1, at, count);
    } else {
      for (let i = count; i > at; i--) {
        keys[i] = keys[i - 1] as number;
        sizes[i] = sizes[i - 1] as number;
      }
    }
    keys[at] = key;
    sizes[at] = lots;
    this.#count = count + 1;
  }

  #grow(): void {
    const keys = new Float64Array(this.#keys.length * 2);
    const sizes = new Float64Array(this.#sizes.length * 2);
    keys.set(this.#keys);
    sizes.set(this.#sizes);
    this.#keys = keys;
    this.#sizes = sizes;
  }
}
