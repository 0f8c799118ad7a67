import { timeText } from '../../base/clock.ts';
import type { Course, Parting, Step } from '../../research/course.ts';
import type { Touch } from './check-task.ts';

const textMax = 400;

/** A parting in lines: where in the strategy, and the step as both runs took it. */
export function partingLines(
  parting: Parting | undefined,
  names: readonly [string, string],
): readonly string[] {
  if (parting === undefined) return ['  no kept event differs: what the market told does'];
  const { site } = parting;
  const width = Math.max(...names.map(({ length }) => length));
  return [
    ...(site === undefined ? [] : [`  asked for at ${site}`]),
    `  ${names[0].padEnd(width)}  ${stepText(parting.one)}`,
    `  ${names[1].padEnd(width)}  ${stepText(parting.other)}`,
  ];
}

/** A parting as JSON. */
export function partingJson(parting: Parting | undefined): object | null {
  if (parting === undefined) return null;
  const { one, other, toldAlike, site } = parting;
  return { site: site ?? null, toldAlike, one: stepJson(one), other: stepJson(other) };
}

/** What a check says of runs in which no decision could show anything. */
export const unproved = 'note: the strategy decided nothing, so nothing was proved';

/** Whether a check holds, as JSON: `null` when nothing was proved. */
export function holdsJson(holds: boolean, isProved: boolean): boolean | null {
  return holds && !isProved ? null : holds;
}

/** What strategies reached for, one line each. */
export function touchLines(touches: readonly Touch[]): readonly string[] {
  return [...new Set(touches.map(({ what, site }) => `  ${site} reaches for ${what}`))];
}

/** How many decisions a course holds. */
export function decisionsOf({ steps }: Course): number {
  return steps.reduce((count, { kind }) => (kind === 'intent' ? count + 1 : count), 0);
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
