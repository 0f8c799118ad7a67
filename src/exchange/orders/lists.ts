import type { ListedOrder, PlaceListCommand } from '../matching/command.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { ClientOrderId } from '../../core/model/order.ts';
import type { OrderListParams } from '../../venues/hitbtc/wire/order-params.ts';
import { toOrderRequest } from '../../venues/hitbtc/wire/order-params.ts';
import { notSpot, Refusal, symbolNotFound } from '../refusal.ts';

/** What is made of the words of a client: everything of the command but the account. */
export type ListRequests = Pick<PlaceListCommand, 'listId' | 'contingency' | 'orders'>;

/**
 * The orders of a list in ticks and lots. Missing client order ids are made; a list id without a client order id of
 * the first order names that one too, because both must be the same. Source: API v3, order_list_id.
 */
export function listRequests(
  params: OrderListParams,
  made: { readonly instruments: Instruments; readonly newId: () => string },
): ListRequests | Refusal {
  const orders: ListedOrder[] = [];
  for (const [index, order] of params.orders.entries()) {
    const instrument = made.instruments.find(order.symbol);
    if (instrument === undefined) return symbolNotFound(order.symbol);
    if (instrument.spec.type !== 'spot') return notSpot(order.symbol);
    const named = order.clientOrderId ?? (index === 0 ? params.orderListId : undefined);
    const request = toOrderRequest(order, instrument, (named ?? made.newId()) as ClientOrderId);
    if (!request.ok) return new Refusal(request.error);
    const { takeMarkup, makeMarkup } = order;
    orders.push({ request: request.value, takeMarkup, makeMarkup });
  }
  const listId = params.orderListId ?? orders[0]?.request.clientOrderId ?? '';
  return { listId, contingency: params.contingencyType, orders };
}
