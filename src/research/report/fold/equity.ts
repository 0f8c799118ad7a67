import type { Amount } from '../../../core/base/amount.ts';
import { amountToNumber, zero } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { ProfitPeak } from '../../../core/ledger/index.ts';
import { dayMicros, dayOf } from '../../statistics/index.ts';
import { rowsToKeep } from './timeline.ts';

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

/** Falls of equity from a peak until it was back, or until the end. */
export interface FallFigures {
  readonly count: number;
  /** The deepest and the mean one, as shares of their peaks. */
  readonly deepest: number;
  readonly average: number;
  /** The longest, from the peak to the recovery or the end, in microseconds. */
  readonly longest: number;
}

/** A fall between two profits; `count` falls that lay side by side, with their depths added up. */
interface Fall {
  readonly peak: number;
  readonly trough: number;
  readonly count: number;
}

/** One fall with its times, in microseconds. */
export interface TimedFall {
  readonly peak: number;
  readonly trough: number;
  readonly from: number;
  readonly deepestAt: number;
  /** When the peak was touched again; `undefined`: not before the end. */
  readonly to: number | undefined;
}

const fallsMax = 100_000;
const deepMax = 1_000;

/**
 * Falls of profit from its peak, folded from every sample. What the account was worth at the start is known at the end
 * alone, when it is known what was traded: shares of the peak are made then, from peaks and troughs in money. Touching the
 * old peak ends a fall.
 */
export class FallFold {
  #peak = Number.NEGATIVE_INFINITY;
  #peakAt = 0;
  #trough = Number.POSITIVE_INFINITY;
  #troughAt = 0;
  #last = 0;
  #longest = 0;
  #falls: Fall[] = [];
  /** Falls deeper than all before them: an earlier one that is as deep in money is deeper as a share, whatever the start. */
  readonly #deep: Fall[] = [];
  /** With their times: of very many the deepest in money. */
  #worst: TimedFall[] = [];

  add(time: number, profit: number): void {
    this.#last = time;
    if (profit < this.#peak) {
      if (profit >= this.#trough) return;
      this.#trough = profit;
      this.#troughAt = time;
      return;
    }
    this.#close(time);
    this.#peak = profit;
    this.#peakAt = time;
  }

  /** The highest profit so far, this one taken in. */
  peakWith(profit: number): number {
    return Math.max(this.#peak, profit);
  }

  /** The deepest falls, the deepest first: by share of the peak of an account that was worth `start`, in money where that is NaN. */
  worst(start: number, count: number): readonly TimedFall[] {
    const open = this.#timed(undefined);
    const size = ({ peak, trough }: TimedFall): number =>
      Number.isNaN(start) ? peak - trough : (peak - trough) / (start + peak);
    return [...this.#worst, ...(open === undefined ? [] : [open])]
      .toSorted((a, b) => size(b) - size(a))
      .slice(0, count);
  }

  /** Of an account that was worth `start`. */
  figures(start: number): FallFigures {
    const open = this.#open();
    const more = open === undefined ? [] : [open];
    const depth = ({ peak, trough }: Fall): number => 1 - (start + trough) / (start + peak);
    let count = 0;
    let sum = 0;
    for (const fall of [...this.#falls, ...more]) {
      if (!(depth(fall) > 0)) continue;
      count += fall.count;
      sum += depth(fall);
    }
    const deepest = [...this.#deep, ...more].reduce((most, fall) => Math.max(most, depth(fall)), 0);
    const longest = open === undefined ? this.#longest : Math.max(this.#longest, this.#last - this.#peakAt);
    return { count, deepest, average: sum / count, longest };
  }

  #open(): Fall | undefined {
    return this.#trough < this.#peak ? { peak: this.#peak, trough: this.#trough, count: 1 } : undefined;
  }

  #timed(to: number | undefined): TimedFall | undefined {
    const [peak, trough] = [this.#peak, this.#trough];
    if (!(trough < peak)) return undefined;
    return { peak, trough, from: this.#peakAt, deepestAt: this.#troughAt, to };
  }

  #close(time: number): void {
    const fall = this.#open();
    const timed = this.#timed(time);
    if (timed !== undefined) this.#worst.push(timed);
    if (this.#worst.length > 2 * deepMax)
      this.#worst = this.#worst.toSorted((a, b) => depthOf(b) - depthOf(a)).slice(0, deepMax);
    this.#trough = Number.POSITIVE_INFINITY;
    if (fall === undefined) return;
    this.#longest = Math.max(this.#longest, time - this.#peakAt);
    const deepest = this.#deep.at(-1);
    if (deepest === undefined || depthOf(fall) > depthOf(deepest)) this.#deep.push(fall);
    if (this.#deep.length > deepMax) this.#deep.shift();
    this.#falls.push(fall);
    if (this.#falls.length >= fallsMax) this.#falls = paired(this.#falls);
  }
}

function depthOf({ peak, trough }: Pick<Fall, 'peak' | 'trough'>): number {
  return peak - trough;
}

/** Two neighbours each as one: from the mean of their peaks, weighted by depth, it is as deep as both. */
function paired(falls: readonly Fall[]): Fall[] {
  const pairs: Fall[] = [];
  for (let i = 0; i < falls.length; i += 2) {
    const [one, other] = [falls[i] as Fall, falls[i + 1]];
    if (other === undefined) {
      pairs.push(one);
      continue;
    }
    const depth = depthOf(one) + depthOf(other);
    const peak = (one.peak * depthOf(one) + other.peak * depthOf(other)) / depth;
    pairs.push({ peak, trough: peak - depth, count: one.count + other.count });
  }
  return pairs;
}
