import type { Micros } from '../../base/clock.ts';
import type { InstrumentId } from '../../model/instrument.ts';
import type { PositionAccount } from '../../model/margin.ts';
import { executionKey } from '../../model/difference.ts';
import type { StateView } from '../../state/index.ts';
import type { Rule } from '../base/candidate.ts';
import { deny, releasedLots } from '../base/candidate.ts';
import { isExit } from './exits.ts';

/**
 * Signed lots of a position that an order may close: less those of executions that a complete read did not show and that nothing else at
 * the venue has. Never more than is held, and never on the other side. `shownBy`: when a complete read began, by wall time; what was
 * reported before it and it did not show is in doubt at once.
 */
export function certainLots(
  view: StateView,
  strategy: string,
  instrument: InstrumentId,
  account: PositionAccount,
  shownBy?: Micros,
): number {
  const { quantity } = view.position(instrument, strategy, account);
  if (quantity === 0 || (shownBy === undefined && view.differences.all.length === 0)) return quantity;
  let certain = quantity;
  for (const open of view.openExecutions) {
    const { trade } = open;
    if (open.strategy !== strategy || open.account !== account || trade.instrument !== instrument) continue;
    const row = view.differences.find(executionKey(trade));
    const isInDoubt = row?.kind === 'execution' && row.actsAt !== undefined;
    const isUnseen = row === undefined && shownBy !== undefined && open.since < shownBy;
    if (isInDoubt || isUnseen) certain -= trade.side === 'buy' ? trade.quantity : -trade.quantity;
  }
  return quantity > 0 ? Math.max(0, Math.min(quantity, certain)) : Math.min(0, Math.max(quantity, certain));
}

/**
 * An exit closes what is certain of a position: an execution in doubt may never have been, and the order would then open the other side,
 * or sell what was held before. What only reduces at the venue itself needs no such care.
 */
export const positionInDoubt = {
  code: 'POSITION_IN_DOUBT',
  control: (candidate, view) => {
    if (view.differences.all.length === 0) return undefined;
    const { request, strategy, instrument, lots } = candidate;
    const account = request.margin?.mode ?? 'spot';
    if (request.margin?.reduceOnly === true || request.margin?.closePosition === true) return undefined;
    const { name } = strategy.limits;
    const held = view.position(instrument.id, name, account).quantity;
    const certain = certainLots(view, name, instrument.id, account);
    if (certain === held) return undefined;
    const working = view.workingLots(instrument.id, request.side, name, account) - releasedLots(candidate);
    if (working + lots <= Math.abs(certain)) return undefined;
    const replaces = candidate.replaces?.clientOrderId;
    if (
      !isExit(request, { strategy: name, lots, replaces, goes: ({ cancelPending }) => cancelPending }, view)
    )
      return undefined;
    return deny(
      'POSITION_IN_DOUBT',
      `the ${account} position of ${held} lots of ${instrument.symbol} has executions that the venue does not show, ${certain} lots are certain: the rest can be closed once the trade history has shown them or they are withdrawn`,
    );
  },
} satisfies Rule;
