import type { Micros } from '../../base/clock.ts';

/** Counts how often something happened inside a sliding window: a ring of the last `max` times, by `uptime`. */
export class Throttle {
  readonly max: number;
  readonly #window: Micros;
  readonly #times: Float64Array;
  #next = 0;

  constructor(max: number, window: Micros) {
    this.max = max;
    this.#window = window;
    this.#times = new Float64Array(max).fill(Number.NEGATIVE_INFINITY);
  }

  /** Whether one more now keeps the count at or below `max`: the `max`-th last must have left the window. */
  admits(now: Micros): boolean {
    return now - (this.#times[this.#next] as number) >= this.#window;
  }

  /** As if it had counted with another `max` so far. */
  resized(max: number): Throttle {
    const other = new Throttle(max, this.#window);
    const times = [...this.#times.subarray(this.#next), ...this.#times.subarray(0, this.#next)];
    for (const time of times.slice(-max)) other.count(time as Micros);
    return other;
  }

  count(now: Micros): void {
    this.#times[this.#next] = now;
    this.#next = this.#next + 1 === this.max ? 0 : this.#next + 1;
  }
}
