import type { Cancel, Clock, Micros } from '../../../core/base/clock.ts';
import { microsPerSecond } from '../../../core/base/clock.ts';
import type { FillMark } from './trade-book.ts';
import { joinedMarks } from './trade-book.ts';

/** Runs `task` at a time, before anything that happens then; the answer cancels it. */
export type RunAt = (time: Micros, task: () => void) => Cancel;

/** `RunAt` of a clock that moves with the events, as those of backtests and of live cores do. */
export function runAtOf(clock: Clock): RunAt {
  return (time, task) => clock.after(Math.max(0, time - clock.now()) as Micros, task);
}

/**
 * When samples are due: at the end of each second in which something happened, silent seconds have none. With a clock that
 * runs tasks they are taken then, of how things stood until the next event, however late that comes; without one by the
 * first event behind that end, when it has counted already.
 */
export class SecondEnds {
  readonly #at: RunAt | undefined;
  readonly #sample: (time: Micros) => void;
  #end = Number.POSITIVE_INFINITY;
  #callOff: Cancel | undefined;
  /** From this time on `passed` must be called with an event. */
  due = Number.POSITIVE_INFINITY;

  constructor(sample: (time: Micros) => void, at: RunAt | undefined) {
    this.#sample = sample;
    this.#at = at;
  }

  /** Something happened, in the first second or in one behind that of the last such thing. */
  passed(time: Micros): void {
    const end = this.#end as Micros;
    this.#end = (Math.floor(time / microsPerSecond) + 1) * microsPerSecond;
    if (this.#at === undefined) {
      if (end !== Number.POSITIVE_INFINITY) this.#sample(end);
      this.due = this.#end;
      return;
    }
    this.due = Number.POSITIVE_INFINITY;
    const next = this.#end as Micros;
    this.#callOff = this.#at(next, () => {
      this.due = next;
      this.#sample(next);
    });
  }

  /** No more samples are due. */
  close(): void {
    this.#callOff?.();
    this.due = Number.POSITIVE_INFINITY;
  }
}

const rowsMax = 20_000;

/**
 * The timeline of a run in named columns of numbers, one row a sample, for charts alone: figures are folded from every
 * sample (`SampleFold`). When it is full, of every bucket of samples only the first and the last stay, and those at which a
 * column that was `put` was lowest and highest.
 */
export class Timeline {
  #times: number[] = [];
  /** Which sample each row was, from 0. */
  #numbers: number[] = [];
  #columns = new Map<string, number[]>();
  /** Columns whose extremes stay. */
  readonly #followed = new Set<string>();
  readonly #rowsMax: number;
  /** Samples in a bucket, a power of two: buckets of later times hold whole ones of earlier times. */
  #size = 1;
  #count = 0;

  constructor(rows = rowsMax) {
    this.#rowsMax = rows;
  }

  /** Begins a row; columns that get no value in it are NaN there. A second row of one time goes on with the first. */
  beginRow(time: number): void {
    if (time === this.#times.at(-1)) return;
    if (this.#times.length >= this.#rowsMax) this.#thin();
    this.#times.push(time);
    this.#numbers.push(this.#count);
    this.#count += 1;
    for (const column of this.#columns.values()) column.push(Number.NaN);
  }

  /** A value of the row that was begun last. Its column keeps its extremes, however long the run. */
  putValue(column: string, value: number): void {
    this.#set(column, value, true);
  }

  /** A value of a column that is kept where others have their extremes. */
  carryValue(column: string, value: number): void {
    this.#set(column, value, false);
  }

  /** Microseconds since the epoch, ascending. */
  get times(): readonly number[] {
    return this.#times;
  }

  /** Which sample each row was, from 0, ascending. */
  get numbers(): readonly number[] {
    return this.#numbers;
  }

  /** The values of a column, NaN where it had none; of an unknown column all are. */
  column(name: string): readonly number[] {
    return this.#columns.get(name) ?? this.#times.map(() => Number.NaN);
  }

  #set(column: string, value: number, isFollowed: boolean): void {
    let values = this.#columns.get(column);
    if (values === undefined) {
      values = Array.from({ length: this.#times.length }, () => Number.NaN);
      this.#columns.set(column, values);
      if (isFollowed) this.#followed.add(column);
    }
    values[values.length - 1] = value;
  }

  #thin(): void {
    const columns = [...this.#followed].map((name) => this.column(name));
    const buckets = Math.max(1, Math.floor(this.#rowsMax / 2 / (2 + 2 * columns.length)));
    while (this.#size * buckets < this.#count) this.#size *= 2;
    const kept = rowsToKeep(this.#numbers, this.#size, columns);
    const thin = (values: readonly number[]): number[] => values.filter(kept);
    this.#times = thin(this.#times);
    this.#numbers = thin(this.#numbers);
    this.#columns = new Map([...this.#columns].map(([name, values]) => [name, thin(values)]));
  }
}

const bucketsMax = 400;
/** Columns of pixels of a chart as wide as the page. */
const pixels = 1_000;

/**
 * Rows of a timeline to draw: of every bucket of samples the first, the last, the lowest and the highest, so that no spike is
 * lost. All rows when there are few. `numbers` is the sample number of each row, where a timeline does not have them all.
 */
export function downsampled(
  values: readonly number[],
  numbers: readonly number[] = values.map((_, i) => i),
): readonly number[] {
  if (values.length <= bucketsMax * 4) return numbers.map((_, i) => i);
  const size = ((numbers.at(-1) as number) + 1) / bucketsMax;
  const rows: number[] = [];
  let from = 0;
  for (let bucket = 0; bucket < bucketsMax; bucket++) {
    const end = Math.floor((bucket + 1) * size);
    let to = from;
    while (to < numbers.length && (numbers[to] as number) < end) to += 1;
    if (to === from) continue;
    const kept = new Set([from, ...extremeRows(values, from, to), to - 1]);
    rows.push(...[...kept].toSorted((a, b) => a - b));
    from = to;
  }
  return rows;
}

/**
 * Rows that stay when a long timeline is downsampled: of every bucket of `size` samples the first, the last, and where a column is
 * lowest and highest: a test for a filter. `numbers` is the sample number of each row.
 */
export function rowsToKeep(
  numbers: readonly number[],
  size: number,
  columns: readonly (readonly number[])[],
): (_: unknown, row: number) => boolean {
  const kept = new Uint8Array(numbers.length);
  const bucketOf = (row: number): number => Math.floor((numbers[row] as number) / size);
  for (let from = 0, to = 0; from < numbers.length; from = to) {
    while (to < numbers.length && bucketOf(to) === bucketOf(from)) to += 1;
    kept[from] = kept[to - 1] = 1;
    for (const values of columns) for (const row of extremeRows(values, from, to)) kept[row] = 1;
  }
  return (_, row) => kept[row] === 1;
}

/** Where values are lowest and highest, the first such rows from `from` to before `to`; `from` where all are NaN. */
export function extremeRows(
  values: readonly number[],
  from: number,
  to: number,
): readonly [low: number, high: number] {
  let low = from;
  let high = from;
  for (let row = from + 1; row < to; row++) {
    const value = values[row] as number;
    if (Number.isNaN(value)) continue;
    if (!(value >= (values[low] as number))) low = row;
    if (!(value <= (values[high] as number))) high = row;
  }
  return [low, high];
}

/** One axis for rows and marks: `carried` is the row last begun at each place (-1 before any), `marked` the mark there. */
export interface MarkedAxis {
  readonly x: readonly number[];
  readonly carried: readonly number[];
  readonly marked: readonly (FillMark | undefined)[];
}

/** Marks of one symbol, those of one side within one pixel of the span as one: every fill is in one of them. */
export function marksByPixel(
  marks: readonly FillMark[],
  span: { readonly from: number; readonly to: number },
): readonly FillMark[] {
  const width = Math.max(1, (span.to - span.from) / pixels);
  const cells = Map.groupBy(marks, ({ time, side }) => `${side} ${Math.floor((time - span.from) / width)}`);
  return [...cells.values()].map(joinedMarks).toSorted((a, b) => a.time - b.time);
}

/** Puts marks between rows, both in the order of time. Marks within one pixel are one. */
export function withMarks(times: readonly number[], marks: readonly FillMark[]): MarkedAxis {
  const from = Math.min(times[0] ?? 0, marks[0]?.time ?? 0);
  const shown = marksByPixel(marks, { from, to: Math.max(times.at(-1) ?? 0, marks.at(-1)?.time ?? 0) });
  const x: number[] = [];
  const carried: number[] = [];
  const marked: (FillMark | undefined)[] = [];
  let row = 0;
  // Marks of one time are placed a microsecond apart: values of an axis do not repeat.
  const put = (time: number, at: number, mark: FillMark | undefined): void => {
    x.push(Math.max(time, (x.at(-1) ?? Number.NEGATIVE_INFINITY) + 1));
    carried.push(at);
    marked.push(mark);
  };
  const rowsUntil = (time: number): void => {
    for (; row < times.length && (times[row] as number) <= time; row++)
      put(times[row] as number, row, undefined);
  };
  for (const mark of shown) {
    rowsUntil(mark.time);
    put(mark.time, row - 1, mark);
  }
  rowsUntil(Number.POSITIVE_INFINITY);
  return { x, carried, marked };
}

/** What a column came to within each of up to 400 equal buckets of samples. */
export interface PixelRange {
  /** The first row of the bucket. */
  readonly row: number;
  readonly low: number;
  readonly high: number;
  readonly mean: number;
}

/** Lowest, highest and mean of a column by bucket; `undefined` when there are so few rows that all can be drawn. */
export function pixelRanges(
  values: readonly number[],
  numbers: readonly number[],
): readonly PixelRange[] | undefined {
  if (values.length <= bucketsMax) return undefined;
  const size = ((numbers.at(-1) as number) + 1) / bucketsMax;
  const rows = Map.groupBy(values.keys(), (row) => Math.floor((numbers[row] as number) / size));
  return [...rows.values()].flatMap((own) => {
    const known = own.map((row) => values[row] as number).filter((value) => !Number.isNaN(value));
    if (known.length === 0) return [];
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
    return [{ row: own[0] as number, low: Math.min(...known), high: Math.max(...known), mean }];
  });
}
