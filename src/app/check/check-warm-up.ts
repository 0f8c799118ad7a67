import { timeText } from '../../base/clock.ts';
import type { Course } from '../../research/course.ts';
import type { Settling } from '../../research/warm-up.ts';
import { hasSettled, plainDecisions, recommendedWarmUp, settlingOf } from '../../research/warm-up.ts';
import { durationText } from '../../report/figure-text.ts';
import { memoryRecording } from '../../research/memory-recording.ts';
import { CheckProcess } from './check-process.ts';
import { unproved } from './check-words.ts';
import type { CheckSubject, OpenCheck } from './check-setting.ts';
import { openCheck } from './check-setting.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';

export interface WarmUpCommand {
  readonly subject: CheckSubject;
  /** How many later starts are tried. */
  readonly starts: number;
  /** How far apart they are; a sixteenth of the data when left out. */
  readonly stepMs: number | undefined;
  readonly output: Output;
  readonly json: boolean;
}

/** One later start and how many facts it took to settle. */
export interface WarmUpRow extends Settling {
  readonly facts: number;
}

export interface WarmUpResult {
  readonly rows: readonly WarmUpRow[];
  /** Microseconds; `undefined` when the decisions of a later start never became those of the whole run. */
  readonly warmUp: number | undefined;
  /** The most facts (or bars) that were needed. */
  readonly facts: number | undefined;
  /** What was wrong with the whole run, one sentence each. */
  readonly problems: readonly string[];
  /** What else a reader must know of it. */
  readonly notes: readonly string[];
}

/** `godwit check warm-up`: says how long decisions depend on where the data begin. */
export async function warmUpCommand({
  subject,
  starts,
  stepMs,
  output,
  json,
}: WarmUpCommand): Promise<number> {
  const check = await openCheck(subject);
  const step = stepMs === undefined ? undefined : stepMs * 1_000;
  const { rows, warmUp, facts, problems, notes } = await checkWarmUp(check, starts, step);
  const what = check.bars ? 'bars' : 'facts';
  if (json) {
    output.data(
      JSON.stringify({ warmUpMicros: warmUp ?? null, [what]: facts ?? null, rows, problems, notes }),
    );
  } else {
    for (const row of rows) output.data(rowText(row, what));
    output.data(`warm-up   ${answerText(rows, warmUp, `${facts} ${what}`)}`);
  }
  for (const problem of problems) output.progress(`incomplete: ${problem}`);
  for (const note of notes) output.progress(`note: ${note}`);
  if (isIdle(rows)) output.progress(unproved);
  return warmUp === undefined && !isIdle(rows) ? exitCodes.checkFailed : exitCodes.done;
}

/** Whether later starts were tried and no run decided anything behind them. */
function isIdle(rows: readonly WarmUpRow[]): boolean {
  return rows.length > 0 && rows.every(({ alike, different }) => alike + different === 0);
}

function answerText(rows: readonly WarmUpRow[], warmUp: number | undefined, needed: string): string {
  if (warmUp !== undefined)
    return `${durationText(warmUp)} (${needed}): start so much earlier than you trade`;
  if (rows.length === 0) return 'not known: no later start lies within the data; choose a shorter --step';
  if (isIdle(rows)) return 'not known: nothing was decided, so nothing could be compared';
  return rows.every((row) => hasSettled(row) || row.different === 0)
    ? 'not known: too few decisions to compare; start earlier or take more data'
    : 'not found: the decisions depend on where the data begin, as far as these data reach';
}

/** Runs a subject from its beginning and from later starts, and compares what was decided. `step` is in microseconds. */
export async function checkWarmUp(check: OpenCheck, starts: number, step?: number): Promise<WarmUpResult> {
  const { from, to } = check.span;
  const apart = step ?? Math.max(1, Math.floor((to - from) / 16));
  const times = await factTimes(check);
  const process = await CheckProcess.start(check.setting, false);
  try {
    const coursesFrom = async (start: number | undefined): Promise<readonly Course[]> =>
      (await process.run({ cuts: [], from: start })).courses;
    // What is cancelled because the data end is no decision.
    const decisionsIn = (courses: readonly Course[]) =>
      courses.flatMap(plainDecisions).filter(({ time }) => time < to - 1);
    const first = await coursesFrom(undefined);
    const whole = decisionsIn(first);
    const rows: WarmUpRow[] = [];
    for (let k = 1; k <= starts && from + k * apart < to; k++) {
      const start = from + k * apart;
      const settling = settlingOf(whole, decisionsIn(await coursesFrom(start)), start);
      const facts = times.filter((time) => time >= settling.start && time <= settling.settled).length;
      rows.push({ ...settling, facts: settling.settled === settling.start ? 0 : facts });
    }
    const warmUp = recommendedWarmUp(rows);
    return {
      rows,
      warmUp,
      facts: warmUp === undefined ? undefined : Math.max(...rows.map((row) => row.facts)),
      problems: first.flatMap(({ problems }) => problems),
      notes: first.flatMap(({ notes }) => notes),
    };
  } finally {
    process.close();
  }
}

async function factTimes({ setting }: OpenCheck): Promise<readonly number[]> {
  const times: number[] = [];
  for await (const batch of memoryRecording(setting.bytes, 'the recording').events())
    for (const { receiveTime } of batch) times.push(receiveTime);
  return times;
}

function rowText(row: WarmUpRow, what: string): string {
  const { start, settled, alike, different, facts } = row;
  const from = `from ${timeText(start)} `;
  if (alike + different === 0) return `${from} no decisions`;
  const outcome = hasSettled(row)
    ? `alike after ${durationText(settled - start)} (${facts} ${what})`
    : different === 0
      ? 'too few decisions'
      : 'never alike';
  const differ = different === 1 ? '1 decision differs' : `${different} decisions differ`;
  const last = alike === 0 ? '' : alike === 1 ? ', the last one is alike' : `, the last ${alike} are alike`;
  return `${from} ${outcome}; ${differ}${last}`;
}
