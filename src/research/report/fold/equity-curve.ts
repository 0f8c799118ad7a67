import type { Amount } from '../../../core/base/amount.ts';
import { amountToNumber, zero } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { ProfitPeak } from '../../../core/ledger/index.ts';
import { dayMicros, dayOf } from '../../statistics/index.ts';
import { rowsToKeep } from './downsample.ts';

/** Profit or loss at a time, in quote currency. */
export interface EquitySample {
  readonly time: Micros;
  readonly equity: Amount;
}

const samplesMax = 100_000;

/**
 * Equity over time, one sample a second. Peak and drawdown are taken from every sample; whenever
 * 100,000 samples are reached, only the first, the last, the lowest and the highest of every bucket stay.
 */
export class EquityCurve {
  #samples: EquitySample[] = [];
  /** Which sample each kept one was, from 0. */
  #numbers: number[] = [];
  /** Samples in a bucket. */
  #size = 1;
  #count = 0;
  readonly #peak = new ProfitPeak();
  #last: EquitySample | undefined;

  sample(time: Micros, equity: Amount): void {
    const sample = { time, equity };
    this.#last = sample;
    this.#peak.countProfit(equity);
    this.#samples.push(sample);
    this.#numbers.push(this.#count);
    this.#count += 1;
    if (this.#samples.length >= samplesMax) this.#thin();
  }

  /** The kept samples, oldest first; the latest one is always there. */
  samples(): readonly EquitySample[] {
    return this.#samples;
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
    return this.#peak.drawdownMax;
  }

  #thin(): void {
    // Up to four stay of each bucket: half of all at most.
    while (this.#size * (samplesMax / 8) < this.#count) this.#size *= 2;
    const values = this.#samples.map(({ equity }) => amountToNumber(equity));
    const kept = rowsToKeep(this.#numbers, this.#size, [values]);
    this.#samples = this.#samples.filter(kept);
    this.#numbers = this.#numbers.filter(kept);
  }
}

/** Equity in one currency over time: profit since the start of the run, times in microseconds. */
export interface EquityLine {
  readonly times: readonly number[];
  readonly values: readonly number[];
}

/**
 * Numbers that were added up from doubles up to `size`, without their noise: a double holds fifteen digits for sure, and
 * the sums take the last of them.
 */
export function withoutNoise(size: number): (value: number) => number {
  const decimals = Math.max(0, 14 - Math.ceil(Math.log10(Math.max(size, 1))));
  const scale = 10 ** decimals;
  return (value) => Math.round(value * scale) / scale;
}

/** Profit at the last sample of every UTC day that has one: what daily returns are made of, without the timeline of a run. */
export class DailyProfits {
  readonly #byCurrency = new Map<string, number[]>();
  /** Days since the epoch. */
  readonly #days: number[] = [];

  /** `profits` by quote currency, of those traded so far. */
  sample(time: number, profits: Iterable<readonly [string, number]>): void {
    const day = dayOf(time);
    if (day !== this.#days.at(-1)) this.#days.push(day);
    for (const [currency, profit] of profits) this.#of(currency)[this.#days.length - 1] = profit;
  }

  /** When each day ends, in microseconds. */
  get ends(): readonly number[] {
    return this.#days.map((day) => day * dayMicros);
  }

  /** Oldest first; 0 on the days before the first fill in a currency. */
  in(currency: string): readonly number[] {
    const days = this.#byCurrency.get(currency) ?? [];
    return this.#days.map((_, i) => days[i] ?? 0);
  }

  #of(currency: string): number[] {
    const known = this.#byCurrency.get(currency);
    if (known !== undefined) return known;
    const days = this.#days.map(() => 0);
    this.#byCurrency.set(currency, days);
    return days;
  }
}
