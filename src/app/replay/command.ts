import type { Tree } from '../../core/config/layers.ts';
import type { Config } from '../config/schema.ts';
import { openRecording } from '../../data/open/own-formats.ts';
import type { Event } from '../../core/model/event.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { historyBefore, JournalCourse } from './journal-course.ts';
import type { Output } from '../process/output.ts';
import type { ReplayResult } from './session.ts';
import { replaySession } from './session.ts';

export interface ReplayCommand {
  /** The configuration of the replay, made from that of the run. */
  readonly configure: (recorded: Tree) => Config;
  readonly recordings: readonly string[];
  /** The run directory whose journal the replay is compared with. */
  readonly journal: string | undefined;
  readonly output: Output;
  readonly json: boolean;
}

/** `godwit replay`: runs a recorded session again and, with its journal, says whether it took the same course. */
export async function replayCommand({
  configure,
  recordings,
  journal,
  output,
  json,
}: ReplayCommand): Promise<number> {
  const counts = new Map<Event['kind'], number>();
  const recording = await openRecording(recordings);
  let course: JournalCourse | undefined;
  const result = await replaySession({
    configure,
    recording,
    history: (run) => {
      if (journal === undefined) return [];
      course = new JournalCourse(journal, run);
      return historyBefore(journal, run);
    },
    watch: (stamped) => {
      counts.set(stamped.event.kind, (counts.get(stamped.event.kind) ?? 0) + 1);
      course?.observe(stamped);
    },
  });
  const replay = { result, counts, course, findings: recording.findings };
  if (json) output.data(JSON.stringify(documentOf(replay)));
  else for (const line of linesOf(replay)) output.data(line);
  if (result.changed.length > 0)
    output.progress(`note: not as in the run: ${result.changed.join(', ')}; other decisions are no surprise`);
  return course?.departure === undefined ? exitCodes.done : exitCodes.checkFailed;
}

/** What came of a replay. */
interface Replayed {
  readonly result: ReplayResult;
  readonly counts: ReadonlyMap<Event['kind'], number>;
  readonly course: JournalCourse | undefined;
  /** What is damaged in the recording: the replay goes as far as that, or past it. */
  readonly findings: readonly string[];
}

function documentOf({ result, counts, course, findings }: Replayed): object {
  const { start, changed, digest, sent, strays, last } = result;
  const { run, mode, earlier } = start;
  const events = Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
  const compared =
    course === undefined
      ? null
      : {
          alike: course.alike,
          more: course.more,
          departure: course.departure ?? null,
          removed: course.removed?.why ?? null,
        };
  return { run, mode, earlier, changed, digest, last, sent: sent.length, strays, events, compared, findings };
}

function linesOf({ result, counts, course, findings }: Replayed): readonly string[] {
  const { start, digest, sent, last } = result;
  const { run, mode, earlier } = start;
  return [
    `run       ${run}, mode ${mode}`,
    `events    ${last - earlier}, the last has sequence ${last}`,
    `intents   ${counts.get('intent') ?? 0}, commands ${sent.length}, denials ${counts.get('orderDenied') ?? 0}`,
    `digest    ${digest}`,
    ...findings.map((finding) => `found     ${finding}`),
    ...verdict(course),
  ];
}

function verdict(course: JournalCourse | undefined): readonly string[] {
  if (course === undefined) return [];
  const { departure, alike, more, removed } = course;
  const before = removed === undefined ? [] : [`note      ${removed.why}`];
  if (departure === undefined) {
    return [
      ...before,
      `journal   alike in ${alike} events${more ? '; the recording ends before the journal does' : ''}`,
    ];
  }
  return [
    ...before,
    `journal   alike in ${alike} events, then they part at sequence ${departure.sequence}`,
    `  run     ${departure.journal.slice(0, 400)}`,
    `  replay  ${departure.replay.slice(0, 400)}`,
  ];
}
