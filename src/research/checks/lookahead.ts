import type { Random } from '../../core/base/random.ts';
import type { RunTimeline, Divergence, Step } from './timeline.ts';
import { isOwnDecision, divergenceOf } from './timeline.ts';

/** Kind of comparison of two runs. */
export type Comparison =
  /** The same data a second time in the same process: nothing may survive a run. */
  | { readonly of: 'again' }
  /** The same data with no way to files, environment, network or the real clock and random numbers. */
  | { readonly of: 'sealed' }
  /** Another future behind the cut. */
  | { readonly of: 'future'; readonly cut: number }
  /** On bars: another price at the moment of a decision that was filled at once, such as another open. */
  | { readonly of: 'price'; readonly cut: number };

/** A breach: what was tried, and where the runs part. */
export interface Breach {
  readonly comparison: Comparison;
  /** `undefined`: every kept step is alike and only the digests differ. */
  readonly divergence: Divergence | undefined;
}

/**
 * Times to cut at, ascending: half of them at decisions of the run, where a look ahead would pay, half anywhere
 * between the first and the last event.
 */
export function sampleCuts(timeline: RunTimeline, count: number, random: Random): readonly number[] {
  const { steps } = timeline;
  const first = steps[0]?.time;
  const last = steps.at(-1)?.time;
  if (first === undefined || last === undefined || last <= first) return [];
  const intents = steps.filter(({ kind, time }) => kind === 'intent' && time > first && time < last);
  const cuts = new Set<number>();
  for (let tried = 0; tried < count * 20 && cuts.size < count; tried++) {
    const atDecision = cuts.size * 2 < count && intents.length > 0;
    cuts.add(atDecision ? random.pick(intents).time : random.between(first + 1, last - 1));
  }
  return [...cuts].toSorted((a, b) => a - b);
}

/**
 * Times, ascending, at most `count`, at which an order was filled in the moment it was asked for: at a price that the
 * strategy may have been told. On bars alone, where no latency lies between.
 */
export function sampleFilledAtOnce(timeline: RunTimeline, count: number, random: Random): readonly number[] {
  const times = [...filledAtOnce(timeline).values()];
  const picked = new Set<number>();
  for (let tried = 0; tried < count * 20 && picked.size < count && times.length > 0; tried++)
    picked.add(random.pick(times));
  return [...picked].toSorted((a, b) => a - b);
}

/** Time of every intent whose order was filled at that time, by step. */
function filledAtOnce({ steps }: RunTimeline): ReadonlyMap<Step, number> {
  const asked = new Map<string, Step>();
  const found = new Map<Step, number>();
  for (const step of steps) {
    if (step.kind === 'intent') for (const id of idsOf(step)) asked.set(id, step);
    if (step.kind !== 'orderReport' || !step.text.includes('"fill":{')) continue;
    const intent = idsOf(step)
      .map((id) => asked.get(id))
      .find((one) => one !== undefined);
    if (intent?.time === step.time) found.set(intent, step.time);
  }
  return found;
}

function idsOf({ text }: Step): readonly string[] {
  return [...text.matchAll(/"(?:new)?[cC]lientOrderId":"([^"]*)"/g)].map(([, id]) => id ?? '');
}

/**
 * Compares two runs with another price from `cut` on, the time at which an order was asked for and filled: the first step in
 * which they part may be an answer of the venue, but no decision that was filled at that price.
 */
export function comparePrice(cut: number, one: RunTimeline, other: RunTimeline): Breach | undefined {
  const at = one.steps.findIndex(({ text }, index) => text !== other.steps[index]?.text);
  const [mine, theirs] = at < 0 ? [] : [one.steps[at], other.steps[at]];
  const parting = [mine, theirs].filter((step) => step?.kind === 'intent' && step.time === cut);
  const filled = [...filledAtOnce(one).keys(), ...filledAtOnce(other).keys()];
  if (!parting.some((step) => step !== undefined && filled.includes(step))) return undefined;
  const site = mine?.site ?? theirs?.site;
  const divergence = { index: at, one: mine, other: theirs, toldAlike: false, site };
  return { comparison: { of: 'price', cut }, divergence };
}

/** Compares two runs on the same data: they must be alike to the end. */
export function compareWhole(
  comparison: Comparison,
  one: RunTimeline,
  other: RunTimeline,
): Breach | undefined {
  const divergence = divergenceOf(one, other);
  if (divergence === undefined && one.digest === other.digest) return undefined;
  return { comparison, divergence };
}

/**
 * Compares a run with one that had another future behind the cut. Everything up to the cut must be the same; behind it a
 * decision may differ only once other market data were received.
 */
export function compareFuture(cut: number, one: RunTimeline, other: RunTimeline): Breach | undefined {
  const comparison: Comparison = { of: 'future', cut };
  const divergence = divergenceOf(one, other, cut);
  if (divergence !== undefined) return { comparison, divergence };
  const digestOf = (timeline: RunTimeline) => timeline.prefixes.find((prefix) => prefix.cut === cut)?.digest;
  if (digestOf(one) !== digestOf(other)) return { comparison, divergence: undefined };
  const later = divergenceOf(one, other);
  return later !== undefined && later.one !== undefined && later.other !== undefined && isOwnDecision(later)
    ? { comparison, divergence: later }
    : undefined;
}
