import type { Micros } from '../../../../core/base/clock.ts';
import { BadInput } from '../../../../core/base/errors.ts';
import type { Instruments } from '../../../../core/model/instrument.ts';
import type { Balance } from '../../../../core/model/market.ts';
import type { Credentials } from '../../../../core/base/secret.ts';
import { decodeBalances } from '../balances.ts';
import type { SocketId } from '../market-sink.ts';
import { readRpcFrame } from '../rpc-frame.ts';
import { v3LoginParams } from '../socket-auth.ts';
import type { Answer } from '../socket-reply.ts';
import { idMember } from '../socket-request.ts';
import type { DecodedReport } from '../decoded-report.ts';
import { decodeV3Report } from './orders.ts';
import type { V3TradingMethod } from './trading-methods.ts';

/** What the v3 trading socket says, as the model has it. */
export type V3TradingMessage =
  /** The answer to a request. `result` is still as it came: `decodeV3Report`, `decodeBalances` and others read it. */
  | ({ readonly kind: 'reply' } & Answer)
  /** Every active order, after `spot_subscribe`. */
  | { readonly kind: 'orders'; readonly reports: readonly DecodedReport[] }
  | { readonly kind: 'order'; readonly report: DecodedReport }
  /** Balances that changed; `complete` says whether a currency that is not listed is empty. */
  | { readonly kind: 'balances'; readonly complete: boolean; readonly balances: readonly Balance[] }
  /** A notification of another product (margin, futures). */
  | { readonly kind: 'other'; readonly method: string };

/**
 * Reads a frame of the v3 trading socket. Throws `BadInput` naming the member when it is malformed or names an
 * unknown symbol: account market data are never passed over. Source: v3-gaps, section 2.
 */
export function decodeV3Trading(frame: string | Uint8Array, instruments: Instruments): V3TradingMessage {
  const read = readRpcFrame(frame, 'v3 trading');
  if (read.kind === 'reply') return read;
  const { method, params } = read;
  switch (method) {
    case 'spot_order':
      return { kind: 'order', report: decodeV3Report(params, instruments) };
    case 'spot_orders':
      return { kind: 'orders', reports: decodeV3Reports(params, instruments) };
    case 'spot_balance':
      // Only changed balances are promised, so an absent currency proves nothing (v3-gaps, section 2.3).
      return { kind: 'balances', complete: false, balances: decodeBalances(params) };
    default:
      return { kind: 'other', method };
  }
}

/** A list of reports: `spot_orders`, and the results of `spot_get_orders` and `spot_cancel_orders`. */
export function decodeV3Reports(value: unknown, instruments: Instruments): readonly DecodedReport[] {
  if (!Array.isArray(value)) throw new BadInput('v3 reports: expected a list');
  return value.map((report: unknown) => decodeV3Report(report, instruments));
}

/** Any request of the v3 trading socket. Source: v3-gaps, section 2.2 (no `jsonrpc` member). */
export function encodeV3Request(method: V3TradingMethod, params: object, id: SocketId | undefined): string {
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

/** `spot_get_orders`: the active orders as a list of reports. */
export function encodeV3GetOrders(id: SocketId): string {
  return encodeV3Request('spot_get_orders', {}, id);
}

/** `spot_balances`: every balance that is not zero. */
export function encodeV3GetBalances(id: SocketId): string {
  return encodeV3Request('spot_balances', {}, id);
}
