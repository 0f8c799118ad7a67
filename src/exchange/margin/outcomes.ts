import type { Amount } from '../../core/base/amount.ts';
import { zero } from '../../core/base/amount.ts';
import type { AccountId } from '../matching/command.ts';
import type { MarginOutcome, Outcome } from '../matching/outcome.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { MarginMode, PositionView } from '../../core/model/margin.ts';
import type { Refusal } from '../refusal.ts';
import { refusalOf, refuse } from '../refusal.ts';

/** Which margin is meant. */
export interface MarginTarget {
  readonly mode: MarginMode;
  readonly instrument: Instrument | undefined;
  readonly currency: string | undefined;
}

/** The account meant, as commands of the core name it. */
export function keyOf({ mode, instrument, currency }: MarginTarget) {
  return { mode, instrument: mode === 'isolated' ? instrument?.id : undefined, currency };
}

/** What was reported of a margin account, or why nothing was done. */
export function changeOf(outcomes: readonly Outcome[], owner: AccountId): MarginOutcome | Refusal {
  for (const outcome of outcomes) if (outcome.kind === 'margin' && outcome.account === owner) return outcome;
  return refusalIn(outcomes) ?? refuse(20_033);
}

/** The first refusal there is. */
export function refusalIn(outcomes: readonly Outcome[]): Refusal | undefined {
  for (const outcome of outcomes) if (outcome.kind === 'refused') return refusalOf(outcome.code, outcome.why);
  return undefined;
}

/** A position that is no more, with what its closing realized. Source: v3-gaps, section 8 ("Closing a position"). */
export function closedView(
  before: PositionView,
  outcomes: readonly Outcome[],
  now: PositionView['updatedAt'],
): PositionView {
  let { feeCumulative } = before;
  let pnl = zero;
  for (const outcome of outcomes) {
    if (outcome.kind !== 'report' || outcome.margin?.positionId !== before.id) continue;
    pnl = (pnl + (outcome.margin.pnl ?? zero)) as Amount;
    feeCumulative = (feeCumulative + (outcome.fill?.fee ?? zero)) as Amount;
  }
  return { ...closedPosition(before, now), pnl, feeCumulative };
}

/** A position of which nothing is left. */
export function closedPosition(before: PositionView, now: PositionView['updatedAt']): PositionView {
  const gone = { quantity: zero, entry: zero, marginCall: undefined, liquidation: undefined };
  return { ...before, ...gone, updatedAt: now };
}
