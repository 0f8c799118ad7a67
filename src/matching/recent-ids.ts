import type { Micros } from '../base/clock.ts';

/**
 * Client ids of orders that ended not long ago, in two generations: when the young one spans the time an id stays
 * taken (or is full), it becomes the old one and what was old is forgotten.
 */
export class RecentIds {
  readonly #keep: Micros;
  readonly #sizeMax: number;
  #young = new Map<string, number>();
  #old = new Map<string, number>();
  #youngSince = 0;

  constructor(keep: Micros, sizeMax: number) {
    this.#keep = keep;
    this.#sizeMax = sizeMax;
  }

  add(id: string, endedAt: Micros): void {
    if (this.#keep === 0) return;
    if (endedAt >= this.#youngSince + this.#keep || this.#young.size >= this.#sizeMax) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngSince = endedAt;
    }
    this.#young.set(id, endedAt);
  }

  /** Whether the id ended less than the time ago that it stays taken. */
  holds(id: string, now: Micros): boolean {
    const endedAt = this.#young.get(id) ?? this.#old.get(id);
    return endedAt !== undefined && now < endedAt + this.#keep;
  }
}
