import type { Recording } from '../../data/recording/contract.ts';
import { GradeCollector } from '../../data/grade/grade.ts';
import type { Event } from '../../core/model/event.ts';
import type { ToldGrade } from './known-grade.ts';
import { tellGrade } from './known-grade.ts';

/** A recording that is graded while somebody reads it through. */
export interface GradedReading {
  readonly recording: Recording;
  /** What it is worth, once it was read. */
  grade(): ToldGrade;
}

/** What is received after `end` does not count. */
export function gradedReading(recording: Recording, end: number | undefined): GradedReading {
  const collector = new GradeCollector(recording.instruments);
  const until = end ?? Number.POSITIVE_INFINITY;
  const { format, paths, instruments, grade, notes, findings, frames, printing, orders } = recording;
  return {
    recording: {
      format,
      paths,
      instruments,
      grade,
      notes,
      findings,
      counters: undefined,
      frames,
      printing,
      ...(orders === undefined ? {} : { orders }),
      events: () => watched(recording, collector, until),
    },
    grade: () => tellGrade(collector.grade(recording)),
  };
}

async function* watched(
  recording: Recording,
  collector: GradeCollector,
  until: number,
): AsyncGenerator<readonly Event[], void, undefined> {
  for await (const batch of recording.events()) {
    for (const event of batch) if (event.receiveTime <= until) collector.add(event);
    yield batch;
  }
}
