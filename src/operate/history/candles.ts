import { amountToNumber } from '../../core/base/amount.ts';
import type { Clock, Micros } from '../../core/base/clock.ts';
import { microsPerMilli } from '../../core/base/clock.ts';
import { barLengthOf } from '../../core/model/bar-spec.ts';
import { joinsInto, periodEnd } from '../../core/model/candle-period.ts';
import type { MarketData } from '../../core/model/event.ts';
import type { Instrument, InstrumentId, Instruments } from '../../core/model/instrument.ts';
import type { BarSpec, Candle, CandlePeriod, MarketTrade } from '../../core/model/market.ts';
import { CandleBuilder, JoinedCandles, TradeStore } from '../../core/state/index.ts';
import type { KeptHistory, KeptLines } from './kept.ts';

/** Periods of the charts of an operator. */
export const chartPeriods = ['M1', 'M5', 'M15', 'H1', 'H4', 'D1'] as const satisfies readonly CandlePeriod[];
export type ChartPeriod = (typeof chartPeriods)[number];

/** Candles that are kept of a symbol and period. */
export const candlesMax = 600;
/** Symbols of which they are kept: those that came first. */
const symbolsMax = 64;
/** Trades by which those that come again after an outage are known. */
const knownMax = 500;

/** Begin in milliseconds since 1970, open, high, low, close, and volume in base currency: for a chart, in doubles. */
type Row = readonly [time: number, open: number, high: number, low: number, close: number, volume: number];

/** Candles column by column, the oldest first, the one under way last. */
export interface CandleColumns {
  readonly times: number[];
  readonly open: number[];
  readonly high: number[];
  readonly low: number[];
  readonly close: number[];
  readonly volume: number[];
}

/** Candles of one symbol and period. */
export interface ChartOf {
  readonly instrument: InstrumentId;
  readonly period: ChartPeriod;
}

/**
 * Candles of the symbols of a run for its operator: from the trades that it hears, where it hears none from candles of the venue, and from
 * the venue's history. They are kept over restarts, bounded in each symbol and period.
 */
export class ChartHistory {
  readonly #instruments: Instruments;
  readonly #clock: Clock;
  readonly #kept: KeptHistory;
  readonly #trades: TradeStore;
  readonly #symbols = new Map<InstrumentId, readonly Series[]>();

  constructor(instruments: Instruments, clock: Clock, kept: KeptHistory) {
    this.#instruments = instruments;
    this.#clock = clock;
    this.#kept = kept;
    this.#trades = new TradeStore(instruments.all.length, knownMax);
  }

  /** Takes what the market said. */
  accept(data: MarketData): void {
    if (data.kind === 'trades') {
      const series = this.#of(data.instrument);
      if (series === undefined) return;
      const first = this.#trades.apply(data);
      const { isBehindGap } = this.#trades;
      for (const one of series) one.addTrades(data.trades, first, isBehindGap);
    } else if (data.kind === 'candles' && this.#trades.last(data.instrument) === undefined) {
      const series = this.#of(data.instrument) ?? [];
      for (const one of series) one.addCandles(data.candles);
    }
  }

  /** Takes candles that the venue was asked for, the oldest first; the last one may be under way. */
  takeAsked({ instrument, period }: ChartOf, candles: readonly Candle[]): void {
    const series = this.#of(instrument)?.find((one) => one.period === period);
    series?.takeAsked(candles, this.#clock.now());
  }

  /** Charts of these instruments of which the venue may know more: it was not asked yet, or trades were lost. */
  lacking(instruments: readonly InstrumentId[]): readonly ChartOf[] {
    const now = this.#clock.now();
    return instruments.flatMap((instrument) =>
      (this.#of(instrument) ?? [])
        .filter((series) => series.lacks(now))
        .map(({ period }) => ({ instrument, period })),
    );
  }

  /** Candles that begin at `from` or after it, in milliseconds since 1970. */
  columns({ instrument, period }: ChartOf, from = 0): CandleColumns {
    const rows =
      this.#of(instrument)
        ?.find((series) => series.period === period)
        ?.list() ?? [];
    const since = rows.findIndex(([time]) => time >= from);
    const shown = since < 0 ? [] : rows.slice(since);
    const column = (at: number): number[] => shown.map((row) => row[at] as number);
    return {
      times: column(0),
      open: column(1),
      high: column(2),
      low: column(3),
      close: column(4),
      volume: column(5),
    };
  }

  #of(instrument: InstrumentId): readonly Series[] | undefined {
    const known = this.#symbols.get(instrument);
    if (known !== undefined || this.#symbols.size >= symbolsMax) return known;
    const of = this.#instruments.at(instrument);
    const all = (): readonly unknown[] => series.flatMap((one) => one.lines());
    const linesMax = chartPeriods.length * candlesMax;
    const lines = this.#kept.open(`candles-${of.symbol}`, { linesMax, all });
    const series: readonly Series[] = chartPeriods.map((period) => new Series(period, of, lines));
    for (const line of lines.earlier)
      if (isLine(line)) series.find(({ period }) => period === line[0])?.takeKept(line[1]);
    this.#symbols.set(instrument, series);
    return series;
  }
}

/** Candles of one symbol and period. */
class Series {
  readonly period: ChartPeriod;
  readonly #lines: KeptLines;
  /** Those that are over, the oldest first. */
  readonly #rows: Row[] = [];
  readonly #length: number;
  readonly #builder: CandleBuilder;
  /** Maker of its candles from those of the venue, and the period of these. */
  #joined: { readonly from: BarSpec; readonly maker: JoinedCandles } | undefined;
  /** Begin of the oldest candle that lacks trades. */
  #doubted: Micros | undefined;
  #isAsked = false;

  constructor(period: ChartPeriod, instrument: Instrument, lines: KeptLines) {
    this.period = period;
    this.#lines = lines;
    this.#length = barLengthOf(period) ?? 0;
    this.#builder = new CandleBuilder(instrument, period);
  }

  /** Candles that are over as lines to keep. */
  lines(): readonly unknown[] {
    return this.#rows.map((row) => [this.period, row]);
  }

  /** All of them; a candle under way stands at the end. */
  list(): readonly Row[] {
    const running = (this.#joined?.maker ?? this.#builder).running();
    const last = this.#rows.at(-1)?.[0] ?? 0;
    if (running === undefined || running.time / microsPerMilli <= last) return this.#rows;
    return [...this.#rows, rowOf(running)];
  }

  lacks(now: Micros): boolean {
    const doubted = this.#doubted;
    return !this.#isAsked || (doubted !== undefined && periodEnd(this.#length, doubted) <= now);
  }

  addTrades(trades: readonly MarketTrade[], first: number, isBehindGap: boolean): void {
    this.#joined = undefined;
    if (isBehindGap) this.#builder.loseTrades();
    for (let at = first; at < trades.length; at++) {
      const closed = this.#builder.add(trades[at] as MarketTrade);
      if (closed !== undefined) this.#close(closed);
    }
  }

  addCandles(candles: readonly Candle[]): void {
    for (const candle of candles) {
      const { period } = candle;
      if (period !== this.period && !joinsInto(period, this.period)) continue;
      this.#joined ??= { from: period, maker: new JoinedCandles(this.period) };
      if (this.#joined.from !== period) continue;
      const closed = this.#joined.maker.add(candle);
      if (closed !== undefined) this.#close(closed);
    }
  }

  takeKept(row: Row): void {
    this.#put(row);
  }

  takeAsked(candles: readonly Candle[], now: Micros): void {
    this.#isAsked = true;
    this.#doubted = undefined;
    for (const candle of candles) {
      if (periodEnd(this.#length, candle.time) <= now) this.#put(rowOf(candle), true);
      else this.#goOnWith(candle);
    }
  }

  /** The venue knows the begin of a candle whose first trades did not come. */
  #goOnWith(candle: Candle): void {
    const own = this.#builder.running();
    if (own !== undefined && own.time === candle.time && own.incomplete !== true) return;
    if (own !== undefined && own.time > candle.time) return;
    this.#builder.resume(candle);
    // Trades of the moment between the answer and now may stand in neither.
    this.#doubt(candle.time);
  }

  #close(candle: Candle): void {
    const row = rowOf(candle);
    if (candle.incomplete === true) {
      // The venue has told the whole of it.
      if (this.#rows.at(-1)?.[0] === row[0]) return;
      this.#doubt(candle.time);
    }
    this.#put(row, true);
  }

  #doubt(time: Micros): void {
    this.#doubted = Math.min(time, this.#doubted ?? time) as Micros;
  }

  #put(row: Row, isNew = false): void {
    const rows = this.#rows;
    let at = rows.length;
    while (at > 0 && (rows[at - 1] as Row)[0] > row[0]) at -= 1;
    const known = rows[at - 1];
    if (known?.[0] === row[0]) {
      if (row.every((value, of) => value === known[of])) return;
      rows[at - 1] = row;
    } else {
      if (at === 0 && rows.length >= candlesMax) return;
      rows.splice(at, 0, row);
      if (rows.length > candlesMax) rows.shift();
    }
    if (isNew) this.#lines.add([this.period, row]);
  }
}

function rowOf({ time, open, max, min, close, volume }: Candle): Row {
  const at = Math.floor(time / microsPerMilli);
  return [
    at,
    amountToNumber(open),
    amountToNumber(max),
    amountToNumber(min),
    amountToNumber(close),
    amountToNumber(volume),
  ];
}

/** By hand: there are thousands of them at a start. */
function isLine(line: unknown): line is readonly [period: ChartPeriod, row: Row] {
  if (!Array.isArray(line) || line.length !== 2 || !Array.isArray(line[1])) return false;
  const row = line[1] as readonly unknown[];
  return row.length === 6 && row.every((value) => Number.isFinite(value));
}
