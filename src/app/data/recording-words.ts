import type { Recording } from '../../data/recording/contract.ts';
import type { EventCounts } from './event-counts.ts';
import { isoOf } from './event-counts.ts';

const dayMicros = 86_400_000_000;

/** What to say of data that end after `now`: their times may be of another unit. `undefined` when they do not. */
export function futureWords({ till }: EventCounts, now: number): string | undefined {
  if (till === undefined || till < now + dayMicros) return undefined;
  return `the last event is of ${isoOf(till)}, which is still to come: are the times in the unit and the zone they are read in?`;
}

/** What `--json` tells of a recording that was read through. */
export function wordsOf(recording: Recording, counts: EventCounts): Readonly<Record<string, unknown>> {
  const { letter, reasons, books, bars, clock, latency, anomalies, covered } = counts.gradeOf(recording);
  return {
    format: recording.format,
    grade: letter,
    reasons,
    from: isoOf(counts.from),
    till: isoOf(counts.till),
    symbols: recording.instruments.all.map((instrument) => instrument.symbol),
    events: Object.fromEntries(counts.events),
    levelChanges: counts.levelChanges,
    trades: counts.trades,
    ...(recording.proof === undefined ? {} : { proof: recording.proof }),
    books,
    bars,
    clock,
    latency,
    covered,
    anomalies,
    notes: recording.notes,
    findings: recording.findings,
  };
}
