import { mayBeLive } from '../../model/order-life.ts';
import type { ClientOrderId, ListPlace, Order } from '../../model/order.ts';
import type { StateView } from '../../state/index.ts';

/**
 * Whether an order reserves something although it stands in a list. One that waits for the first order reserves
 * nothing until that is filled. Of live orders on one side that cancel one another only the largest reserves: they share
 * one reservation. Source: API v3, "States and transitions" (contingent lists).
 */
export function reservesInList(order: Order, { contingency, orders }: ListPlace, view: StateView): boolean {
  const at = orders.indexOf(order.clientOrderId);
  if (contingency.startsWith('oneTrigger') && at > 0) {
    const first = view.order(orders[0] as ClientOrderId);
    if (first !== undefined && first.state !== 'filled') return false;
  }
  if (contingency === 'oneCancelOther') return isLargest(order, orders, view);
  return contingency !== 'oneTriggerOneCancelOther' || at === 0 || isLargest(order, orders.slice(1), view);
}

/** Largest by what it may take; the first of equals. */
function isLargest(order: Order, orders: readonly ClientOrderId[], view: StateView): boolean {
  const own = claimOf(order);
  for (const id of orders) {
    const other = id === order.clientOrderId ? undefined : view.order(id);
    if (other === undefined || !mayBeLive(other.state)) continue;
    if (other.side !== order.side || other.instrument !== order.instrument) continue;
    const claim = claimOf(other);
    if (claim > own || (claim === own && orders.indexOf(id) < orders.indexOf(order.clientOrderId)))
      return false;
  }
  return true;
}

/** Lots, and for a buy times the price: only compared with one another. */
function claimOf({ side, quantity, cumulative, price, stopPrice }: Order): number {
  return (quantity - cumulative) * (side === 'buy' ? (price ?? stopPrice ?? 1) : 1);
}
