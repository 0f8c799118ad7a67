import type { PlaceListIntent } from '../model/intent.ts';
import type { OrderRequest } from '../model/order.ts';
import { exposureMax } from './controls/exposure-max.ts';
import { funds } from './controls/funds.ts';
import { messageThrottle } from './controls/message-throttle.ts';
import { openOrdersAccount, openOrdersStrategy, openOrdersSymbol } from './controls/open-orders.ts';
import { positionMax } from './controls/position-max.ts';
import type { TableRow } from './controls/table.ts';
import { controlTable } from './controls/table.ts';

const without = (...controls: readonly TableRow['control'][]): readonly TableRow[] =>
  controlTable.filter(({ control }) => !controls.includes(control));
const only = (...controls: readonly TableRow['control'][]): readonly TableRow[] =>
  controlTable.filter(({ control }) => controls.includes(control));

const waitingTable = without(funds);
const returningTable = without(funds, positionMax, exposureMax);
const counts = [openOrdersStrategy, openOrdersSymbol, openOrdersAccount, messageThrottle] as const;
const countTable = only(...counts);
const limitTable = only(...counts, positionMax, exposureMax);
const besideTable = only(...counts, positionMax, exposureMax, funds);

/**
 * The controls that judge one order of a list by itself, as if the others were not there.
 *
 * An order that waits for the first one holds no funds until that is filled, so it need not have them now. One that
 * leads back no more than the first leads away raises no position either.
 */
export function tableAlone({ contingency, requests }: PlaceListIntent, at: number): readonly TableRow[] {
  if (!contingency.startsWith('oneTrigger') || at === 0) return controlTable;
  return leadsBack(requests, at) ? returningTable : waitingTable;
}

/**
 * The controls that judge it with the orders before it already counted. Of orders that cancel one another only one
 * executes: each passed alone, so no more than the number of them adds up.
 */
export function tableBeside({ contingency, requests }: PlaceListIntent, at: number): readonly TableRow[] {
  if (contingency === 'oneCancelOther' || leadsBack(requests, at)) return countTable;
  return contingency === 'allOrNone' ? besideTable : limitTable;
}

function leadsBack(requests: readonly OrderRequest[], at: number): boolean {
  const [first] = requests;
  const request = requests[at];
  if (first === undefined || request === undefined || at === 0) return false;
  return (
    request.instrument === first.instrument &&
    request.side !== first.side &&
    request.quantity <= first.quantity
  );
}
