import type { Clock, Micros } from '../core/base/clock.ts';
import { microsPerSecond } from '../core/base/clock.ts';

/** A rate limit as the documents print it: up to `rate` plus `burst` requests within one second. */
export interface RateLimit {
  readonly rate: number;
  readonly burst: number;
}

/**
 * Admits at most `capacity` requests in any window of one second, and always the next one when fewer were
 * admitted. Only admitted requests count. Source: API v3, "Limits" (one-second sliding window).
 */
export class SlidingWindow {
  readonly #admitted: Float64Array;
  #next = 0;

  constructor(capacity: number) {
    this.#admitted = new Float64Array(Math.max(1, capacity)).fill(Number.NEGATIVE_INFINITY);
  }

  /** When the last request was admitted; minus infinity before the first. */
  get lastTime(): number {
    const length = this.#admitted.length;
    return this.#admitted[(this.#next + length - 1) % length] as number;
  }

  /** Whether a request at monotonic time `now` may pass; if so it is counted. */
  admit(now: Micros): boolean {
    const oldest = this.#admitted[this.#next] as number;
    if (now - oldest < microsPerSecond) return false;
    this.#admitted[this.#next] = now;
    this.#next = (this.#next + 1) % this.#admitted.length;
    return true;
  }
}

const windowsMax = 20_000;

/** Sliding windows by identity (an address or an account) and bucket (a row of the limits table). Bounded. */
export class Throttle {
  readonly #clock: Clock;
  readonly #enabled: boolean;
  readonly #windows = new Map<string, SlidingWindow>();

  constructor(clock: Clock, enabled: boolean) {
    this.#clock = clock;
    this.#enabled = enabled;
  }

  /** Counts one request of `identity` against `limit`; false means the answer is 429. */
  admit(identity: string, bucket: string, limit: RateLimit): boolean {
    if (!this.#enabled) return true;
    const key = `${identity} ${bucket}`;
    let window = this.#windows.get(key);
    if (window === undefined) {
      if (this.#windows.size >= windowsMax) this.#forget();
      window = new SlidingWindow(limit.rate + limit.burst);
      this.#windows.set(key, window);
    }
    return window.admit(this.#clock.uptime());
  }

  /** Drops windows that no longer bind; if all bind, the oldest tenth goes. */
  #forget(): void {
    const since = this.#clock.uptime() - microsPerSecond;
    for (const [key, window] of this.#windows) if (window.lastTime <= since) this.#windows.delete(key);
    if (this.#windows.size < windowsMax) return;
    let surplus = windowsMax / 10;
    for (const key of this.#windows.keys()) {
      if (surplus-- <= 0) return;
      this.#windows.delete(key);
    }
  }
}
