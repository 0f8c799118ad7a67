import type { Micros } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';

/** A span of time, from its first microsecond up to but without its last. */
export interface Span {
  readonly from: Micros;
  readonly to: Micros;
}

/**
 * How long a span is, in microseconds, to the millisecond: one that ends with the data ends a microsecond behind their
 * last fact, and that microsecond is no length.
 */
export function lengthOf({ from, to }: Span): number {
  return Math.round((to - from) / 1_000) * 1_000;
}

/** Data to choose on, and data to judge the choice by. */
export interface Fold {
  readonly train: Span;
  readonly test: Span;
}

export interface WalkSetting {
  readonly train: Micros;
  readonly test: Micros;
  /** How far each fold stands behind the one before; the length of a test when left out. */
  readonly step?: Micros | undefined;
  /** Training always begins with the data. */
  readonly anchored: boolean;
}

const foldsMax = 1_000;

/** The first part of a span to choose on, the rest to judge by. */
export function splitAt({ from, to }: Span, share: number): Fold {
  const at = (from + Math.round((to - from) * share)) as Micros;
  return { train: { from, to: at }, test: { from: at, to } };
}

/** The folds of a walk through `span`, oldest first; a last test that is cut short is kept when at least half is there. */
export function walkFolds(span: Span, { train, test, step = test, anchored }: WalkSetting): readonly Fold[] {
  const folds: Fold[] = [];
  for (let begin: number = span.from; begin + train + test / 2 <= span.to; begin += step) {
    const at = (begin + train) as Micros;
    const from = (anchored ? span.from : begin) as Micros;
    folds.push({
      train: { from, to: at },
      test: { from: at, to: Math.min(at + test, span.to) as Micros },
    });
    if (folds.length > foldsMax) throw new BadInput(`walk: expected at most ${foldsMax} windows, found more`);
  }
  if (folds.length > 0) return folds;
  const [have, needed] = [span.to - span.from, train + test].map((micros) => `${micros / 1_000_000} s`);
  throw new BadInput(`walk: expected data for one window of training and test (${needed}), found ${have}`);
}
