import type { FillMark } from './trade-book.ts';

const bucketsMax = 400;
const marksMax = 1_500;

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

/** Puts marks between rows, both in the order of time. Of very many marks every n-th. */
export function withMarks(times: readonly number[], marks: readonly FillMark[]): MarkedAxis {
  const every = Math.max(1, Math.ceil(marks.length / marksMax));
  const shown = marks.filter((_, i) => i % every === 0).toSorted((a, b) => a.time - b.time);
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
