import type { Micros } from '../../core/base/clock.ts';
import { microsPerSecond } from '../../core/base/clock.ts';

/** How the clock of the recorder stood to that of the exchange, by the smallest delays seen. */
export interface ClockGrade {
  /** The smallest receive time minus exchange time; below 0 the recorder's clock was behind. */
  readonly offsetMicros: number;
  /** How far the smallest delays of the parts of the recording stand apart. */
  readonly rangeMicros: number;
  /** How fast they drift, in microseconds a second (ppm); 0 with fewer than ten parts. */
  readonly slopePpm: number;
  /** How long the messages were watched. */
  readonly spanMicros: number;
}

/** Receive time minus exchange time; what seems to arrive before it was sent counts as 0, except in `max`. */
export interface LatencyGrade {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

const windowsMax = 2_048;
const firstWindow = microsPerSecond;

/** Collects delays of messages: quantiles to about one per cent, and the drift of the smallest. Memory is bounded. */
export class DelayCollector {
  readonly #histogram = new LogHistogram();
  #window = firstWindow;
  #begin = Number.NaN;
  /** The smallest delay by window; NaN where there was no message. */
  #smallest: number[] = [];
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;
  #count = 0;

  add(exchangeTime: Micros, receiveTime: Micros): void {
    const delay = receiveTime - exchangeTime;
    if (Number.isNaN(this.#begin)) this.#begin = receiveTime;
    let index = Math.max(0, Math.floor((receiveTime - this.#begin) / this.#window));
    while (index >= windowsMax) {
      this.#halve();
      index = Math.floor((receiveTime - this.#begin) / this.#window);
    }
    const smallest = this.#smallest;
    while (smallest.length <= index) smallest.push(Number.NaN);
    if (!(delay >= (smallest[index] as number))) smallest[index] = delay;
    if (delay < this.#least) this.#least = delay;
    if (delay > this.#most) this.#most = delay;
    this.#count += 1;
    this.#histogram.add(Math.max(0, delay));
  }

  /** `undefined` when all times are equal: then arrivals were not recorded. */
  get latency(): LatencyGrade | undefined {
    if (this.#count === 0 || (this.#least === 0 && this.#most === 0)) return undefined;
    return {
      p50: this.#histogram.quantile(0.5),
      p90: this.#histogram.quantile(0.9),
      p99: this.#histogram.quantile(0.99),
      max: this.#most,
    };
  }

  get clock(): ClockGrade | undefined {
    if (this.latency === undefined) return undefined;
    const points = this.#smallest.flatMap((delay, index) => (Number.isNaN(delay) ? [] : [{ index, delay }]));
    const delays = points.map(({ delay }) => delay);
    return {
      offsetMicros: this.#least,
      rangeMicros: Math.max(...delays) - Math.min(...delays),
      slopePpm: points.length < 10 ? 0 : (slopeOf(points) / this.#window) * 1e6,
      spanMicros: this.#smallest.length * this.#window,
    };
  }

  /** Joins windows in pairs: each is twice as long then. */
  #halve(): void {
    this.#window *= 2;
    const joined: number[] = [];
    for (let i = 0; i < this.#smallest.length; i += 2) {
      const a = this.#smallest[i] as number;
      const b = this.#smallest[i + 1] ?? Number.NaN;
      joined.push(Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b));
    }
    this.#smallest = joined;
  }
}

/** Counts durations in buckets of about one per cent. */
export class LogHistogram {
  readonly #counts: number[] = [];
  readonly #sums: number[] = [];
  #count = 0;

  add(micros: number): void {
    const bucket = micros < 1 ? 0 : 1 + Math.floor(Math.log(micros) * 64);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sums[bucket] = (this.#sums[bucket] ?? 0) + micros;
    this.#count += 1;
  }

  quantile(share: number): number {
    let left = Math.ceil(this.#count * share);
    for (let bucket = 0; bucket < this.#counts.length; bucket++) {
      const count = this.#counts[bucket] ?? 0;
      left -= count;
      if (left <= 0 && count > 0) return Math.round((this.#sums[bucket] ?? 0) / count);
    }
    return 0;
  }

  /** The sum of all that is longer than `micros`, to the width of a bucket. */
  sumAbove(micros: number): number {
    let sum = 0;
    for (let bucket = 0; bucket < this.#counts.length; bucket++) {
      const count = this.#counts[bucket] ?? 0;
      if (count > 0 && (this.#sums[bucket] ?? 0) / count > micros) sum += this.#sums[bucket] ?? 0;
    }
    return sum;
  }
}

/** Least squares. */
function slopeOf(points: readonly { readonly index: number; readonly delay: number }[]): number {
  const meanX = points.reduce((sum, { index }) => sum + index, 0) / points.length;
  const meanY = points.reduce((sum, { delay }) => sum + delay, 0) / points.length;
  let over = 0;
  let under = 0;
  for (const { index, delay } of points) {
    over += (index - meanX) * (delay - meanY);
    under += (index - meanX) ** 2;
  }
  return over / under;
}
