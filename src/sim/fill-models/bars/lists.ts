import { zero } from '../../../core/base/amount.ts';
import type { AccountId } from '../../../exchange/matching/command.ts';
import { checkList } from '../../../exchange/matching/list-rules.ts';
import { ContingentList } from '../../../exchange/matching/contingent-list.ts';
import type { NewOrderListCommand } from '../../../core/model/command.ts';
import { listIdOf } from '../../../core/model/command.ts';
import type { OrderRequest } from '../../../core/model/order.ts';
import type { BarAccount } from './account.ts';
import type { BarOrderManager } from './order-manager.ts';
import type { BarEntry, BarRefusal } from './entry.ts';
import type { BarMarket } from './market.ts';
import type { BarOrder } from './order.ts';

/** What lists need of the venue they are placed in. */
export interface BarListSetup {
  readonly account: BarAccount;
  readonly manager: BarOrderManager;
  readonly entry: BarEntry;
  /** By instrument. */
  readonly markets: readonly BarMarket[];
  /** A new order. */
  readonly open: (request: OrderRequest) => BarOrder;
}

const noFunds: BarRefusal = {
  code: 'INSUFFICIENT_FUNDS',
  why: 'the account cannot hold back what the orders of the list may take',
};

/** Several markets at one moment: bars do not show what happened at once. */
const noAllOrNone: BarRefusal = {
  code: 'LIST_INVALID',
  why: 'bars do not show what several markets did at one moment; lists of all or none need data with books: the fill model shadow or queue',
};

/**
 * Places orders that depend on each other, or refuses them all and leaves everything as it was: the rules are those of the
 * embedded exchange. Orders of one side and symbol of which only one can execute share what is held back for them.
 */
export function placeBarList(setup: BarListSetup, command: NewOrderListCommand): BarRefusal | undefined {
  const { account, manager, entry, markets, open } = setup;
  const { contingency, requests } = command;
  const broken = faultOf(command);
  if (broken !== undefined) return broken;
  const orders = requests.map(open);
  const [primary, ...secondaries] = orders;
  const waits = contingency === 'oneTriggerOther' || contingency === 'oneTriggerOneCancelOther';
  const list = new ContingentList<BarOrder>(listIdOf(command), contingency);
  list.exclusive = contingency === 'oneCancelOther';
  list.members.push(...orders);
  for (const order of orders) order.list = list;
  const begun = waits ? orders.slice(0, 1) : orders;
  const marketOf = ({ request }: BarOrder): BarMarket => markets[request.instrument] as BarMarket;
  for (const order of begun) {
    const refusal = entry.faultOf(marketOf(order), order);
    if (refusal === undefined && entry.fund(marketOf(order), order)) continue;
    for (const held of orders) account.release(held);
    return refusal ?? noFunds;
  }
  if (waits) {
    list.primary = primary;
    for (const order of secondaries) {
      order.inactive = true;
      order.state = 'suspended';
      marketOf(order).orders.add(order);
      manager.report(order, 'suspended');
    }
  }
  // The first of several may end the others.
  for (const order of begun) if (!order.isOver) entry.begin(marketOf(order), order, undefined);
  return undefined;
}

function faultOf(command: NewOrderListCommand): BarRefusal | undefined {
  const { contingency, requests } = command;
  if (contingency === 'allOrNone') return noAllOrNone;
  const orders = requests.map((request) => ({ request, takeMarkup: zero, makeMarkup: zero }));
  const account = 0 as AccountId;
  return checkList({ kind: 'placeList', account, listId: listIdOf(command), contingency, orders });
}
