import type { Micros } from '../../../core/base/clock.ts';
import { microsPerSecond } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { usedDecimals } from './bars-decimal.ts';
import type { BarPeriod } from './bars-period.ts';
import { monthPeriod, periodOfMicros } from './bars-period.ts';
import type { RawBar } from './bars.ts';

const differencesMax = 10_000;
const dayMicros = 86_400 * microsPerSecond;

/** The first pass over the times of one symbol: which way they run, and how far they stand apart. */
export class TimesSurvey {
  readonly #differences = new Map<number, number>();
  #last: Micros | undefined;
  #divisor = 0;
  #up = 0;
  #down = 0;

  /** Steps against the direction in which most rows of the file run. */
  get stepsBack(): number {
    return Math.min(this.#up, this.#down);
  }

  /** Whether the file begins with what is newest. */
  get isNewestFirst(): boolean {
    return this.#down > this.#up;
  }

  add(time: Micros): void {
    const step = this.#last === undefined ? 0 : time - this.#last;
    this.#last = time;
    if (step === 0) return;
    if (step > 0) this.#up += 1;
    else this.#down += 1;
    const size = Math.abs(step);
    this.#divisor = greatestCommonDivisor(this.#divisor, size);
    const count = this.#differences.get(size);
    if (count !== undefined || this.#differences.size < differencesMax) {
      this.#differences.set(size, (count ?? 0) + 1);
    }
  }

  /** Begins another file: the step into it says nothing. */
  startFile(): void {
    this.#last = undefined;
  }

  /**
   * How long the bars are: the difference that most neighbours have; if none has most of them, what divides all. Steps
   * of 28 to 31 days are calendar months. `undefined` when there is one bar only.
   */
  period(): BarPeriod | undefined {
    const sizes = [...this.#differences];
    if (sizes.length === 0) return undefined;
    if (sizes.every(([size]) => size >= 28 * dayMicros && size <= 31 * dayMicros)) return monthPeriod;
    const total = this.#up + this.#down;
    const [most, count] = sizes.reduce((best, one) => (one[1] > best[1] ? one : best));
    return periodOfMicros(count * 2 > total ? most : this.#divisor);
  }
}

/** The first pass over the bars of one symbol. */
export class BarSurvey {
  readonly times = new TimesSurvey();
  rows = 0;
  priceDecimals = 0;
  volumeDecimals = 0;
  /** Whether all days are the last of their month. */
  isMonthEnds = true;

  add(bar: RawBar): void {
    this.rows += 1;
    this.times.add(bar.time);
    for (const price of [bar.open, bar.high, bar.low, bar.close]) {
      const used = usedDecimals(price);
      if (used > this.priceDecimals) this.priceDecimals = used;
    }
    const used = usedDecimals(bar.volume);
    if (used > this.volumeDecimals) this.volumeDecimals = used;
    this.isMonthEnds &&= new Date(bar.time / 1_000 + 86_400_000).getUTCDate() === 1;
  }
}

/**
 * The period, when there is one. Throws `BadInput` when neither anybody said it nor the times tell it; `damage` is what
 * ended the first pass early.
 */
export function periodOfTable(
  period: BarPeriod | undefined,
  path: string,
  damage: Error | undefined,
): BarPeriod {
  if (period !== undefined) return period;
  const [found, mend] =
    damage === undefined ? ['one', ''] : [`one before ${damage.message}`, 'mend that line, or '];
  throw new BadInput(
    `${path}: expected two bars or more to tell their period by, found ${found}; ${mend}give it with --period, such as --period 1m`,
  );
}

function greatestCommonDivisor(a: number, b: number): number {
  let [large, small] = a > b ? [a, b] : [b, a];
  while (small > 0) [large, small] = [small, large % small];
  return large;
}
