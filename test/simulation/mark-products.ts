import type { Event } from '../../src/core/model/event.ts';
import type { Instruments } from '../../src/core/model/instrument.ts';
import type { Marks } from './marks.ts';

/** What of lists, margin and contracts must be seen: orders that leave our controls, and how accounts end. */
export const productBranches = [
  ...['oneCancelOther', 'oneTriggerOther', 'oneTriggerOneCancelOther'].flatMap((contingency) =>
    ['spot', 'margin', 'futures'].map((product) => `branch/list ${contingency} on ${product}`),
  ),
  'branch/list allOrNone on spot',
  ...['margin', 'futures'].flatMap((product) =>
    ['isolated', 'cross'].map((mode) => `branch/order on ${mode} ${product}`),
  ),
];

/** Marks the product, the kind of list and the account of an order, and the liquidation of an account. */
export function markProducts(event: Event, marks: Marks, instruments: Instruments): void {
  if (event.kind === 'marginAccount' && event.reason === 'liquidated')
    marks.hit(`branch/account ${event.account.mode} ${event.product} liquidated`);
  if (event.kind !== 'orderPending') return;
  const { instrument, list, margin, clientOrderId } = event.command.request;
  const isContract = instruments.at(instrument).spec.type === 'futures';
  const product = margin === undefined ? 'spot' : isContract ? 'futures' : 'margin';
  if (margin !== undefined) marks.hit(`branch/order on ${margin.mode} ${product}`);
  if (list !== undefined && list.orders[0] === clientOrderId)
    marks.hit(`branch/list ${list.contingency} on ${product}`);
}
