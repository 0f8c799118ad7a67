import { z } from 'zod';
import { reportTypes } from '../../../../core/model/event.ts';
import type { ContingencyType } from '../../../../core/model/order-list.ts';
import { contingencyTypes } from '../../../../core/model/order-list.ts';
import { orderTypes, timesInForce, venueOrderStates } from '../../../../core/model/order.ts';
import type { Kind, ValueOf } from '../resource.ts';
import { optional, optionalFields, resource } from '../resource.ts';
import {
  feeKind,
  flagKind,
  idKind,
  modeKind,
  nameKind,
  nullable,
  oneOfKind,
  openWord,
  priceKind,
  printedAmountKind,
  quantityKind,
  sizeKind,
  timeKind,
  withDefault,
} from '../kinds.ts';

/** The list an order belongs to. Callers see words that we do not know, too. */
const contingency: Kind<string | null | undefined, ContingencyType | undefined, ContingencyType | undefined> =
  {
    value: z.string().max(40).nullish(),
    row: z
      .enum(contingencyTypes)
      .nullish()
      .transform((given) => given ?? undefined),
    write: (model) => model,
  };

/**
 * Fields of every order object: REST, sockets, history.
 * Source: API v3, "Spot order"; API v2, "Socket order report"; v2-gaps, section 1.
 */
const orderFields = {
  venueOrderId: { v3: 'id', v2: 'id', kind: idKind },
  clientOrderId: { v3: 'client_order_id', v2: 'clientOrderId', kind: nameKind },
  symbol: { v3: 'symbol', v2: 'symbol', kind: nameKind },
  side: { v3: 'side', v2: 'side', kind: oneOfKind(['buy', 'sell']) },
  state: { v3: 'status', v2: 'status', kind: openWord(venueOrderStates) },
  type: { v3: 'type', v2: 'type', kind: openWord(orderTypes) },
  timeInForce: { v3: 'time_in_force', v2: 'timeInForce', kind: openWord(timesInForce) },
  quantity: { v3: 'quantity', v2: 'quantity', kind: quantityKind },
  cumulative: { v3: 'quantity_cumulative', v2: 'cumQuantity', kind: sizeKind },
  price: { v3: 'price', v2: 'price', kind: optional(priceKind) },
  stopPrice: { v3: 'stop_price', v2: 'stopPrice', kind: optional(priceKind) },
  expireTime: { v3: 'expire_time', v2: 'expireTime', kind: nullable(timeKind) },
  postOnly: { v3: 'post_only', v2: 'postOnly', kind: withDefault(flagKind, false) },
  originalClientOrderId: {
    v3: 'original_client_order_id',
    v2: 'originalRequestClientOrderId',
    kind: nullable(nameKind),
  },
  orderListId: { v3: 'order_list_id', kind: nullable(nameKind) },
  contingency: { v3: 'contingency_type', kind: contingency },
  inactive: { v3: 'inactive', kind: optional(flagKind) },
  createdAt: { v3: 'created_at', v2: 'createdAt', kind: timeKind },
  updatedAt: { v3: 'updated_at', v2: 'updatedAt', kind: timeKind },
} as const;

const v2Order = [
  'venueOrderId',
  'clientOrderId',
  'symbol',
  'side',
  'state',
  'type',
  'timeInForce',
  'quantity',
  'price',
  'cumulative',
  'stopPrice',
  'expireTime',
  'postOnly',
  'createdAt',
  'updatedAt',
  'originalClientOrderId',
] as const;

/** Fields of an execution: a row of `trades` of an order. Source: API v3, "Order Trade". */
const fillFields = {
  tradeId: { v3: 'id', v2: 'id', kind: idKind },
  quantity: { v3: 'quantity', v2: 'quantity', kind: quantityKind },
  price: { v3: 'price', v2: 'price', kind: priceKind },
  fee: { v3: 'fee', v2: 'fee', kind: feeKind },
  taker: { v3: 'taker', v2: 'taker', kind: optional(flagKind) },
  time: { v3: 'timestamp', v2: 'timestamp', kind: timeKind },
  positionId: { v3: 'position_id', v2: 'positionId', kind: nullable(idKind) },
} as const;

/** The position of an execution on margin: absent of spot. */
const tradePosition = {
  tradePositionId: { v3: 'trade_position_id', v2: 'tradePositionId', kind: optional(idKind) },
} as const;
/** Fields that a report of an execution adds. Source: v3-gaps, section 2.3; API v2, "Socket order report". */
const executionFields = {
  tradeId: { v3: 'trade_id', v2: 'tradeId', kind: idKind },
  tradeQuantity: { v3: 'trade_quantity', v2: 'tradeQuantity', kind: quantityKind },
  tradePrice: { v3: 'trade_price', v2: 'tradePrice', kind: priceKind },
  tradeFee: { v3: 'trade_fee', v2: 'tradeFee', kind: feeKind },
  tradeTaker: { v3: 'trade_taker', kind: optional(flagKind) },
} as const;

const replyFields = {
  ...orderFields,
  averagePrice: { v3: 'price_average', v2: 'avgPrice', kind: optional(printedAmountKind) },
  displayQuantity: { v3: 'display_quantity', kind: optional(quantityKind) },
  closePosition: { v2: 'closePosition', kind: optional(flagKind) },
  positionId: { v2: 'positionId', kind: nullable(idKind) },
  fills: { v3: 'trades', v2: 'tradesReport', rows: resource('trade', fillFields, { title: 'order trade' }) },
} as const;

/** Fields that margin and futures add to an order of v3. */
const marginFields = {
  reduceOnly: { v3: 'reduce_only', kind: optional(flagKind) },
  closePosition: { v3: 'close_position', v2: 'closePosition', kind: optional(flagKind) },
  marginMode: { v3: 'margin_mode', kind: nullable(modeKind) },
  marginAuto: { v3: 'margin_auto', kind: optional(flagKind) },
} as const;
/** The members that margin adds, alone. */
export const marginMembers = resource('margin order', marginFields);
const reportTypeField = {
  reportType: {
    v3: 'report_type',
    v2: 'reportType',
    kind: withDefault(openWord(reportTypes), 'status'),
  },
} as const;

/** Fields that say nothing of how much is bought or sold, at which price, and until when. */
const spareOfOrders = [
  'originalClientOrderId',
  'orderListId',
  'contingency',
  'inactive',
  'averagePrice',
  'displayQuantity',
  'positionId',
] as const;

/** An order of a REST reply, whole. */
export const order = resource('order', replyFields, { v2: v2Order, spare: spareOfOrders });
export const marginOrder = resource(
  'margin order',
  { ...replyFields, ...marginFields },
  { spare: [...spareOfOrders, 'marginAuto'] },
);
/** A report of a trading socket, of spot and of margin. */
export const report = resource(
  'report',
  {
    ...replyFields,
    ...marginFields,
    ...reportTypeField,
    ...optionalFields(executionFields),
    ...tradePosition,
  },
  { v2: v2Order, spare: [...spareOfOrders, 'marginAuto', 'tradeTaker', 'tradePositionId'] },
);
/** A row of the own trade history. Source: API v3, "Spot trade history entry"; API v2, "Trade history entry". */
export const ownTrade = resource(
  'trade',
  {
    ...fillFields,
    venueOrderId: { v3: 'order_id', v2: 'orderId', kind: idKind },
    clientOrderId: { v3: 'client_order_id', v2: 'clientOrderId', kind: nameKind },
    symbol: { v3: 'symbol', v2: 'symbol', kind: nameKind },
    side: { v3: 'side', v2: 'side', kind: oneOfKind(['buy', 'sell']) },
    pnl: { v3: 'pnl', v2: 'pnl', kind: optional(feeKind) },
    liquidation: { v3: 'liquidation', v2: 'liquidation', kind: optional(flagKind) },
  },
  {
    spare: ['taker', 'positionId', 'pnl', 'liquidation'],
    title: 'own trade',
    v2: [
      'tradeId',
      'venueOrderId',
      'clientOrderId',
      'symbol',
      'side',
      'quantity',
      'price',
      'fee',
      'time',
      'taker',
    ],
  },
);

// What the trader reads of them: nothing that it does not use, so that nothing else can make a report unreadable.
export const tradedOrder = resource('order', orderFields);
export const tradedReport = resource('report', { ...orderFields, ...reportTypeField });
export const execution = resource('report', { ...executionFields, ...tradePosition });

/** An order, also as a history row. `trades` are its executions, in replies that show them. Source: API v3, "Spot order". */
export type V3Order = ValueOf<typeof order.fields, 'v3'>;
/** A margin or futures order. Source: API v3, "Margin order". */
export type V3MarginOrder = ValueOf<typeof marginOrder.fields, 'v3'>;
/** A report of the trading socket; the `trade…` members are there on `reportType` trade. Source: v3-gaps, section 2.3. */
export type V3Report = ValueOf<typeof report.fields, 'v3'>;
/** A row of the own trade history; a negative fee is a rebate. Source: API v3, "Spot trade history entry". */
export type V3OwnTrade = ValueOf<typeof ownTrade.fields, 'v3'>;
/** An order; `tradesReport` is what executed in the same request, `avgPrice` stands in histories. Source: v2-gaps, section 1. */
export type V2Order = ValueOf<typeof order.fields, 'v2'>;
/** A report of the trading socket; the `trade…` members are there on `reportType` trade. Source: API v2, "Socket order report". */
export type V2Report = ValueOf<typeof report.fields, 'v2'>;
/** A row of the own trade history; a negative fee is a rebate. Source: API v2, "Trade history entry". */
export type V2OwnTrade = ValueOf<typeof ownTrade.fields, 'v2'>;
