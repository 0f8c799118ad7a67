import type { CandlesChanged } from '../model/event.ts';
import type { InstrumentId, Instruments } from '../model/instrument.ts';
import type { Candle, CandlePeriod, MarketTrade } from '../model/market.ts';
import { CandleBuilder } from './candle-builder.ts';

export interface CandleOptions {
  readonly candlePeriods: readonly CandlePeriod[];
  readonly candlesMax: number;
}

/** Candles per instrument and period: those of the feed where it sends the period, otherwise built from trades. */
export class CandleStore {
  readonly #instruments: Instruments;
  readonly #options: CandleOptions;
  /** By instrument, the series built from trades. */
  readonly #built: (Series[] | undefined)[];
  /** By instrument, the series the feed sends. */
  readonly #fed: (Series[] | undefined)[];

  constructor(instruments: Instruments, options: CandleOptions) {
    this.#instruments = instruments;
    this.#options = options;
    this.#built = Array.from({ length: instruments.all.length });
    this.#fed = Array.from({ length: instruments.all.length });
  }

  /** Adds the trades from index `first` on. */
  addTrades(instrument: InstrumentId, trades: readonly MarketTrade[], first: number): void {
    if (this.#options.candlePeriods.length === 0) return;
    const series = this.#built[instrument] ?? this.#begin(instrument);
    for (let i = first; i < trades.length; i++) {
      for (const one of series) one.add(trades[i] as MarketTrade);
    }
  }

  apply(event: CandlesChanged): void {
    for (const candle of event.candles) this.#fedSeries(event.instrument, candle.period).put(candle);
  }

  of(instrument: InstrumentId, period: CandlePeriod): readonly Candle[] {
    const series = find(this.#fed[instrument], period) ?? find(this.#built[instrument], period);
    return series?.list() ?? [];
  }

  /** The candle `back` places before the running one (0), or `undefined`: one look costs no list. */
  at(instrument: InstrumentId, period: CandlePeriod, back: number): Candle | undefined {
    const series = find(this.#fed[instrument], period) ?? find(this.#built[instrument], period);
    return series?.at(back);
  }

  #begin(instrument: InstrumentId): Series[] {
    const { candlePeriods, candlesMax } = this.#options;
    const series = candlePeriods.map((period) => {
      return new Series(period, candlesMax, new CandleBuilder(this.#instruments.at(instrument), period));
    });
    this.#built[instrument] = series;
    return series;
  }

  #fedSeries(instrument: InstrumentId, period: CandlePeriod): Series {
    const all = this.#fed[instrument] ?? [];
    this.#fed[instrument] = all;
    let series = find(all, period);
    if (series === undefined) {
      series = new Series(period, this.#options.candlesMax, undefined);
      all.push(series);
    }
    return series;
  }
}

class Series {
  readonly period: CandlePeriod;
  readonly #sizeMax: number;
  readonly #builder: CandleBuilder | undefined;
  /** Oldest first; cut to size when it has grown to twice the bound. */
  #candles: Candle[] = [];

  constructor(period: CandlePeriod, sizeMax: number, builder: CandleBuilder | undefined) {
    this.period = period;
    this.#sizeMax = sizeMax;
    this.#builder = builder;
  }

  add(trade: MarketTrade): void {
    const closed = this.#builder?.add(trade);
    if (closed !== undefined) this.#push(closed);
  }

  /** A candle from the feed: a new one, or another version of one that is known. */
  put(candle: Candle): void {
    const candles = this.#candles;
    let at = candles.length;
    // One that never came to be: the data have none for its time.
    if (at > 0 && isGivenUp(candles[at - 1] as Candle, candle)) {
      candles.pop();
      at -= 1;
    }
    while (at > 0 && (candles[at - 1] as Candle).time > candle.time) at -= 1;
    if (at > 0 && (candles[at - 1] as Candle).time === candle.time) candles[at - 1] = candle;
    else if (at === candles.length) this.#push(candle);
    else candles.splice(at, 0, candle);
  }

  at(back: number): Candle | undefined {
    if (back < 0 || back >= this.#sizeMax) return undefined;
    const candles = this.#candles;
    if (this.#builder === undefined) return candles[candles.length - 1 - back];
    const running = this.#builder.running();
    if (running === undefined || back > 0)
      return candles[candles.length - (running === undefined ? 1 : 0) - back];
    return running;
  }

  list(): readonly Candle[] {
    const running = this.#builder?.running();
    if (running === undefined) return this.#candles.slice(-this.#sizeMax);
    const list = this.#sizeMax === 1 ? [] : this.#candles.slice(1 - this.#sizeMax);
    list.push(running);
    return list;
  }

  #push(candle: Candle): void {
    const candles = this.#candles;
    candles[candles.length] = candle;
    if (candles.length >= this.#sizeMax * 2) this.#candles = candles.slice(-this.#sizeMax);
  }
}

function isGivenUp({ placeholder, time }: Candle, next: Candle): boolean {
  return placeholder === 'begun' && time < next.time;
}

function find(series: readonly Series[] | undefined, period: CandlePeriod): Series | undefined {
  if (series === undefined) return undefined;
  for (let i = 0; i < series.length; i++) if (series[i]?.period === period) return series[i];
  return undefined;
}
