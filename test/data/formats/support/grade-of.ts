import type { Grade } from '../../../../src/data/grade/grade.ts';
import { GradeCollector } from '../../../../src/data/grade/grade.ts';
import type { Recording } from '../../../../src/data/recording/contract.ts';

/** Reads a recording through and grades it. Throws `BadInput` where the data is damaged. */
export async function gradeOf(recording: Recording): Promise<Grade> {
  const collector = new GradeCollector(recording.instruments);
  for await (const batch of recording.events()) for (const event of batch) collector.add(event);
  return collector.grade(recording);
}
