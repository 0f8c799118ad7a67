import type { Denial } from '../../model/denial.ts';
import type { Instrument, Lots } from '../../model/instrument.ts';
import type { MarginMode } from '../../model/margin.ts';
import { accountOf, marginKeyOf, marginNameOf } from '../../model/margin.ts';
import type { Order, OrderRequest, Side } from '../../model/order.ts';
import type { StateView } from '../../state/index.ts';
import type { Candidate, Rule } from '../base/candidate.ts';
import { deny, lotsLeft } from '../base/candidate.ts';
import { reservesInList } from '../base/list-shares.ts';
import type { Memory } from '../base/memory.ts';
import { waitingOrders } from '../base/waiting.ts';

/** An order that may only make a position smaller: the venue sees to that, so it needs no margin. */
export function isReduceOnly({ margin }: Pick<OrderRequest, 'margin'>): boolean {
  return margin !== undefined && (margin.reduceOnly || margin.closePosition);
}

/** A reduce-only order finds a position, and no more of it than other orders may still close. */
export const reduceOnly = {
  code: 'REDUCE_ONLY',
  control: (candidate, view, memory) =>
    candidate.request.margin?.reduceOnly === true
      ? shrinkingDenial(candidate, view, memory, { code: 'REDUCE_ONLY', why: '' })
      : undefined,
} satisfies Rule;

/** While a margin call stands, only orders that shrink the position are taken. Source: API v3, "Margin account", margin_call. */
export const marginCall = {
  code: 'MARGIN_CALL',
  control: (candidate, view, memory) => {
    const { request, instrument } = candidate;
    if (request.margin === undefined) return undefined;
    const account = view.marginAccount(marginKeyOf(instrument, request.margin.mode));
    if (account?.called !== true) return undefined;
    const why = `a margin call stands on the ${request.margin.mode} margin account of ${nameOf(instrument, request.margin.mode)}`;
    return shrinkingDenial(candidate, view, memory, { code: 'MARGIN_CALL', why });
  },
} satisfies Rule;

/**
 * Denies a margin order that is not bound to shrink what its strategy holds in the account, and what the account holds. Of these
 * positions it may take what other live, in-flight or unknown orders on its side may not close first.
 */
export function shrinkingDenial(
  candidate: Candidate,
  view: StateView,
  memory: Memory,
  { code, why }: Denial,
): Denial | undefined {
  const { request, lots } = candidate;
  // It takes what is open when it triggers, whatever others left.
  if (request.margin?.closePosition === true) return undefined;
  const { held, working } = reducible(candidate, view, memory);
  const open = against(request.side, held);
  if (open > 0 && working + lots <= open) return undefined;
  const because = why === '' ? '' : `${why}: `;
  return deny(
    code,
    `${because}expected an order that shrinks the ${accountOf(request)} position of ${held} lots (${working} lots already working), found ${request.side} ${lots}`,
  );
}

/** The signed lots that an order may shrink, and what other orders may close of them: of the strategy or of the account, what leaves less. */
function reducible(
  { instrument, request, strategy, replaces }: Candidate,
  view: StateView,
  memory: Memory,
): { readonly held: number; readonly working: number } {
  const account = accountOf(request);
  const { name } = strategy.limits;
  const own = { held: view.position(instrument.id, name, account).quantity, working: 0 };
  const all = {
    held: heldBy(instrument, account === 'spot' ? 'isolated' : account, view, memory),
    working: 0,
  };
  const live = view.openOrders(undefined, instrument.id);
  for (const order of [...live, ...waitingOrders(memory, undefined, instrument.id)]) {
    if (order.side !== request.side || accountOf(order) !== account) continue;
    if (replaces !== undefined && isReplaced(order, replaces)) continue;
    if (order.list !== undefined && !reservesInList(order, order.list, view)) continue;
    const lots = lotsLeft(order, view);
    all.working += lots;
    if (order.strategy === name) own.working += lots;
  }
  return leftOf(request.side, own) <= leftOf(request.side, all) ? own : all;
}

function leftOf(side: Side, { held, working }: { readonly held: number; readonly working: number }): number {
  return against(side, held) - working;
}

/** How much of so many signed lots an order on `side` could close; below 0 it would add to them. */
function against(side: Side, held: number): number {
  return side === 'buy' ? -held : held;
}

/** The replaced order gives its lots back, and so do those that its execution would cancel. */
function isReplaced(order: Order, replaced: Order): boolean {
  return (
    order.clientOrderId === replaced.clientOrderId ||
    (replaced.list !== undefined && replaced.list.orders.includes(order.clientOrderId))
  );
}

/**
 * The signed lots an account holds of an instrument, over all strategies: what own trades came to or what the venue says, whichever
 * is nearer to flat. Its word counts once it can know of the last trade.
 */
function heldBy(instrument: Instrument, mode: MarginMode, view: StateView, memory: Memory): number {
  const booked = view.netPosition(instrument.id, mode);
  const key = marginKeyOf(instrument, mode);
  if (memory.marginReservations[key.product].isBehind(marginNameOf(key), memory.uptime)) return booked;
  const reported = venueLots(instrument, mode, view);
  if (booked * reported <= 0) return 0;
  return Math.abs(booked) < Math.abs(reported) ? booked : reported;
}

/** The signed lots the venue says an account holds of an instrument. */
export function venueLots(instrument: Instrument, mode: MarginMode, view: StateView): number {
  const position = view.venuePosition(instrument.id, mode);
  return position === undefined ? 0 : Number(position.quantity / instrument.quantityAmount(1 as Lots));
}

/** Name of the account in words: a symbol's, or a currency's. */
export function nameOf({ symbol, spec }: Instrument, mode: MarginMode): string {
  return mode === 'isolated' ? symbol : spec.quoteCurrency;
}
