import type { Instrument } from '../../../../core/model/instrument.ts';
import { feeText, printTime } from '../formats.ts';
import { idNumber } from '../id-number.ts';
import { rpcNotificationText } from '../socket-request.ts';
import { sizeText } from '../plain.ts';
import type { DecodedReport } from '../resources/index.ts';

/**
 * `JSON.stringify(encodeReport('v3', ...))` by template, for servers that send tens of thousands a second: client ids
 * and symbols are of letters, digits, `_` and `-` and need no escapes. Fast twin of `encodeReport`: row `exchange-orders`, 1.44
 * times as fast. Source: v3-gaps, section 2.3.
 */
export function v3ReportText(report: DecodedReport, instrument: Instrument): string {
  const { order, reportType, fill } = report;
  const head = `{"id":${JSON.stringify(idNumber(order.venueOrderId))},"client_order_id":"${order.clientOrderId}","symbol":"${instrument.symbol}","side":"${order.side}","status":"${order.state}","type":"${order.type}","time_in_force":"${order.timeInForce}","quantity":"${instrument.quantityText(order.quantity)}","quantity_cumulative":"${sizeText(instrument, order.cumulative)}"`;
  const price = order.price === undefined ? '' : `,"price":"${instrument.priceText(order.price)}"`;
  const stop =
    order.stopPrice === undefined ? '' : `,"stop_price":"${instrument.priceText(order.stopPrice)}"`;
  const expire = order.expireTime === undefined ? '' : `,"expire_time":"${printTime(order.expireTime)}"`;
  const original =
    order.originalClientOrderId === undefined
      ? ''
      : `,"original_client_order_id":"${order.originalClientOrderId}"`;
  const list = order.orderListId === undefined ? '' : `,"order_list_id":"${order.orderListId}"`;
  const mark =
    report.list === undefined
      ? ''
      : `,"contingency_type":"${report.list.contingency}"${report.list.inactive ? ',"inactive":true' : ''}`;
  const created = printTime(order.createdAt);
  const updated = order.updatedAt === order.createdAt ? created : printTime(order.updatedAt);
  const tail = `,"post_only":${order.postOnly}${original}${list}${mark},"created_at":"${created}","updated_at":"${updated}","report_type":"${reportType}"`;
  const trade =
    fill === undefined
      ? ''
      : `,"trade_id":${JSON.stringify(idNumber(fill.tradeId))},"trade_quantity":"${instrument.quantityText(fill.quantity)}","trade_price":"${instrument.priceText(fill.price)}","trade_fee":"${feeText(fill.fee)}","trade_taker":${fill.taker}`;
  return `${head}${price}${stop}${expire}${tail}${trade}}`;
}

/** `spot_order` around the text of a report. */
export function v3OrderNoticeText(reportText: string): string {
  return rpcNotificationText('spot_order', reportText);
}
