import type { Micros } from './clock.ts';
import { micros, millis, seconds } from './clock.ts';
import type { Random } from './random.ts';

export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Attempts a minute at most, whatever the pauses. */
  readonly perMinute: number;
}

/** How long to wait before the next attempt: doubling with jitter, and a bounded number of attempts a minute. */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #random: Random;
  /** Times of the latest attempts, a ring. */
  readonly #attempts: Float64Array;
  #next = 0;
  #failures = 0;

  constructor(options: BackoffOptions, random: Random) {
    this.#options = options;
    this.#random = random;
    this.#attempts = new Float64Array(options.perMinute).fill(Number.NEGATIVE_INFINITY);
  }

  /** The pause before the next attempt, which is counted as made. */
  pause(now: Micros): Micros {
    const { firstMs, maxMs } = this.#options;
    const ceiling = Math.min(maxMs, firstMs * 2 ** Math.min(this.#failures, 30));
    const jittered = millis(ceiling * (0.5 + this.#random.float() / 2));
    this.#failures += 1;
    const earliest = (this.#attempts[this.#next] as number) + seconds(60);
    const at = Math.max(now + jittered, earliest);
    this.#attempts[this.#next] = at;
    this.#next = (this.#next + 1) % this.#attempts.length;
    return micros(Math.round(at - now));
  }

  /** Things went well: the next pause is the first again. The cap per minute stays. */
  reset(): void {
    this.#failures = 0;
  }
}
