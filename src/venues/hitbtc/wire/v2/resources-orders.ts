import { z } from 'zod';
import { reportTypes } from '../../../../core/model/event.ts';
import { orderTypes, timesInForce, venueOrderStates } from '../../../../core/model/order.ts';
import { amountField, idField, nameField, optionalAmountField, parseList, parseWith } from '../fields.ts';
import { sideField, timeField } from '../fields.ts';

// Orders and executions of v2 as document and market data show them, whole, for callers without a list of instruments.

const fillMembers = {
  id: idField,
  quantity: amountField,
  price: amountField,
  fee: amountField,
  taker: z.boolean().optional(),
  timestamp: timeField,
};
const orderMembers = z.object({
  id: idField,
  clientOrderId: nameField,
  symbol: nameField,
  side: sideField,
  status: z.enum(venueOrderStates),
  type: z.enum(orderTypes),
  timeInForce: z.enum(timesInForce),
  quantity: amountField,
  cumQuantity: amountField,
  price: optionalAmountField,
  avgPrice: optionalAmountField,
  stopPrice: optionalAmountField,
  expireTime: timeField.nullish(),
  postOnly: z.boolean().default(false),
  closePosition: z.boolean().optional(),
  positionId: idField.nullish(),
  originalRequestClientOrderId: nameField.nullish(),
  createdAt: timeField,
  updatedAt: timeField,
  tradesReport: z.array(z.object(fillMembers)).nullish(),
});
const reportMembers = orderMembers.extend({
  reportType: z.enum(reportTypes).default('status'),
  tradeId: idField.optional(),
  tradeQuantity: optionalAmountField,
  tradePrice: optionalAmountField,
  tradeFee: optionalAmountField,
  tradePositionId: idField.optional(),
});
const ownTradeMembers = z.object({
  ...fillMembers,
  orderId: idField,
  clientOrderId: nameField,
  symbol: nameField,
  side: sideField,
  positionId: idField.nullish(),
  pnl: optionalAmountField,
  liquidation: z.boolean().optional(),
});

/** An order; `tradesReport` is what executed in the same request, `avgPrice` stands in histories. Source: v2-gaps, section 1. */
export type V2Order = Readonly<z.output<typeof orderMembers>>;
/** A report of the trading socket; the `trade…` members are there on `reportType` trade. Source: API v2, "Socket order report". */
export type V2Report = Readonly<z.output<typeof reportMembers>>;
/** A row of the own trade history; a negative fee is a rebate. Source: API v2, "Trade history entry". */
export type V2OwnTrade = Readonly<z.output<typeof ownTradeMembers>>;

export function readV2Order(json: unknown): V2Order {
  return parseWith(orderMembers, json, 'v2 order');
}

export function readV2Orders(json: unknown): readonly V2Order[] {
  return parseList(json, 'v2 orders', readV2Order);
}

export function readV2Report(json: unknown): V2Report {
  return parseWith(reportMembers, json, 'v2 report');
}

export function readV2Reports(json: unknown): readonly V2Report[] {
  return parseList(json, 'v2 reports', readV2Report);
}

export function readV2OwnTrades(json: unknown): readonly V2OwnTrade[] {
  return parseList(json, 'v2 trades', (row) => parseWith(ownTradeMembers, row, 'v2 trade'));
}
