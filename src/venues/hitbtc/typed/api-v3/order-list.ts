import type { CallFailed, DenialReason, V3Input } from '../calls/index.ts';
import { callDenied } from '../calls/index.ts';

/** How the orders of a list hang together. Source: API v3, "Spot order", contingency_type. */
export type Contingency = 'allOrNone' | 'oneCancelOther' | 'oneTriggerOther' | 'oneTriggerOneCancelOther';

/** Orders that are placed as one. Source: API v3, "POST /api/3/spot/order/list". */
export interface OrderList<Order = V3Input<'spotNewOrder'>> {
  /** Must equal the client order id of the first order; made by the service when left out. */
  readonly orderListId?: string;
  readonly contingencyType: Contingency;
  /** Two or three orders; exactly three for oneTriggerOneCancelOther. */
  readonly orders: readonly Order[];
}

type Order = V3Input<'spotNewOrder'>;
type Broken = { readonly code: DenialReason; readonly why: string } | undefined;

const contingencies: readonly Contingency[] = [
  'allOrNone',
  'oneCancelOther',
  'oneTriggerOther',
  'oneTriggerOneCancelOther',
];
/** Types of orders of which one cancels the others: all that may rest. */
const setTypes = new Set(['limit', 'stopLimit', 'stopMarket', 'takeProfitLimit', 'takeProfitMarket']);

/**
 * The rule of the documents that a list breaks, as the failure of call `what`, or `undefined`: the first rule that
 * says no wins. What only the service can know (funds, the symbol's state) is not judged here.
 */
export function listFault(what: string, list: OrderList): CallFailed | undefined {
  const broken = shapeFault(list) ?? orderFaults(list) ?? contingencyFault(list);
  return broken === undefined ? undefined : callDenied(what, broken.code, broken.why);
}

function shapeFault({ contingencyType, orderListId, orders }: OrderList): Broken {
  if (!contingencies.includes(contingencyType)) {
    return { code: 'LIST_CONTINGENCY', why: `expected one of ${contingencies.join(', ')}` };
  }
  const least = contingencyType === 'oneTriggerOneCancelOther' ? 3 : 2;
  if (orders.length < least || orders.length > 3) {
    const expected = least === 3 ? 'exactly 3' : '2 or 3';
    return { code: 'LIST_COUNT', why: `expected ${expected} orders, found ${orders.length}` };
  }
  if (orderListId !== undefined && orders[0]?.clientOrderId !== orderListId) {
    return {
      code: 'LIST_ID_NOT_FIRST',
      why: 'expected orderListId to equal the clientOrderId of the first order',
    };
  }
  const ids = orders.flatMap(({ clientOrderId }) => (clientOrderId === undefined ? [] : [clientOrderId]));
  if (new Set(ids.map(String)).size < ids.length) {
    return { code: 'LIST_IDS_NOT_DISTINCT', why: 'expected client order ids that differ' };
  }
  return undefined;
}

/** The rules of single orders. Source: API v3, "POST /api/3/spot/order parameters". */
function orderFaults({ orders }: OrderList): Broken {
  for (const [index, order] of orders.entries()) {
    const fault = orderFault(order);
    if (fault !== undefined) return { code: fault.code, why: `order ${index + 1}: ${fault.why}` };
  }
  return undefined;
}

function orderFault(order: Order): Broken {
  const type = typeOf(order);
  const limits = type === 'limit' || type === 'stopLimit' || type === 'takeProfitLimit';
  if (order.quantity === undefined) {
    return { code: 'ORDER_QUANTITY', why: 'expected a quantity' };
  }
  if (limits && order.price === undefined) {
    return { code: 'ORDER_PRICE_MISSING', why: `expected a price with type ${type}` };
  }
  if (type !== 'limit' && type !== 'market' && order.stopPrice === undefined) {
    return { code: 'ORDER_STOP_PRICE_MISSING', why: `expected a stopPrice with type ${type}` };
  }
  if (order.timeInForce === 'GTD' && order.expireTime === undefined) {
    return { code: 'ORDER_EXPIRE_TIME_MISSING', why: 'expected an expireTime with GTD' };
  }
  if (type === 'market' && order.timeInForce !== undefined && !['IOC', 'FOK'].includes(order.timeInForce)) {
    return { code: 'ORDER_TIME_IN_FORCE', why: 'expected IOC or FOK with type market' };
  }
  return undefined;
}

function contingencyFault(list: OrderList): Broken {
  switch (list.contingencyType) {
    case 'allOrNone':
      return allOrNoneFault(list.orders);
    case 'oneCancelOther':
      return setFault(list.orders);
    case 'oneTriggerOther':
      return undefined;
    case 'oneTriggerOneCancelOther':
      return new Set(list.orders.map(({ symbol }) => symbol)).size > 1
        ? { code: 'LIST_SYMBOLS_NOT_EQUAL', why: 'expected all orders on the same symbol' }
        : setFault(list.orders.slice(1));
  }
}

function allOrNoneFault(orders: readonly Order[]): Broken {
  if (new Set(orders.map(({ symbol }) => symbol)).size < orders.length) {
    return { code: 'LIST_SYMBOLS_NOT_DISTINCT', why: 'expected symbols that differ in an allOrNone list' };
  }
  const wrong = orders.find((order) => !['limit', 'market'].includes(typeOf(order)));
  if (wrong !== undefined) {
    return {
      code: 'LIST_TYPE',
      why: `expected limit or market in an allOrNone list, found ${typeOf(wrong)}`,
    };
  }
  return orders.every(({ timeInForce }) => timeInForce === 'FOK')
    ? undefined
    : { code: 'LIST_NOT_FOK', why: 'expected timeInForce FOK, said aloud, in an allOrNone list' };
}

/** Orders of which one cancels the others. */
function setFault(orders: readonly Order[]): Broken {
  for (const order of orders) {
    const type = typeOf(order);
    if (!setTypes.has(type)) {
      return { code: 'LIST_TYPE', why: `expected ${[...setTypes].join(', ')}, found ${type}` };
    }
    if (type === 'limit' && (order.timeInForce === 'IOC' || order.timeInForce === 'FOK')) {
      return {
        code: 'LIST_TIME_IN_FORCE',
        why: 'expected limit orders that may rest, not IOC or FOK, where one cancels the others',
      };
    }
  }
  return undefined;
}

function typeOf(order: Order): NonNullable<Order['type']> {
  return order.type ?? 'limit';
}
