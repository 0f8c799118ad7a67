import type { Instruments } from '../../../../core/model/instrument.ts';
import type { Balance } from '../../../../core/model/market.ts';
import { encodeV3Balance } from '../balances.ts';
import { encodeRpcNotification } from '../socket-request.ts';
import { encodeV3Report } from './encode-orders.ts';
import type { DecodedReport } from '../decoded-report.ts';

// Notifications of a server on the v3 trading socket. Replies: `encodeRpcReply`; errors: `encodeSocketError`.

/** `spot_orders`: every active order, report type `status`. Source: v3-gaps, section 2.3. */
export function encodeV3OrdersNotice(reports: readonly DecodedReport[], instruments: Instruments): string {
  return encodeRpcNotification('spot_orders', v3ReportObjects(reports, instruments));
}

/** `spot_order`: what happened to one order. */
export function encodeV3OrderNotice(report: DecodedReport, instruments: Instruments): string {
  return encodeRpcNotification('spot_order', encodeV3Report(report, instruments.at(report.order.instrument)));
}

/** `spot_balance`, `futures_balance`: the balances given; a list of all that are not zero suits every client. */
export function encodeV3BalanceNotice(product: 'spot' | 'futures', balances: readonly Balance[]): string {
  return encodeRpcNotification(`${product}_balance`, balances.map(encodeV3Balance));
}

/** Reports as wire objects: the results of `spot_get_orders` and `spot_cancel_orders`. */
export function v3ReportObjects(
  reports: readonly DecodedReport[],
  instruments: Instruments,
): readonly object[] {
  return reports.map((report) => encodeV3Report(report, instruments.at(report.order.instrument)));
}
