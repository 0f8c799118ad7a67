import { amountToNumber } from '../../core/base/amount.ts';
import type { Clock, Micros } from '../../core/base/clock.ts';
import { microsPerMilli } from '../../core/base/clock.ts';
import { barLengthOf } from '../../core/model/bar-spec.ts';
import { joinsInto, periodEnd } from '../../core/model/candle-period.ts';
import type { MarketData } from '../../core/model/event.ts';
import type { Instrument, InstrumentId, Instruments } from '../../core/model/instrument.ts';
import type { BarSpec, Candle, CandlePeriod, MarketTrade } from '../../core/model/market.ts';
import { CandleBuilder, JoinedCandles, TradeStore } from '../../core/state/index.ts';
import type { CandleRow } from './candle-rows.ts';
import { candlesMax, candleWidth, CandleRows } from './candle-rows.ts';
import type { KeptHistory, KeptRows } from './kept.ts';

/** Periods of the charts of an operator. */
export const chartPeriods = ['M1', 'M5', 'M15', 'H1', 'H4', 'D1'] as const satisfies readonly CandlePeriod[];
export type ChartPeriod = (typeof chartPeriods)[number];

/** Symbols of which they are kept: those that came first. */
const symbolsMax = 64;
/** Trades by which those that come again after an outage are known. */
const knownMax = 500;

/** Numbers of a kept candle: length of its period in milliseconds, then the candle. */
const keptWidth = candleWidth + 1;

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
    const series = this.#of(instrument)?.find((one) => one.period === period);
    const column = (index: number): number[] => series?.column(index, from) ?? [];
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
    const kept = this.#kept.openRows(`candles-${of.symbol}`, {
      width: keptWidth,
      rowsMax: chartPeriods.length * candlesMax,
      all: () => keptRowsOf(series),
    });
    const series: readonly Series[] = chartPeriods.map((period) => new Series(period, of, kept));
    takeKept(kept.earlier, series);
    this.#symbols.set(instrument, series);
    return series;
  }
}

/** Candles of one symbol and period. */
class Series {
  readonly period: ChartPeriod;
  /** Those that are over. */
  readonly rows = new CandleRows();
  /** Length of the period in milliseconds. */
  readonly lengthMs: number;
  readonly #kept: KeptRows;
  readonly #length: number;
  readonly #builder: CandleBuilder;
  /** Maker of its candles from those of the venue, and the period of these. */
  #joined: { readonly from: BarSpec; readonly maker: JoinedCandles } | undefined;
  /** Begin of the oldest candle that lacks trades. */
  #doubted: Micros | undefined;
  #isAsked = false;

  constructor(period: ChartPeriod, instrument: Instrument, kept: KeptRows) {
    this.period = period;
    this.#kept = kept;
    this.#length = barLengthOf(period) ?? 0;
    this.lengthMs = this.#length / microsPerMilli;
    this.#builder = new CandleBuilder(instrument, period);
  }

  /** One number of each candle that begins at `from` or after it; that of the candle under way stands at the end. */
  column(index: number, from: number): number[] {
    const column = this.rows.column(index, this.rows.placeOf(from));
    const running = (this.#joined?.maker ?? this.#builder).running();
    const row = running && rowOf(running);
    if (row !== undefined && row[0] > this.rows.lastTime && row[0] >= from) column.push(row[index] as number);
    return column;
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

  takeAsked(candles: readonly Candle[], now: Micros): void {
    this.#isAsked = true;
    this.#doubted = undefined;
    for (const candle of candles) {
      if (periodEnd(this.#length, candle.time) <= now) this.#put(rowOf(candle));
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
      if (this.rows.lastTime === row[0]) return;
      this.#doubt(candle.time);
    }
    this.#put(row);
  }

  #doubt(time: Micros): void {
    this.#doubted = Math.min(time, this.#doubted ?? time) as Micros;
  }

  #put(row: CandleRow): void {
    if (this.rows.put(row)) this.#kept.add([this.lengthMs, ...row]);
  }
}

/** Puts what an earlier session kept in its place. A row that is no candle is left out. */
function takeKept(earlier: Float64Array, series: readonly Series[]): void {
  const byLength = new Map(series.map(({ lengthMs, rows }) => [lengthMs, rows]));
  for (let at = 0; at < earlier.length; at += keptWidth) {
    const rows = byLength.get(earlier[at] as number);
    if (rows !== undefined && isCandle(earlier, at + 1)) rows.put(earlier, at + 1);
  }
}

function isCandle(numbers: Float64Array, from: number): boolean {
  for (let at = from; at < from + candleWidth; at++) if (!Number.isFinite(numbers[at])) return false;
  return Number.isSafeInteger(numbers[from]) && (numbers[from] as number) > 0;
}

function keptRowsOf(series: readonly Series[]): Float64Array {
  const count = series.reduce((sum, { rows }) => sum + rows.count, 0);
  const all = new Float64Array(count * keptWidth);
  let at = 0;
  for (const { lengthMs, rows } of series) {
    const { values } = rows;
    for (let from = 0; from < values.length; from += candleWidth) {
      all[at] = lengthMs;
      all.set(values.subarray(from, from + candleWidth), at + 1);
      at += keptWidth;
    }
  }
  return all;
}

function rowOf({ time, open, max, min, close, volume }: Candle): CandleRow {
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
