import type { DenialCode } from '../../model/denial.ts';
import type { OrderDenied } from '../../model/event.ts';
import type { Lots } from '../../model/instrument.ts';
import { accountOf } from '../../model/margin.ts';
import type { ClientOrderId, Order, OrderRequest } from '../../model/order.ts';
import type { StateView } from '../../state/index.ts';
import { lotsLeft } from '../base/candidate.ts';
import { reservesInList } from '../base/list-shares.ts';
import { venueLots } from '../margin/reducing.ts';

/** An order that is asked for, or one that was denied. */
type ExitRequest = Pick<OrderRequest, 'clientOrderId' | 'instrument' | 'side' | 'margin' | 'list'>;

interface ExitSetting {
  readonly strategy: string;
  /** Lots that may still execute. */
  readonly lots: Lots;
  /** The order that it replaces. */
  readonly replaces?: ClientOrderId | undefined;
  /** Whether a live order is to go, so that the position it might close is free for another. */
  readonly goes: (order: Order) => boolean;
  /** Holding in signed lots, where it is not that of the strategy but of all: orders of all are looked at then. */
  readonly held?: number | undefined;
}

/**
 * Whether an order is an exit: it closes what its strategy holds, or a part of that, beside what other live orders close already.
 * A position of a margin account and one on spot are apart.
 */
export function isExit(request: ExitRequest, setting: ExitSetting, view: StateView): boolean {
  const { strategy, lots, replaces, goes } = setting;
  const { clientOrderId, instrument, side, margin } = request;
  const account = accountOf(request);
  const held = setting.held ?? view.position(instrument, strategy, account).quantity;
  const open = side === 'buy' ? -held : held;
  if (open <= 0) return false;
  if (margin?.closePosition === true) return true;
  if (lots > open) return false;
  let working = 0;
  for (const order of view.openOrders(setting.held === undefined ? strategy : undefined, instrument)) {
    const { clientOrderId: id, list } = order;
    if (order.side !== side || accountOf(order) !== account || id === clientOrderId || id === replaces)
      continue;
    // Of the orders of one list that reduce, one alone executes.
    if (goes(order) || request.list?.orders.includes(id) === true) continue;
    if (list !== undefined && !reservesInList(order, list, view)) continue;
    working += lotsLeft(order, view);
  }
  return working + lots <= open;
}

/**
 * Whether a live order only reduces: it is an exit beside those that were placed before it. One that the venue lets reduce alone is
 * an exit of any size while its strategy or its account holds something on the other side; one that waits for another order is none.
 * A venue's list may come without these flags, and a journal may be lost: an order of a margin account is an exit also beside what
 * the venue says that the account holds.
 */
export function onlyReduces(order: Order, view: StateView): boolean {
  const { instrument, strategy, side, margin, list, quantity, cumulative } = order;
  const first = list?.contingency.startsWith('oneTrigger') === true ? list.orders[0] : undefined;
  if (first !== undefined && first !== order.clientOrderId) {
    const state = view.order(first)?.state;
    if (state !== undefined && state !== 'filled') return false;
  }
  const all = margin === undefined ? 0 : venueLots(view.instruments.at(instrument), margin.mode, view);
  if (margin?.reduceOnly === true || margin?.closePosition === true) {
    const own = view.position(instrument, strategy, accountOf(order)).quantity;
    return side === 'buy' ? Math.min(own, all) < 0 : Math.max(own, all) > 0;
  }
  const goes = (other: Order): boolean =>
    other.createdAt > order.createdAt ||
    (other.createdAt === order.createdAt && other.clientOrderId > order.clientOrderId);
  const setting = { strategy, lots: (quantity - cumulative) as Lots, goes };
  return isExit(order, setting, view) || (all !== 0 && isExit(order, { ...setting, held: all }, view));
}

/** Denials that say nothing of an exit: it was canceled, another order of its list was denied, or its strategy has ended. */
const saidOtherwise: ReadonlySet<DenialCode> = new Set([
  'CANCELED_UNSENT',
  'LIST_ORDER_DENIED',
  'STRATEGY_STOPPED',
  'ID_REUSED',
]);

/** Whether a denial, applied to the state, is of an exit: a position that was to be closed stays open. */
export function isDeniedExit(event: OrderDenied, view: StateView): boolean {
  const { strategy, action, clientOrderId, originalClientOrderId: replaces, denial } = event;
  if (action === 'cancel' || saidOtherwise.has(denial.code)) return false;
  const order = view.order(clientOrderId);
  if (order === undefined) return false;
  const executed = replaces === undefined ? 0 : (view.order(replaces)?.cumulative ?? 0);
  const lots = (order.quantity - executed) as Lots;
  // What it would have replaced has executed in full: nothing was left to close by it.
  if (lots <= 0 && order.margin?.closePosition !== true) return false;
  return isExit(order, { strategy, lots, replaces, goes: ({ cancelPending }) => cancelPending }, view);
}
