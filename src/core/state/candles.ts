import type { CandlesChanged } from '../model/event.ts';
import type { InstrumentId, Instruments } from '../model/instrument.ts';
import type { BarSpec, Candle, MarketTrade } from '../model/market.ts';
import { barLengthOf, barNameOf, endsWithTrade } from '../model/bar-spec.ts';
import { joinsInto } from '../model/candle-period.ts';
import { CandleBuilder } from './candle-builder.ts';
import { isGivenUp, JoinedCandles } from './joined-candles.ts';

export interface CandleOptions {
  readonly candlePeriods: readonly BarSpec[];
  readonly candlesMax: number;
}

/** Candles that make a series anew: those of the feed, or a series `built` from trades, its running candle last. */
export interface CandleSource {
  readonly candles: readonly Candle[];
  readonly built: boolean;
}

/**
 * Candles per instrument and kind: those of the feed where it sends them, otherwise joined from shorter ones of the feed, otherwise
 * built from trades.
 */
export class CandleStore {
  readonly #instruments: Instruments;
  readonly #specs: readonly BarSpec[];
  readonly #candlesMax: number;
  /** Series built from trades, by instrument. */
  readonly #built: (Series[] | undefined)[];
  /** Series that the feed sends, by instrument. */
  readonly #fed: (Series[] | undefined)[];
  /** Series joined from shorter ones of the feed since they were first asked for, by instrument. */
  readonly #joined: (Series[] | undefined)[];
  /** The series that answers for a kind, by instrument; forgotten with every new series. */
  readonly #answers: (Map<BarSpec, Series | undefined> | undefined)[];

  constructor(instruments: Instruments, { candlePeriods, candlesMax }: CandleOptions) {
    this.#instruments = instruments;
    this.#specs = [...new Set(candlePeriods.map(barNameOf))];
    this.#candlesMax = candlesMax;
    this.#built = Array.from({ length: instruments.all.length });
    this.#fed = Array.from({ length: instruments.all.length });
    this.#joined = Array.from({ length: instruments.all.length });
    this.#answers = Array.from({ length: instruments.all.length });
  }

  /** Adds the trades from index `first` on. `isBehindGap`: trades before them are lost. */
  addTrades(
    instrument: InstrumentId,
    trades: readonly MarketTrade[],
    first: number,
    isBehindGap = false,
  ): void {
    if (this.#specs.length === 0) return;
    const series = this.#built[instrument] ?? this.#beginSeries(instrument);
    for (const one of series) one.addTrades(trades, first, isBehindGap);
  }

  apply(event: CandlesChanged): void {
    if (event.built === true) {
      this.#takeBuilt(event);
      return;
    }
    for (const candle of event.candles) this.#fedSeries(event.instrument, candle.period).putCandle(candle);
    const joined = this.#joined[event.instrument];
    if (joined === undefined) return;
    for (const series of joined) for (const candle of event.candles) series.join(candle);
  }

  of(instrument: InstrumentId, spec: BarSpec): readonly Candle[] {
    return this.#seriesOf(instrument, spec)?.list() ?? [];
  }

  /** The candle `back` places before the running one (0), or `undefined`: one look costs no list. */
  at(instrument: InstrumentId, spec: BarSpec, back: number): Candle | undefined {
    return this.#seriesOf(instrument, spec)?.at(back);
  }

  /** Counts the bars that ended with a trade so far. */
  closedCount(instrument: InstrumentId, spec: BarSpec): number {
    return this.#seriesOf(instrument, spec)?.closedCount ?? 0;
  }

  /** The one of them that closed last (0), or the one `back` before it; `undefined` when it is kept no longer. */
  closedAt(instrument: InstrumentId, spec: BarSpec, back: number): Candle | undefined {
    return this.#seriesOf(instrument, spec)?.closedAt(back);
  }

  /** Candles that another store must fold to have this series, and go on with it. */
  sourceOf(instrument: InstrumentId, spec: BarSpec): CandleSource | undefined {
    const series = this.#seriesOf(instrument, spec);
    if (series === undefined) return undefined;
    const source = series.source === undefined ? undefined : find(this.#fed[instrument], series.source);
    return { candles: (source ?? series).list(), built: series.isBuilt };
  }

  #seriesOf(instrument: InstrumentId, spec: BarSpec): Series | undefined {
    const known = this.#answers[instrument];
    const answer = known?.get(spec);
    if (answer !== undefined || known?.has(spec) === true) return answer;
    const found = this.#findSeries(instrument, spec);
    const answers = this.#answers[instrument] ?? new Map<BarSpec, Series | undefined>();
    this.#answers[instrument] = answers.set(spec, found);
    return found;
  }

  #findSeries(instrument: InstrumentId, spec: BarSpec): Series | undefined {
    const fed = this.#fed[instrument];
    return (
      find(fed, spec) ??
      find(this.#joined[instrument], spec) ??
      (fed === undefined ? undefined : this.#join(instrument, spec, fed)) ??
      find(this.#built[instrument], spec)
    );
  }

  /** Begins a series of longer candles with what is known of the longest ones that make whole ones of it. */
  #join(instrument: InstrumentId, spec: BarSpec, fed: readonly Series[]): Series | undefined {
    const [source] = fed
      .filter((one) => joinsInto(one.spec, spec))
      .toSorted((a, b) => (barLengthOf(b.spec) ?? 0) - (barLengthOf(a.spec) ?? 0));
    if (source === undefined) return undefined;
    const series = new Series(spec, this.#candlesMax, new JoinedCandles(spec), source.spec);
    for (const candle of source.list()) series.join(candle);
    const all = this.#joined[instrument] ?? [];
    this.#joined[instrument] = [...all, series];
    return series;
  }

  #beginSeries(instrument: InstrumentId): Series[] {
    const series = this.#specs.map((spec) => {
      return new Series(spec, this.#candlesMax, new CandleBuilder(this.#instruments.at(instrument), spec));
    });
    this.#built[instrument] = series;
    this.#answers[instrument] = undefined;
    return series;
  }

  /** Goes on with series that another store has built. */
  #takeBuilt({ instrument, candles }: CandlesChanged): void {
    const series = this.#built[instrument] ?? this.#beginSeries(instrument);
    for (const [spec, known] of Map.groupBy(candles, ({ period }) => period)) {
      const at = series.findIndex((one) => one.spec === spec);
      if (at < 0) continue;
      const builder = new CandleBuilder(this.#instruments.at(instrument), spec);
      series[at] = new Series(spec, this.#candlesMax, builder);
      series[at].takeOver(known);
    }
    this.#answers[instrument] = undefined;
  }

  #fedSeries(instrument: InstrumentId, spec: BarSpec): Series {
    const all = this.#fed[instrument] ?? [];
    this.#fed[instrument] = all;
    let series = find(all, spec);
    if (series === undefined) {
      series = new Series(spec, this.#candlesMax, undefined);
      all.push(series);
      this.#answers[instrument] = undefined;
    }
    return series;
  }
}

class Series {
  readonly spec: BarSpec;
  /** The kind of the shorter candles. */
  readonly source: BarSpec | undefined;
  /** Number of its bars that have closed with a trade. */
  closedCount = 0;
  readonly #sizeMax: number;
  /** Maker of its candles where the feed does not send them: from trades, or from shorter candles. */
  readonly #builder: CandleBuilder | JoinedCandles | undefined;
  readonly #endsWithTrade: boolean;
  /** Oldest first; cut to size when it has grown to twice the bound. */
  #candles: Candle[] = [];

  constructor(
    spec: BarSpec,
    sizeMax: number,
    builder: CandleBuilder | JoinedCandles | undefined,
    source?: BarSpec,
  ) {
    this.source = source;
    this.spec = spec;
    this.#sizeMax = sizeMax;
    this.#builder = builder;
    this.#endsWithTrade = endsWithTrade(spec);
  }

  get isBuilt(): boolean {
    return this.#builder instanceof CandleBuilder;
  }

  addTrades(trades: readonly MarketTrade[], first: number, isBehindGap: boolean): void {
    const builder = this.#builder;
    if (!(builder instanceof CandleBuilder)) return;
    // Those that close with these trades are all kept until the next ones, so that each is told.
    this.#cutToSize();
    if (isBehindGap) builder.loseTrades();
    for (let i = first; i < trades.length; i++) {
      const closed = builder.add(trades[i] as MarketTrade);
      if (closed !== undefined) this.#close(closed);
    }
  }

  join(candle: Candle): void {
    if (candle.period !== this.source || !(this.#builder instanceof JoinedCandles)) return;
    const closed = this.#builder.add(candle);
    if (closed !== undefined) this.#push(closed);
  }

  /** Goes on with the candles of another series that was built from trades: closed ones, and the running one last. */
  takeOver(candles: readonly Candle[]): void {
    const running = candles.at(-1);
    if (running === undefined || !(this.#builder instanceof CandleBuilder)) return;
    this.#builder.resume(running);
    for (const closed of candles.slice(0, -1)) this.#close(closed);
  }

  /** A candle from the feed: a new one, or another version of one that is known. */
  putCandle(candle: Candle): void {
    const candles = this.#candles;
    let at = candles.length;
    // One that never came to be: the data have none for its time.
    if (at > 0 && isGivenUp(candles[at - 1] as Candle, candle)) {
      candles.pop();
      at -= 1;
    }
    while (at > 0 && (candles[at - 1] as Candle).time > candle.time) at -= 1;
    const known = at > 0 ? (candles[at - 1] as Candle) : undefined;
    const isKnown = known?.time === candle.time;
    if (candle.end !== undefined && (!isKnown || known?.end === undefined)) this.closedCount += 1;
    if (isKnown) candles[at - 1] = candle;
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

  closedAt(back: number): Candle | undefined {
    const candles = this.#candles;
    let last = candles.length - 1;
    while (last >= 0 && candles[last]?.end === undefined) last -= 1;
    return candles[last - back];
  }

  list(): readonly Candle[] {
    const running = this.#builder?.running();
    if (running === undefined) return this.#candles.slice(-this.#sizeMax);
    const list = this.#sizeMax === 1 ? [] : this.#candles.slice(1 - this.#sizeMax);
    list.push(running);
    return list;
  }

  #close(candle: Candle): void {
    if (!this.#endsWithTrade) {
      this.#push(candle);
      return;
    }
    this.#candles.push(candle);
    this.closedCount += 1;
  }

  #push(candle: Candle): void {
    const candles = this.#candles;
    candles[candles.length] = candle;
    this.#cutToSize();
  }

  #cutToSize(): void {
    if (this.#candles.length >= this.#sizeMax * 2) this.#candles = this.#candles.slice(-this.#sizeMax);
  }
}

function find(series: readonly Series[] | undefined, spec: BarSpec): Series | undefined {
  if (series === undefined) return undefined;
  for (let i = 0; i < series.length; i++) if (series[i]?.spec === spec) return series[i];
  return undefined;
}
