import { z } from 'zod';
import { BadInput } from '../../../../core/base/errors.ts';
import type { Amount } from '../../../../core/base/amount.ts';
import type { OwnTrade } from '../../../../core/model/event.ts';
import { reportTypes } from '../../../../core/model/event.ts';
import type { Instrument, Instruments } from '../../../../core/model/instrument.ts';
import type { ClientOrderId, Fill, VenueOrder } from '../../../../core/model/order.ts';
import { orderTypes, timesInForce, venueOrderStates } from '../../../../core/model/order.ts';
import {
  amountField,
  idField,
  nameField,
  optionalAmountField,
  parseWith,
  sideField,
  timeField,
  unsignedField,
} from '../fields.ts';
import type { DecodedReport } from '../decoded-report.ts';
import { lotsOf, orderPrices, orderSizes, ticksOf } from '../grid.ts';

/** What every order object of v2 carries. Source: API v2, "Socket order report"; v2-gaps, section 1. */
const orderMembers = z.object({
  id: idField,
  clientOrderId: nameField,
  symbol: nameField,
  side: sideField,
  status: z.enum(venueOrderStates),
  type: z.enum(orderTypes),
  timeInForce: z.enum(timesInForce),
  quantity: unsignedField,
  cumQuantity: unsignedField,
  price: unsignedField.nullish(),
  stopPrice: unsignedField.nullish(),
  expireTime: timeField.nullish(),
  postOnly: z.boolean().default(false),
  originalRequestClientOrderId: nameField.nullish(),
  createdAt: timeField,
  updatedAt: timeField,
});
const reportMembers = orderMembers.extend({ reportType: z.enum(reportTypes).default('status') });
const tradeMembers = z.object({
  tradeId: idField,
  tradeQuantity: unsignedField,
  tradePrice: unsignedField,
  tradeFee: amountField,
});
const fillMembers = z.object({
  id: idField,
  quantity: unsignedField,
  price: unsignedField,
  fee: amountField,
  timestamp: timeField,
  taker: z.boolean().optional(),
});
const historyMembers = orderMembers.extend({ avgPrice: optionalAmountField });
const orderWithFills = orderMembers.extend({ tradesReport: z.array(fillMembers).nullish() });
const historyTradeMembers = fillMembers.extend({
  orderId: idField,
  clientOrderId: nameField,
  symbol: nameField,
  side: sideField,
});

/** An order of a REST reply. Throws `BadInput` naming the member. Source: v2-gaps, section 1. */
export function decodeV2Order(value: unknown, instruments: Instruments): VenueOrder {
  return orderOf(parseWith(orderMembers, value, 'v2 order'), instruments);
}

/** A row of the order history: the order, and at which price it executed on average if it did. */
export function decodeV2HistoryOrder(
  value: unknown,
  instruments: Instruments,
): { readonly order: VenueOrder; readonly averagePrice: Amount | undefined } {
  const row = parseWith(historyMembers, value, 'v2 order');
  return { order: orderOf(row, instruments), averagePrice: row.avgPrice };
}

/** An order of a REST reply with what executed in the same request, oldest first. */
export function decodeV2OrderWithFills(
  value: unknown,
  instruments: Instruments,
): { readonly order: VenueOrder; readonly fills: readonly Fill[] } {
  const row = parseWith(orderWithFills, value, 'v2 order');
  const order = orderOf(row, instruments);
  const instrument = instruments.at(order.instrument);
  return { order, fills: (row.tradesReport ?? []).map((fill) => fillOf(fill, instrument, order.postOnly)) };
}

/**
 * A report of the trading socket: `report`, an item of `activeOrders` or `getOrders`, a result.
 *
 * v2 does not say who was taker: a rebate or a post-only order was maker, everything else counts as taker.
 * Throws `BadInput` naming the member and what was expected. Source: API v2, "Socket order report".
 */
export function decodeV2Report(value: unknown, instruments: Instruments): DecodedReport {
  const row = parseWith(reportMembers, value, 'v2 report');
  const order = orderOf(row, instruments);
  if (row.reportType !== 'trade') return { reportType: row.reportType, order, fill: undefined };
  const trade = parseWith(tradeMembers, value, 'v2 report');
  const fill = fillOf(
    {
      id: trade.tradeId,
      quantity: trade.tradeQuantity,
      price: trade.tradePrice,
      fee: trade.tradeFee,
      timestamp: order.updatedAt,
    },
    instruments.at(order.instrument),
    order.postOnly,
  );
  return { reportType: 'trade', order, fill };
}

/** A list of reports: `activeOrders`, the result of `getOrders`. */
export function decodeV2Reports(value: unknown, instruments: Instruments): readonly DecodedReport[] {
  if (!Array.isArray(value)) throw new BadInput('v2 reports: expected a list');
  return value.map((report: unknown) => decodeV2Report(report, instruments));
}

/** A row of the own trade history. Source: API v2, "Trade history entry". */
export function decodeV2OwnTrade(value: unknown, instruments: Instruments): OwnTrade {
  const row = parseWith(historyTradeMembers, value, 'v2 trade');
  const instrument = instruments.get(row.symbol);
  return {
    ...fillOf(row, instrument, false),
    instrument: instrument.id,
    clientOrderId: row.clientOrderId as ClientOrderId,
    venueOrderId: row.orderId,
    side: row.side,
  };
}

function orderOf(row: z.output<typeof orderMembers>, instruments: Instruments): VenueOrder {
  const instrument = instruments.get(row.symbol);
  const { price, stopPrice } = orderPrices(
    instrument,
    row.type,
    { price: row.price ?? undefined, stopPrice: row.stopPrice ?? undefined },
    { price: 'price', stopPrice: 'stopPrice' },
  );
  const { quantity, cumulative } = orderSizes(
    instrument,
    { quantity: row.quantity, cumulative: row.cumQuantity },
    { order: `v2 order ${row.clientOrderId}`, member: 'cumQuantity' },
  );
  return {
    clientOrderId: row.clientOrderId as ClientOrderId,
    instrument: instrument.id,
    side: row.side,
    type: row.type,
    timeInForce: row.timeInForce,
    quantity,
    price,
    stopPrice,
    expireTime: row.expireTime ?? undefined,
    postOnly: row.postOnly,
    venueOrderId: row.id,
    state: row.status,
    cumulative,
    originalClientOrderId: (row.originalRequestClientOrderId ?? undefined) as ClientOrderId | undefined,
    orderListId: undefined,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

function fillOf(row: z.output<typeof fillMembers>, instrument: Instrument, postOnly: boolean): Fill {
  return {
    tradeId: row.id,
    price: ticksOf(instrument, row.price, 'price'),
    quantity: lotsOf(instrument, row.quantity, 'quantity'),
    fee: row.fee,
    taker: row.taker ?? isTaker(row.fee, postOnly),
    time: row.timestamp,
  };
}

function isTaker(fee: Amount, postOnly: boolean): boolean {
  return fee >= 0n && !postOnly;
}
