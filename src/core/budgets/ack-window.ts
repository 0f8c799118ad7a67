import type { Micros } from '../base/clock.ts';

/**
 * A sliding window counted by acknowledgement: a request occupies it from its send until one window after its reply.
 *
 * The venue counts a request somewhere between send and reply, so whatever the delays, it never sees more than
 * `capacity` requests in any window. Replies come in time order, so the releases are a ring; nothing is allocated
 * after construction. Source: faults, section 7; API v3, "Limits" (rate limit plus burst limit per window).
 */
export class AckWindow {
  readonly capacity: number;
  readonly #window: Micros;
  /** When each answered request leaves the window, oldest first. */
  readonly #releases: Float64Array;
  #head = 0;
  #answered = 0;
  #unanswered = 0;

  constructor(capacity: number, window: Micros) {
    this.capacity = capacity;
    this.#window = window;
    this.#releases = new Float64Array(capacity);
  }

  /** Requests that count at `now`. */
  used(now: Micros): number {
    this.#release(now);
    return this.#unanswered + this.#answered;
  }

  /** Counts a request that leaves; the caller has checked that the budget allows it. */
  sent(): void {
    this.#unanswered += 1;
  }

  /** The reply to a request came, or was given up: it counts for one window more. */
  answered(now: Micros): void {
    this.#release(now);
    this.#unanswered -= 1;
    let at = this.#head + this.#answered;
    if (at >= this.capacity) at -= this.capacity;
    this.#releases[at] = now + this.#window;
    this.#answered += 1;
  }

  /** How long until fewer than `ceiling` requests count. When only replies can bring that about: one window. */
  wait(ceiling: number, now: Micros): Micros {
    const surplus = this.used(now) - ceiling + 1;
    if (surplus <= 0) return 0 as Micros;
    if (surplus > this.#answered) return this.#window;
    let at = this.#head + surplus - 1;
    if (at >= this.capacity) at -= this.capacity;
    return ((this.#releases[at] as number) - now) as Micros;
  }

  #release(now: Micros): void {
    while (this.#answered > 0 && (this.#releases[this.#head] as number) <= now) {
      this.#head += 1;
      if (this.#head === this.capacity) this.#head = 0;
      this.#answered -= 1;
    }
  }
}
