import type { Amount } from '../../../core/base/amount.ts';
import { add } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { Candle, CandlePeriod } from '../../../core/model/market.ts';
import { periodEnd, periodStart } from '../../../core/model/candle-period.ts';
import type { BarPeriod } from './bars-period.ts';
import { periodOfCandle } from './bars-period.ts';

/** A bar of any length. */
export type SourceBar = Omit<Candle, 'period'>;

interface Running {
  bar: { -readonly [Key in keyof SourceBar]: SourceBar[Key] };
  readonly end: Micros;
}

/**
 * Joins bars that are too short for a candle period into candles: open of the first, close of the last, extremes and sums
 * of all. Bars must come in the order of their ends. A candle is passed on when the bars have come past its end.
 */
export class BarCombiner {
  readonly #candle: CandlePeriod;
  /** The period of the candles. */
  readonly target: BarPeriod;
  readonly #source: BarPeriod;
  readonly #running = new Map<number, Running>();
  #finished: Candle[] = [];

  constructor(source: BarPeriod, candle: CandlePeriod) {
    this.#source = source;
    this.#candle = candle;
    this.target = periodOfCandle(candle);
  }

  add(bar: SourceBar): void {
    this.#finishBefore(periodEnd(this.#source.micros, bar.time));
    const time = periodStart(this.target.micros, bar.time);
    const running = this.#running.get(bar.instrument);
    if (running === undefined) {
      this.#running.set(bar.instrument, { bar: { ...bar, time }, end: periodEnd(this.target.micros, time) });
      return;
    }
    const joined = running.bar;
    joined.close = bar.close;
    if (bar.min < joined.min) joined.min = bar.min;
    if (bar.max > joined.max) joined.max = bar.max;
    joined.volume = add(joined.volume, bar.volume);
    joined.volumeQuote = add(joined.volumeQuote, bar.volumeQuote);
  }

  /** The candles finished since the last call, in the order of their ends. */
  take(): readonly Candle[] {
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }

  /** Finishes what is running. */
  end(): readonly Candle[] {
    this.#finishBefore(Number.POSITIVE_INFINITY);
    return this.take();
  }

  #finishBefore(time: number): void {
    const due = [...this.#running.values()].filter(({ end }) => end < time);
    due.sort((a, b) => a.end - b.end || a.bar.instrument - b.bar.instrument);
    for (const { bar } of due) {
      this.#running.delete(bar.instrument);
      this.#finished.push(candleOf(bar, this.#candle));
    }
  }
}

/** A bar as a candle; members in the order all candles have. */
export function candleOf(bar: SourceBar, period: CandlePeriod): Candle {
  const { instrument, time, open, close, min, max, volume, volumeQuote } = bar;
  return { instrument, period, time, open, close, min, max, volume, volumeQuote };
}

/** Whether two bars of one time say the same. */
export function isSameBar(a: SourceBar, b: SourceBar): boolean {
  const of = ({ open, close, min, max, volume }: SourceBar): readonly Amount[] => [
    open,
    close,
    min,
    max,
    volume,
  ];
  const other = of(b);
  return of(a).every((amount, index) => amount === other[index]);
}
