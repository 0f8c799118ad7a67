import type { OrderRequest } from '../../core/model/order.ts';
import type { Lots } from '../../core/model/instrument.ts';
import type { OrderRefusal } from './execution/index.ts';
import {
  checkAccount,
  checkRequest,
  insufficientFunds,
  endAndReport,
  awaitExpiry,
  breaksPostOnly,
  collectFired,
  enter,
  holdFunds,
  startsSuspended,
  suspend,
  checkPositionLimit,
  admit,
  giveBack,
  makeExclusive,
  isFillable,
} from './execution/index.ts';
import type { PlaceListCommand } from './accounts/index.ts';
import type { Account, ExchangeState, OrderRecord } from './state/index.ts';
import { Met, ContingentList } from './state/index.ts';
import type { OrderContext } from './margin/index.ts';
import { contextFor } from './margin/index.ts';

/** Fault of one order of a list, or of the list itself. */
interface ListRefusal extends OrderRefusal {
  readonly clientOrderId: string | undefined;
}

/** Rule for its kind that a list breaks, before its orders are looked at one by one. Source: API v3, "POST /api/3/spot/order/list". */
function checkList(command: PlaceListCommand): ListRefusal | undefined {
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

/**
 * Places orders that depend on each other, or refuses them all and leaves everything as it was.
 *
 * - allOrNone: all execute in this one transaction, or all expire.
 * - oneCancelOther: the first execution of one, whole or in part, cancels the others. Orders that pay from the same
 *   balance share one reservation, because only one of them can execute.
 * - oneTriggerOther: the first order is live; the others are inactive and hold nothing until it is filled, and are
 *   canceled when it ends otherwise. Once awake they are independent.
 * - oneTriggerOneCancelOther: the same, but once awake one cancels the other.
 *
 * Source: API v3, "States and transitions" (contingent lists).
 */
export function placeList(exchange: ExchangeState, command: PlaceListCommand): void {
  const account = exchange.account(command.account);
  const contexts = checkList(command) ?? contextsFor(exchange, account, command);
  if ('code' in contexts) {
    exchange.refuse(account.id, contexts.clientOrderId, contexts.code, contexts.why);
    return;
  }
  const list = new ContingentList<OrderRecord>(command.listId, command.contingency);
  const records = command.orders.map(({ request }, i) =>
    openListed(exchange, list, request, contexts[i] as OrderContext),
  );
  if (command.contingency === 'oneCancelOther') makeExclusive(exchange, list);
  const waits = command.contingency.startsWith('oneTrigger');
  const met = new Met();
  const unpaid = (waits ? records.slice(0, 1) : records).find((record) => !fund(exchange, record, met));
  if (unpaid !== undefined) {
    const market = exchange.market(unpaid.instrument);
    const { code, why } = checkPositionLimit(exchange, market, unpaid, met) ?? insufficientFunds;
    undo(exchange, list, records);
    exchange.refuse(account.id, unpaid.clientOrderId, code, why);
    return;
  }
  for (const record of records) admit(exchange, record);
  if (command.contingency === 'allOrNone') executeAll(exchange, records);
  else if (waits) trigger(exchange, list, records);
  else for (const record of records) if (record.isLive) begin(exchange, record);
}

function contextsFor(
  exchange: ExchangeState,
  account: Account,
  command: PlaceListCommand,
): OrderContext[] | ListRefusal {
  const contexts: OrderContext[] = [];
  const ahead: OrderRequest[] = [];
  for (const order of command.orders) {
    const { request } = order;
    const market = exchange.market(request.instrument);
    const refusal =
      checkRequest(market, request, exchange.now, exchange.options) ??
      checkAccount(account, request, { now: exchange.now, options: exchange.options, ahead });
    if (refusal !== undefined) return { ...refusal, clientOrderId: request.clientOrderId };
    const place = contextFor(exchange, account, market, order);
    if ('code' in place) return { ...place, clientOrderId: request.clientOrderId };
    contexts.push(place);
    ahead.push(request);
  }
  return contexts;
}

function openListed(
  exchange: ExchangeState,
  list: ContingentList<OrderRecord>,
  request: OrderRequest,
  { context, margin }: OrderContext,
): OrderRecord {
  const record = exchange.orders.open(request, context, {
    number: exchange.nextOrderNumber(),
    createdAt: exchange.now,
    originalClientOrderId: undefined,
    cumulative: 0 as Lots,
  });
  record.margin = margin;
  record.list = list;
  list.members.push(record);
  if (startsSuspended(record)) record.state = 'suspended';
  return record;
}

/** Reserves for one order; orders of one transaction must not count on the same order of a list twice. */
function fund(exchange: ExchangeState, record: OrderRecord, met: Met): boolean {
  const market = exchange.market(record.instrument);
  const funded = holdFunds(exchange, market, record, met);
  if (funded && record.list?.contingency === 'allOrNone') isFillable(exchange, market, record, met);
  return funded;
}

function undo(
  exchange: ExchangeState,
  list: ContingentList<OrderRecord>,
  records: readonly OrderRecord[],
): void {
  for (const record of records) {
    giveBack(exchange, record);
    record.isLive = false;
    exchange.orders.close(record);
  }
  if (list.exclusive) exchange.exclusiveCount -= 1;
}

function begin(exchange: ExchangeState, record: OrderRecord): void {
  const market = exchange.market(record.instrument);
  if (startsSuspended(record)) suspend(exchange, market, record, 'suspended');
  else enter(exchange, market, record, 'new');
}

/** All in one transaction, or none. */
function executeAll(exchange: ExchangeState, records: readonly OrderRecord[]): void {
  const met = new Met();
  const allFill = records.every((record) => {
    const market = exchange.market(record.instrument);
    return !breaksPostOnly(market, record) && isFillable(exchange, market, record, met);
  });
  for (const record of records) exchange.report(record, 'new', undefined);
  for (const record of records) {
    if (!allFill) {
      endAndReport(exchange, record, 'expired');
      continue;
    }
    const market = exchange.market(record.instrument);
    market.fills.takeOrder(record);
    collectFired(exchange, market);
    // Only an order that met its own account's reducing orders can have something left.
    if (record.isLive) endAndReport(exchange, record, 'expired');
  }
}

/** The first order goes to the market, the others wait for it. */
function trigger(
  exchange: ExchangeState,
  list: ContingentList<OrderRecord>,
  records: readonly OrderRecord[],
): void {
  const [primary, ...secondaries] = records;
  if (primary === undefined) return;
  list.primary = primary;
  for (const record of secondaries) {
    record.inactive = true;
    record.state = 'suspended';
    awaitExpiry(exchange, record);
    exchange.report(record, 'suspended', undefined);
  }
  begin(exchange, primary);
}
