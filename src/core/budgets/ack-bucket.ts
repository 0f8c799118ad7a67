import type { Micros } from '../base/clock.ts';
import { microsPerSecond } from '../base/clock.ts';

/**
 * A leaky bucket counted by acknowledgement: answered requests fell in at their reply, unanswered ones fall in now.
 *
 * Both are later than the truth, so the level here is never below the venue's, whatever the delays.
 * Source: faults, section 7.
 */
export class AckBucket {
  /** How many requests it holds. */
  readonly size: number;
  /** Requests that leak out per microsecond. */
  readonly #leak: number;
  #level = 0;
  #levelAt = 0 as Micros;
  #unanswered = 0;

  constructor(ratePerSecond: number, size: number) {
    this.size = size;
    this.#leak = ratePerSecond / microsPerSecond;
  }

  /** The level at `now`, in requests, unanswered ones included. */
  level(now: Micros): number {
    this.#drain(now);
    return this.#level + this.#unanswered;
  }

  /** Counts a request that leaves; the caller has checked that the budget allows it. */
  sent(): void {
    this.#unanswered += 1;
  }

  /** The reply to a request came, or was given up: from now on it leaks. */
  answered(now: Micros): void {
    this.#drain(now);
    this.#unanswered -= 1;
    this.#level += 1;
  }

  /** The least time until one request more stays within `ceiling`. */
  wait(ceiling: number, now: Micros): Micros {
    const surplus = this.level(now) + 1 - ceiling;
    return (surplus <= 0 ? 0 : Math.ceil(surplus / this.#leak)) as Micros;
  }

  #drain(now: Micros): void {
    const leaked = (now - this.#levelAt) * this.#leak;
    this.#level = this.#level > leaked ? this.#level - leaked : 0;
    this.#levelAt = now;
  }
}
