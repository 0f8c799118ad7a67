import type { OwnTrade } from '../../../../core/model/event.ts';
import type { Instrument } from '../../../../core/model/instrument.ts';
import type { ListMark } from '../../../../core/model/order-list.ts';
import type { Fill, VenueOrder } from '../../../../core/model/order.ts';
import { feeText, printTimeShort } from '../formats.ts';
import { idNumber } from '../id-number.ts';
import { sizeText } from '../plain.ts';
import type { DecodedReport } from '../decoded-report.ts';

/** What a server adds to an order in a REST reply. */
export interface OrderExtras {
  /** The average price of the executions, as plain decimal text. */
  readonly priceAverage?: string;
  readonly fills?: readonly Fill[];
  readonly list?: ListMark | undefined;
  /** The position executions of a margin order belong to. */
  readonly positionId?: number | undefined;
}

/** An order as a REST reply shows it. Times drop trailing zeros. Source: API v3, "Spot order"; v3-gaps, section 11. */
export function encodeV3Order(order: VenueOrder, instrument: Instrument, extras: OrderExtras = {}): object {
  return {
    ...orderObject(order, instrument, extras.list),
    ...(extras.priceAverage !== undefined && { price_average: extras.priceAverage }),
    ...(extras.fills !== undefined && {
      trades: extras.fills.map((fill) => ({
        ...encodeFill(fill, instrument),
        ...(extras.positionId !== undefined && { position_id: extras.positionId }),
      })),
    }),
  };
}

/** A report as the trading socket shows it. Source: v3-gaps, section 2.3. */
export function encodeV3Report(report: DecodedReport, instrument: Instrument): object {
  const { order, reportType, fill, list } = report;
  const object = orderObject(order, instrument, list);
  object['report_type'] = reportType;
  if (fill !== undefined) {
    object['trade_id'] = idNumber(fill.tradeId);
    object['trade_quantity'] = instrument.quantityText(fill.quantity);
    object['trade_price'] = instrument.priceText(fill.price);
    object['trade_fee'] = feeText(fill.fee);
    object['trade_taker'] = fill.taker;
  }
  return object;
}

/** A row of the own trade history. Source: API v3, "Spot trade history entry". */
export function encodeV3OwnTrade(trade: OwnTrade, instrument: Instrument): object {
  return {
    ...encodeFill(trade, instrument),
    order_id: idNumber(trade.venueOrderId),
    client_order_id: trade.clientOrderId,
    symbol: instrument.symbol,
    side: trade.side,
  };
}

function orderObject(
  order: VenueOrder,
  instrument: Instrument,
  list: ListMark | undefined,
): Record<string, unknown> {
  const object: Record<string, unknown> = {
    id: idNumber(order.venueOrderId),
    client_order_id: order.clientOrderId,
    symbol: instrument.symbol,
    side: order.side,
    status: order.state,
    type: order.type,
    time_in_force: order.timeInForce,
    quantity: instrument.quantityText(order.quantity),
    quantity_cumulative: sizeText(instrument, order.cumulative),
  };
  if (order.price !== undefined) object['price'] = instrument.priceText(order.price);
  if (order.stopPrice !== undefined) object['stop_price'] = instrument.priceText(order.stopPrice);
  if (order.expireTime !== undefined) object['expire_time'] = printTimeShort(order.expireTime);
  object['post_only'] = order.postOnly;
  if (order.originalClientOrderId !== undefined) {
    object['original_client_order_id'] = order.originalClientOrderId;
  }
  if (order.orderListId !== undefined) object['order_list_id'] = order.orderListId;
  if (list !== undefined) object['contingency_type'] = list.contingency;
  if (list?.inactive === true) object['inactive'] = true;
  object['created_at'] = printTimeShort(order.createdAt);
  object['updated_at'] = printTimeShort(order.updatedAt);
  return object;
}

function encodeFill(fill: Fill, instrument: Instrument): object {
  return {
    id: idNumber(fill.tradeId),
    quantity: instrument.quantityText(fill.quantity),
    price: instrument.priceText(fill.price),
    fee: feeText(fill.fee),
    taker: fill.taker,
    timestamp: printTimeShort(fill.time),
  };
}
