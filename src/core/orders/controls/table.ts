import type { Denial, DenialCode } from '../../model/denial.ts';
import type { PlaceListIntent } from '../../model/intent.ts';
import type { OrderRequest } from '../../model/order.ts';
import type { StateView } from '../../state/view.ts';
import type { Candidate, Control } from '../base/candidate.ts';
import type { Memory } from '../base/memory.ts';
import {
  duplicate,
  messageThrottle,
  openOrdersAccount,
  openOrdersStrategy,
  openOrdersSymbol,
} from './counts.ts';
import { marketOrders, priceCollar, selfTrade } from './price.ts';
import { funds } from './funds.ts';
import { unexplainedMoney } from './unexplained.ts';
import { positionInDoubt } from './doubt.ts';
import { marginLimits } from '../margin/outlook.ts';
import { marginAccount } from '../margin/power.ts';
import { marginCall, reduceOnly } from '../margin/reducing.ts';
import { lossLimit } from './loss.ts';
import { exposureMax, notional, positionMax, quantityMax } from './size.ts';
import {
  mode,
  paused,
  productHalted,
  reconciled,
  session,
  staleness,
  stopped,
  symbolAllowed,
  symbolWorking,
  unanswered,
} from './trading-status.ts';

import * as form from '../rules/form.ts';
import { marginMark, product } from '../rules/product.ts';

/** A control and the code it denies with when it fails instead of answering (faults, S10). */
export interface TableRow {
  readonly control: Control;
  readonly code: DenialCode;
}

/**
 * Every control, in the order it is asked; the first denial wins. Trading status first (a
 * stopped strategy learns that), then form (later controls rely on it), then limits, cheapest first.
 */
export const controlTable: readonly TableRow[] = [
  { control: stopped, code: 'STRATEGY_STOPPED' },
  { control: symbolAllowed, code: 'SYMBOL_NOT_ALLOWED' },
  { control: product, code: 'PRODUCT_NOT_DECLARED' },
  { control: marginMark, code: 'MARGIN_MODE_UNKNOWN' },
  { control: form.kind, code: 'ORDER_KIND_UNKNOWN' },
  { control: form.quantity, code: 'OFF_GRID' },
  { control: form.price, code: 'OFF_GRID' },
  { control: form.stopPrice, code: 'OFF_GRID' },
  { control: form.expireTime, code: 'EXPIRE_TIME_MISSING' },
  { control: form.postOnly, code: 'POST_ONLY_NOT_ALLOWED' },
  { control: form.changed, code: 'DUPLICATE_ORDER' },
  { control: mode, code: 'MODE_HALTED' },
  { control: paused, code: 'PAUSED' },
  { control: lossLimit, code: 'LOSS_LIMIT' },
  { control: unexplainedMoney, code: 'UNEXPLAINED_MONEY' },
  { control: session, code: 'SESSION_DOWN' },
  { control: reconciled, code: 'NOT_RECONCILED' },
  { control: productHalted, code: 'PRODUCT_HALTED' },
  { control: unanswered, code: 'UNANSWERED_ORDERS' },
  { control: positionInDoubt, code: 'POSITION_IN_DOUBT' },
  { control: symbolWorking, code: 'SYMBOL_NOT_WORKING' },
  { control: staleness, code: 'INPUT_STALE' },
  { control: marginAccount, code: 'MARGIN_ACCOUNT_MISSING' },
  { control: marginCall, code: 'MARGIN_CALL' },
  { control: reduceOnly, code: 'REDUCE_ONLY' },
  { control: quantityMax, code: 'QUANTITY_MAX' },
  { control: marketOrders, code: 'MARKET_ORDERS_OFF' },
  { control: notional, code: 'NOTIONAL_MAX' },
  { control: priceCollar, code: 'PRICE_COLLAR' },
  { control: selfTrade, code: 'SELF_TRADE' },
  { control: duplicate, code: 'DUPLICATE_ORDER' },
  { control: openOrdersStrategy, code: 'OPEN_ORDERS_STRATEGY' },
  { control: openOrdersSymbol, code: 'OPEN_ORDERS_SYMBOL' },
  { control: openOrdersAccount, code: 'OPEN_ORDERS_ACCOUNT' },
  { control: positionMax, code: 'POSITION_MAX' },
  { control: exposureMax, code: 'EXPOSURE_MAX' },
  { control: marginLimits, code: 'LEVERAGE_MAX' },
  { control: messageThrottle, code: 'MESSAGE_THROTTLE' },
  { control: funds, code: 'FUNDS' },
];

/** The first denial of the table, or `undefined` when the candidate may be sent. A control that throws denies. */
export function judge(
  candidate: Candidate,
  view: StateView,
  memory: Memory,
  table: readonly TableRow[] = controlTable,
): Denial | undefined {
  for (const { control, code } of table) {
    try {
      const denial = control(candidate, view, memory);
      if (denial !== undefined) return denial;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { code, why: `the control failed: ${message.slice(0, 200)}` };
    }
  }
  return undefined;
}

const without = (...controls: readonly TableRow['control'][]): readonly TableRow[] =>
  controlTable.filter(({ control }) => !controls.includes(control));
const only = (...controls: readonly TableRow['control'][]): readonly TableRow[] =>
  controlTable.filter(({ control }) => controls.includes(control));

/** The controls of a replacement that leaves as a new order: its message was counted when it was asked for. */
export const renewalTable = without(duplicate, messageThrottle);
const waitingTable = without(funds, marginLimits);
const returningTable = without(funds, marginLimits, positionMax, exposureMax, reduceOnly);
const counts = [openOrdersStrategy, openOrdersSymbol, openOrdersAccount, messageThrottle] as const;
const countTable = only(...counts);
const limitTable = only(...counts, positionMax, exposureMax);
const besideTable = only(...counts, positionMax, exposureMax, marginLimits, funds);

/**
 * The controls that judge one order of a list by itself, as if the others were not there.
 *
 * An order that waits for the first one reserves no funds until that is filled, so it need not have them now. One that
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
