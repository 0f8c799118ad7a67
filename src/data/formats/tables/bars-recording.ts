import { parseAmount, add } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { seconds, timeText } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { mergeOrdered, thrownBy } from '../../recording/index.ts';
import type { CandlesChanged, Event } from '../../../core/model/event.ts';
import type { Instrument } from '../../../core/model/instrument.ts';
import { KnownCandles } from '../../../core/model/known-candle.ts';
import type { BarSpec, Candle } from '../../../core/model/market.ts';
import { sortedRecords } from '../table-records.ts';
import type { SurveyedBars } from './bars-import.ts';
import { inverseNotes } from '../../binance/index.ts';
import { surveyBars } from './bars-import.ts';
import { countRounded } from './price-rounding.ts';
import { countUnits } from './units.ts';
import { timeBarOf } from '../../../core/model/bar-spec.ts';
import { periodEnd, periodStart } from '../../../core/model/candle-period.ts';
import type { BarPeriod } from './bars-period.ts';
import { candlePeriodAbove, periodOfCandle } from './bars-period.ts';
import type { BarTable, RawBar } from './bars.ts';
import { readBars } from './bars.ts';
import type { OpenOptions } from '../format.ts';
import type { ImportedRecording } from '../grade-anomaly.ts';
import { AnomalyCounts, counted, LastCounts } from '../grade-anomaly.ts';
import type { Amount } from '../../../core/base/amount.ts';

/** Bars of files that are not in the order of time are sorted in memory, up to this number. */
const sortedBarsMax = 3_000_000;
const batchBars = 1_024;

/**
 * Tables of bars as one recording. A bar is delivered when it is over: both times of its event are the end of its period, so
 * that its close, high and volume are not seen earlier. Tables may overlap, run backwards or repeat bars; the anomalies say so.
 */
export async function openBars(
  format: string,
  tables: readonly BarTable[],
  options: OpenOptions,
): Promise<ImportedRecording> {
  const funding = tables.find(({ source }) => /-funding_rate\.\w+/.test(source.path));
  if (funding !== undefined)
    throw new BadInput(
      `${funding.source.path}: expected candles, found the funding rates of Freqtrade, whose open is a rate and whose other prices are 0; give its candles (-futures), or the funding rates of Binance's archive`,
    );
  const surveyed = await surveyBars(tables, options);
  const { instruments, period } = surveyed;
  // What makes other bars is read as it stands.
  const exact = timeBarOf(period.micros);
  const candle = (options.bars === undefined ? undefined : exact) ?? candlePeriodAbove(period) ?? exact;
  if (candle === undefined) {
    throw new BadInput(
      `${tables[0]?.source.path}: expected bars that a candle period can be made of (up to 4h, 1d, 1w, 1M), found bars of ${period.name}`,
    );
  }
  const last = new LastCounts();
  last.take(anomaliesOf(surveyed));
  return {
    format,
    paths: tables.map(({ source }) => source.path),
    instruments,
    grade: 'B',
    notes: [...surveyed.notes, ...combinedNote(period, candle), ...inverseNotes(format, instruments)],
    findings: last.findings,
    counters: undefined,
    frames: undefined,
    get anomalies() {
      return last.anomalies;
    },
    events: async function* () {
      const counts = anomaliesOf(surveyed);
      try {
        yield* new BarPass(surveyed, candle, counts).events();
      } finally {
        last.take(counts);
      }
    },
  };
}

const week = seconds(7 * 86_400);

/** One pass over all tables: sorted, merged, without repeats, as candles. */
class BarPass {
  readonly #surveyed: SurveyedBars;
  readonly #candle: BarSpec;
  readonly #counts: AnomalyCounts;
  readonly #last: (SourceBar | undefined)[] = [];
  /** A bar of weeks or longer that begins inside the one before, until it shows whether it is the last of its symbol. */
  readonly #unfinished: (SourceBar | undefined)[] = [];
  readonly #combiner: BarCombiner | undefined;
  readonly #known = new KnownCandles();

  constructor(surveyed: SurveyedBars, candle: BarSpec, counts: AnomalyCounts) {
    this.#surveyed = surveyed;
    this.#candle = candle;
    this.#counts = counts;
    const { period } = surveyed;
    if (timeBarOf(period.micros) !== candle) this.#combiner = new BarCombiner(period, candle);
  }

  async *events(): AsyncGenerator<readonly Event[], void, undefined> {
    const { tables, period } = this.#surveyed;
    const length = this.#combiner === undefined ? period : undefined;
    const streams = tables.map((_, index) => this.#table(index));
    const ends = (bar: SourceBar): number => periodEnd(period.micros, bar.time);
    for await (const bars of streams.length === 1 ? (streams[0] ?? []) : mergeOrdered(streams, ends)) {
      const events: CandlesChanged[] = [];
      const refusal = thrownBy(() => {
        for (const bar of bars) {
          if (this.#isRepeated(bar)) continue;
          if (this.#combiner !== undefined) this.#combiner.add(bar);
          else events.push(barEvent(this.#known.know(candleOf(bar, this.#candle)), length as BarPeriod));
        }
      });
      events.push(...this.#combined(false));
      if (events.length > 0) yield events;
      if (refusal !== undefined) throw refusal.error;
    }
    const rest = this.#combined(true);
    if (rest.length > 0) yield rest;
    for (const bar of this.#unfinished.filter((one) => one !== undefined)) this.#leaveOut(bar);
  }

  /** Some sources date the week or month that is not over with the day on which they were asked. */
  #leaveOut({ time }: SourceBar): void {
    this.#counts.add(
      'unfinishedBars',
      1,
      (count) =>
        `${counted(count, 'last bar')} left out, that of ${timeText(time).slice(0, 10)}: it begins inside the one before, as a week or month that is not over`,
    );
  }

  #combined(isEnd: boolean): readonly CandlesChanged[] {
    const combiner = this.#combiner;
    if (combiner === undefined) return [];
    const candles = isEnd ? combiner.endBars() : combiner.takeBars();
    return candles.map((candle) => barEvent(this.#known.know(candle), combiner.target));
  }

  async *#table(index: number): AsyncGenerator<readonly SourceBar[], void, undefined> {
    const table = this.#surveyed.tables[index] as BarTable;
    const rows = this.#surveyed.rows[index];
    const read = async function* (): AsyncGenerator<readonly RawBar[], void, undefined> {
      yield* rows ?? readBars(table);
    };
    if (this.#surveyed.inOrder[index] === true) {
      for await (const bars of read()) yield bars.map((bar) => this.#bar(table, bar));
      return;
    }
    yield* sortedRecords(read(), {
      path: table.source.path,
      noun: 'bars',
      max: sortedBarsMax,
      batch: batchBars,
      of: (bar) => this.#bar(table, bar),
      time: ({ time }) => time,
    });
  }

  #bar(table: BarTable, bar: RawBar): SourceBar {
    this.#look(bar);
    const instrument = this.#surveyed.instrumentOf(table, bar);
    return {
      instrument: instrument.id,
      time: openOf(bar.time, this.#surveyed.period, table.stamp ?? 'open'),
      open: parseAmount(bar.open),
      close: parseAmount(bar.close),
      min: parseAmount(bar.low),
      max: parseAmount(bar.high),
      volume: parseAmount(bar.volume),
      volumeQuote: parseAmount(bar.volumeQuote),
    };
  }

  /** Counts what is no price of a market. */
  #look(bar: RawBar): void {
    const open = Number(bar.open);
    const high = Number(bar.high);
    const low = Number(bar.low);
    const close = Number(bar.close);
    if (open === 0 || high === 0 || low === 0 || close === 0)
      this.#counts.add('zeroPrices', 1, (count) => `${counted(count, 'bar')} with a price of 0`);
    const { tick } = this.#surveyed;
    if (tick !== undefined && isOffTick(tick, bar)) {
      const words = `a price off the tick ${tick.spec.tickSize} that was given`;
      this.#counts.add('offTickPrices', 1, (count) => `${counted(count, 'bar')} with ${words}`);
    }
    if (open > high || open < low || close > high || close < low)
      this.#counts.add(
        'inconsistentBars',
        1,
        (count) => `${counted(count, 'bar')} with an open or close outside low and high`,
      );
  }

  /** From one bar to the next prices do not leap by such a factor, within a day neither. */
  #lookForSplit(last: SourceBar, bar: SourceBar): void {
    // An open outside its own bar is a fault of that bar.
    if (bar.open < bar.min || bar.open > bar.max) return;
    const factor = splitFactor(Number(last.close), Number(bar.open));
    if (factor === undefined) return;
    const first = timeText(bar.time).slice(0, 10);
    this.#counts.add(
      'splitJumps',
      1,
      (count) =>
        `${counted(count, 'open')} that leaps from the close before as a split makes it (${factor}, the first on ${first}): prices are not adjusted`,
    );
  }

  /** Two series in one: what traded in the time of both would count twice. */
  #overlap(last: SourceBar, bar: SourceBar): BadInput {
    const { tables, period, instruments } = this.#surveyed;
    const paths = tables.map(({ source }) => source.path).join(', ');
    return new BadInput(
      `${paths}: expected bars of ${instruments.at(bar.instrument).symbol} that follow one another, found one at ${timeText(bar.time)} inside that of ${period.name} at ${timeText(last.time)}: the series overlaps itself; give one series, or its period with --period`,
    );
  }

  #isRepeated(bar: SourceBar): boolean {
    const last = this.#last[bar.instrument];
    const { period } = this.#surveyed;
    const unfinished = this.#unfinished[bar.instrument];
    if (last !== undefined && unfinished !== undefined) throw this.#overlap(last, unfinished);
    if (last?.time !== bar.time) {
      if (last !== undefined && bar.time - last.time < period.micros) {
        if (period.micros < week) throw this.#overlap(last, bar);
        this.#unfinished[bar.instrument] = bar;
        return true;
      }
      if (last !== undefined && period.micros > 0 && (bar.time - last.time) % period.micros !== 0) {
        this.#counts.add(
          'offGridBars',
          1,
          (count) => `${counted(count, 'bar')} not a whole number of periods after the one before`,
        );
      }
      if (last !== undefined) this.#lookForSplit(last, bar);
      this.#last[bar.instrument] = bar;
      return false;
    }
    const same = isSameBar(last, bar);
    this.#counts.add(
      same ? 'duplicateRows' : 'conflictingRows',
      1,
      (count) => `${counted(count, 'bar')} repeated${same ? '' : ' with other values; the first counts'}`,
    );
    return true;
  }
}

/** Shares that one becomes in a split; the other way round, those that become one. */
const splitFactors = [2, 3, 4, 5, 6, 7, 8, 10, 15, 20, 25, 30, 40, 50, 100];
/** How far the first price may lie from what the split alone makes of the last one. */
const splitTolerance = 0.04;

/** `7:1` where a price is a seventh of the one before, `1:10` where it is ten times it; `undefined` where it is no such. */
function splitFactor(before: number, after: number): string | undefined {
  const ratio = before / after;
  const factor = splitFactors.find((one) => Math.abs(Math.max(ratio, 1 / ratio) / one - 1) < splitTolerance);
  return factor === undefined ? undefined : ratio > 1 ? `${factor}:1` : `1:${factor}`;
}

/** The begin of a bar from the time it is stamped with. */
function openOf(time: Micros, period: BarPeriod, stamp: 'open' | 'close'): Micros {
  if (period.micros === 0) return periodStart(period.micros, (stamp === 'close' ? time - 1 : time) as Micros);
  return stamp === 'close' ? ((time - period.micros) as Micros) : time;
}

function isOffTick(tick: Instrument, { open, high, low, close }: RawBar): boolean {
  return [open, high, low, close].some((price) => Number.isNaN(tick.readTicks(price)));
}

function anomaliesOf(surveyed: SurveyedBars): AnomalyCounts {
  const counts = new AnomalyCounts();
  counts.add(
    'rowsOutOfOrder',
    surveyed.stepsBack,
    (count) => `${counted(count, 'group')} of rows out of order`,
  );
  counts.add(
    'binaryNoise',
    surveyed.noise,
    (count) =>
      `${counted(count, 'number')} printed from binary fractions, read as the decimals they stand for`,
  );
  countRounded(counts, surveyed.rounded);
  countUnits(counts, surveyed.units);
  return counts;
}

function combinedNote(period: BarPeriod, candle: BarSpec): readonly string[] {
  if (timeBarOf(period.micros) === candle) return [];
  return [`bars of ${period.name} are joined into candles of ${candle}, the shortest period that holds them`];
}

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
  readonly #candle: BarSpec;
  /** The period of the candles. */
  readonly target: BarPeriod;
  readonly #source: BarPeriod;
  readonly #running = new Map<number, Running>();
  #finished: Candle[] = [];

  constructor(source: BarPeriod, candle: BarSpec) {
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
  takeBars(): readonly Candle[] {
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }

  /** Finishes what is running. */
  endBars(): readonly Candle[] {
    this.#finishBefore(Number.POSITIVE_INFINITY);
    return this.takeBars();
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
export function candleOf(bar: SourceBar, period: BarSpec): Candle {
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

/** The event of a closed bar. Both times are the end of the period. */
export function barEvent(candle: Candle, length: BarPeriod): CandlesChanged {
  const time = periodEnd(length.micros, candle.time);
  return {
    kind: 'candles',
    instrument: candle.instrument,
    snapshot: false,
    candles: [candle],
    exchangeTime: time,
    receiveTime: time,
  };
}
