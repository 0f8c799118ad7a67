import type { OrderRequest } from '../../core/model/order.ts';
import type { OrderRefusal } from './execution/index.ts';
import type { PlaceListCommand } from './accounts/index.ts';

/** Fault of one order of a list, or of the list itself. */
export interface ListRefusal extends OrderRefusal {
  readonly clientOrderId: string | undefined;
}

/** Rule for its kind that a list breaks, before its orders are looked at one by one. Source: API v3, "POST /api/3/spot/order/list". */
export function checkList(command: PlaceListCommand): ListRefusal | undefined {
  const requests = command.orders.map(({ request }) => request);
  return checkShape(command, requests) ?? checkKind(command, requests);
}

function checkShape(command: PlaceListCommand, requests: readonly OrderRequest[]): ListRefusal | undefined {
  const [first] = requests;
  const exactly = command.contingency === 'oneTriggerOneCancelOther' ? 3 : undefined;
  if (requests.length < (exactly ?? 2) || requests.length > 3)
    return ofList(`expected ${exactly ?? '2 or 3'} orders, found ${requests.length}`);
  if (first?.clientOrderId !== command.listId)
    return ofList('the list must have the client order id of its first order');
  const ids = new Set<string>();
  for (const { clientOrderId } of requests) {
    if (ids.has(clientOrderId))
      return { code: 'DUPLICATE_CLIENT_ORDER_ID', why: 'ids must differ within a list', clientOrderId };
    ids.add(clientOrderId);
  }
  return undefined;
}

function checkKind(command: PlaceListCommand, requests: readonly OrderRequest[]): ListRefusal | undefined {
  switch (command.contingency) {
    case 'allOrNone':
      return checkAllOrNone(requests);
    case 'oneCancelOther':
      return checkExclusive(requests);
    case 'oneTriggerOther':
      return undefined;
    default:
      if (new Set(requests.map(({ instrument }) => instrument)).size > 1)
        return ofList('all orders of the list must have the same symbol');
      return checkExclusive(requests.slice(1));
  }
}

function checkAllOrNone(requests: readonly OrderRequest[]): ListRefusal | undefined {
  if (new Set(requests.map(({ instrument }) => instrument)).size < requests.length)
    return ofList('the orders of the list must have different symbols');
  for (const { clientOrderId, type, timeInForce } of requests) {
    if (type !== 'limit' && type !== 'market')
      return { code: 'ORDER_TYPE_INVALID', why: `expected limit or market, found ${type}`, clientOrderId };
    if (timeInForce !== 'FOK')
      return { code: 'TIME_IN_FORCE_INVALID', why: `expected FOK, found ${timeInForce}`, clientOrderId };
  }
  return undefined;
}

/** Orders of which one cancels the others. */
function checkExclusive(requests: readonly OrderRequest[]): ListRefusal | undefined {
  for (const { clientOrderId, type, timeInForce } of requests) {
    if (type === 'market')
      return { code: 'ORDER_TYPE_INVALID', why: 'a market order cannot wait for another', clientOrderId };
    if (type === 'limit' && (timeInForce === 'IOC' || timeInForce === 'FOK'))
      return {
        code: 'TIME_IN_FORCE_INVALID',
        why: `a limit order here cannot be ${timeInForce}`,
        clientOrderId,
      };
  }
  return undefined;
}

function ofList(why: string): ListRefusal {
  return { code: 'LIST_INVALID', why, clientOrderId: undefined };
}
