import type { Micros } from '../../../core/base/clock.ts';

/** Numbers wrap around here; the ring never holds this many. */
const numberMask = 2 ** 30 - 1;

/** Ids of orders that ended, oldest first and numbered in that order: a ring that grows as it must. */
export class EndedIds {
  #ids: string[] = ['', '', '', '', '', '', '', ''];
  #hashes = new Int32Array(8);
  #times = new Float64Array(8);
  #mask = 7;
  /** Number of the oldest. */
  #first = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  // The oldest of them; there is one.

  get oldest(): number {
    return this.#first;
  }

  get oldestHash(): number {
    return this.#hashes[this.#first & this.#mask] as number;
  }

  get oldestTime(): Micros {
    return this.#times[this.#first & this.#mask] as Micros;
  }

  /** The id of that number. */
  id(number: number): string {
    return this.#ids[number & this.#mask] as string;
  }

  /** Its number, below 2^30. */
  add(id: string, hash: number, endedAt: Micros): number {
    if (this.#size > this.#mask) this.#grow();
    const number = (this.#first + this.#size) & numberMask;
    const at = number & this.#mask;
    this.#ids[at] = id;
    this.#hashes[at] = hash;
    this.#times[at] = endedAt;
    this.#size += 1;
    return number;
  }

  /** Forgets the oldest. */
  shift(): void {
    this.#first = (this.#first + 1) & numberMask;
    this.#size -= 1;
  }

  #grow(): void {
    const [ids, hashes, times, mask] = [this.#ids, this.#hashes, this.#times, this.#mask];
    const length = 2 * ids.length;
    this.#ids = Array.from({ length }, () => '');
    this.#hashes = new Int32Array(length);
    this.#times = new Float64Array(length);
    this.#mask = length - 1;
    for (let i = 0; i < this.#size; i++) {
      const [from, to] = [(this.#first + i) & mask, (this.#first + i) & this.#mask];
      this.#ids[to] = ids[from] as string;
      this.#hashes[to] = hashes[from] as number;
      this.#times[to] = times[from] as number;
    }
  }
}
