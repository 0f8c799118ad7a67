import { z } from 'zod';
import type { Amount } from '../../../../core/base/amount.ts';
import { formatAmount } from '../../../../core/base/amount.ts';
import type { Micros } from '../../../../core/base/clock.ts';
import type { Instrument, Instruments, Lots, Ticks } from '../../../../core/model/instrument.ts';
import type { ContingencyType } from '../../../../core/model/order-list.ts';
import { contingencyTypes } from '../../../../core/model/order-list.ts';
import type { OrderRequest, TimeInForce } from '../../../../core/model/order.ts';
import { orderTypes, timesInForce } from '../../../../core/model/order.ts';
import { printTime } from '../formats.ts';
import { gridOf } from '../kinds.ts';
import {
  booleanParam,
  codeParam,
  decimalParam,
  modeWord,
  oneOfParam,
  rateParam,
  textParam,
  timeParam,
} from '../param-fields.ts';
import { param, paramsOf } from '../request.ts';
import type { RowOf, WireVersion } from '../resource.ts';
import { resource } from '../resource.ts';
import { sentAs } from '../sent.ts';

// What a client asks of orders: a new one, a list, a replacement, a cancel. Spot, margin and futures alike.

/** 8 to 32 of `A-Za-z0-9_-`. Source: API v3, "POST /api/3/spot/order parameters". */
const v3NewId = sentAs(
  textParam.refine((text) => /^[A-Za-z0-9_-]{8,32}$/.test(text), {
    error: 'Parameter must have 8 to 32 characters of A-Z, a-z, 0-9, _ and -',
  }),
  { type: 'string', pattern: '^[A-Za-z0-9_-]{8,32}$' },
);
/** At most 32 characters of `A-Za-z0-9_-`. Source: v2-gaps, section 1. */
const v2NewId = sentAs(
  textParam.refine((text) => /^[\w-]{1,32}$/.test(text), {
    error: 'Parameter must have at most 32 characters of A-Z, a-z, 0-9, _ and -',
  }),
  { type: 'string', pattern: '^[A-Za-z0-9_-]{1,32}$' },
);
const newId = param(v3NewId.optional(), undefined, v2NewId.optional());
const neededId = param(v3NewId, undefined, v2NewId);
const orderId = param(textParam);
const flag = param(booleanParam.default(false), (given: boolean | undefined) => given);
/** A price, and a quantity, on the grid of the instrument; what a server reads meets the grid later. */
const price = {
  ...param(decimalParam.optional(), (ticks: Ticks | undefined, context) =>
    gridOf(context).priceText(ticks as Ticks),
  ),
  onGrid: true,
} as const;
const quantity = {
  ...param(decimalParam.optional(), (lots: Lots | undefined, context) =>
    gridOf(context).quantityText(lots as Lots),
  ),
  onGrid: true,
} as const;
/** A margin mode is judged where it is used: error 2024, not 10001. */
const mode = param(modeWord.transform((text) => text.toLowerCase()).default('isolated'));
const rate = param(rateParam, (amount: Amount | undefined) => formatAmount(amount as Amount));

/**
 * Reports of live hosts may show `display_quantity`; no document lets an order ask for it. An order that did would be shown
 * whole, which its sender does not expect: so it is refused. Source: v3-gaps, section 2.3.
 */
const shownQuantity = param(
  z.never({ error: 'Parameter is not available: an order shows its whole quantity' }).optional(),
);

/** v2 knows no take-profit types. Source: API v2, newOrder params. */
const v2Types = ['limit', 'market', 'stopLimit', 'stopMarket'] as const;

const orderFields = {
  symbol: { v3: 'symbol', v2: 'symbol', kind: param(codeParam) },
  side: {
    v3: 'side',
    v2: 'side',
    kind: param(z.enum(['buy', 'sell'], { error: 'Parameter must be sell or buy' })),
  },
  type: {
    v3: 'type',
    v2: 'type',
    kind: param(oneOfParam(orderTypes).default('limit'), undefined, oneOfParam(v2Types).default('limit')),
  },
  timeInForce: { v3: 'time_in_force', v2: 'timeInForce', kind: param(oneOfParam(timesInForce).optional()) },
  quantity: { v3: 'quantity', v2: 'quantity', kind: quantity },
  price: { v3: 'price', v2: 'price', kind: price },
  stopPrice: { v3: 'stop_price', v2: 'stopPrice', kind: price },
  expireTime: {
    v3: 'expire_time',
    v2: 'expireTime',
    kind: param(timeParam.optional(), (time: Micros | undefined) => printTime(time as Micros)),
  },
  postOnly: { v3: 'post_only', v2: 'postOnly', kind: flag },
  strictValidate: { v3: 'strict_validate', v2: 'strictValidate', kind: flag },
  displayQuantity: { v3: 'display_quantity', v2: 'displayQuantity', kind: shownQuantity },
  takeMarkup: { v3: 'take_rate', v2: 'takeLiquidityMarkup', kind: rate },
  makeMarkup: { v3: 'make_rate', v2: 'provideLiquidityMarkup', kind: rate },
} as const;
/** v2 reads the id of an order after its other members. */
const idLast = { v2: Object.keys(orderFields) as (keyof typeof orderFields)[] };
const newOrderId = { v3: 'client_order_id', v2: 'clientOrderId', kind: newId } as const;
const putOrderId = { v2: 'clientOrderId', kind: neededId } as const;
const marginFields = {
  reduceOnly: { v3: 'reduce_only', kind: flag },
  closePosition: { v3: 'close_position', kind: flag },
  marginMode: { v3: 'margin_mode', kind: mode },
  marginAuto: { v3: 'margin_auto', kind: flag },
} as const;

/** An order of v2 may close a position on margin. Source: API v2, newOrder params. */
const closing = { closePosition: { v2: 'closePosition', kind: flag } } as const;
/** A new spot order; over v2, one whose id may be left to the server. Source: API v3, "POST /api/3/spot/order parameters"; v2-gaps, section 1. */
export const newOrder = resource(
  'new order',
  { clientOrderId: newOrderId, ...orderFields, ...closing },
  idLast,
);
/** An order of v2 whose id is required: over the socket, and as part of the path of PUT. Source: API v2, newOrder params. */
const putOrder = resource('new order', { ...orderFields, ...closing, clientOrderId: putOrderId });
/** A new order of margin or futures. Source: API v3, "POST /api/3/margin/order"; v2-gaps, section 6.1. */
const marginOrder = resource(
  'new margin order',
  { clientOrderId: newOrderId, ...orderFields, ...marginFields },
  idLast,
);

/** A new order as either version asks for it, before it meets the grid: decimals are text. */
export type OrderParams = RowOf<typeof newOrder.fields, 'v3'>;
/** A new margin order. */
export type MarginOrderParams = RowOf<typeof marginOrder.fields, 'v3'>;

export const v3OrderParams = paramsOf(newOrder, 'v3');
export const v2OrderParams = paramsOf(newOrder, 'v2').superRefine(withoutQuantity('closePosition'));
export const v2PutOrderParams = paramsOf(putOrder, 'v2').superRefine(withoutQuantity('closePosition'));
export const v3MarginOrderParams = paramsOf(marginOrder, 'v3').superRefine(withoutQuantity('close_position'));
/** Margin of v2 is isolated only. Source: v2-gaps, sections 2 and 6.1. */
const isolated = { marginMode: 'isolated', reduceOnly: false, marginAuto: false } as const;
/** An order of v2 on margin. */
export function onV2Margin(given: OrderParams & { readonly closePosition: boolean }): MarginOrderParams {
  return { ...given, ...isolated };
}
export const v2MarginOrderParams = v2OrderParams.transform(onV2Margin);
export const v2MarginPutOrderParams = v2PutOrderParams.transform(onV2Margin);

/** Form without a quantity: what closes a position closes all of it. Source: API v3, "POST /api/3/margin/order", close_position. */
function withoutQuantity(name: string) {
  return (
    given: { readonly closePosition: boolean; readonly quantity?: string | undefined },
    context: z.core.$RefinementCtx,
  ): void => {
    if (!given.closePosition || given.quantity === undefined) return;
    const message = `Parameter must be omitted with ${name}`;
    context.addIssue({ code: 'custom', path: ['quantity'], message });
  };
}

/** The order that a client asks for. Its numbers are on the grid, so that they are validated strictly. */
export function encodeNewOrder(
  version: WireVersion,
  { postOnly, takeRate, makeRate, margin, quantity: lots, ...request }: OrderRequest,
  instrument: Instrument,
): Record<string, unknown> {
  const flags = { ...(postOnly && { postOnly }), strictValidate: true };
  const asked = {
    ...request,
    // What the venue finds open is closed whole.
    quantity: margin?.closePosition === true ? undefined : lots,
    symbol: instrument.symbol,
    takeMarkup: takeRate,
    makeMarkup: makeRate,
    ...flags,
  };
  if (margin === undefined) return newOrder[version].write(asked, instrument);
  const { mode: marginMode, reduceOnly, closePosition, auto } = margin;
  const marked = {
    ...asked,
    marginMode,
    ...(reduceOnly && { reduceOnly }),
    ...(closePosition && { closePosition }),
    ...(auto && { marginAuto: auto }),
  };
  return marginOrder[version].write(marked, instrument);
}

/** A list of orders that depend on each other. Source: API v3, "POST /api/3/spot/order/list". */
export interface OrderListParams<Order = OrderParams> {
  /** The client order id of the first order; made when missing. */
  readonly orderListId?: string | undefined;
  readonly contingencyType: ContingencyType;
  readonly orders: readonly Order[];
}

/** Ids that the orders of a list were given: that of the list is the id of its first order. Source: API v3, order_list_id. */
export function listedIds({
  orderListId,
  orders,
}: OrderListParams<{ readonly clientOrderId?: string | undefined }>): readonly (string | undefined)[] {
  return orders.map(({ clientOrderId }, at) => clientOrderId ?? (at === 0 ? orderListId : undefined));
}

/** A list whose orders are read by a schema of their own, and were written before. */
function orderList<Order extends { readonly timeInForce?: TimeInForce | undefined }, Input>(
  order: z.ZodType<Order, Input>,
) {
  const orders = z
    .array(z.preprocess(withoutAbsent, order), { error: 'Parameter must be a list of orders' })
    .min(2, 'Parameter must hold 2 or 3 orders')
    .max(3, 'Parameter must hold 2 or 3 orders');
  return resource('order list', {
    orderListId: { v3: 'order_list_id', kind: param(v3NewId.optional()) },
    contingencyType: { v3: 'contingency_type', kind: param(oneOfParam(contingencyTypes)) },
    orders: { v3: 'orders', kind: param(orders, (written: readonly object[]) => written) },
  });
}

/** Null and empty members count as absent, as they do outside lists. */
function withoutAbsent(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ''));
}

/** Checks what the form of a list demands; what the kinds of lists demand beyond is the core's to say. */
function checkList(
  given: OrderListParams<{ readonly timeInForce?: TimeInForce | undefined }>,
  context: z.core.$RefinementCtx,
): void {
  const { contingencyType, orders } = given;
  if (contingencyType === 'oneTriggerOneCancelOther' && orders.length !== 3) {
    context.addIssue({ code: 'custom', path: ['orders'], message: 'Parameter must hold exactly 3 orders' });
  }
  if (contingencyType !== 'allOrNone') return;
  for (const [index, { timeInForce }] of orders.entries()) {
    if (timeInForce !== undefined) continue;
    const path = ['orders', index, 'time_in_force'];
    context.addIssue({ code: 'custom', path, message: 'Parameter is required' });
  }
}

const spotList = orderList(v3OrderParams);
export const v3OrderListParams = paramsOf(spotList, 'v3').superRefine(checkList);
export const v3MarginOrderListParams = paramsOf(orderList(v3MarginOrderParams), 'v3').superRefine(checkList);

/** Orders that are placed as one. */
export interface ListRequest {
  readonly contingency: ContingencyType;
  readonly requests: readonly OrderRequest[];
}

/** The list that a client asks for; it has the id of its first order. Source: v3-gaps, section 2.3. */
export function encodeNewOrderList(
  { contingency, requests }: ListRequest,
  instruments: Instruments,
): Record<string, unknown> {
  const orders = requests.map((one) => encodeNewOrder('v3', one, instruments.at(one.instrument)));
  const orderListId = requests[0]?.clientOrderId;
  return spotList.v3.write({ orderListId, contingencyType: contingency, orders });
}

/** A replacement: PATCH with the id of the path, `spot_replace_order` and `cancelReplaceOrder`. Source: API v3, "Spot trading"; API v2; v2-gaps, section 1. */
const replacement = resource('replacement', {
  clientOrderId: { v3: 'client_order_id', v2: 'clientOrderId', kind: orderId },
  newClientOrderId: {
    v3: 'new_client_order_id',
    v2: 'requestClientId',
    kind: param(v3NewId.optional(), undefined, v2NewId),
  },
  quantity: orderFields.quantity,
  price: orderFields.price,
  stopPrice: { v3: 'stop_price', kind: price },
  strictValidate: orderFields.strictValidate,
  displayQuantity: orderFields.displayQuantity,
});
export type ReplaceParams = RowOf<typeof replacement.fields, 'v3'>;
export const v3ReplaceParams = paramsOf(replacement, 'v3');
export const v2ReplaceParams = paramsOf(replacement, 'v2');

/** Request of a replacement. Source: v3-gaps, section 2.3; API v3, "PATCH /api/3/spot/order". */
export interface ReplacementRequest {
  readonly clientOrderId: string;
  readonly newClientOrderId: string;
  /** The new total, executed part included. */
  readonly quantity: Lots;
  readonly price: Ticks | undefined;
  readonly stopPrice: Ticks | undefined;
}

export function encodeReplacement(
  version: WireVersion,
  request: ReplacementRequest,
  instrument: Instrument,
): Record<string, unknown> {
  return replacement[version].write({ ...request, strictValidate: true }, instrument);
}

/** One order by its id: to read or to cancel it. */
const oneOrder = resource('order id', {
  clientOrderId: { v3: 'client_order_id', v2: 'clientOrderId', kind: orderId },
});
export const v3OneOrderParams = paramsOf(oneOrder, 'v3');
export const v2OneOrderParams = paramsOf(oneOrder, 'v2');

export function encodeOneOrder(version: WireVersion, clientOrderId: string): Record<string, unknown> {
  return oneOrder[version].write({ clientOrderId });
}
