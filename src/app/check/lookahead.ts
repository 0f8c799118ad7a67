import { timeText } from '../../core/base/clock.ts';
import { Random } from '../../core/base/random.ts';
import type { RunTimeline, Breach } from '../../research/checks/index.ts';
import {
  compareFuture,
  comparePrice,
  compareWhole,
  sampleCuts,
  sampleFilledAtOnce,
} from '../../research/checks/index.ts';
import { CheckProcess, WalledIn } from './process.ts';
import type { CheckSubject, OpenCheck } from './setting.ts';
import { openCheck } from './setting.ts';
import type { Touch } from './task.ts';
import {
  decisionsOf,
  divergenceJson,
  divergenceLines,
  problemsOf,
  touchLines,
  unproved,
  verdictOf,
} from './verdict.ts';
import type { Output } from '../process/output.ts';

export interface LookaheadCommand {
  readonly subject: CheckSubject;
  /** At how many times the future is changed. */
  readonly cuts: number;
  readonly output: Output;
  readonly json: boolean;
}

/** Result of a check for look-ahead. */
export interface LookaheadResult {
  readonly digest: string;
  readonly events: number;
  readonly decisions: number;
  /** How many of them lie before a time at which the future was changed. */
  readonly compared: number;
  readonly cuts: readonly number[];
  /** Times of decisions that were filled at once, at which another price was tried. */
  readonly prices: readonly number[];
  readonly breaches: readonly Breach[];
  /** Things that strategies reached for and no run hands them: each is a breach too. */
  readonly touches: readonly Touch[];
  /** Problems that cut runs short, but for those in another future. */
  readonly problems: readonly string[];
  /** Further notes for a reader of the run as it is. */
  readonly notes: readonly string[];
}

/** `godwit check lookahead`: says whether any decision depends on what was not yet known, and where it is made. */
export async function lookaheadCommand({ subject, cuts, output, json }: LookaheadCommand): Promise<number> {
  const result = await checkLookahead(await openCheck(subject), cuts, (line) => output.progress(line));
  const { breaches, digest, touches, problems, notes } = result;
  const faults = breaches.length + touches.length;
  const { holds, reason, exitCode } = verdictOf({ ...result, faults, tooFew: tooFewOf(result) });
  if (json) {
    output.data(
      JSON.stringify({
        ...result,
        holds,
        reason: reason ?? null,
        breaches: breaches.map(({ comparison, divergence }) => ({
          ...comparison,
          parting: divergenceJson(divergence),
        })),
      }),
    );
  } else {
    output.data(`digest     ${digest}`);
    output.data(`decisions  ${result.decisions} in ${result.events} events`);
    output.data(`futures    ${result.cuts.length} changed, and the same data again and sealed`);
    if (result.prices.length > 0)
      output.data(`prices     ${result.prices.length} changed at which decisions were filled at once`);
    if (holds === true) output.data('holds      no decision changed before its future did');
    if (holds === null) output.data(`not known  ${reason}`);
    for (const breach of breaches) for (const line of breachLines(breach)) output.data(line);
    if (touches.length > 0) output.data('BREACH     the strategy reaches for what no run hands it');
    for (const line of touchLines(touches)) output.data(line);
  }
  for (const problem of problems) output.progress(`incomplete: ${problem}`);
  for (const note of notes) output.progress(`note: ${note}`);
  if (result.decisions === 0) output.progress(unproved);
  return exitCode;
}

function tooFewOf({ cuts, compared }: LookaheadResult): string | undefined {
  if (cuts.length === 0) return 'all happened at one time, so no future could be changed';
  return compared === 0 ? 'no decision was made before a future that was changed' : undefined;
}

/** Runs a subject as it is, again, sealed, and with other futures, and compares. */
export async function checkLookahead(
  check: OpenCheck,
  count: number,
  onProgress: (line: string) => void = () => {},
): Promise<LookaheadResult> {
  const [usual, sealed] = await startBoth(check);
  try {
    const { timeline, touches } = await runOnce(usual, { cuts: [] });
    const cuts = sampleCuts(timeline, count, new Random(check.seed).fork('check/lookahead'));
    onProgress(
      `${timeline.events} events, ${decisionsOf(timeline)} decisions; ${cuts.length} futures to try`,
    );
    const prices = check.fillsAsTold
      ? sampleFilledAtOnce(timeline, count, new Random(check.seed).fork('check/lookahead/prices'))
      : [];
    const again = await runOnce(usual, { cuts });
    const found: (Breach | undefined)[] = [compareWhole({ of: 'again' }, timeline, again.timeline)];
    const alone = await runSealed(sealed, cuts);
    if (alone instanceof WalledIn) {
      return {
        ...figuresOf(timeline, []),
        prices: [],
        breaches: found.filter((breach) => breach !== undefined),
        touches: [...touches, ...alone.touches],
        problems: [
          ...problemsOf([timeline, again.timeline]),
          'without what it reaches for the strategy cannot run, so no future was tried',
        ],
      };
    }
    found.push(compareWhole({ of: 'sealed' }, timeline, alone.timeline));
    for (const [index, cut] of cuts.entries()) {
      const other = await runOnce(sealed, { cuts: [cut], future: { cut, seed: check.seed + index } });
      // Against the sealed run: what the usual one does otherwise is reported above, once.
      found.push(compareFuture(cut, alone.timeline, other.timeline));
      onProgress(`future ${index + 1} of ${cuts.length}, from ${timeText(cut)} on`);
    }
    for (const [index, cut] of prices.entries()) {
      const future = { cut: cut - 1, seed: check.seed + index };
      const other = await runOnce(sealed, { cuts: [], future });
      found.push(comparePrice(cut, alone.timeline, other.timeline));
      onProgress(`price ${index + 1} of ${prices.length}, of ${timeText(cut)}`);
    }
    return {
      ...figuresOf(timeline, cuts),
      prices,
      breaches: found.filter((breach) => breach !== undefined),
      touches: [...touches, ...alone.touches],
      problems: problemsOf([timeline, again.timeline, alone.timeline]),
    };
  } finally {
    usual.close();
    sealed.close();
  }
}

/** The figures of the run as it is. */
function figuresOf(
  timeline: RunTimeline,
  cuts: readonly number[],
): Pick<LookaheadResult, 'digest' | 'events' | 'decisions' | 'compared' | 'cuts' | 'notes'> {
  const { digest, events, notes } = timeline;
  const compared = decisionsOf(timeline, cuts.at(-1) ?? Number.NEGATIVE_INFINITY);
  return { digest, events, decisions: decisionsOf(timeline), compared, cuts, notes };
}

/** A usual process and a sealed one. */
async function startBoth({ setting }: OpenCheck): Promise<readonly [CheckProcess, CheckProcess]> {
  const usual = CheckProcess.start(setting, false);
  const sealed = CheckProcess.start(setting, true);
  try {
    return await Promise.all([usual, sealed]);
  } catch (error) {
    for (const one of await Promise.allSettled([usual, sealed]))
      if (one.status === 'fulfilled') one.value.close();
    throw error;
  }
}

/** The run behind walls; what was refused, when the strategy cannot do without it. */
async function runSealed(
  sealed: CheckProcess,
  cuts: readonly number[],
): Promise<Awaited<ReturnType<typeof runOnce>> | WalledIn> {
  try {
    return await runOnce(sealed, { cuts });
  } catch (error) {
    if (error instanceof WalledIn) return error;
    throw error;
  }
}

async function runOnce(
  process: CheckProcess,
  request: Parameters<CheckProcess['run']>[0],
): Promise<{ readonly timeline: RunTimeline; readonly touches: readonly Touch[] }> {
  const { timelines, touches } = await process.run(request);
  const [timeline] = timelines;
  if (timeline === undefined) throw new Error('expected the timeline of a check, found none');
  return { timeline, touches };
}

function breachLines({ comparison, divergence }: Breach): readonly string[] {
  switch (comparison.of) {
    case 'again':
      return [
        'BREACH     the same data, run again in the same process, led elsewhere: something survives a run',
        ...divergenceLines(divergence, ['first', 'again']),
      ];
    case 'sealed':
      return [
        'BREACH     without files, environment and the real clock and random numbers it decides otherwise',
        ...divergenceLines(divergence, ['usual', 'sealed']),
      ];
    case 'price':
      return [
        `BREACH     the decision of ${timeText(comparison.cut)} depends on the very price that it was filled at: market: nextOpen fills at a price that no decision has seen`,
        ...divergenceLines(divergence, ['this price', 'another']),
      ];
    case 'future':
      return [
        `BREACH     another future from ${timeText(comparison.cut)} on changed what came before`,
        ...divergenceLines(divergence, ['this future', 'another']),
      ];
  }
}
