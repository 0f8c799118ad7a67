import type { Recording } from '../recording/index.ts';

/** Faults that an import may find in its source. */
export type AnomalyName =
  | 'rowsOutOfOrder'
  | 'duplicateRows'
  | 'conflictingRows'
  | 'offGridBars'
  | 'inconsistentBars'
  | 'binaryNoise'
  | 'unknownOrders'
  | 'unknownCancels'
  | 'unknownDeletes'
  | 'unknownExecutions'
  | 'repeatedOrders'
  | 'tradeIdGaps'
  | 'emptyTrades'
  | 'zeroPrices'
  | 'offTickPrices'
  | 'unreadRecords'
  | 'roundedPrices'
  | 'splitJumps'
  | 'oversizedPrices'
  | 'contractSizes'
  | 'emptyRows'
  | 'unfinishedBars';

/** One kind of anomaly of a source. */
export interface Anomaly {
  readonly name: AnomalyName;
  readonly count: number;
  /** One clause for a reader of results, with the count in it. */
  readonly words: string;
}

/** A recording whose import counted what was wrong in its rows. */
export interface ImportedRecording extends Recording {
  /** Anomalies of the last complete pass of `events`; findings of the first pass are there at once. */
  readonly anomalies: readonly Anomaly[];
}

/** Whether a recording was imported by a format that counts its anomalies. */
export function countsAnomalies(recording: Recording): recording is ImportedRecording {
  return 'anomalies' in recording;
}

/** Counts anomalies by name, in the order they first appear. */
export class AnomalyCounts {
  readonly #counts = new Map<AnomalyName, { count: number; words: (count: number) => string }>();

  /** Adds `count` (nothing when 0); `words` makes the clause of the total. */
  add(name: AnomalyName, count: number, words: (count: number) => string): void {
    if (count === 0) return;
    const before = this.#counts.get(name);
    if (before === undefined) this.#counts.set(name, { count, words });
    else before.count += count;
  }

  all(): readonly Anomaly[] {
    return [...this.#counts].map(([name, { count, words }]) => ({ name, count, words: words(count) }));
  }
}

/** Counts of the last pass over a recording, and its words: those who have asked for `findings` see them change. */
export class LastCounts {
  readonly findings: string[] = [];
  #anomalies: readonly Anomaly[] = [];

  get anomalies(): readonly Anomaly[] {
    return this.#anomalies;
  }

  take(counts: AnomalyCounts): void {
    this.#anomalies = counts.all();
    this.findings.splice(0, this.findings.length, ...this.#anomalies.map(({ words }) => words));
  }
}

/** `1 bar`, `2 bars`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
