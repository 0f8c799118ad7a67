import type { Lots } from '../../core/model/instrument.ts';
import type { OrderRequest } from '../../core/model/order.ts';
import type { Account, ExchangeState } from './state/index.ts';
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
import { Met, ContingentList } from './orders/index.ts';
import type { ListRefusal } from './list-rules.ts';
import { checkList } from './list-rules.ts';
import type { OrderContext } from './margin/index.ts';
import { contextFor } from './margin/index.ts';
import type { OrderRecord } from './orders/index.ts';

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
