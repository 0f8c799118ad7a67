import { displayWidth, padRight } from '../../core/base/display-width.ts';
import { timeText } from '../../core/base/clock.ts';
import type { RunTimeline, Divergence, Step } from '../../research/checks/index.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Touch } from './task.ts';

const textMax = 400;

/** A divergence in lines: where in the strategy, and the step as both runs took it. */
export function divergenceLines(
  divergence: Divergence | undefined,
  names: readonly [string, string],
): readonly string[] {
  if (divergence === undefined) return ['  no kept event differs: the market data do'];
  const { site } = divergence;
  const width = Math.max(...names.map(displayWidth));
  return [
    ...(site === undefined ? [] : [`  asked for at ${site}`]),
    `  ${padRight(names[0], width)}  ${stepText(divergence.one)}`,
    `  ${padRight(names[1], width)}  ${stepText(divergence.other)}`,
  ];
}

/** A divergence as JSON. */
export function divergenceJson(divergence: Divergence | undefined): object | null {
  if (divergence === undefined) return null;
  const { one, other, toldAlike, site } = divergence;
  return { site: site ?? null, toldAlike, one: stepJson(one), other: stepJson(other) };
}

/** Note of a check on runs in which no decision could show anything. */
export const unproved = 'note: the strategy decided nothing, so nothing was proved';

/** Answer of a check. */
export interface Verdict {
  /** `null`: not known. */
  readonly holds: boolean | null;
  /** Why it is not known. */
  readonly reason: string | undefined;
  readonly exitCode: number;
}

/**
 * The verdict of a comparison that found `faults` differences. One that found none proves nothing of a run that ended early, nor
 * where there was too little to compare: `tooFew` says what.
 */
export function verdictOf(found: {
  readonly faults: number;
  readonly decisions: number;
  readonly problems: readonly string[];
  readonly tooFew?: string | undefined;
}): Verdict {
  const { faults, decisions, problems, tooFew } = found;
  if (faults > 0) return { holds: false, reason: undefined, exitCode: exitCodes.checkFailed };
  if (problems.length > 0) return notKnown(endedEarly);
  // A whole run that decided nothing is no fault: there was nothing to check.
  if (decisions === 0) return { holds: null, reason: nothingDecided, exitCode: exitCodes.done };
  return tooFew === undefined
    ? { holds: true, reason: undefined, exitCode: exitCodes.done }
    : notKnown(tooFew);
}

const nothingDecided = 'nothing was decided, so nothing could be compared';
const endedEarly = 'a run ended early, so what it would have decided later was not compared';

function notKnown(reason: string): Verdict {
  return { holds: null, reason, exitCode: exitCodes.checkFailed };
}

/** Problems that cut runs short, each sentence once. */
export function problemsOf(timelines: readonly RunTimeline[]): readonly string[] {
  return [...new Set(timelines.flatMap(({ problems }) => problems))];
}

/** Things that strategies reached for, one line each. */
export function touchLines(touches: readonly Touch[]): readonly string[] {
  return [...new Set(touches.map(({ what, site }) => `  ${site} reaches for ${what}`))];
}

/** How many decisions a timeline holds, up to a time. */
export function decisionsOf({ steps }: RunTimeline, until = Number.POSITIVE_INFINITY): number {
  return steps.filter(({ kind, time }) => kind === 'intent' && time <= until).length;
}

function stepText(step: Step | undefined): string {
  if (step === undefined) return 'nothing more';
  return `event ${step.sequence}, ${timeText(step.time)}: ${step.text.slice(0, textMax)}`;
}

function stepJson(step: Step | undefined): object | null {
  if (step === undefined) return null;
  const { sequence, time, kind, text, site } = step;
  return { sequence, time, kind, site: site ?? null, event: JSON.parse(text) as unknown };
}
