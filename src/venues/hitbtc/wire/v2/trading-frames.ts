import type { Instruments } from '../../../../core/model/instrument.ts';
import type { Balance } from '../../../../core/model/market.ts';
import type { Credentials } from '../../../../core/base/secret.ts';
import { decodeBalances } from '../balances.ts';
import type { SocketId } from '../market-sink.ts';
import { readRpcFrame } from '../rpc-frame.ts';
import { v2LoginParams } from '../socket-auth.ts';
import type { Answer } from '../socket-reply.ts';
import { idMember } from '../socket-request.ts';
import type { DecodedReport } from '../decoded-report.ts';
import { decodeV2Report, decodeV2Reports } from './orders.ts';
import type { V2TradingMethod } from './trading-methods.ts';

/** What the v2 trading socket says, as the model has it. */
export type V2TradingMessage =
  /** The answer to a request. `result` is still as it came: `decodeV2Report`, `decodeBalances` read it. */
  | ({ readonly kind: 'reply' } & Answer)
  /** Every active order: after `subscribeReports`, and again after maintenance of the service. */
  | { readonly kind: 'orders'; readonly reports: readonly DecodedReport[] }
  | { readonly kind: 'order'; readonly report: DecodedReport }
  | { readonly kind: 'balances'; readonly complete: boolean; readonly balances: readonly Balance[] }
  /** A notification of another product (margin). */
  | { readonly kind: 'other'; readonly method: string };

/**
 * Reads a frame of the v2 trading socket. Throws `BadInput` naming the member when it is malformed or names an
 * unknown symbol. Source: API v2, "Socket methods"; v2-gaps, section 6.
 */
export function decodeV2Trading(frame: string | Uint8Array, instruments: Instruments): V2TradingMessage {
  const read = readRpcFrame(frame, 'v2 trading');
  if (read.kind === 'reply') return read;
  const { method, params } = read;
  switch (method) {
    case 'report':
      return { kind: 'order', report: decodeV2Report(params, instruments) };
    case 'activeOrders':
      return { kind: 'orders', reports: decodeV2Reports(params, instruments) };
    case 'balance':
      return { kind: 'balances', complete: false, balances: decodeBalances(params) };
    default:
      return { kind: 'other', method };
  }
}

/** Any request of the v2 trading socket. */
export function encodeV2Request(method: V2TradingMethod, params: object, id: SocketId | undefined): string {
  return `{"method":"${method}","params":${JSON.stringify(params)}${idMember(id)}}`;
}

/** `login` by signature of a nonce that must not repeat. Source: v2-gaps, section 4.2. */
export function encodeV2Login(credentials: Credentials, nonce: string, id: SocketId): string {
  return encodeV2Request('login', v2LoginParams(credentials, nonce), id);
}

/** `subscribeReports`: answered, then all active orders, then every change. */
export function encodeV2SubscribeReports(id: SocketId): string {
  return encodeV2Request('subscribeReports', {}, id);
}

/** `getOrders`: the active orders as a list of reports. */
export function encodeV2GetOrders(id: SocketId): string {
  return encodeV2Request('getOrders', {}, id);
}

/** `getTradingBalance`: balances as a list. */
export function encodeV2GetBalances(id: SocketId): string {
  return encodeV2Request('getTradingBalance', {}, id);
}
