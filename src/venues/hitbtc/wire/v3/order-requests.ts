import type { Micros } from '../../../../core/base/clock.ts';
import type { Credentials } from '../../../../core/base/secret.ts';
import type { Instrument, Instruments, Lots, Ticks } from '../../../../core/model/instrument.ts';
import type { ContingencyType } from '../../../../core/model/order-list.ts';
import type { OrderRequest } from '../../../../core/model/order.ts';
import { printTime } from '../formats.ts';
import type { SocketId } from '../market-sink.ts';
import { v3LoginParams } from '../socket-auth.ts';
import { idMember, idText } from '../socket-request.ts';
import type { V3MethodName } from './socket-methods.ts';

/** What a replacement asks for. Source: v3-gaps, section 2.3; API v3, "PATCH /api/3/spot/order". */
export interface ReplacementRequest {
  readonly clientOrderId: string;
  readonly newClientOrderId: string;
  /** The new total, executed part included. */
  readonly quantity: Lots;
  readonly price: Ticks | undefined;
  readonly stopPrice: Ticks | undefined;
}

/** The text that `kindText` made last. */
const kinds = { last: { symbol: '', side: '', type: '', timeInForce: '', text: '' } };

/**
 * `spot_new_order` as text, ready to be sent: `strict_validate` is always set, because our numbers are on the grid.
 * Client ids and symbols are of letters, digits, `_` and `-` and need no escapes. Source: v3-gaps, section 2.3.
 */
export function encodeV3NewOrder(request: OrderRequest, instrument: Instrument, id: SocketId): string {
  return `{"method":"spot_new_order","params":{"client_order_id":"${request.clientOrderId}${kindText(request, instrument)}${instrument.quantityText(request.quantity)}"${
    request.price === undefined ? '' : `,"price":"${instrument.priceText(request.price)}"`
  }${request.stopPrice === undefined ? '' : `,"stop_price":"${instrument.priceText(request.stopPrice)}"`}${
    request.expireTime === undefined ? '' : `,"expire_time":"${printTime(request.expireTime)}"`
  }${request.postOnly ? ',"post_only":true' : ''},"strict_validate":true},"id":${idText(id)}}`;
}

/** What the orders of one kind have between id and quantity: most have that of the order before. */
function kindText({ side, type, timeInForce }: OrderRequest, { symbol }: Instrument): string {
  const { last } = kinds;
  if (
    last.symbol === symbol &&
    last.side === side &&
    last.type === type &&
    last.timeInForce === timeInForce
  ) {
    return last.text;
  }
  const text = `","symbol":"${symbol}","side":"${side}","type":"${type}","time_in_force":"${timeInForce}","quantity":"`;
  kinds.last = { symbol, side, type, timeInForce, text };
  return text;
}

/** Orders that are placed as one. */
export interface ListRequest {
  readonly contingency: ContingencyType;
  readonly requests: readonly OrderRequest[];
}

/** `spot_new_order_list` as text; the list has the id of its first order. Source: v3-gaps, section 2.3. */
export function encodeV3NewOrderList(
  { contingency, requests }: ListRequest,
  instruments: Instruments,
  id: SocketId,
): string {
  const orders = requests.map((request) => ({
    ...v3OrderFields(request, instruments.at(request.instrument)),
    ...(request.postOnly && { post_only: true }),
    strict_validate: true,
  }));
  const params = {
    order_list_id: requests[0]?.clientOrderId,
    contingency_type: contingency,
    orders,
  };
  return `{"method":"spot_new_order_list","params":${JSON.stringify(params)},"id":${idText(id)}}`;
}

/** `spot_replace_order` as text. */
export function encodeV3ReplaceOrder(
  request: ReplacementRequest,
  instrument: Instrument,
  id: SocketId,
): string {
  const price = request.price === undefined ? '' : `,"price":"${instrument.priceText(request.price)}"`;
  const stopPrice =
    request.stopPrice === undefined ? '' : `,"stop_price":"${instrument.priceText(request.stopPrice)}"`;
  return `{"method":"spot_replace_order","params":{"client_order_id":"${request.clientOrderId}","new_client_order_id":"${request.newClientOrderId}","quantity":"${instrument.quantityText(request.quantity)}"${price}${stopPrice},"strict_validate":true},"id":${idText(id)}}`;
}

/** The parameters of POST /api/3/spot/order as form fields or JSON members. Source: API v3, "Spot trading". */
export function v3OrderFields(request: OrderRequest, instrument: Instrument): Record<string, string> {
  return {
    client_order_id: request.clientOrderId,
    symbol: instrument.symbol,
    side: request.side,
    type: request.type,
    time_in_force: request.timeInForce,
    quantity: instrument.quantityText(request.quantity),
    ...(request.price !== undefined && { price: instrument.priceText(request.price) }),
    ...(request.stopPrice !== undefined && { stop_price: instrument.priceText(request.stopPrice) }),
    ...(request.expireTime !== undefined && { expire_time: printTime(request.expireTime) }),
    ...(request.postOnly && { post_only: 'true' }),
    strict_validate: 'true',
  };
}

/** Any request of the v3 trading socket. Source: v3-gaps, section 2.2 (no `jsonrpc` member). */
export function encodeV3Request(method: V3MethodName, params: object, id: SocketId | undefined): string {
  return `{"method":"${method}","params":${JSON.stringify(params)}${idMember(id)}}`;
}

/** `login` by signature, valid for `windowMs` (10 s when absent) around `now`. Source: v3-gaps, section 2.1. */
export function encodeV3Login(
  credentials: Credentials,
  time: { readonly now: Micros; readonly windowMs?: number },
  id: SocketId,
): string {
  return encodeV3Request('login', v3LoginParams(credentials, time), id);
}

/** `spot_subscribe`: answered, then all active orders, then every change. */
export function encodeV3SpotSubscribe(id: SocketId): string {
  return encodeV3Request('spot_subscribe', {}, id);
}

/** `spot_balance_subscribe`: after every change (`updates`) or at intervals (`batches`). */
export function encodeV3BalanceSubscribe(mode: 'updates' | 'batches', id: SocketId): string {
  return encodeV3Request('spot_balance_subscribe', { mode }, id);
}
