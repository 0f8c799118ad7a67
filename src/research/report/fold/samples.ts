import type { InstrumentId } from '../../../core/model/instrument.ts';
import { dayMicros, dayOf } from '../../statistics/index.ts';
import { FallFold } from './equity.ts';
import { Random } from '../../../core/base/random.ts';

/** The samples of a run in one quote currency. */
class MoneyFold {
  readonly falls = new FallFold();
  readonly even = new EvenTimeline();
  readonly leverage: LeverageFold;
  /** Samples at which a position was held, or before which one had been held since the sample before. */
  exposed = 0;
  profit = 0;
  /** Value of all positions, long and short alike. */
  gross = 0;
  /** Since the latest sample. */
  hasTraded = false;
  /** Before the latest sample. */
  #traded = false;

  constructor(start: () => number) {
    this.leverage = new LeverageFold(start);
  }

  /** A sample is taken; nothing of what is held is counted yet. */
  beginSample(profit: number): void {
    this.profit = profit;
    this.gross = 0;
    this.#traded ||= this.hasTraded;
    this.hasTraded = false;
  }

  settleSample(time: number): void {
    const { profit, gross } = this;
    this.falls.add(time, profit);
    this.even.add(time, profit);
    if (gross > 0) this.leverage.add(profit, gross);
    if (gross > 0 || this.#traded) this.exposed += 1;
    this.#traded = false;
  }
}

/** The samples of a run of one instrument. */
class HeldFold {
  /** Of a unit; NaN before one was known. */
  firstPrice = Number.NaN;
  price = Number.NaN;
  /** Signed, at the latest sample. */
  position = 0;
  /** Of the position, long or short: the largest, and the sum over the samples. */
  most = 0;
  sum = 0;
  count = 0;
  /** The last known price of every UTC day, by the end of the day in microseconds. */
  readonly daily = new Map<number, number>();
  #day = Number.NaN;

  settle(time: number): void {
    const size = Math.abs(this.position);
    if (time > this.#day || Number.isNaN(this.#day)) this.#day = dayOf(time) * dayMicros;
    if (!Number.isNaN(this.price)) this.daily.set(this.#day, this.price);
    if (Number.isNaN(this.firstPrice)) this.firstPrice = this.price;
    this.most = Math.max(this.most, size);
    this.sum += size;
    this.count += 1;
  }
}

/**
 * What figures need of the samples of a run: each is taken in when the next one begins, so nothing is lost however long the
 * run, and nothing grows with it. A second sample of one time takes the place of the first.
 */
export class SampleFold {
  readonly #money = new Map<string, MoneyFold>();
  readonly #held = new Map<InstrumentId, HeldFold>();
  readonly #startOf: (currency: string) => number;
  #first = Number.NaN;
  #before = Number.NaN;
  #time = Number.NaN;
  #isOpen = false;
  #count = 0;

  /** `startOf` is the worth of the account at the start, as far as it is known. */
  constructor(startOf: (currency: string) => number) {
    this.#startOf = startOf;
  }

  /** How many samples were taken. */
  get count(): number {
    return this.#count;
  }

  beginSample(time: number): void {
    if (this.#isOpen && time === this.#time) return;
    this.close();
    if (this.#count === 0) this.#first = time;
    this.#before = this.#time;
    this.#time = time;
    this.#isOpen = true;
    this.#count += 1;
  }

  /** The profit of a quote currency at this sample. Returns the highest so far. */
  profit(currency: string, profit: number): number {
    const money = this.money(currency);
    money.beginSample(profit);
    return money.falls.peakWith(profit);
  }

  /** What a unit of an instrument is worth (NaN: not known) and how much is held of it, signed, at this sample. */
  holdPosition(id: InstrumentId, price: number, position: number): void {
    const held = this.held(id);
    held.price = price;
    held.position = position;
  }

  /** The present sample is complete. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const money of this.#money.values()) money.settleSample(this.#time);
    for (const held of this.#held.values()) held.settle(this.#time);
  }

  /** Begun when first asked for: until then there was no profit. */
  money(currency: string): MoneyFold {
    const known = this.#money.get(currency);
    if (known !== undefined) return known;
    const money = new MoneyFold(() => this.#startOf(currency));
    this.#money.set(currency, money);
    // Samples that were taken before.
    const earlier = this.#count - (this.#isOpen ? 1 : 0);
    const last = this.#isOpen ? this.#before : this.#time;
    for (const time of new Set(earlier === 0 ? [] : [this.#first, last])) {
      money.falls.add(time, 0);
      money.even.add(time, 0);
    }
    return money;
  }

  /** Begun when first asked for. */
  held(id: InstrumentId): HeldFold {
    const known = this.#held.get(id);
    if (known !== undefined) return known;
    const held = new HeldFold();
    this.#held.set(id, held);
    return held;
  }
}

/** All positions were worth `value` at this profit. */
interface Point {
  readonly profit: number;
  readonly value: number;
}

const pointsMax = 4_096;

/**
 * The largest leverage, folded from every sample: value of all positions over equity. What the account was worth at the start
 * may grow while the run lasts, as further markets with holdings are traded. So those points are kept that are the largest for
 * some start: the upper left hull of profit and value, a few dozen of a long run.
 */
export class LeverageFold {
  /** Profit and value ascend, ever less steeply. */
  readonly #hull: Point[] = [];
  readonly #start: () => number;

  /** `start` is the worth of the account at the start, as far as it is known. */
  constructor(start: () => number) {
    this.#start = start;
  }

  /** Positions were worth `value`, which is above 0. */
  add(profit: number, value: number): void {
    const hull = this.#hull;
    let at = hull.length;
    while (at > 0 && (hull[at - 1] as Point).profit >= profit) at -= 1;
    const [left, right] = [hull[at - 1], hull[at]];
    if (left !== undefined && left.value >= value) return;
    if (right?.profit === profit && right.value >= value) return;
    const point = { profit, value };
    if (left !== undefined && right !== undefined && !isCorner(left, point, right)) return;
    // An account that is worth nothing has no leverage.
    if (this.#start() + profit <= 0) return;
    let to = at;
    while (to < hull.length && (hull[to] as Point).value <= value) to += 1;
    while (to + 1 < hull.length && !isCorner(point, hull[to] as Point, hull[to + 1] as Point)) to += 1;
    let from = at;
    while (from > 1 && !isCorner(hull[from - 2] as Point, hull[from - 1] as Point, point)) from -= 1;
    hull.splice(from, to - from, point);
    if (hull.length > pointsMax) hull.splice(1, 1);
  }

  /** Of an account that was worth `start`; 0 where nothing was held. */
  largest(start: number): number {
    return this.#hull.reduce((most, { profit, value }) => {
      const equity = start + profit;
      return equity > 0 ? Math.max(most, value / equity) : most;
    }, 0);
  }
}

/** Whether the middle one lies above the line between the others. */
function isCorner(left: Point, middle: Point, right: Point): boolean {
  const rise = (middle.value - left.value) * (right.profit - left.profit);
  return rise > (right.value - left.value) * (middle.profit - left.profit);
}

const rowsMax = 20_000;
const partsMax = 1_000;

/**
 * What a profit changed by over equal times, folded from every sample. Up to 20,000 samples are all kept; of more the last of
 * each of up to a number of equal times, a power of two of microseconds long, so that two of them are one of the next size. What
 * is kept is the profit at the end of each, whatever was left out.
 */
export class EvenTimeline {
  #times: number[] = [];
  #values: number[] = [];
  #width = 0;
  /** Up to which time the latest row is replaced by the next sample. */
  #end = Number.NEGATIVE_INFINITY;

  add(time: number, value: number): void {
    if (time <= this.#end) {
      const last = this.#times.length - 1;
      this.#times[last] = time;
      this.#values[last] = value;
      return;
    }
    this.#times.push(time);
    this.#values.push(value);
    if (this.#times.length > rowsMax) this.#widen();
    else if (this.#width > 0) this.#end = this.#endOf(time);
  }

  /** Over up to 1,000 equal times, of which the last may be shorter. `samples`: how many the run had. */
  changes(samples: number): readonly number[] {
    const [times, values, width] = [this.#times, this.#values, this.#width];
    if (width === 0) return changesOf(times, values, Math.min(partsMax, samples - 1));
    const span = (times.at(-1) as number) - (times[0] as number);
    const long = width * Math.ceil(span / width / partsMax);
    const ends = Array.from(
      { length: Math.ceil(span / long) },
      (_, i) => (times[0] as number) + (i + 1) * long,
    );
    return changesAt(times, values, ends);
  }

  /** When the equal time ends that a time lies in; the beginning is one of its own. */
  #endOf(time: number): number {
    const first = this.#times[0] as number;
    return first + Math.ceil((time - first) / this.#width) * this.#width;
  }

  #widen(): void {
    const times = this.#times;
    const span = (times.at(-1) as number) - (times[0] as number);
    this.#width = Math.max(this.#width * 2, 2 ** Math.ceil(Math.log2((2 * span) / rowsMax)));
    const ends = times.map((time) => this.#endOf(time));
    const isLast = (_: number, i: number): boolean => ends[i] !== ends[i + 1];
    this.#times = times.filter(isLast);
    this.#values = this.#values.filter(isLast);
    this.#end = ends.at(-1) as number;
  }
}

/** Where the sum of changes would lie if they had come otherwise. */
export interface BootstrapResult {
  readonly low: number;
  readonly high: number;
  /** Share of the draws above 0. */
  readonly positive: number;
}

const draws = 2_000;

/**
 * A circular block bootstrap of the sum of `changes`: blocks as long as the root of their number, so that what hangs
 * together in time stays together. Seeded: the same changes give the same interval.
 * Source: Politis, Romano, "A circular block-resampling procedure for stationary data", 1992.
 */
export function bootstrapSum(changes: readonly number[], seed = 'bootstrap'): BootstrapResult {
  const random = new Random(seed);
  const size = changes.length;
  const block = Math.max(1, Math.round(Math.sqrt(size)));
  const sums: number[] = [];
  // Sums from the beginning, twice around, so that a block is one subtraction.
  const around = new Float64Array(2 * size + 1);
  for (let i = 0; i < 2 * size; i++) around[i + 1] = (around[i] as number) + (changes[i % size] as number);
  for (let draw = 0; draw < draws; draw++) {
    let total = 0;
    for (let taken = 0; taken < size; taken += block) {
      const length = Math.min(block, size - taken);
      const from = random.between(0, size - 1);
      total += (around[from + length] as number) - (around[from] as number);
    }
    sums.push(total);
  }
  sums.sort((a, b) => a - b);
  return {
    low: sums[Math.floor(0.025 * draws)] as number,
    high: sums[Math.ceil(0.975 * draws) - 1] as number,
    positive: sums.filter((sum) => sum > 0).length / draws,
  };
}

/** Changes of a timeline over `parts` equal spans of time: the value at the end of each less that at its begin. */
export function changesOf(
  times: readonly number[],
  values: readonly number[],
  parts = Math.min(1_000, times.length - 1),
): readonly number[] {
  const first = times[0];
  const last = times.at(-1);
  if (first === undefined || last === undefined || last <= first) return [];
  const ends = Array.from({ length: parts }, (_, part) => first + ((last - first) * (part + 1)) / parts);
  return changesAt(times, values, ends);
}

/** Changes of a timeline from its begin to the first of `ends`, which ascend, and from each to the next. */
function changesAt(
  times: readonly number[],
  values: readonly number[],
  ends: readonly number[],
): readonly number[] {
  let at = 0;
  let before = values[0] as number;
  return ends.map((end) => {
    while (at + 1 < times.length && (times[at + 1] as number) <= end) at += 1;
    const now = values[at] as number;
    const change = now - before;
    before = now;
    return change;
  });
}
