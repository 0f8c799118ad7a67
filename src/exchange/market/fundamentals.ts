import type { Micros } from '../../core/base/clock.ts';
import { microsPerSecond } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';

const yearSeconds = 365 * 86_400;
/** How fast a price is pulled back to where it began: half of a deviation is gone after a day. */
const pullPerSecond = Math.LN2 / 86_400;
/** How fast volatility returns to normal: half of an excess is gone after ten minutes. */
const calmPerSecond = Math.LN2 / 600;
/** Deviation of the logarithm of volatility in the long run. */
const roughness = 0.45;
/** Prices never leave this band around their start. */
const bandMax = Math.log(3);

/** Worth of something to participants in units of account, and how agitated they are about it: 1 is normal. */
export interface Worth {
  /** Value that the informed know. */
  at(now: Micros): number;
  /** Value that is publicly known. */
  known(now: Micros): number;
  readonly agitation: number;
}

interface FundamentalDeps {
  /** In units of account. */
  readonly start: number;
  /** The yearly deviation as a fraction; 0 keeps the price where it is. */
  readonly volatility: number;
  /** The lag after which most of a change is publicly known; 0: at once. */
  readonly lagMs: number;
  readonly random: Random;
  readonly now: Micros;
}

/**
 * Worth of one currency by itself: a mean-reverting random walk of the logarithm of the price whose
 * volatility clusters (its logarithm is a mean-reverting walk too). The publicly known value follows with a lag.
 * Driven by the times it is asked for.
 */
export class Fundamental implements Worth {
  readonly #start: number;
  readonly #volatility: number;
  readonly #random: Random;
  readonly #lagSeconds: number;
  #deviation = 0;
  #known = 0;
  #agitation = 0;
  #time = 0 as Micros;
  /** The value as spot participants last moved it: reading it takes no random number. */
  readonly seen: Worth;

  constructor(setup: FundamentalDeps) {
    this.#start = setup.start;
    this.#volatility = setup.volatility / Math.sqrt(yearSeconds);
    this.#lagSeconds = setup.lagMs / 1_000;
    this.#random = setup.random;
    this.#time = setup.now;
    const agitation = () => this.agitation;
    this.seen = {
      at: () => this.#start * Math.exp(this.#deviation),
      known: () => this.#start * Math.exp(this.#known),
      get agitation() {
        return agitation();
      },
    };
  }

  /** The value at `now`, in units of account: what the informed know. */
  at(now: Micros): number {
    this.#moveTo(now);
    return this.#start * Math.exp(this.#deviation);
  }

  /** The publicly known value at `now`. */
  known(now: Micros): number {
    this.#moveTo(now);
    return this.#start * Math.exp(this.#known);
  }

  /** How agitated the market is: 1 is normal, above is wild. */
  get agitation(): number {
    // What never moves is never agitated.
    if (this.#volatility === 0) return 1;
    return Math.exp(this.#agitation);
  }

  #moveTo(now: Micros): void {
    const elapsed = Math.min((now - this.#time) / microsPerSecond, 3_600);
    if (elapsed <= 0) return;
    this.#time = now;
    this.#advance(elapsed);
    const learnt = this.#lagSeconds === 0 ? 1 : 1 - Math.exp(-elapsed / this.#lagSeconds);
    this.#known += (this.#deviation - this.#known) * learnt;
  }

  #advance(elapsed: number): void {
    const calm = 1 - Math.exp(-calmPerSecond * elapsed);
    const shake = roughness * Math.sqrt(1 - Math.exp(-2 * calmPerSecond * elapsed));
    this.#agitation += -this.#agitation * calm + shake * this.#random.normal();
    const deviation = this.#volatility * this.agitation * Math.sqrt(elapsed);
    this.#deviation -= this.#deviation * (1 - Math.exp(-pullPerSecond * elapsed));
    this.#deviation += deviation * this.#random.normal();
    this.#deviation = Math.max(-bandMax, Math.min(bandMax, this.#deviation));
  }
}

/** How fast a contract comes back to its underlying: half of the distance is gone after ten minutes. */
const backPerSecond = Math.LN2 / 600;

/** Within this time before its expiry a contract comes down to its underlying. */
const convergenceSeconds = 1_800;

interface BasisDeps {
  /** Worth of the underlying. */
  readonly underlying: Worth;
  /** The deviation in the long run, in 1/10000 of the price. */
  readonly bps: number;
  /** Expiry of a contract that is settled at the price of its underlying then. */
  readonly expiry: Micros | undefined;
  readonly random: Random;
  readonly now: Micros;
}

/**
 * Worth of a contract to participants of the seeded market: its underlying, and a basis, which is a
 * mean-reverting random walk that makers know without a lag.
 */
export class Basis implements Worth {
  readonly #underlying: Worth;
  readonly #random: Random;
  readonly #deviation: number;
  readonly #expiry: Micros | undefined;
  #basis = 0;
  #time = 0 as Micros;

  constructor({ underlying, bps, expiry, random, now }: BasisDeps) {
    this.#underlying = underlying;
    this.#random = random;
    this.#deviation = bps / 10_000;
    this.#expiry = expiry;
    this.#time = now;
  }

  at(now: Micros): number {
    return this.#underlying.at(now) * this.#factor(now);
  }

  known(now: Micros): number {
    return this.#underlying.known(now) * this.#factor(now);
  }

  get agitation(): number {
    return this.#underlying.agitation;
  }

  #factor(now: Micros): number {
    const elapsed = (now - this.#time) / microsPerSecond;
    if (elapsed > 0) {
      this.#time = now;
      const kept = Math.exp(-backPerSecond * elapsed);
      this.#basis *= kept;
      this.#basis += this.#deviation * Math.sqrt(1 - kept * kept) * this.#random.normal();
    }
    if (this.#expiry === undefined) return Math.exp(this.#basis);
    const left = Math.max(0, (this.#expiry - now) / microsPerSecond);
    return Math.exp(this.#basis * Math.min(1, left / convergenceSeconds));
  }
}
