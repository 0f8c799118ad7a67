import type { Lots } from '../../core/model/instrument.ts';
import type { OrderRequest } from '../../core/model/order.ts';
import type { Account } from './account.ts';
import { checkAccount, checkRequest, insufficientFunds } from './admission.ts';
import type { PlaceListCommand } from './command.ts';
import type { Desk } from './desk.ts';
import { endAndReport } from './ending.ts';
import { awaitExpiry, breaksPostOnly, collectFired, enter, hold, startsSuspended, suspend } from './entry.ts';
import type { Met } from './fills.ts';
import { newMet } from './fills.ts';
import { admit, giveBack, makeExclusive } from './holding.ts';
import type { ListRefusal } from './list-rules.ts';
import { checkList } from './list-rules.ts';
import type { Seated } from './margin-admission.ts';
import { seatOrder } from './margin-admission.ts';
import { OrderList } from './order-list.ts';
import type { OrderRecord } from './order-record.ts';
import { isFillable } from './walk.ts';

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
export function placeList(desk: Desk, command: PlaceListCommand): void {
  const account = desk.account(command.account);
  const seated = checkList(command) ?? seatOrders(desk, account, command);
  if ('code' in seated) {
    desk.refuse(account.id, seated.clientOrderId, seated.code, seated.why);
    return;
  }
  const list = new OrderList<OrderRecord>(command.listId, command.contingency);
  const records = command.orders.map(({ request }, i) =>
    openListed(desk, list, request, seated[i] as Seated),
  );
  if (command.contingency === 'oneCancelOther') makeExclusive(desk, list);
  const waits = command.contingency.startsWith('oneTrigger');
  const met = newMet();
  const unpaid = (waits ? records.slice(0, 1) : records).find((record) => !fund(desk, record, met));
  if (unpaid !== undefined) {
    undo(desk, list, records);
    desk.refuse(account.id, unpaid.clientOrderId, insufficientFunds.code, insufficientFunds.why);
    return;
  }
  for (const record of records) admit(desk, record);
  if (command.contingency === 'allOrNone') executeAll(desk, records);
  else if (waits) trigger(desk, list, records);
  else for (const record of records) if (record.isLive) begin(desk, record);
}

function seatOrders(desk: Desk, account: Account, command: PlaceListCommand): Seated[] | ListRefusal {
  const seated: Seated[] = [];
  const ahead: OrderRequest[] = [];
  for (const order of command.orders) {
    const { request } = order;
    const market = desk.market(request.instrument);
    const refusal =
      checkRequest(market, request, desk.now, desk.options) ??
      checkAccount(account, request, { now: desk.now, options: desk.options, ahead });
    if (refusal !== undefined) return { ...refusal, clientOrderId: request.clientOrderId };
    const place = seatOrder(desk, account, market, order);
    if ('code' in place) return { ...place, clientOrderId: request.clientOrderId };
    seated.push(place);
    ahead.push(request);
  }
  return seated;
}

function openListed(
  desk: Desk,
  list: OrderList<OrderRecord>,
  request: OrderRequest,
  { seat, margin }: Seated,
): OrderRecord {
  const record = desk.orders.open(request, seat, {
    number: desk.nextOrderNumber(),
    createdAt: desk.now,
    originalClientOrderId: undefined,
    cumulative: 0 as Lots,
  });
  record.margin = margin;
  record.list = list;
  list.members.push(record);
  if (startsSuspended(record)) record.state = 'suspended';
  return record;
}

/** Reserves for one order; orders of one transaction must not count on the same order of somebody's list twice. */
function fund(desk: Desk, record: OrderRecord, met: Met): boolean {
  const market = desk.market(record.instrument);
  const funded = hold(desk, market, record, met);
  if (funded && record.list?.contingency === 'allOrNone') isFillable(desk, market, record, met);
  return funded;
}

function undo(desk: Desk, list: OrderList<OrderRecord>, records: readonly OrderRecord[]): void {
  for (const record of records) {
    giveBack(desk, record);
    record.isLive = false;
    desk.orders.close(record);
  }
  if (list.exclusive) desk.exclusiveCount -= 1;
}

function begin(desk: Desk, record: OrderRecord): void {
  const market = desk.market(record.instrument);
  if (startsSuspended(record)) suspend(desk, market, record, 'suspended');
  else enter(desk, market, record, 'new');
}

/** All in one transaction, or none. */
function executeAll(desk: Desk, records: readonly OrderRecord[]): void {
  const met = newMet();
  const allFill = records.every((record) => {
    const market = desk.market(record.instrument);
    return !breaksPostOnly(market, record) && isFillable(desk, market, record, met);
  });
  for (const record of records) desk.report(record, 'new', undefined);
  for (const record of records) {
    if (!allFill) {
      endAndReport(desk, record, 'expired');
      continue;
    }
    const market = desk.market(record.instrument);
    market.fills.take(record);
    collectFired(desk, market);
    // Only an order that met its own account's reducing orders can have something left.
    if (record.isLive) endAndReport(desk, record, 'expired');
  }
}

/** The first order goes to the market, the others wait for it. */
function trigger(desk: Desk, list: OrderList<OrderRecord>, records: readonly OrderRecord[]): void {
  const [primary, ...secondaries] = records;
  if (primary === undefined) return;
  list.primary = primary;
  for (const record of secondaries) {
    record.inactive = true;
    record.state = 'suspended';
    awaitExpiry(desk, record);
    desk.report(record, 'suspended', undefined);
  }
  begin(desk, primary);
}
