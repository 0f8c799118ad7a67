import type { FillMark } from './trade-book.ts';

const bucketsMax = 400;
const marksMax = 1_500;

/**
 * Rows of a course to draw: of every bucket the first, the last, the lowest and the highest, so that no spike is lost.
 * All rows when there are few.
 */
export function thinned(times: readonly number[], values: readonly number[]): readonly number[] {
  if (times.length <= bucketsMax * 4) return times.map((_, i) => i);
  const size = times.length / bucketsMax;
  const rows: number[] = [];
  for (let bucket = 0; bucket < bucketsMax; bucket++) {
    const from = Math.floor(bucket * size);
    const to = Math.floor((bucket + 1) * size);
    let low = from;
    let high = from;
    for (let i = from; i < to; i++) {
      if ((values[i] as number) < (values[low] as number)) low = i;
      if ((values[i] as number) > (values[high] as number)) high = i;
    }
    for (const row of [...new Set([from, low, high, to - 1])].toSorted((a, b) => a - b)) rows.push(row);
  }
  return rows;
}

/** One axis for rows and marks: `carried` is the row last begun at each place (-1 before any), `marked` the mark there. */
export interface MarkedAxis {
  readonly x: readonly number[];
  readonly carried: readonly number[];
  readonly marked: readonly (FillMark | undefined)[];
}

/** Puts marks between rows, both in the order of time. Of very many marks every so-many-th. */
export function withMarks(times: readonly number[], marks: readonly FillMark[]): MarkedAxis {
  const every = Math.max(1, Math.ceil(marks.length / marksMax));
  const shown = marks.filter((_, i) => i % every === 0).toSorted((a, b) => a.time - b.time);
  const x: number[] = [];
  const carried: number[] = [];
  const marked: (FillMark | undefined)[] = [];
  let row = 0;
  // What is of one time stands a microsecond apart: an axis does not repeat.
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
