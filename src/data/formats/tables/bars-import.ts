import { BadInput } from '../../../core/base/errors.ts';
import type { Instrument, InstrumentSpec } from '../../../core/model/instrument.ts';
import { Instruments } from '../../../core/model/instrument.ts';
import type { BarPeriod } from './bars-period.ts';
import { parsePeriod, monthPeriod, periodOfMicros } from './bars-period.ts';
import { placeOf } from '../bars-rows.ts';
import { quoteNote, symbolOfText } from './bars-symbol.ts';
import type { Adjustments, BarTable, RawBar } from './bars.ts';
import { BarReader, readBars } from './bars.ts';
import { refuseTooMany } from '../../../core/model/symbols-max.ts';
import type { OpenOptions } from '../format.ts';
import { untilDamage } from '../partial-recording.ts';
import { stepsNote } from '../symbol-survey.ts';
import { otherSymbolsNote, refuseMixed, skippingOf } from '../table-records.ts';
import type { TableUnits } from './units.ts';
import { lookAtPrices, newTableUnits, unitsNote } from './units.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { microsPerSecond } from '../../../core/base/clock.ts';
import { counted } from '../grade-anomaly.ts';
import { GridSurvey } from './grid-survey.ts';
import type { Rounded } from './price-rounding.ts';
import { addRounded, roundingNote, roundingOf } from './price-rounding.ts';

/** Result of the first pass over tables of bars. */
export interface SurveyedBars {
  readonly tables: readonly BarTable[];
  readonly instruments: Instruments;
  readonly period: BarPeriod;
  /** Whether the rows of each table are in the order of time. */
  readonly inOrder: readonly boolean[];
  /** The rows of each table in batches, where they are few: they need not be read again. */
  readonly rows: readonly (readonly (readonly RawBar[])[] | undefined)[];
  readonly stepsBack: number;
  readonly noise: number;
  readonly units: Readonly<TableUnits>;
  /** Prices that were rounded to the tick, because that was asked for. */
  readonly rounded: Readonly<Rounded>;
  readonly notes: readonly string[];
  /** An instrument of the tick that was given; `undefined` when it was inferred. */
  readonly tick: Instrument | undefined;
  instrumentOf(table: BarTable, bar: RawBar): Instrument;
}

interface Surveys {
  readonly bySymbol: Map<string, BarSurvey>;
  readonly inOrder: boolean[];
  readonly rows: ((readonly RawBar[])[] | undefined)[];
  rowsLeft: number;
  noise: number;
  readonly units: TableUnits;
  readonly rounded: Rounded;
  readonly adjustments: Adjustments;
  readonly others: Set<string>;
  /** Error that the first pass over a damaged table ended with. */
  damage?: Error;
}

/** Reads all tables once: symbols, period, decimals, order. Throws `BadInput` for the first row that is no bar. */
export async function surveyBars(given: readonly BarTable[], options: OpenOptions): Promise<SurveyedBars> {
  const tables = given.map((table) => ({ ...table, ...roundingOf(options), ...skippingOf(options) }));
  const surveys: Surveys = {
    bySymbol: new Map(),
    inOrder: [],
    rows: [],
    rowsLeft: rowsKeptMax,
    noise: 0,
    units: newTableUnits(),
    rounded: { count: 0, furthest: 0 },
    adjustments: { adjusted: 0, splits: 0 },
    others: new Set(),
  };
  for (const table of tables) await surveyTable(table, options, surveys);
  const all = [...surveys.bySymbol];
  refuseMixed([...surveys.bySymbol.keys()], tables, options);
  const path = tables.map(({ source }) => source.path).join(', ');
  const named = options.period === undefined ? undefined : parsePeriod(options.period);
  const known = named ?? tables[0]?.period;
  // A symbol of one bar has the period of the others.
  const shared = all.flatMap(([, { times }]) => times.period() ?? [])[0];
  const periods = all.map(
    ([, { times }]) => known ?? times.period() ?? periodOfTable(shared, path, surveys.damage),
  );
  const [period] = periods;
  if (period === undefined) throw new BadInput(`${path}: expected rows with bars, found none`);
  const other = periods.findIndex(({ micros }) => micros !== period.micros);
  if (other > 0) {
    throw new BadInput(
      `${path}: expected bars of one period, found ${period.name} of ${all[0]?.[0]} and ${periods[other]?.name} of ${all[other]?.[0]}; open them on their own, or give it with --period`,
    );
  }
  const guesses = new Map(tables.map(({ symbol }) => [symbol.symbol, symbol]));
  const specs: readonly InstrumentSpec[] =
    options.instruments ??
    all.map(([symbol, survey]) => survey.grid.spec(guesses.get(symbol) ?? symbolOfText(symbol), options));
  lookAtPrices(surveys.units, specs, (symbol) => surveys.bySymbol.get(symbol)?.grid);
  const instruments = new Instruments(specs);
  const isMonthEnds = period.micros === 0 && all.every(([, survey]) => survey.isMonthEnds);
  return {
    tables,
    instruments,
    period,
    inOrder: surveys.inOrder,
    rows: surveys.rows,
    stepsBack: all.reduce((sum, [, survey]) => sum + survey.times.stepsBack, 0),
    noise: surveys.noise,
    units: surveys.units,
    rounded: surveys.rounded,
    notes: [
      ...notesOf(options, tables, {
        isMonthEnds,
        isNewestFirst: all.some(([, one]) => one.times.isNewestFirst),
      }),
      ...adjustmentNotes(surveys, options),
      ...unitsNote(surveys.units),
      ...quoteNote(instruments, options),
      ...otherSymbolsNote(surveys.others, options.symbol),
    ],
    tick: options.tick === undefined ? undefined : instruments.all[0],
    instrumentOf: (table, bar) => findInstrument(instruments, table, bar),
  };
}

/** Rows of all tables that are kept from the first pass to the next: some 30 MiB. */
const rowsKeptMax = 100_000;

async function surveyTable(table: BarTable, options: OpenOptions, surveys: Surveys): Promise<void> {
  const reader = new BarReader(table);
  for (const survey of surveys.bySymbol.values()) survey.times.startFile();
  let last = Number.NEGATIVE_INFINITY;
  let inOrder = true;
  let rows: (readonly RawBar[])[] | undefined = [];
  const onDamage = (damage: Error): void => {
    surveys.damage ??= damage;
    // The next pass is to meet it, too.
    rows = undefined;
  };
  for await (const bars of untilDamage(readBars(table, reader), options.partial, onDamage)) {
    surveys.rowsLeft -= bars.length;
    if (surveys.rowsLeft < 0) rows = undefined;
    rows?.push(bars);
    for (const bar of bars) {
      inOrder &&= bar.time >= last;
      last = bar.time;
      surveyOf(surveys, table, options, bar).add(bar, table);
    }
  }
  surveys.inOrder.push(inOrder);
  surveys.rows.push(rows);
  surveys.noise += reader.noise;
  surveys.units.isFixed ||= reader.isFixed;
  surveys.units.skipped += reader.skipped;
  surveys.adjustments.adjusted += reader.adjustments.adjusted;
  surveys.adjustments.splits += reader.adjustments.splits;
  addRounded(surveys.rounded, reader.rounded);
  for (const other of reader.others) surveys.others.add(other);
}

function surveyOf(surveys: Surveys, table: BarTable, options: OpenOptions, bar: RawBar): BarSurvey {
  const symbol = options.symbol ?? (bar.symbol === '' ? table.symbol.symbol : bar.symbol);
  let survey = surveys.bySymbol.get(symbol);
  if (survey === undefined) {
    refuseTooMany(surveys.bySymbol.size, symbol, placeOf(table.source, bar.number));
    survey = new BarSurvey();
    surveys.bySymbol.set(symbol, survey);
  }
  return survey;
}

/** The only instrument there is, or the one the row or the file is named for. */
function findInstrument(instruments: Instruments, table: BarTable, bar: RawBar): Instrument {
  const [only] = instruments.all;
  if (only !== undefined && instruments.all.length === 1) return only;
  const symbol = bar.symbol === '' ? table.symbol.symbol : bar.symbol;
  const found = instruments.find(symbol);
  if (found !== undefined) return found;
  throw new BadInput(
    `${placeOf(table.source, bar.number)}: expected one of the symbols ${instruments.all.map((one) => one.symbol).join(', ')}, found ${symbol}`,
  );
}

function notesOf(
  options: OpenOptions,
  tables: readonly BarTable[],
  detected: { readonly isMonthEnds: boolean; readonly isNewestFirst: boolean },
): readonly string[] {
  const notes = ['bars are delivered at the end of their period, never earlier'];
  if (options.instruments === undefined) {
    notes.push(stepsNote(options));
  }
  if (tables.every(({ columns }) => !columns.index.has('volumeQuote'))) {
    notes.push('the source has no volume in the quote currency; it is 0');
  }
  if (detected.isMonthEnds)
    notes.push('bars are dated on the last day of their month; each ends with its month');
  if (detected.isNewestFirst) notes.push('the newest rows come first; they were sorted');
  return notes;
}

/** Notes for readers of results on prices that are no prints of a market. */
function adjustmentNotes({ bySymbol, adjustments }: Surveys, options: OpenOptions): readonly string[] {
  const { adjusted, splits } = adjustments;
  const overlong = [...bySymbol].filter(([, { grid }]) => grid.isOverlong).map(([symbol]) => symbol);
  return [
    ...roundingNote(options),
    ...(overlong.length === 0 || options.round !== undefined
      ? []
      : [
          `prices of ${overlong.join(', ').slice(0, 80)} have more decimals than a venue prints: they were adjusted, or printed from binary fractions`,
        ]),
    ...(adjusted === 0
      ? []
      : [
          `the adjusted close is another than the close in ${counted(adjusted, 'row')}: the prices are used as they stand, not adjusted`,
        ]),
    ...(splits === 0 ? [] : [`the table names ${counted(splits, 'split')}`]),
  ];
}

const differencesMax = 10_000;
const dayMicros = 86_400 * microsPerSecond;

/** The first pass over the times of one symbol: which way they run, and how far they stand apart. */
export class TimesSurvey {
  readonly #differences = new Map<number, number>();
  #last: Micros | undefined;
  #divisor = 0;
  #up = 0;
  #down = 0;

  /** Steps against the direction in which most rows of the file run. */
  get stepsBack(): number {
    return Math.min(this.#up, this.#down);
  }

  /** Whether the file begins with what is newest. */
  get isNewestFirst(): boolean {
    return this.#down > this.#up;
  }

  add(time: Micros): void {
    const step = this.#last === undefined ? 0 : time - this.#last;
    this.#last = time;
    if (step === 0) return;
    if (step > 0) this.#up += 1;
    else this.#down += 1;
    const size = Math.abs(step);
    this.#divisor = greatestCommonDivisor(this.#divisor, size);
    const count = this.#differences.get(size);
    if (count !== undefined || this.#differences.size < differencesMax) {
      this.#differences.set(size, (count ?? 0) + 1);
    }
  }

  /** Begins another file: the step into it says nothing. */
  startFile(): void {
    this.#last = undefined;
  }

  /**
   * How long the bars are: the difference that most neighbours have; if none has most of them, what divides all. Steps
   * of 28 to 31 days are calendar months. `undefined` when there is one bar only.
   */
  period(): BarPeriod | undefined {
    const sizes = [...this.#differences];
    if (sizes.length === 0) return undefined;
    if (sizes.every(([size]) => size >= 28 * dayMicros && size <= 31 * dayMicros)) return monthPeriod;
    const total = this.#up + this.#down;
    const [most, count] = sizes.reduce((best, one) => (one[1] > best[1] ? one : best));
    return periodOfMicros(count * 2 > total ? most : this.#divisor);
  }
}

/** The first pass over the bars of one symbol. */
export class BarSurvey {
  readonly times = new TimesSurvey();
  readonly grid = new GridSurvey();
  /** Whether all days are the last of their month. */
  isMonthEnds = true;

  add(bar: RawBar, { source }: BarTable): void {
    this.times.add(bar.time);
    this.grid.price(bar.open, source, bar.number);
    this.grid.price(bar.high, source, bar.number);
    this.grid.price(bar.low, source, bar.number);
    this.grid.price(bar.close, source, bar.number);
    this.grid.size(bar.volume);
    this.isMonthEnds &&= new Date(bar.time / 1_000 + 86_400_000).getUTCDate() === 1;
  }
}

/**
 * The period, when there is one. Throws `BadInput` when it is neither given nor clear from the times; `damage` is what
 * ended the first pass early.
 */
export function periodOfTable(
  period: BarPeriod | undefined,
  path: string,
  damage: Error | undefined,
): BarPeriod {
  if (period !== undefined) return period;
  const [found, mend] =
    damage === undefined ? ['one', ''] : [`one before ${damage.message}`, 'mend that line, or '];
  throw new BadInput(
    `${path}: expected two bars or more to infer their period from, found ${found}; ${mend}give it with --period, such as --period 1m`,
  );
}

function greatestCommonDivisor(a: number, b: number): number {
  // Nearly all steps are one or a few periods.
  if (a > 0 && b % a === 0) return a;
  let [large, small] = a > b ? [a, b] : [b, a];
  while (small > 0) [large, small] = [small, large % small];
  return large;
}
