import type { Micros } from '../../core/base/clock.ts';
import { microsPerSecond } from '../../core/base/clock.ts';

/** Each taker draws this many more after it on average, over about two seconds. */
const takersPerTaker = 0.5;
const fadePerSecond = 0.5;
const shareMax = 0.7;

/** How large a part of the events of the seeded market takes liquidity: takers come in clusters. */
export class TakerClusters {
  readonly #usual: number;
  #excitement = 0;
  #time = 0 as Micros;

  constructor(usual: number, uptime: Micros) {
    this.#usual = usual;
    this.#time = uptime;
  }

  /** The part at `uptime`, from 0 to 1. */
  shareAt(uptime: Micros): number {
    const elapsed = (uptime - this.#time) / microsPerSecond;
    this.#time = uptime;
    this.#excitement *= Math.exp(-fadePerSecond * elapsed);
    return Math.min(shareMax, this.#usual * (1 + this.#excitement));
  }

  /** One came, while there were so many events a second. */
  taken(eventsPerSecond: number): void {
    // Below one drawn per taker at any pace, or the cluster would never end.
    this.#excitement += (takersPerTaker * fadePerSecond) / Math.max(0.01, this.#usual * eventsPerSecond);
  }
}
