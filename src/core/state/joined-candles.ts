import { add } from '../base/amount.ts';
import { barLengthOf } from '../model/bar-spec.ts';
import { periodStart } from '../model/candle-period.ts';
import type { BarSpec, Candle } from '../model/market.ts';

/**
 * Joins candles of one period into those of a longer one: open of the first, close of the last, extremes and sums of all.
 * Candles come in the order of time; the last one may come again.
 */
export class JoinedCandles {
  readonly #spec: BarSpec;
  readonly #length: number;
  /** Finished part of the candle under way. */
  #over: Candle | undefined;
  /** The shorter candle under way. */
  #last: Candle | undefined;
  /** Start of the first candle, where what is known begins within it. */
  #cutAt = -1;

  constructor(spec: BarSpec) {
    this.#spec = spec;
    this.#length = barLengthOf(spec) ?? 0;
  }

  /** Adds a candle, or another version of the last one, and returns the longer one that it closed, if any. An older one is left out. */
  add(candle: Candle): Candle | undefined {
    const last = this.#last;
    if (last !== undefined && candle.time < last.time) return undefined;
    this.#last = candle;
    if (last === undefined) {
      const start = this.#startOf(candle);
      if (start !== candle.time) this.#cutAt = start;
      return undefined;
    }
    if (last.time === candle.time) return undefined;
    const over = isGivenUp(last, candle) ? this.#over : this.#with(last);
    const closes = over !== undefined && this.#startOf(candle) !== over.time;
    this.#over = closes ? undefined : over;
    return closes ? over : undefined;
  }

  /** The candle under way; `undefined` before the first. */
  running(): Candle | undefined {
    const last = this.#last;
    if (last === undefined) return undefined;
    // What has only begun says nothing of a longer candle that is under way.
    return last.unpriced === 'begun' && this.#over !== undefined ? this.#over : this.#with(last);
  }

  #with(last: Candle): Candle {
    const over = this.#over;
    if (over === undefined) {
      const time = this.#startOf(last);
      return { ...last, period: this.#spec, time, ...(time === this.#cutAt && { incomplete: true }) };
    }
    return {
      ...over,
      close: last.close,
      min: last.min < over.min ? last.min : over.min,
      max: last.max > over.max ? last.max : over.max,
      volume: add(over.volume, last.volume),
      volumeQuote: add(over.volumeQuote, last.volumeQuote),
      unpriced: over.unpriced === last.unpriced ? over.unpriced : undefined,
      ...(over.trades !== undefined && { trades: over.trades + (last.trades ?? 0) }),
      ...(last.incomplete === true && { incomplete: true }),
    };
  }

  #startOf({ time }: Candle): Candle['time'] {
    return periodStart(this.#length, time);
  }
}

/** Whether a candle that had only begun gives way to a later one. */
export function isGivenUp({ unpriced, time }: Candle, next: Candle): boolean {
  return unpriced === 'begun' && time < next.time;
}
