import type { Instruments } from '../../../../core/model/instrument.ts';
import { encodeRpcNotification } from '../socket-request.ts';
import { encodeV2Report } from './encode-orders.ts';
import type { DecodedReport } from '../decoded-report.ts';

// Notifications of a server on the v2 trading socket. Replies: `encodeRpcReply`; errors: `encodeSocketError`.

/** `activeOrders`: every active order, report type `status`. Source: API v2, "Events". */
export function encodeV2ActiveOrders(reports: readonly DecodedReport[], instruments: Instruments): string {
  return encodeRpcNotification('activeOrders', v2ReportObjects(reports, instruments));
}

/** `report`: what happened to one order; it goes out before the reply of the request. Source: v2-gaps, section 6. */
export function encodeV2ReportNotice(report: DecodedReport, instruments: Instruments): string {
  return encodeRpcNotification('report', encodeV2Report(report, instruments.at(report.order.instrument)));
}

/** Reports as wire objects: the result of `getOrders`. */
export function v2ReportObjects(
  reports: readonly DecodedReport[],
  instruments: Instruments,
): readonly object[] {
  return reports.map((report) => encodeV2Report(report, instruments.at(report.order.instrument)));
}
