import type { Micros } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';
import { Fundamental } from '../market/fundamentals.ts';

/** How much less the distance between a contract and its index moves than a currency does. */
const calmness = 30;

/** What participants of the seeded market think a contract is worth: its underlying, and a basis that wanders. */
export class Basis {
  readonly #underlying: Fundamental;
  readonly #factor: Fundamental;

  constructor(underlying: Fundamental, volatility: number, random: Random, now: Micros) {
    this.#underlying = underlying;
    this.#factor = new Fundamental({
      start: 1,
      volatility: volatility / calmness,
      lagMs: 0,
      random,
      now,
    });
  }

  /** The value at `now`, in units of account. */
  at(now: Micros): number {
    return this.#underlying.at(now) * this.#factor.at(now);
  }

  /** What everybody knows of it. */
  known(now: Micros): number {
    return this.#underlying.known(now) * this.#factor.known(now);
  }

  get agitation(): number {
    return this.#underlying.agitation;
  }
}
