import { BadInput } from '../../core/base/errors.ts';
import type { Recording } from '../../data/recording/contract.ts';
import { GradeCollector } from '../../data/grade/grade.ts';
import type { LoadedScenario } from '../../research/scenario/load.ts';
import { openScenarioData } from '../../research/scenario/recording.ts';
import { openBarData } from './bar-scenario.ts';
import type { RunHashes } from './report.ts';
import type { GradedData, ToldGrade } from './known-grade.ts';
import { KnownGrades, tellGrade } from './known-grade.ts';

export interface GradingSetting {
  readonly loaded: LoadedScenario;
  readonly hashes: RunHashes;
  /** Where grades are kept. */
  readonly runs: string;
  /** Whether what was found is kept. */
  readonly keep: boolean;
}

/**
 * What the data of a scenario are worth, read as it says and up to the end of its clock. Data that were not graded
 * before are read once more. Damaged data have no grade: the run itself says so.
 */
export async function gradeScenario(setting: GradingSetting): Promise<ToldGrade | undefined> {
  const { loaded, hashes, runs, keep } = setting;
  const { scenario } = loaded;
  const { import: options, instrument, data, fills, clock } = scenario;
  const { end } = clock;
  const roles = data.map(({ role }) => role);
  const reading = JSON.stringify([options, instrument ?? null, roles, fills.model, end ?? null]);
  const open = async (): Promise<Recording> =>
    fills.model === 'bars'
      ? await openBarData(scenario, loaded.file)
      : (await openScenarioData(loaded)).recording;
  const grades = new KnownGrades(runs);
  return await gradeOnce({ grades, graded: { ...hashes, reading }, keep, open, end });
}

interface Grading {
  readonly grades: KnownGrades;
  readonly graded: GradedData;
  readonly keep: boolean;
  readonly open: () => Promise<Recording>;
  /** What is received later does not count. */
  readonly end: number | undefined;
}

async function gradeOnce({ grades, graded, keep, open, end }: Grading): Promise<ToldGrade | undefined> {
  const known = grades.find(graded);
  if (known !== undefined) return known;
  try {
    const found = await gradeUntil(await open(), end ?? Number.POSITIVE_INFINITY);
    if (keep) grades.keep(graded, found);
    return found;
  } catch (error) {
    if (error instanceof BadInput) return undefined;
    throw error;
  }
}

async function gradeUntil(recording: Recording, end: number): Promise<ToldGrade> {
  const collector = new GradeCollector(recording.instruments);
  for await (const batch of recording.events()) {
    for (const event of batch) if (event.receiveTime <= end) collector.add(event);
    // In the order of time: once all of a batch is too late, so is the rest.
    if (batch.length > 0 && batch.every(({ receiveTime }) => receiveTime > end)) break;
  }
  return tellGrade(collector.grade(recording));
}
