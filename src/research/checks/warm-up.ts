import type { RunTimeline } from './timeline.ts';

/** Request and its time, without the ids and counters that differ from run to run. */
export interface PlainDecision {
  readonly time: number;
  readonly text: string;
}

/** How a run that began later came to the same decisions. */
export interface Settling {
  /** Receive time from which on there was data. */
  readonly start: number;
  /** From the decision behind this time on both runs decide alike; the start when they always did. */
  readonly settled: number;
  /** How many decisions in a row, up to the end, are alike. */
  readonly alike: number;
  /** How many decisions in the later run's time are not. */
  readonly different: number;
}

/** Fewer decisions alike at the end prove nothing. */
const alikeMin = 5;

/** The fields of an intent that say what is wanted. */
interface IntentFields {
  readonly action: string;
  readonly strategy: string;
  readonly clientOrderId?: string;
  readonly newClientOrderId?: string;
  readonly request?: RequestFields;
  readonly requests?: readonly RequestFields[];
}

interface RequestFields {
  readonly clientOrderId: string;
  readonly [field: string]: unknown;
}

/** The decisions of a run in order. An order is named by what was asked, not by its id. */
export function plainDecisions({ steps }: RunTimeline): readonly PlainDecision[] {
  const orders = new Map<string, string>();
  const decisions: PlainDecision[] = [];
  for (const { kind, text, time } of steps) {
    if (kind !== 'intent') continue;
    const { intent } = JSON.parse(text) as { readonly intent: IntentFields };
    const wanted = wantedBy(intent, orders);
    decisions.push({ time, text: wanted });
    const ids = [intent.request, ...(intent.requests ?? [])].map((request) => request?.clientOrderId);
    for (const id of [...ids, intent.newClientOrderId]) if (id !== undefined) orders.set(id, wanted);
  }
  return decisions;
}

/** Compares a run with one whose data begin at `start`, from the end backwards. */
export function settlingOf(
  whole: readonly PlainDecision[],
  later: readonly PlainDecision[],
  start: number,
): Settling {
  const one = whole.filter(({ time }) => time >= start);
  const other = later.filter(({ time }) => time >= start);
  let alike = 0;
  while (alike < one.length && alike < other.length && isSame(one.at(-1 - alike), other.at(-1 - alike)))
    alike += 1;
  const [lastOne, lastOther] = [one.at(-1 - alike), other.at(-1 - alike)];
  return {
    start,
    settled: Math.max(start, lastOne?.time ?? start, lastOther?.time ?? start),
    alike,
    different: Math.max(one.length, other.length) - alike,
  };
}

/** Whether enough decisions were alike at the end to believe that both runs came together. */
export function hasSettled({ alike }: Settling): boolean {
  return alike >= alikeMin;
}

/**
 * The longest time any of the later runs needed, in microseconds; `undefined` when one did not settle, and when no decision
 * differed: a start that changed nothing shows no length.
 */
export function recommendedWarmUp(settlings: readonly Settling[]): number | undefined {
  if (!settlings.every(hasSettled) || settlings.every(({ different }) => different === 0)) return undefined;
  return Math.max(...settlings.map(({ settled, start }) => settled - start));
}

function isSame(one: PlainDecision | undefined, other: PlainDecision | undefined): boolean {
  return one !== undefined && one.time === other?.time && one.text === other.text;
}

function wantedBy(intent: IntentFields, orders: ReadonlyMap<string, string>): string {
  const { action, clientOrderId: id, newClientOrderId: _new, request, requests, ...rest } = intent;
  const asked = [request, ...(requests ?? [])].map((one) => ({ ...one, clientOrderId: '', list: '' }));
  // The order that is meant, one deep: a chain of replacements must not grow.
  const meant = id === undefined ? '' : (orders.get(id) ?? 'unknown').split(' of ')[0];
  return `${action} ${JSON.stringify({ ...rest, asked })}${meant === '' ? '' : ` of ${meant}`}`;
}
