import type { Course, Parting } from '../../research/course.ts';
import { partingOf } from '../../research/course.ts';
import { CheckProcess } from './check-process.ts';
import type { CheckSubject, OpenCheck } from './check-setting.ts';
import { openCheck } from './check-setting.ts';
import { decisionsOf, holdsJson, partingJson, partingLines, unproved } from './check-words.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';

export interface DeterminismCommand {
  readonly subject: CheckSubject;
  /** How many threads run at once in the third process. */
  readonly threads: number;
  readonly output: Output;
  readonly json: boolean;
}

/** One run and how it was made. */
export interface NamedCourse {
  readonly name: string;
  readonly course: Course;
}

/** A run that took another course than the first. */
export interface Deviation {
  readonly name: string;
  readonly digest: string;
  readonly parting: Parting | undefined;
}

/** `godwit check determinism`: says whether the same run is the same run in any process and thread. */
export async function determinismCommand({
  subject,
  threads,
  output,
  json,
}: DeterminismCommand): Promise<number> {
  const runs = await runsOf(await openCheck(subject), threads);
  const deviations = deviationsOf(runs);
  const isIdle = runs.every(({ course }) => decisionsOf(course) === 0);
  if (json) {
    output.data(
      JSON.stringify({
        holds: holdsJson(deviations.length === 0, !isIdle),
        runs: runs.map(({ name, course: { digest, events, problems, notes } }) => ({
          name,
          digest,
          events,
          problems,
          notes,
        })),
        deviations: deviations.map(({ name, digest, parting }) => ({
          name,
          digest,
          parting: partingJson(parting),
        })),
      }),
    );
  } else {
    for (const { name, course } of runs) output.data(`${course.digest}  ${name}`);
    const verdict = isIdle ? 'not known: nothing was decided, with' : 'holds:';
    if (deviations.length === 0) output.data(`${verdict} ${runs.length} runs alike in every event`);
    for (const { name, parting } of deviations) {
      output.data(`BREACH: ${name} took another course`);
      for (const line of partingLines(parting, ['first run', name])) output.data(line);
    }
  }
  for (const problem of runs[0]?.course.problems ?? []) output.progress(`incomplete: ${problem}`);
  for (const note of runs[0]?.course.notes ?? []) output.progress(`note: ${note}`);
  if (isIdle) output.progress(unproved);
  return deviations.length === 0 ? exitCodes.done : exitCodes.checkFailed;
}

/** Two fresh processes one after another, then one with as many threads at once as asked. */
export async function runsOf({ setting }: OpenCheck, threads: number): Promise<readonly NamedCourse[]> {
  const runs: NamedCourse[] = [];
  for (const plan of [
    { name: 'first process', threads: undefined },
    { name: 'second process', threads: undefined },
    { name: 'thread', threads },
  ]) {
    const process = await CheckProcess.start(setting, false);
    try {
      const { courses } = await process.run({ cuts: [], threads: plan.threads });
      for (const [index, course] of courses.entries())
        runs.push({
          name: plan.threads === undefined ? plan.name : `thread ${index + 1} of ${threads}`,
          course,
        });
    } finally {
      process.close();
    }
  }
  return runs;
}

/** The runs that are not as the first. */
export function deviationsOf([first, ...others]: readonly NamedCourse[]): readonly Deviation[] {
  if (first === undefined) return [];
  return others.flatMap(({ name, course }) => {
    const parting = partingOf(first.course, course);
    const alike = parting === undefined && course.digest === first.course.digest;
    return alike ? [] : [{ name, digest: course.digest, parting }];
  });
}
