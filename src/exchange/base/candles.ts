import type { Amount } from '../../core/base/amount.ts';
import { multiply } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { candleLengths } from '../../core/model/bar-spec.ts';
import { periodStart } from '../../core/model/candle-period.ts';
import type { Instrument, Lots, Ticks } from '../../core/model/instrument.ts';
import type { Candle, CandlePeriod } from '../../core/model/market.ts';
import { candlePeriods } from '../../core/model/market.ts';
import { Ring } from './ring.ts';

/** Every month is at least as long. */
const monthMin = 28 * candleLengths.D1;

/** One period's totals in grid numbers. `version` grows with every trade. */
export interface Bar {
  readonly time: Micros;
  readonly open: Ticks;
  close: Ticks;
  min: Ticks;
  max: Ticks;
  volume: Lots;
  volumeQuote: Amount;
}

/** Candles of every period of one instrument; periods without trades are missing. Bounded per period. */
export class CandleSeries {
  readonly #instrument: Instrument;
  readonly #bars = new Map<CandlePeriod, Ring<Bar>>();

  constructor(instrument: Instrument, candlesMax: number) {
    this.#instrument = instrument;
    for (const period of candlePeriods) this.#bars.set(period, new Ring(candlesMax));
  }

  add(time: Micros, price: Ticks, quantity: Lots, notional: Amount): void {
    for (const [period, ring] of this.#bars) {
      const last = ring.last;
      // The start of a month costs a date, so the running bar is tried first.
      const start =
        last !== undefined && runsAt(period, last.time, time)
          ? last.time
          : periodStart(candleLengths[period], time);
      if (last !== undefined && last.time >= start) extend(last, price, quantity, notional);
      else {
        ring.push({
          time: start,
          open: price,
          close: price,
          min: price,
          max: price,
          volume: quantity,
          volumeQuote: notional,
        });
      }
    }
  }

  bars(period: CandlePeriod): Ring<Bar> {
    return this.#bars.get(period) as Ring<Bar>;
  }

  /** A bar as the model's candle, all values exact. */
  candle(period: CandlePeriod, bar: Bar): Candle {
    const { id } = this.#instrument;
    return {
      instrument: id,
      period,
      time: bar.time,
      open: this.#instrument.priceAmount(bar.open),
      close: this.#instrument.priceAmount(bar.close),
      min: this.#instrument.priceAmount(bar.min),
      max: this.#instrument.priceAmount(bar.max),
      volume: this.#instrument.quantityAmount(bar.volume),
      volumeQuote: bar.volumeQuote,
    };
  }
}

/** A candle with its prices and its quote volume multiplied by `rate`. Source: v3-gaps, section 4.3. */
export function convertCandle(candle: Candle, rate: Amount): Candle {
  return {
    ...candle,
    open: multiply(candle.open, rate),
    close: multiply(candle.close, rate),
    min: multiply(candle.min, rate),
    max: multiply(candle.max, rate),
    volumeQuote: multiply(candle.volumeQuote, rate),
  };
}

function runsAt(period: CandlePeriod, start: Micros, time: Micros): boolean {
  const length = period === '1M' ? monthMin : candleLengths[period];
  return time >= start && time < start + length;
}

function extend(bar: Bar, price: Ticks, quantity: Lots, notional: Amount): void {
  bar.close = price;
  if (price < bar.min) bar.min = price;
  if (price > bar.max) bar.max = price;
  bar.volume = (bar.volume + quantity) as Lots;
  bar.volumeQuote = (bar.volumeQuote + notional) as Amount;
}
