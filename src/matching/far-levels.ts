import { grown } from './order-pool.ts';

/** Levels outside the dense window: sorted by key, nearest the touch last. Their cells are as those of `PriceLevels`. */
export class FarLevels {
  #keys = new Float64Array(64);
  #cells = new Float64Array(64);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Key of the level nearest the touch; the caller knows that there is one. */
  get nearestKey(): number {
    return this.#keys[this.#size - 1] as number;
  }

  /** The cell under `key`, or 0. */
  cellAt(key: number): number {
    const at = this.#position(key);
    return at < this.#size && this.#keys[at] === key ? (this.#cells[at] as number) : 0;
  }

  /** Stores a cell other than 0 under `key`. */
  set(key: number, cell: number): void {
    const at = this.#position(key);
    if (at === this.#size || this.#keys[at] !== key) {
      this.#makeRoom();
      this.#keys.copyWithin(at + 1, at, this.#size);
      this.#cells.copyWithin(at + 1, at, this.#size);
      this.#size += 1;
    }
    this.#keys[at] = key;
    this.#cells[at] = cell;
  }

  /** Removes the level under `key`, if it is there. */
  remove(key: number): void {
    const at = this.#position(key);
    if (at === this.#size || this.#keys[at] !== key) return;
    this.#keys.copyWithin(at, at + 1, this.#size);
    this.#cells.copyWithin(at, at + 1, this.#size);
    this.#size -= 1;
  }

  /** Takes out the level nearest the touch; its cell. */
  pop(): number {
    this.#size -= 1;
    return this.#cells[this.#size] as number;
  }

  /** The key of the level next behind `key` (farther from the touch), or -Infinity. */
  keyBehind(key: number): number {
    const at = this.#position(key);
    return at === 0 ? Number.NEGATIVE_INFINITY : (this.#keys[at - 1] as number);
  }

  /** Index of the first key not below `key`. Most searches end near the touch, so gallop from there. */
  #position(key: number): number {
    const keys = this.#keys;
    let high = this.#size;
    let low = high - 1;
    for (let step = 1; low >= 0 && (keys[low] as number) >= key; step *= 2) {
      high = low;
      low -= step;
    }
    low = Math.max(-1, low);
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as number) >= key) high = middle;
      else low = middle;
    }
    return high;
  }

  #makeRoom(): void {
    if (this.#size < this.#keys.length) return;
    this.#keys = grown(new Float64Array(this.#size * 2), this.#keys);
    this.#cells = grown(new Float64Array(this.#size * 2), this.#cells);
  }
}
