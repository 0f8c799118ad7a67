import type { Order } from '../../core/model/order.ts';
import type { OwnOrders } from '../../research/report/summary.ts';
import { externalStrategy } from '../../core/state/order-entry.ts';
import type { StateView } from '../../core/state/view.ts';

/** Orders of others on the account are none of a session's business. */
export function isOurs({ strategy }: Order): boolean {
  return strategy !== externalStrategy;
}

/** What the state knows of own orders, for the summary of a session. */
export function ownOrders(view: StateView): OwnOrders {
  return {
    order: (id) => {
      const order = view.order(id);
      return order !== undefined && isOurs(order) ? order : undefined;
    },
    isBooked: (tradeId) => view.booked.some((trade) => trade.tradeId === tradeId),
  };
}
