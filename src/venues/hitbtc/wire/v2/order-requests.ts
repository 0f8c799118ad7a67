import type { Instrument, Lots, Ticks } from '../../../../core/model/instrument.ts';
import type { OrderRequest } from '../../../../core/model/order.ts';
import { printTime } from '../formats.ts';
import type { SocketId } from '../market-sink.ts';
import { idMember } from '../socket-request.ts';

/** `newOrder` as text, ready to be sent; `strictValidate` is always set. Source: API v2, "Socket methods". */
export function encodeV2NewOrder(request: OrderRequest, instrument: Instrument, id: SocketId): string {
  return `{"method":"newOrder","params":{"clientOrderId":"${request.clientOrderId}","symbol":"${instrument.symbol}","side":"${request.side}","type":"${request.type}","timeInForce":"${request.timeInForce}","quantity":"${instrument.quantityText(request.quantity)}"${
    request.price === undefined ? '' : `,"price":"${instrument.priceText(request.price)}"`
  }${request.stopPrice === undefined ? '' : `,"stopPrice":"${instrument.priceText(request.stopPrice)}"`}${
    request.expireTime === undefined ? '' : `,"expireTime":"${printTime(request.expireTime)}"`
  }${request.postOnly ? ',"postOnly":true' : ''},"strictValidate":true}${idMember(id)}}`;
}

/** `cancelOrder` as text. */
export function encodeV2CancelOrder(clientOrderId: string, id: SocketId): string {
  return `{"method":"cancelOrder","params":{"clientOrderId":"${clientOrderId}"}${idMember(id)}}`;
}

/** What a replacement asks for; v2 cannot change a stop price. */
export interface V2ReplaceRequest {
  readonly clientOrderId: string;
  readonly newClientOrderId: string;
  /** The new total, executed part included. */
  readonly quantity: Lots;
  readonly price: Ticks | undefined;
}

/** `cancelReplaceOrder` as text. */
export function encodeV2ReplaceOrder(
  request: V2ReplaceRequest,
  instrument: Instrument,
  id: SocketId,
): string {
  const price = request.price === undefined ? '' : `,"price":"${instrument.priceText(request.price)}"`;
  return `{"method":"cancelReplaceOrder","params":{"clientOrderId":"${request.clientOrderId}","requestClientId":"${request.newClientOrderId}","quantity":"${instrument.quantityText(request.quantity)}"${price},"strictValidate":true}${idMember(id)}}`;
}
