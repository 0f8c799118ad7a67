import { zero } from '../core/base/amount.ts';
import type { AccountId } from '../exchange/matching/command.ts';
import { checkList } from '../exchange/matching/list-rules.ts';
import { OrderList } from '../exchange/matching/order-list.ts';
import type { NewOrderListCommand } from '../core/model/command.ts';
import { listIdOf } from '../core/model/command.ts';
import type { OrderRequest } from '../core/model/order.ts';
import type { Fault } from './queue-admission.ts';
import { noFunds } from './queue-admission.ts';
import type { QueueDesk } from './queue-desk.ts';
import type { QueueEntry } from './queue-entry.ts';
import { lotsOf } from './queue-entry.ts';
import type { QueueOrder } from './queue-order.ts';

/** What lists need of the engine they are placed in. */
export interface ListSetup {
  readonly desk: QueueDesk;
  readonly entry: QueueEntry;
  /** What is wrong with a request as it stands. */
  readonly faultOf: (request: OrderRequest) => Fault | undefined;
  /** A new order. */
  readonly open: (request: OrderRequest) => QueueOrder;
}

/**
 * Places orders that depend on each other, or refuses them all and leaves everything as it was: the rules are those of the
 * embedded exchange (see `placeList` there). Orders of one side and symbol of which only one can execute share one
 * reservation; others hold each their own.
 */
export function placeList(setup: ListSetup, command: NewOrderListCommand): void {
  const { desk, entry, open } = setup;
  const { contingency, requests } = command;
  const refusal = refusalOf(setup, command);
  if (refusal !== undefined) {
    desk.refuse(refusal.clientOrderId, refusal.code, refusal.why);
    return;
  }
  const list = new OrderList<QueueOrder>(listIdOf(command), contingency);
  list.exclusive = contingency === 'oneCancelOther';
  const orders = requests.map(open);
  for (const order of orders) {
    order.list = list;
    list.members.push(order);
  }
  const waits = contingency === 'oneTriggerOther' || contingency === 'oneTriggerOneCancelOther';
  const unpaid = (waits ? orders.slice(0, 1) : orders).find((order) => !entry.fund(order));
  if (unpaid !== undefined) {
    for (const order of orders) desk.claim(order, zero);
    desk.refuse(unpaid.request.clientOrderId, noFunds.code, noFunds.why);
    return;
  }
  for (const order of orders) desk.admit(order);
  if (contingency === 'allOrNone') executeAll(setup, orders);
  else if (waits) trigger(setup, list, orders);
  else for (const order of orders) if (order.isLive) entry.begin(order, 'new');
}

function refusalOf(
  { faultOf }: ListSetup,
  command: NewOrderListCommand,
): (Fault & { readonly clientOrderId: string }) | undefined {
  const { contingency, requests } = command;
  const listId = listIdOf(command);
  const listed = requests.map((request) => ({ request, takeMarkup: zero, makeMarkup: zero }));
  const account = 0 as AccountId;
  const broken = checkList({ kind: 'placeList', account, listId, contingency, orders: listed });
  if (broken !== undefined) return { ...broken, clientOrderId: broken.clientOrderId ?? listId };
  for (const request of requests) {
    const fault = faultOf(request);
    if (fault !== undefined) return { ...fault, clientOrderId: request.clientOrderId };
  }
  return undefined;
}

/** All in one transaction, or none. */
function executeAll({ desk, entry }: ListSetup, orders: readonly QueueOrder[]): void {
  const plans = orders.map((order) => entry.plan(order));
  const allFill = orders.every((order, i) => lotsOf(plans[i] ?? []) === order.remaining);
  for (const order of orders) desk.report(order, 'new', undefined);
  for (const [i, order] of orders.entries()) {
    if (allFill) entry.take(order, plans[i] ?? []);
    else desk.end(order, 'expired');
  }
}

/** The first order goes to the market, the others wait for it and hold nothing. */
function trigger(
  { desk, entry }: ListSetup,
  list: OrderList<QueueOrder>,
  orders: readonly QueueOrder[],
): void {
  const [primary, ...secondaries] = orders;
  if (primary === undefined) return;
  list.primary = primary;
  for (const order of secondaries) {
    order.inactive = true;
    order.state = 'suspended';
    entry.awaitExpiry(order);
    desk.report(order, 'suspended', undefined);
  }
  entry.begin(primary, 'new');
}
