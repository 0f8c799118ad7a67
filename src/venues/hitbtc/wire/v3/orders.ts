import { z } from 'zod';
import type { OwnTrade } from '../../../../core/model/event.ts';
import { reportTypes } from '../../../../core/model/event.ts';
import type { Instrument, Instruments } from '../../../../core/model/instrument.ts';
import type { ClientOrderId, Fill, VenueOrder } from '../../../../core/model/order.ts';
import { contingencyTypes } from '../../../../core/model/order-list.ts';
import type { ListMark } from '../../../../core/model/order-list.ts';
import { orderTypes, timesInForce, venueOrderStates } from '../../../../core/model/order.ts';
import {
  amountField,
  idField,
  nameField,
  parseWith,
  sideField,
  timeField,
  unsignedField,
} from '../fields.ts';
import type { DecodedReport } from '../decoded-report.ts';
import { lotsOf, orderPrices, orderSizes, ticksOf } from '../grid.ts';

/** What every order object of v3 carries: REST, sockets, history. Source: API v3, "Spot order". */
const orderMembers = z.object({
  id: idField,
  client_order_id: nameField,
  symbol: nameField,
  side: sideField,
  status: z.enum(venueOrderStates),
  type: z.enum(orderTypes),
  time_in_force: z.enum(timesInForce),
  quantity: unsignedField,
  quantity_cumulative: unsignedField,
  price: unsignedField.nullish(),
  stop_price: unsignedField.nullish(),
  expire_time: timeField.nullish(),
  post_only: z.boolean().default(false),
  original_client_order_id: nameField.nullish(),
  order_list_id: nameField.nullish(),
  contingency_type: z.enum(contingencyTypes).nullish(),
  inactive: z.boolean().nullish(),
  created_at: timeField,
  updated_at: timeField,
});
/** Executions inside a REST order. Source: API v3, "Order Trade". */
const fillMembers = z.object({
  id: idField,
  quantity: unsignedField,
  price: unsignedField,
  fee: amountField,
  taker: z.boolean().default(true),
  timestamp: timeField,
});
const orderWithFills = orderMembers.extend({ trades: z.array(fillMembers).nullish() });
const reportMembers = orderMembers.extend({ report_type: z.enum(reportTypes).default('status') });
const tradeMembers = z.object({
  trade_id: idField,
  trade_quantity: unsignedField,
  trade_price: unsignedField,
  trade_fee: amountField,
  trade_taker: z.boolean().default(true),
});
const historyTradeMembers = fillMembers.extend({
  order_id: idField,
  client_order_id: nameField,
  symbol: nameField,
  side: sideField,
});

export type { DecodedReport };

/** One order of the reply to a list. */
export interface ListedOrder {
  readonly order: VenueOrder;
  readonly list?: ListMark;
}

/** An order of a REST reply: an order, a history row. Throws `BadInput` naming the member. Source: API v3, "Spot order". */
export function decodeV3Order(value: unknown, instruments: Instruments): VenueOrder {
  return orderOf(parseWith(orderMembers, value, 'v3 order'), instruments);
}

/** An order of a REST reply with its executions, oldest first; no `trades` member means none. */
export function decodeV3OrderWithFills(
  value: unknown,
  instruments: Instruments,
): { readonly order: VenueOrder; readonly fills: readonly Fill[] } {
  const row = parseWith(orderWithFills, value, 'v3 order');
  const order = orderOf(row, instruments);
  const instrument = instruments.at(order.instrument);
  return { order, fills: (row.trades ?? []).map((fill) => fillOf(fill, instrument)) };
}

/**
 * A report of the trading socket. Replies of order lists carry no `report_type` and read as `status`.
 * Throws `BadInput` naming the member and what was expected. Source: v3-gaps, section 2.3.
 */
export function decodeV3Report(value: unknown, instruments: Instruments): DecodedReport {
  const row = parseWith(reportMembers, value, 'v3 report');
  const order = orderOf(row, instruments);
  const list = listOf(row);
  if (row.report_type !== 'trade') return { reportType: row.report_type, order, fill: undefined, ...list };
  const trade = parseWith(tradeMembers, value, 'v3 report');
  const fill = fillOf(
    {
      id: trade.trade_id,
      quantity: trade.trade_quantity,
      price: trade.trade_price,
      fee: trade.trade_fee,
      taker: trade.trade_taker,
      timestamp: order.updatedAt,
    },
    instruments.at(order.instrument),
  );
  return { reportType: 'trade', order, fill, ...list };
}

/** A row of the own trade history. Throws `BadInput` naming the member. Source: API v3, "Spot trade history entry". */
export function decodeV3OwnTrade(value: unknown, instruments: Instruments): OwnTrade {
  const row = parseWith(historyTradeMembers, value, 'v3 trade');
  const instrument = instruments.get(row.symbol);
  return {
    ...fillOf(row, instrument),
    instrument: instrument.id,
    clientOrderId: row.client_order_id as ClientOrderId,
    venueOrderId: row.order_id,
    side: row.side,
  };
}

/** An order of a list reply, with what the list says of it. Source: API v3, "Spot order", inactive. */
export function decodeV3ListedOrder(value: unknown, instruments: Instruments): ListedOrder {
  const row = parseWith(orderMembers, value, 'v3 order');
  return { order: orderOf(row, instruments), ...listOf(row) };
}

/** `list` is left out when the order belongs to none. */
function listOf(row: z.output<typeof orderMembers>): { readonly list?: ListMark } {
  const { contingency_type: contingency, inactive } = row;
  return contingency === null || contingency === undefined
    ? {}
    : { list: { contingency, inactive: inactive === true } };
}

function orderOf(row: z.output<typeof orderMembers>, instruments: Instruments): VenueOrder {
  const instrument = instruments.get(row.symbol);
  const { price, stopPrice } = orderPrices(
    instrument,
    row.type,
    { price: row.price ?? undefined, stopPrice: row.stop_price ?? undefined },
    { price: 'price', stopPrice: 'stop_price' },
  );
  const { quantity, cumulative } = orderSizes(
    instrument,
    { quantity: row.quantity, cumulative: row.quantity_cumulative },
    { order: `v3 order ${row.client_order_id}`, member: 'quantity_cumulative' },
  );
  return {
    clientOrderId: row.client_order_id as ClientOrderId,
    instrument: instrument.id,
    side: row.side,
    type: row.type,
    timeInForce: row.time_in_force,
    quantity,
    price,
    stopPrice,
    expireTime: row.expire_time ?? undefined,
    postOnly: row.post_only,
    venueOrderId: row.id,
    state: row.status,
    cumulative,
    originalClientOrderId: (row.original_client_order_id ?? undefined) as ClientOrderId | undefined,
    orderListId: row.order_list_id ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function fillOf(row: z.output<typeof fillMembers>, instrument: Instrument): Fill {
  return {
    tradeId: row.id,
    price: ticksOf(instrument, row.price, 'price'),
    quantity: lotsOf(instrument, row.quantity, 'quantity'),
    fee: row.fee,
    taker: row.taker,
    time: row.timestamp,
  };
}
