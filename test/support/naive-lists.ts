import type { PlaceListCommand } from '../../src/exchange/matching/accounts/command.ts';
import type { RefusalCode } from '../../src/exchange/matching/accounts/outcome.ts';
import type { OrderRequest } from '../../src/core/model/order.ts';
import type { NaiveExchange } from './naive-exchange.ts';
import { needOf } from './naive-need.ts';
import type { NaiveList, NaiveOrder } from './naive-order.ts';
import { refusalOf } from './naive-rules.ts';

/** Places a list of orders in the naive exchange, or refuses it. */
export function placeListNaively(exchange: NaiveExchange, command: PlaceListCommand): void {
  const { account, contingency } = command;
  const refusal = shapeRefusal(command) ?? kindRefusal(command) ?? eachRefusal(exchange, command);
  if (refusal !== undefined) return exchange.refuse(account, refusal.id, refusal.code);
  const list: NaiveList = {
    id: command.listId,
    contingency,
    orders: [],
    primary: undefined,
    exclusive: contingency === 'oneCancelOther',
    decided: false,
  };
  for (const { request, ...markups } of command.orders) {
    const state = request.stopPrice === undefined ? 'new' : 'suspended';
    const fresh = exchange.make({ account, ...markups }, request, state);
    fresh.list = list;
    fresh.order.orderListId = list.id;
    list.orders.push(fresh);
  }
  const triggers = contingency === 'oneTriggerOther' || contingency === 'oneTriggerOneCancelOther';
  const met = new Set<NaiveList>();
  for (const one of triggers ? list.orders.slice(0, 1) : list.orders) {
    if (exchange.money.hold(one, needOf(exchange, one, met))) {
      if (contingency === 'allOrNone') exchange.walk(one, met);
      continue;
    }
    for (const other of list.orders) exchange.money.free(other);
    return exchange.refuse(account, one.order.clientOrderId, 'INSUFFICIENT_FUNDS');
  }
  if (contingency === 'allOrNone') return executeAll(exchange, list.orders);
  if (triggers) return waitFor(exchange, list);
  // All are known from the beginning, but none takes part before its turn.
  for (const one of list.orders) {
    if (one.ended) continue;
    exchange.live.push(one);
    exchange.begin(one);
  }
}

function executeAll(exchange: NaiveExchange, orders: readonly NaiveOrder[]): void {
  const met = new Set<NaiveList>();
  const possible = orders.map(
    (one) =>
      !(one.order.postOnly && exchange.takeable(one).length > 0) &&
      exchange.available(one, met) === one.order.quantity,
  );
  for (const one of orders) exchange.report(one, 'new');
  for (const one of orders) {
    if (possible.includes(false)) exchange.finish(one, 'expired');
    else exchange.take(one);
  }
}

function waitFor(exchange: NaiveExchange, list: NaiveList): void {
  const [primary, ...others] = list.orders;
  if (primary === undefined) return;
  list.primary = primary;
  for (const one of others) {
    one.inactive = true;
    one.order.state = 'suspended';
    exchange.live.push(one);
    exchange.report(one, 'suspended');
  }
  exchange.live.push(primary);
  exchange.begin(primary);
}

interface ListRefusal {
  readonly code: RefusalCode;
  readonly id: string | undefined;
}

function shapeRefusal({ contingency, listId, orders }: PlaceListCommand): ListRefusal | undefined {
  const counts = contingency === 'oneTriggerOneCancelOther' ? [3] : [2, 3];
  const ids: string[] = orders.map(({ request }) => request.clientOrderId);
  if (!counts.includes(orders.length) || ids[0] !== listId) return { code: 'LIST_INVALID', id: undefined };
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  return twice === undefined ? undefined : { code: 'DUPLICATE_CLIENT_ORDER_ID', id: twice };
}

function kindRefusal({ contingency, orders }: PlaceListCommand): ListRefusal | undefined {
  const symbols = new Set(orders.map(({ request }) => request.instrument)).size;
  const mixed: boolean = contingency === 'allOrNone' && symbols < orders.length;
  const spread: boolean = contingency === 'oneTriggerOneCancelOther' && symbols > 1;
  if (mixed || spread) return { code: 'LIST_INVALID', id: undefined };
  for (const [index, { request }] of orders.entries()) {
    const code = memberRefusal(contingency, request, index);
    if (code !== undefined) return { code, id: request.clientOrderId };
  }
  return undefined;
}

function memberRefusal(
  contingency: string,
  { type, timeInForce }: OrderRequest,
  index: number,
): RefusalCode | undefined {
  if (contingency === 'allOrNone') {
    if (!['limit', 'market'].includes(type)) return 'ORDER_TYPE_INVALID';
    return timeInForce === 'FOK' ? undefined : 'TIME_IN_FORCE_INVALID';
  }
  if (contingency === 'oneTriggerOther') return undefined;
  if (contingency === 'oneTriggerOneCancelOther' && index === 0) return undefined;
  if (type === 'market') return 'ORDER_TYPE_INVALID';
  return type === 'limit' && ['IOC', 'FOK'].includes(timeInForce) ? 'TIME_IN_FORCE_INVALID' : undefined;
}

function eachRefusal(
  exchange: NaiveExchange,
  { account, orders }: PlaceListCommand,
): ListRefusal | undefined {
  for (const [index, { request }] of orders.entries()) {
    const ahead = orders.slice(0, index).map((order) => order.request.instrument);
    const code = refusalOf(exchange, account, request, { ahead });
    if (code !== undefined) return { code, id: request.clientOrderId };
  }
  return undefined;
}
