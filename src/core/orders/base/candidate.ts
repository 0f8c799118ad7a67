import type { Micros } from '../../base/clock.ts';
import { later, micros } from '../../base/clock.ts';
import type { Denial, DenialCode } from '../../model/denial.ts';
import type { Instrument, Lots, Ticks } from '../../model/instrument.ts';
import type { PositionAccount } from '../../model/margin.ts';
import { accountOf, positionAccounts } from '../../model/margin.ts';
import { mayBeLive } from '../../model/order-life.ts';
import type { Order, OrderRequest, OrderType, Side } from '../../model/order.ts';
import { needsPrice } from '../../model/order.ts';
import type { StateView } from '../../state/index.ts';
import type { Memory, RuleStates, StrategyMemory } from './memory.ts';
import type { RuleSettings } from './options.ts';
import { waitingOrders } from './waiting.ts';

/** An order that a strategy asks for, or the values an order is to be replaced with. */
export interface Candidate {
  readonly strategy: StrategyMemory;
  readonly instrument: Instrument;
  readonly request: OrderRequest;
  /** Lots that may still execute: the quantity, less what a replaced order has executed. */
  readonly lots: Lots;
  /** The order to be replaced; its reservation and working lots are given back. */
  readonly replaces: Order | undefined;
}

interface WorkingScope {
  readonly strategy?: string | undefined;
  readonly accounts?: readonly PositionAccount[];
}

/** Judges one order: a denial, or nothing. It reads; it never changes anything. */
export type Control = (candidate: Candidate, view: StateView, memory: Memory) => Denial | undefined;

/** One rule that orders are held against: all that belongs to it stands in its row. */
export interface Rule {
  /** Code of its denials, and what an order is denied with when the control throws instead of answering (faults, S10). */
  readonly code: DenialCode;
  /** Settings of it, members of `orders`. Each is taken over while a run goes on. */
  readonly settings?: RuleSettings;
  /** Memory of it about each strategy. */
  readonly states?: RuleStates;
  /** Whether a replacement that leaves later, as a new order, is held against it only when it is asked for. */
  readonly once?: true;
  readonly control: Control;
}

export function deny(code: DenialCode, why: string): Denial {
  return { code, why };
}

/** Time on the venue's clock now, as far as it was measured: for what it stamps and compares with its clock. */
export function venueNow(view: StateView, memory: Memory): Micros {
  return later(memory.now, view.clockOffset ?? micros(0));
}

/** A time on the venue's clock by this machine's, as far as the difference was measured. */
export function ourTime(time: Micros, { clockOffset = micros(0) }: StateView): Micros {
  return micros(time - clockOffset);
}

/** A value from a strategy, whatever it is, as a short text. */
export function shownValue(value: unknown): string {
  return String(value).slice(0, 40);
}

/** Lots that a replaced order would give back on the candidate's side. */
export function releasedLots(candidate: Candidate): number {
  const { replaces } = candidate;
  return replaces === undefined ? 0 : replaces.quantity - replaces.cumulative;
}

/** Lots of an order that may still execute. A replacement on its way counts what it adds while its original lives. */
export function lotsLeft(order: Order, view: StateView): number {
  const { state, quantity, cumulative, originalClientOrderId } = order;
  const original =
    state === 'pending' && originalClientOrderId !== undefined
      ? view.order(originalClientOrderId)
      : undefined;
  const done =
    original === undefined ? cumulative : mayBeLive(original.state) ? original.quantity : original.cumulative;
  return Math.max(0, quantity - done);
}

/** Own lots that may still execute on a side, over all accounts or in one: of one strategy, or of all. */
export function workingLots(
  { view, memory }: { readonly view: StateView; readonly memory: Memory },
  { id }: Instrument,
  side: Side,
  { strategy, accounts = positionAccounts }: WorkingScope = {},
): number {
  let lots = 0;
  for (const account of accounts) lots += view.workingLots(id, side, strategy, account);
  for (const order of waitingOrders(memory, strategy, id))
    if (order.side === side && accounts.includes(accountOf(order))) lots += lotsLeft(order, view);
  return lots;
}

/** Signed lots that are held over all accounts: by one strategy, or by all. */
export function heldLots(view: StateView, { id }: Instrument, strategy?: string): number {
  let lots = 0;
  for (const account of positionAccounts)
    lots +=
      strategy === undefined ? view.netPosition(id, account) : view.position(id, strategy, account).quantity;
  return lots;
}

/** Whether orders of this type execute at whatever price the book offers. */
export function isMarketLike(type: OrderType): boolean {
  return !needsPrice(type);
}

/**
 * The highest price an order may be charged, in ticks: its limit, or for market types the touch (or the stop
 * price) and a reserve on top. `undefined` when a market order finds no touch.
 * Source: v3-gaps, section 10 ("Market reserve").
 */
export function worstPrice(request: OrderRequest, view: StateView, memory: Memory): Ticks | undefined {
  if (request.price !== undefined) return request.price;
  const book = view.book(request.instrument);
  const base = request.stopPrice ?? (request.side === 'buy' ? book.bestAsk : book.bestBid);
  if (base === undefined) return undefined;
  if (request.side === 'sell') return base;
  return Math.ceil((base * (100 + memory.options.marketReservePercent)) / 100) as Ticks;
}
