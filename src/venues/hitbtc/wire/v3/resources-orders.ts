import { z } from 'zod';
import { reportTypes } from '../../../../core/model/event.ts';
import { orderTypes, timesInForce, venueOrderStates } from '../../../../core/model/order.ts';
import type { CamelKeys } from '../camel.ts';
import { camelKeys } from '../camel.ts';
import { amountField, idField, nameField, optionalAmountField, parseList, parseWith } from '../fields.ts';
import { sideField, timeField } from '../fields.ts';

// Orders, executions and balances as the documents show them, whole, for callers without a list of instruments.
// The decoders of `orders.ts` read the same rows onto the grid, for the trader.

const fillMembers = {
  id: idField,
  position_id: idField.nullish(),
  quantity: amountField,
  price: amountField,
  fee: amountField,
  taker: z.boolean().optional(),
  timestamp: timeField,
};
const orderShape = {
  id: idField,
  client_order_id: nameField,
  order_list_id: nameField.nullish(),
  contingency_type: z.string().max(40).nullish(),
  symbol: nameField,
  side: sideField,
  status: z.enum(venueOrderStates),
  type: z.enum(orderTypes),
  time_in_force: z.enum(timesInForce),
  quantity: amountField,
  quantity_cumulative: amountField,
  price: optionalAmountField,
  price_average: optionalAmountField,
  stop_price: optionalAmountField,
  display_quantity: optionalAmountField,
  expire_time: timeField.nullish(),
  post_only: z.boolean().default(false),
  inactive: z.boolean().optional(),
  original_client_order_id: nameField.nullish(),
  created_at: timeField,
  updated_at: timeField,
};
/** What margin and futures add. Margin modes are compared without case (v3-gaps, section 2.5). */
const marginShape = {
  reduce_only: z.boolean().optional(),
  close_position: z.boolean().optional(),
  margin_mode: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['isolated', 'cross']))
    .nullish(),
  margin_auto: z.boolean().optional(),
};
const reportShape = {
  report_type: z.enum(reportTypes).default('status'),
  trade_id: idField.optional(),
  trade_quantity: optionalAmountField,
  trade_price: optionalAmountField,
  trade_fee: optionalAmountField,
  trade_taker: z.boolean().optional(),
  trade_position_id: idField.optional(),
};
const orderMembers = z.object({ ...orderShape, trades: z.array(z.object(fillMembers)).optional() });
const marginOrderMembers = orderMembers.extend(marginShape);
const reportMembers = z.object({ ...orderShape, ...marginShape, ...reportShape });
const ownTradeMembers = z.object({
  ...fillMembers,
  order_id: idField,
  client_order_id: nameField,
  symbol: nameField,
  side: sideField,
  pnl: optionalAmountField,
  liquidation: z.boolean().optional(),
});
const balanceShape = {
  available: amountField,
  reserved: amountField,
  reserved_margin: optionalAmountField,
  cross_margin_reserved: optionalAmountField,
};
const balanceMembers = z.object({ currency: nameField, ...balanceShape });

/** An order, also as a history row. `trades` are its executions, in replies that show them. Source: API v3, "Spot order". */
export type V3Order = CamelKeys<z.output<typeof orderMembers>>;
/** A margin or futures order. Source: API v3, "Margin order". */
export type V3MarginOrder = CamelKeys<z.output<typeof marginOrderMembers>>;
/** A report of the trading socket; the `trade…` members are there on `reportType` trade. Source: v3-gaps, section 2.3. */
export type V3Report = CamelKeys<z.output<typeof reportMembers>>;
/** A row of the own trade history; a negative fee is a rebate. Source: API v3, "Spot trade history entry". */
export type V3OwnTrade = CamelKeys<z.output<typeof ownTradeMembers>>;
/** A trading balance with what margin holds of it. Source: API v3, "Balances". */
export type V3SpotBalance = CamelKeys<z.output<typeof balanceMembers>>;

export function readV3Order(json: unknown): V3Order {
  return camelKeys(parseWith(orderMembers, json, 'v3 order'));
}

export function readV3Orders(json: unknown): readonly V3Order[] {
  return parseList(json, 'v3 orders', readV3Order);
}

export function readV3MarginOrder(json: unknown): V3MarginOrder {
  return camelKeys(parseWith(marginOrderMembers, json, 'v3 margin order'));
}

export function readV3MarginOrders(json: unknown): readonly V3MarginOrder[] {
  return parseList(json, 'v3 margin orders', readV3MarginOrder);
}

export function readV3Report(json: unknown): V3Report {
  return camelKeys(parseWith(reportMembers, json, 'v3 report'));
}

export function readV3Reports(json: unknown): readonly V3Report[] {
  return parseList(json, 'v3 reports', readV3Report);
}

export function readV3OwnTrades(json: unknown): readonly V3OwnTrade[] {
  return parseList(json, 'v3 trades', (row) => camelKeys(parseWith(ownTradeMembers, row, 'v3 trade')));
}

export function readV3SpotBalance(json: unknown): V3SpotBalance {
  return camelKeys(parseWith(balanceMembers, json, 'v3 balance'));
}

export function readV3SpotBalances(json: unknown): readonly V3SpotBalance[] {
  return parseList(json, 'v3 balances', readV3SpotBalance);
}

/** The form of one currency, without `currency`. */
export function readV3SpotBalanceOf(json: unknown, currency: string): V3SpotBalance {
  return { currency, ...camelKeys(parseWith(z.object(balanceShape), json, `balance of ${currency}`)) };
}
