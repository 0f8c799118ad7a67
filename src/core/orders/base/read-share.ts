import type { Clock, Micros } from '../../base/clock.ts';
import { micros, seconds } from '../../base/clock.ts';

/** Rate that the tightest documented limit of reads sustains, for a venue that does not tell another. Source: API v3, "Limits". */
const usualRate = 20;
/**
 * The part of the rate that comparisons refill by. With what is saved at the start it stays below a tenth in every hour.
 */
const part = 0.09;
/** So long an allowance is saved up. */
const savedFor = seconds(30);

/**
 * The share of the budget for reads that comparisons with the venue may use: reads draw on it, and looks that can wait do wait while it
 * is used up. A look that cannot (after a start, an outage or a halt, or that an operator waits for) draws on what comes later.
 */
export class ReadShare {
  readonly #clock: Clock;
  /** Reads that come back in a microsecond. */
  readonly #refill: number;
  readonly #most: number;
  #left = 0;
  #at = 0 as Micros;

  /** `rate`: reads that the venue's limit sustains in a second. */
  constructor(clock: Clock, rate = usualRate) {
    this.#clock = clock;
    this.#refill = (rate * part) / seconds(1);
    this.#most = this.#refill * savedFor;
    this.#left = this.#most;
    this.#at = clock.uptime();
  }

  /** `count` reads leave. */
  takeReads(count: number): void {
    this.#update();
    this.#left -= count;
  }

  /** How long until `count` reads are within the share; of more than can be saved, until all is saved. */
  wait(count: number): Micros {
    this.#update();
    const wanted = Math.min(count, this.#most);
    return micros(Math.max(0, Math.ceil((wanted - this.#left) / this.#refill)));
  }

  #update(): void {
    const now = this.#clock.uptime();
    this.#left = Math.min(this.#most, this.#left + (now - this.#at) * this.#refill);
    this.#at = now;
  }
}
