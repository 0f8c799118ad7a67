import type { Amount } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { candleLengths } from '../../core/model/bar-spec.ts';
import { periodStart } from '../../core/model/candle-period.ts';
import type { CandlePeriod } from '../../core/model/market.ts';
import { candlePeriods } from '../../core/model/market.ts';
import type { FuturesSeries, FuturesState } from '../../venues/hitbtc/wire/resources/index.ts';
import { futuresSeries } from '../../venues/hitbtc/wire/resources/index.ts';
import { Ring } from '../base/index.ts';

/** One period of a value that is looked at again and again. */
export interface ValueBar {
  readonly time: Micros;
  readonly open: Amount;
  close: Amount;
  min: Amount;
  max: Amount;
}

/** Candles of every period of one value. Bounded per period. */
class ValueCandles {
  readonly #bars = new Map<CandlePeriod, Ring<ValueBar>>();

  constructor(candlesMax: number) {
    for (const period of candlePeriods) this.#bars.set(period, new Ring(candlesMax));
  }

  add(time: Micros, value: Amount): void {
    for (const [period, ring] of this.#bars) {
      const last = ring.last;
      const start = periodStart(candleLengths[period], time);
      if (last === undefined || last.time < start) {
        ring.push({ time: start, open: value, close: value, min: value, max: value });
        continue;
      }
      last.close = value;
      if (value < last.min) last.min = value;
      if (value > last.max) last.max = value;
    }
  }

  bars(period: CandlePeriod): Ring<ValueBar> {
    return this.#bars.get(period) as Ring<ValueBar>;
  }
}

/** The candles of everything that is published of one contract. */
export class ContractCandles {
  readonly #series = new Map<FuturesSeries, ValueCandles>();

  constructor(candlesMax: number) {
    for (const series of futuresSeries) this.#series.set(series, new ValueCandles(candlesMax));
  }

  add({ time, indexPrice, markPrice, premiumIndex, openInterest }: FuturesState): void {
    this.#series.get('index_price')?.add(time, indexPrice);
    this.#series.get('mark_price')?.add(time, markPrice);
    this.#series.get('premium_index')?.add(time, premiumIndex);
    this.#series.get('open_interest')?.add(time, openInterest);
  }

  bars(series: FuturesSeries, period: CandlePeriod): Ring<ValueBar> {
    return (this.#series.get(series) as ValueCandles).bars(period);
  }
}
