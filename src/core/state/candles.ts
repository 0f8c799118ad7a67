import type { CandlesChanged } from '../model/event.ts';
import type { InstrumentId, Instruments } from '../model/instrument.ts';
import type { Candle, CandlePeriod, MarketTrade } from '../model/market.ts';
import { candleLengths, joinsInto } from '../model/candle-period.ts';
import { CandleBuilder } from './candle-builder.ts';
import { isGivenUp, JoinedCandles } from './joined-candles.ts';

export interface CandleOptions {
  readonly candlePeriods: readonly CandlePeriod[];
  readonly candlesMax: number;
}

/**
 * Candles per instrument and period: those of the feed where it sends the period, otherwise built from trades, otherwise joined
 * from shorter ones of the feed.
 */
export class CandleStore {
  readonly #instruments: Instruments;
  readonly #options: CandleOptions;
  /** Series built from trades, by instrument. */
  readonly #built: (Series[] | undefined)[];
  /** Series that the feed sends, by instrument. */
  readonly #fed: (Series[] | undefined)[];
  /** Series joined from shorter ones of the feed since they were first asked for, by instrument. */
  readonly #joined: (Series[] | undefined)[];

  constructor(instruments: Instruments, options: CandleOptions) {
    this.#instruments = instruments;
    this.#options = options;
    this.#built = Array.from({ length: instruments.all.length });
    this.#fed = Array.from({ length: instruments.all.length });
    this.#joined = Array.from({ length: instruments.all.length });
  }

  /** Adds the trades from index `first` on. */
  addTrades(instrument: InstrumentId, trades: readonly MarketTrade[], first: number): void {
    if (this.#options.candlePeriods.length === 0) return;
    const series = this.#built[instrument] ?? this.#beginSeries(instrument);
    for (let i = first; i < trades.length; i++) {
      for (const one of series) one.add(trades[i] as MarketTrade);
    }
  }

  apply(event: CandlesChanged): void {
    for (const candle of event.candles) this.#fedSeries(event.instrument, candle.period).put(candle);
    const joined = this.#joined[event.instrument];
    if (joined === undefined) return;
    for (const series of joined) for (const candle of event.candles) series.join(candle);
  }

  of(instrument: InstrumentId, period: CandlePeriod): readonly Candle[] {
    return this.#seriesOf(instrument, period)?.list() ?? [];
  }

  /** The candle `back` places before the running one (0), or `undefined`: one look costs no list. */
  at(instrument: InstrumentId, period: CandlePeriod, back: number): Candle | undefined {
    return this.#seriesOf(instrument, period)?.at(back);
  }

  #seriesOf(instrument: InstrumentId, period: CandlePeriod): Series | undefined {
    const fed = this.#fed[instrument];
    return (
      find(fed, period) ??
      find(this.#built[instrument], period) ??
      find(this.#joined[instrument], period) ??
      (fed === undefined ? undefined : this.#join(instrument, period, fed))
    );
  }

  /** Begins a series of longer candles with what is known of the longest ones that make whole ones of it. */
  #join(instrument: InstrumentId, period: CandlePeriod, fed: readonly Series[]): Series | undefined {
    const [source] = fed
      .filter((one) => joinsInto(one.period, period))
      .toSorted((a, b) => candleLengths[b.period] - candleLengths[a.period]);
    if (source === undefined) return undefined;
    const series = new Series(period, this.#options.candlesMax, new JoinedCandles(period), source.period);
    for (const candle of source.list()) series.join(candle);
    const all = this.#joined[instrument] ?? [];
    this.#joined[instrument] = [...all, series];
    return series;
  }

  #beginSeries(instrument: InstrumentId): Series[] {
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
  /** Maker of its candles where the feed does not send them: from trades, or from shorter candles. */
  readonly #builder: CandleBuilder | JoinedCandles | undefined;
  /** The period of the shorter candles. */
  readonly #source: CandlePeriod | undefined;
  /** Oldest first; cut to size when it has grown to twice the bound. */
  #candles: Candle[] = [];

  constructor(
    period: CandlePeriod,
    sizeMax: number,
    builder: CandleBuilder | JoinedCandles | undefined,
    source?: CandlePeriod,
  ) {
    this.#source = source;
    this.period = period;
    this.#sizeMax = sizeMax;
    this.#builder = builder;
  }

  add(trade: MarketTrade): void {
    if (!(this.#builder instanceof CandleBuilder)) return;
    const closed = this.#builder.add(trade);
    if (closed !== undefined) this.#push(closed);
  }

  join(candle: Candle): void {
    if (candle.period !== this.#source || !(this.#builder instanceof JoinedCandles)) return;
    const closed = this.#builder.add(candle);
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

function find(series: readonly Series[] | undefined, period: CandlePeriod): Series | undefined {
  if (series === undefined) return undefined;
  for (let i = 0; i < series.length; i++) if (series[i]?.period === period) return series[i];
  return undefined;
}
