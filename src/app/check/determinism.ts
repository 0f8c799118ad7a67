import type { RunTimeline, Divergence } from '../../research/checks/index.ts';
import { divergenceOf } from '../../research/checks/index.ts';
import { CheckProcess } from './process.ts';
import type { CheckSubject, OpenCheck } from './setting.ts';
import { openCheck } from './setting.ts';
import { decisionsOf, divergenceJson, divergenceLines, problemsOf, unproved, verdictOf } from './verdict.ts';
import type { Output } from '../process/output.ts';

export interface DeterminismCommand {
  readonly subject: CheckSubject;
  /** How many threads run at once in the third process. */
  readonly threads: number;
  readonly output: Output;
  readonly json: boolean;
}

/** One run and how it was made. */
export interface NamedTimeline {
  readonly name: string;
  readonly timeline: RunTimeline;
}

/** A run whose events differ from those of the first. */
export interface Deviation {
  readonly name: string;
  readonly digest: string;
  readonly divergence: Divergence | undefined;
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
  const timelines = runs.map(({ timeline }) => timeline);
  const problems = problemsOf(timelines);
  const decisions = Math.max(...timelines.map((timeline) => decisionsOf(timeline)));
  const { holds, reason, exitCode } = verdictOf({ faults: deviations.length, decisions, problems });
  if (json) {
    output.data(
      JSON.stringify({
        holds,
        reason: reason ?? null,
        runs: runs.map(({ name, timeline }) => ({
          name,
          digest: timeline.digest,
          events: timeline.events,
          problems: timeline.problems,
          notes: timeline.notes,
        })),
        deviations: deviations.map(({ name, digest, divergence }) => ({
          name,
          digest,
          parting: divergenceJson(divergence),
        })),
      }),
    );
  } else {
    for (const { name, timeline } of runs) output.data(`${timeline.digest}  ${name}`);
    const alike = `${runs.length} runs alike in every event`;
    if (holds === true) output.data(`holds: ${alike}`);
    if (holds === null) output.data(`not known: ${reason}; ${alike}`);
    for (const { name, divergence } of deviations) {
      output.data(`BREACH: the decisions of ${name} differ`);
      for (const line of divergenceLines(divergence, ['first run', name])) output.data(line);
    }
  }
  for (const problem of problems) output.progress(`incomplete: ${problem}`);
  for (const note of runs[0]?.timeline.notes ?? []) output.progress(`note: ${note}`);
  if (decisions === 0) output.progress(unproved);
  return exitCode;
}

/** Two fresh processes one after another, then one with as many threads at once as asked. */
export async function runsOf({ setting }: OpenCheck, threads: number): Promise<readonly NamedTimeline[]> {
  const runs: NamedTimeline[] = [];
  for (const plan of [
    { name: 'first process', threads: undefined },
    { name: 'second process', threads: undefined },
    { name: 'thread', threads },
  ]) {
    const process = await CheckProcess.start(setting, false);
    try {
      const { timelines } = await process.run({ cuts: [], threads: plan.threads });
      for (const [index, timeline] of timelines.entries())
        runs.push({
          name: plan.threads === undefined ? plan.name : `thread ${index + 1} of ${threads}`,
          timeline,
        });
    } finally {
      process.close();
    }
  }
  return runs;
}

/** The runs that are not as the first. */
export function deviationsOf([first, ...others]: readonly NamedTimeline[]): readonly Deviation[] {
  if (first === undefined) return [];
  return others.flatMap(({ name, timeline }) => {
    const divergence = divergenceOf(first.timeline, timeline);
    const alike = divergence === undefined && timeline.digest === first.timeline.digest;
    return alike ? [] : [{ name, digest: timeline.digest, divergence }];
  });
}
