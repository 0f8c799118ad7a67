import type { Micros } from '../base/clock.ts';
import { microsPerSecond, seconds } from '../base/clock.ts';

/** How long a halved pace takes to recover. Source: faults, section 7. */
const recovery = seconds(60);
/** How long after a refusal requests stay evenly spaced, in case the venue counts windows shorter than a second. */
const evenness = seconds(600);
const paceMin = 1 / 64;
/** Requests are never further apart: a slow lane, such as that of logins, would keep trading still long after a refusal. */
const spacingMax = seconds(2);

/**
 * The pace of one lane. Free at first; a refusal that arrives although the budget had room halves it, and requests
 * then leave evenly spaced. The pace grows back to the full rate over 60 s.
 * Source: faults, section 7, and section 2 (I14: at most 5 refusals, then evenly paced).
 */
export class LanePace {
  readonly #rate: number;
  #pace = 1;
  #refused = false;
  #refusedAt = 0 as Micros;
  #nextAt = 0 as Micros;

  constructor(ratePerSecond: number) {
    this.#rate = ratePerSecond;
  }

  /** How long the lane must wait for its turn. */
  wait(now: Micros): Micros {
    return (this.#refused && this.#nextAt > now ? this.#nextAt - now : 0) as Micros;
  }

  /** A request leaves. */
  sent(now: Micros): void {
    if (!this.#refused) return;
    if (now - this.#refusedAt > evenness) {
      this.#refused = false;
      this.#pace = 1;
      return;
    }
    this.#nextAt = (now + this.#spacing(now)) as Micros;
  }

  /** A request sent at `sentAt` was refused. Those that were already on their way when the pace was halved say nothing new. */
  refused(sentAt: Micros, now: Micros): void {
    if (this.#refused && sentAt <= this.#refusedAt) return;
    this.#pace = Math.max(paceMin, this.factor(now) / 2);
    this.#refused = true;
    this.#refusedAt = now;
    this.#nextAt = (now + this.#spacing(now)) as Micros;
  }

  /** The pace as a fraction of the full rate. */
  factor(now: Micros): number {
    if (!this.#refused) return 1;
    const recovered = Math.min(1, (now - this.#refusedAt) / recovery);
    return this.#pace + (1 - this.#pace) * recovered;
  }

  #spacing(now: Micros): Micros {
    const spacing = Math.ceil(microsPerSecond / (this.#rate * this.factor(now)));
    return Math.min(spacing, Math.max(spacingMax, Math.ceil(microsPerSecond / this.#rate))) as Micros;
  }
}
