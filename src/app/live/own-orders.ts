import type { Order } from '../../model/order.ts';
import type { OwnOrders } from '../../report/summary-setting.ts';
import { externalStrategy } from '../../state/order-entry.ts';
import type { StateView } from '../../state/view.ts';

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
