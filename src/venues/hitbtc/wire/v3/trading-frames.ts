import type { Micros } from '../../../../core/base/clock.ts';
import type { Credentials } from '../../../../core/base/secret.ts';
import type { SocketId } from '../market-sink.ts';
import { v3LoginParams } from '../socket-auth.ts';
import { idMember } from '../socket-request.ts';
import type { V3MethodName } from './socket-methods.ts';

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
