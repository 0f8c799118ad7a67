import { microsPerSecond } from '../../../../core/base/clock.ts';
import type { OwnTrade } from '../../../../core/model/event.ts';
import type { Instrument } from '../../../../core/model/instrument.ts';
import type { Fill, VenueOrder } from '../../../../core/model/order.ts';
import { feeText, printTime } from '../formats.ts';
import { idNumber } from '../id-number.ts';
import { sizeText } from '../plain.ts';
import type { DecodedReport } from '../decoded-report.ts';

/** An order as a REST reply shows it; `fills` are those of the same request. Source: v2-gaps, section 1. */
export function encodeV2Order(
  order: VenueOrder,
  instrument: Instrument,
  fills: readonly Fill[] = [],
): object {
  const object = orderObject(order, instrument);
  if (fills.length > 0) {
    object['tradesReport'] = fills.map((fill) => ({
      id: idNumber(fill.tradeId),
      quantity: instrument.quantityText(fill.quantity),
      price: instrument.priceText(fill.price),
      fee: feeText(fill.fee),
      timestamp: printTime(fill.time),
    }));
  }
  return object;
}

/** A row of the order history; `averagePrice` is plain decimal text, absent without executions. Source: v2-gaps, section 1. */
export function encodeV2HistoryOrder(
  order: VenueOrder,
  instrument: Instrument,
  averagePrice: string | undefined,
): object {
  const object = orderObject(order, instrument);
  if (averagePrice !== undefined) object['avgPrice'] = averagePrice;
  return object;
}

/** A report as the trading socket shows it. Source: API v2, "Socket order report". */
export function encodeV2Report(report: DecodedReport, instrument: Instrument): object {
  const { order, reportType, fill } = report;
  const object = orderObject(order, instrument);
  object['reportType'] = reportType === 'expired' && endsAsTaker(order) ? 'canceled' : reportType;
  if (fill !== undefined) {
    object['tradeId'] = idNumber(fill.tradeId);
    object['tradeQuantity'] = instrument.quantityText(fill.quantity);
    object['tradePrice'] = instrument.priceText(fill.price);
    object['tradeFee'] = feeText(fill.fee);
  }
  return object;
}

/** A row of the own trade history. Source: API v2, "Trade history entry". */
export function encodeV2OwnTrade(trade: OwnTrade, instrument: Instrument): object {
  return {
    id: idNumber(trade.tradeId),
    orderId: idNumber(trade.venueOrderId),
    clientOrderId: trade.clientOrderId,
    symbol: instrument.symbol,
    side: trade.side,
    quantity: instrument.quantityText(trade.quantity),
    price: instrument.priceText(trade.price),
    fee: feeText(trade.fee),
    timestamp: printTime(trade.time),
    taker: trade.taker,
  };
}

function orderObject(order: VenueOrder, instrument: Instrument): Record<string, unknown> {
  const object: Record<string, unknown> = {
    id: idNumber(order.venueOrderId),
    clientOrderId: order.clientOrderId,
    symbol: instrument.symbol,
    side: order.side,
    status: endsAsTaker(order) ? 'canceled' : order.state,
    type: order.type,
    timeInForce: order.timeInForce,
    quantity: instrument.quantityText(order.quantity),
  };
  if (order.price !== undefined) object['price'] = instrument.priceText(order.price);
  object['cumQuantity'] = sizeText(instrument, order.cumulative);
  if (order.stopPrice !== undefined) object['stopPrice'] = instrument.priceText(order.stopPrice);
  if (order.expireTime !== undefined) object['expireTime'] = printTime(order.expireTime);
  object['postOnly'] = order.postOnly;
  object['createdAt'] = printTime(order.createdAt);
  object['updatedAt'] = printTime(order.updatedAt);
  if (order.originalClientOrderId !== undefined) {
    object['originalRequestClientOrderId'] = order.originalClientOrderId;
  }
  return object;
}

const day = 86_400 * microsPerSecond;
const dayEnd = day - 60 * microsPerSecond;

/**
 * Whether a post-only order expired because it would have taken: v2 calls that canceled. Whatever else expires has come to
 * the end of its time. Source: API v2, "Socket order report", postOnly.
 */
function endsAsTaker({
  state,
  postOnly,
  timeInForce,
  createdAt,
  updatedAt,
  expireTime,
}: VenueOrder): boolean {
  if (state !== 'expired' || !postOnly) return false;
  if (timeInForce === 'GTD') return expireTime === undefined || updatedAt < expireTime;
  if (timeInForce === 'Day') return updatedAt === createdAt || updatedAt % day < dayEnd;
  return timeInForce === 'GTC';
}
