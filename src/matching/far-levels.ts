import { grown, none } from './order-pool.ts';

/** Levels outside the dense window: sorted by key, nearest the touch last. */
export class FarLevels {
  #keys = new Float64Array(64);
  #slots = new Int32Array(64);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Key of the level nearest the touch; the caller knows that there is one. */
  get nearestKey(): number {
    return this.#keys[this.#size - 1] as number;
  }

  /** The slot stored under `key`, or `none`. */
  find(key: number): number {
    const at = this.#position(key);
    return at < this.#size && this.#keys[at] === key ? (this.#slots[at] as number) : none;
  }

  insert(key: number, slot: number): void {
    this.#makeRoom();
    const at = this.#position(key);
    this.#keys.copyWithin(at + 1, at, this.#size);
    this.#slots.copyWithin(at + 1, at, this.#size);
    this.#keys[at] = key;
    this.#slots[at] = slot;
    this.#size += 1;
  }

  /** Removes the level under `key`, which is there. */
  remove(key: number): void {
    const at = this.#position(key);
    this.#keys.copyWithin(at, at + 1, this.#size);
    this.#slots.copyWithin(at, at + 1, this.#size);
    this.#size -= 1;
  }

  /** Takes out the level nearest the touch; its slot. */
  pop(): number {
    this.#size -= 1;
    return this.#slots[this.#size] as number;
  }

  /** The slot of the level next behind `key` (farther from the touch), or `none`. */
  behind(key: number): number {
    const at = this.#position(key);
    return at === 0 ? none : (this.#slots[at - 1] as number);
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
    this.#slots = grown(new Int32Array(this.#size * 2), this.#slots);
  }
}
