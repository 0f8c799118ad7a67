import type { Amount } from '../../base/amount.ts';
import { add, negate, subtract, zero } from '../../base/amount.ts';
import type { Instrument, Lots } from '../../model/instrument.ts';
import type { LossLatch } from '../../model/loss.ts';
import type { Order, Side } from '../../model/order.ts';
import type { StateView } from '../../state/index.ts';
import type { Candidate, Rule } from '../base/candidate.ts';
import { deny, heldLots, releasedLots, workingLots } from '../base/candidate.ts';
import type { Memory } from '../base/memory.ts';
import { asCandidate, reducesPosition } from './needs.ts';
import { isIn, middleOf } from '../base/profit.ts';
import { reducingDenial } from './trading-status.ts';

/**
 * While a limit on loss holds: no order (halted), or only orders that reduce the position (reducing). An order that closes the
 * gap of a hedge passes in both: to forbid it would leave one leg alone.
 */
export const lossLimit = {
  code: 'LOSS_LIMIT',
  control: (candidate, view, memory) => {
    const { latches } = view.losses;
    if (latches.length === 0) return undefined;
    const { instrument, strategy } = candidate;
    for (const latch of latches) {
      if (!isIn(latch, strategy.limits.name, instrument)) continue;
      const denial =
        latch.action === 'halted'
          ? deny('LOSS_LIMIT', `no order leaves: ${latch.why}`)
          : reducingDenial(candidate, view, memory, { code: 'LOSS_LIMIT', why: latch.why });
      if (denial !== undefined && !closesHedge(candidate, view, memory)) return denial;
    }
    return undefined;
  },
} satisfies Rule;

/** Whether a live order may not execute any more now that a limit was reached. */
export function isHeldBack(order: Order, { action }: LossLatch, view: StateView, memory: Memory): boolean {
  if (action === 'reducing' && reducesPosition(order, view, memory)) return false;
  const candidate = asCandidate(order, view, memory);
  return candidate === undefined || !closesHedge(candidate, view, memory);
}

/** Whether an order makes the net exposure of a declared hedge smaller, what works beside it counted. */
function closesHedge(candidate: Candidate, view: StateView, memory: Memory): boolean {
  const { strategy, instrument, request, lots } = candidate;
  for (const hedge of strategy.limits.hedges) {
    if (!hedge.includes(instrument.id)) continue;
    let net = zero;
    let beside = zero;
    for (const id of hedge) {
      const leg = view.instruments.at(id);
      const working = workingLots({ view, memory }, leg, request.side, { strategy: strategy.limits.name });
      const released = leg === instrument ? releasedLots(candidate) : 0;
      const open = notionalOf(view, leg, heldLots(view, leg, strategy.limits.name));
      const besideLeg = notionalOf(view, leg, working - released);
      if (open === undefined || besideLeg === undefined) return false;
      net = add(net, open);
      beside = add(beside, besideLeg);
    }
    const own = notionalOf(view, instrument, lots);
    const oneLot = notionalOf(view, instrument, 1);
    if (own === undefined || oneLot === undefined) return false;
    const gap = gapOn(request.side, net);
    // Legs have grids of their own: a gap is closed to the lot.
    if (gap > zero && subtract(add(beside, own), oneLot) < gap) return true;
  }
  return false;
}

/** Part of the net exposure that an order on a side may take. */
function gapOn(side: Side, net: Amount): Amount {
  return side === 'sell' ? net : negate(net);
}

function notionalOf(view: StateView, instrument: Instrument, lots: number): Amount | undefined {
  if (lots === 0) return zero;
  const middle = middleOf(view, instrument);
  if (middle === undefined) return undefined;
  return instrument.contract.worthOf(instrument.contract.worthAt(middle, lots as Lots));
}
