import type { Course, Parting } from '../../research/checks/course.ts';
import { partingOf } from '../../research/checks/course.ts';
import { CheckProcess } from './process.ts';
import type { CheckSubject, OpenCheck } from './setting.ts';
import { openCheck } from './setting.ts';
import { decisionsOf, partingJson, partingLines, problemsOf, unproved, verdictOf } from './words.ts';
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
  const courses = runs.map(({ course }) => course);
  const problems = problemsOf(courses);
  const decisions = Math.max(...courses.map((course) => decisionsOf(course)));
  const { holds, reason, exitCode } = verdictOf({ faults: deviations.length, decisions, problems });
  if (json) {
    output.data(
      JSON.stringify({
        holds,
        reason: reason ?? null,
        runs: runs.map(({ name, course }) => ({
          name,
          digest: course.digest,
          events: course.events,
          problems: course.problems,
          notes: course.notes,
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
    const alike = `${runs.length} runs alike in every event`;
    if (holds === true) output.data(`holds: ${alike}`);
    if (holds === null) output.data(`not known: ${reason}; ${alike}`);
    for (const { name, parting } of deviations) {
      output.data(`BREACH: ${name} took another course`);
      for (const line of partingLines(parting, ['first run', name])) output.data(line);
    }
  }
  for (const problem of problems) output.progress(`incomplete: ${problem}`);
  for (const note of runs[0]?.course.notes ?? []) output.progress(`note: ${note}`);
  if (decisions === 0) output.progress(unproved);
  return exitCode;
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
