import type { Cancel, Clock } from './clock.ts';
import { millis } from './clock.ts';

/** Rows of a long list that are handled in one turn of the loop. */
export const sliceRows = 250;

/** Time between two slices: longer than one takes, so that a loop that is late does not do several in one turn. */
const sliceGap = millis(1);

/**
 * Time between two slices where the work is in no hurry. A clock of turns fires every timer that was due, so a loop that is late by some other
 * work does as many slices in one turn as fit into the delay.
 */
export const unhurriedGap = millis(5);

/** Work that can be left and gone on with: it yields wherever a slice of it ends. */
export type SlicedWork<Result = void> = Generator<undefined, Result>;

/** Calls `each` with every row, in slices of `most` rows. */
export function* eachInSlices<Row>(
  rows: Iterable<Row>,
  each: (row: Row) => void,
  most = sliceRows,
): SlicedWork {
  let done = 0;
  for (const row of rows) {
    if (done > 0 && done % most === 0) yield;
    each(row);
    done += 1;
  }
  // What follows belongs to no slice of a long list.
  if (done > most) yield;
}

/**
 * Does work a slice a turn of the loop, the first one now, and `gap` between two; work of a single slice is done when this returns. The
 * `Cancel` that it returns leaves the rest undone.
 */
export function runInSlices(work: SlicedWork, clock: Clock, gap = sliceGap): Cancel {
  let cancel: Cancel = () => {};
  const next = (): void => {
    if (work.next().done !== true) cancel = clock.after(gap, next);
  };
  next();
  return () => cancel();
}
