import { timeText } from '../../core/base/clock.ts';
import type { RunTimeline, Settling } from '../../research/checks/index.ts';
import { hasSettled, plainDecisions, recommendedWarmUp, settlingOf } from '../../research/checks/index.ts';
import { durationText } from '../../research/report/index.ts';
import { memoryRecording } from '../../research/scenario/index.ts';
import { CheckProcess } from './process.ts';
import type { Verdict } from './verdict.ts';
import { problemsOf, unproved, verdictOf } from './verdict.ts';
import type { CheckSubject, OpenCheck } from './setting.ts';
import { openCheck } from './setting.ts';
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

/** One later start; where decisions differ, `settled` is the time of the market data event behind the last of them. */
export interface WarmUpRow extends Settling {
  /** How many market data (or bars) it took to settle. */
  readonly facts: number;
  /** Problems that cut its run short, one sentence each. */
  readonly problems: readonly string[];
}

export interface WarmUpResult {
  readonly rows: readonly WarmUpRow[];
  /**
   * Microseconds; `undefined` when the decisions of a later start never became those of the whole run, when no start changed a
   * decision, and when a run ended early.
   */
  readonly warmUp: number | undefined;
  /** The most market data (or bars) that were needed. */
  readonly facts: number | undefined;
  /** Problems of the first run that did not reach its end, one sentence each. */
  readonly problems: readonly string[];
  /** Further notes for a reader. */
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
  const result = await checkWarmUp(check, starts, step);
  const { rows, warmUp, facts, problems, notes } = result;
  const verdict = warmUpVerdict(result);
  const what = check.bars ? 'bars' : 'facts';
  if (json) {
    output.data(
      JSON.stringify({
        holds: verdict.holds,
        reason: verdict.reason ?? null,
        warmUpMicros: warmUp ?? null,
        [what]: facts ?? null,
        rows,
        problems,
        notes,
      }),
    );
  } else {
    for (const row of rows) output.data(rowText(row, check.bars));
    output.data(`warm-up   ${answerText(result, check.bars, verdict)}`);
  }
  for (const problem of problems) output.progress(`incomplete: ${problem}`);
  for (const note of notes) output.progress(`note: ${note}`);
  if (isIdle(rows)) output.progress(unproved);
  if (rows.length < starts)
    output.progress(`note: ${rows.length} of ${starts} starts lie within the data; choose a shorter --step`);
  return verdict.exitCode;
}

/** Whether later starts were tried and no run decided anything behind them. */
function isIdle(rows: readonly WarmUpRow[]): boolean {
  return rows.length > 0 && rows.every(({ alike, different }) => alike + different === 0);
}

function warmUpVerdict({ rows, warmUp, problems }: WarmUpResult): Verdict {
  const isNeverAlike = rows.some((row) => !hasSettled(row) && row.different > 0);
  const verdict = verdictOf({
    faults: isNeverAlike && problems.length === 0 ? 1 : 0,
    decisions: isIdle(rows) ? 0 : 1,
    problems,
    tooFew: warmUp === undefined ? tooFewIn(rows) : undefined,
  });
  return verdict.holds === false ? { ...verdict, reason: dependsOnBegin } : verdict;
}

const dependsOnBegin = 'the decisions depend on where the data begin, as far as these data reach';

function tooFewIn(rows: readonly WarmUpRow[]): string {
  if (rows.length === 0) return 'no later start lies within the data; choose a shorter --step';
  return isUnseen(rows)
    ? 'no later start changed a decision; more --starts may find one that does'
    : 'too few decisions to compare; start earlier or take more data';
}

/** Whether there was enough to compare and no start changed anything: that shows no length, not even one of nothing. */
function isUnseen(rows: readonly WarmUpRow[]): boolean {
  return rows.length > 0 && rows.every((row) => hasSettled(row) && row.different === 0);
}

function factsText(facts: number, bars: boolean): string {
  return `${facts} ${bars ? 'bar' : 'fact'}${facts === 1 ? '' : 's'}`;
}

function startsText({ length }: readonly WarmUpRow[]): string {
  return length === 1 ? '1 start' : `${length} starts`;
}

function answerText(
  { rows, warmUp, facts, problems }: WarmUpResult,
  bars: boolean,
  { holds, reason }: Verdict,
): string {
  if (warmUp !== undefined)
    return `${durationText(warmUp)} (${factsText(facts ?? 0, bars)}), the longest of ${startsText(rows)}: start so much earlier than you trade`;
  if (holds === false) return `not found: ${reason}`;
  return problems.length === 0 && isUnseen(rows)
    ? `not found in ${startsText(rows)}: ${reason}`
    : `not known: ${reason}`;
}

/** Runs a subject from its beginning and from later starts, and compares what was decided. `step` is in microseconds. */
export async function checkWarmUp(check: OpenCheck, starts: number, step?: number): Promise<WarmUpResult> {
  const { from, to } = check.span;
  const apart = step ?? Math.max(1, Math.floor((to - from) / 16));
  const times = await marketDataTimes(check);
  const process = await CheckProcess.start(check.setting, false);
  try {
    const timelinesFrom = async (start: number | undefined): Promise<readonly RunTimeline[]> =>
      (await process.run({ cuts: [], from: start })).timelines;
    // What is cancelled because the data end is no decision.
    const decisionsIn = (timelines: readonly RunTimeline[]) =>
      timelines.flatMap(plainDecisions).filter(({ time }) => time < to - 1);
    const first = await timelinesFrom(undefined);
    const whole = decisionsIn(first);
    const rows: WarmUpRow[] = [];
    for (let k = 1; k <= starts && from + k * apart < to; k++) {
      const start = from + k * apart;
      const timelines = await timelinesFrom(start);
      rows.push(rowOf(settlingOf(whole, decisionsIn(timelines), start), times, problemsOf(timelines)));
    }
    // One run's are enough: a later start repeats what is wrong with the whole one, at another event.
    const problems =
      [problemsOf(first), ...rows.map((row) => row.problems)].find(({ length }) => length > 0) ?? [];
    const warmUp = problems.length === 0 ? recommendedWarmUp(rows) : undefined;
    return {
      rows,
      warmUp,
      facts: warmUp === undefined ? undefined : Math.max(...rows.map((row) => row.facts)),
      problems,
      notes: first.flatMap(({ notes }) => notes),
    };
  } finally {
    process.close();
  }
}

/** The fact at which the last differing decision was made is a part of what is needed. */
function rowOf(settling: Settling, times: readonly number[], problems: readonly string[]): WarmUpRow {
  const { start, settled, different } = settling;
  if (different === 0) return { ...settling, facts: 0, problems };
  const facts = times.filter((time) => time >= start && time <= settled).length;
  return { ...settling, settled: times.find((time) => time > settled) ?? settled, facts, problems };
}

async function marketDataTimes({ setting }: OpenCheck): Promise<readonly number[]> {
  const times: number[] = [];
  for await (const batch of memoryRecording(setting.bytes, 'the recording').events())
    for (const { receiveTime } of batch) times.push(receiveTime);
  return times;
}

function rowText(row: WarmUpRow, bars: boolean): string {
  const { start, settled, alike, different, facts, problems } = row;
  const from = `from ${timeText(start)} `;
  if (alike + different === 0) return `${from} no decisions`;
  if (problems.length > 0) return `${from} ended early`;
  const outcome = hasSettled(row)
    ? different === 0
      ? 'always alike'
      : `alike after ${durationText(settled - start)} (${factsText(facts, bars)})`
    : different === 0
      ? 'too few decisions'
      : 'never alike';
  const differ = different === 1 ? '1 decision differs' : `${different} decisions differ`;
  const last = alike === 0 ? '' : alike === 1 ? ', the last one is alike' : `, the last ${alike} are alike`;
  return `${from} ${outcome}; ${differ}${last}`;
}
