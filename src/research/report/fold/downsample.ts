import type { FillMark } from './trade-book.ts';
import { joinedMarks } from './trade-book.ts';

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
