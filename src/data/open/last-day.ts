import type { Micros } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { runChannel } from '../../core/model/frame.ts';
import { ownFormatOf } from './own-formats.ts';
import type { RecordedRun } from '../frames/index.ts';
import { readFrameLog, recordedRuns } from '../frames/index.ts';

/** The last 24 hours of a folder of frame logs. */
export interface LastDay {
  readonly from: Micros;
  /** When the newest recording of a run ends. */
  readonly to: Micros;
  /** The files of each run that reaches into the day, the oldest first. */
  readonly runs: readonly (readonly string[])[];
}

const day = seconds(86_400);
/** Runs of one day, the newest of them. */
const runsMax = 100;

/** The runs whose recordings reach into the last day of a folder. Throws `BadInput` when it holds no run. */
export async function lastDayOf(folder: string): Promise<LastDay> {
  const runs: (readonly string[])[] = [];
  let to: Micros | undefined;
  let next = Number.POSITIVE_INFINITY;
  for (const run of recordedRuns(folder).toReversed()) {
    // What `record` wrote beside the runs is market data alone.
    if (!(await holdsRun(run))) continue;
    to ??= await lastTimeOf(run);
    if (next <= to - day || runs.length === runsMax) break;
    runs.unshift(run.segments);
    next = run.start;
  }
  if (to === undefined)
    throw new BadInput(
      `${folder}: expected the recording of a run (trade --record), found market data alone`,
    );
  return { from: (to - day) as Micros, to, runs };
}

/**
 * The files of each run of a daemon in frame logs, the oldest first: a folder keeps those of every run that recorded into it. Recordings of
 * other formats, and of one run, are one.
 */
export async function runsIn(paths: readonly string[]): Promise<readonly (readonly string[])[]> {
  for (const path of paths) if ((await ownFormatOf(path)) !== 'frame-log') return [paths];
  const runs: (readonly string[])[] = [];
  for (const run of paths.length === 1 ? recordedRuns(paths[0] as string) : [])
    if (await holdsRun(run)) runs.push(run.segments);
  return runs.length > 1 ? runs : [paths];
}

/** Whether the first frames are those of a run, which begin with its mark. */
async function holdsRun({ segments: [first = ''] }: RecordedRun): Promise<boolean> {
  for await (const frames of readFrameLog(first)) return frames.some(({ channel }) => channel === runChannel);
  return false;
}

async function lastTimeOf({ segments, start }: RecordedRun): Promise<Micros> {
  let last = start;
  for await (const frames of readFrameLog(segments.at(-1) ?? '')) last = frames.at(-1)?.receiveTime ?? last;
  return last;
}
