import type { Amount } from '../base/amount.ts';
import { subtract, zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';

/** Profit or loss at a time, in quote currency. */
export interface EquitySample {
  readonly time: Micros;
  readonly equity: Amount;
}

const samplesMax = 100_000;

/**
 * Equity over time, one sample a second. Peak and drawdown are taken from every sample; of the samples themselves
 * every second one is dropped whenever 100,000 are reached, so that a long run keeps its shape in bounded room.
 */
export class EquityCurve {
  #samples: EquitySample[] = [];
  /** Keep every so-many-th sample. */
  #stride = 1;
  #count = 0;
  #peak: Amount = zero;
  #drawdownMax: Amount = zero;
  #last: EquitySample | undefined;

  sample(time: Micros, equity: Amount): void {
    const sample = { time, equity };
    this.#last = sample;
    if (equity > this.#peak) this.#peak = equity;
    const drawdown = subtract(this.#peak, equity);
    if (drawdown > this.#drawdownMax) this.#drawdownMax = drawdown;
    if (this.#count % this.#stride === 0) this.#samples.push(sample);
    this.#count += 1;
    if (this.#samples.length >= samplesMax) {
      this.#samples = this.#samples.filter((_, index) => index % 2 === 0);
      this.#stride *= 2;
    }
  }

  /** The kept samples, oldest first; the latest one is always there. */
  samples(): readonly EquitySample[] {
    const last = this.#last;
    return last === undefined || this.#samples.at(-1) === last ? this.#samples : [...this.#samples, last];
  }

  /** How many samples were taken, kept or not. */
  get count(): number {
    return this.#count;
  }

  get last(): Amount {
    return this.#last?.equity ?? zero;
  }

  /** The largest fall from a peak so far; a run starts at a peak of 0. */
  get drawdownMax(): Amount {
    return this.#drawdownMax;
  }
}
