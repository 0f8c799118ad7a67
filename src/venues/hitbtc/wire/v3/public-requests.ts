import { z } from 'zod';
import { encodeSocketError } from '../error-bodies.ts';
import type { WireError } from '../errors.ts';
import { wireError } from '../errors.ts';
import type { SocketId } from '../market-sink.ts';
import { parameterError } from '../param-errors.ts';
import { codeParam, integerParam, listParam, readRequestParams } from '../param-fields.ts';
import type { RequestId, RequestRead } from '../socket-request.ts';
import { idMember, readSocketRequest, unsupportedMethod } from '../socket-request.ts';
import type { V3Channel } from './channels.ts';
import { findV3Channel } from './channels.ts';

/** Method that a client asks of a channel. `subscriptions` lists without changing anything. Source: v3-gaps, section 1.1. */
export const v3PublicMethods = ['subscribe', 'unsubscribe', 'subscriptions'] as const;
export type V3PublicMethod = (typeof v3PublicMethods)[number];

/** A request on the v3 public socket as a server has read it. */
export interface V3PublicRequest {
  readonly method: V3PublicMethod;
  readonly channel: V3Channel;
  readonly id: RequestId;
  /** Symbols, or currencies on price rates; may be `*`. Empty when none were named. */
  readonly keys: readonly string[];
  /** Length of the history sent on subscription; 0 for none. */
  readonly limit: number;
  /** For price rates and converted candles. */
  readonly targetCurrency: string | undefined;
}

/** Parameters of a subscription, for a client. */
export interface V3Subscription {
  readonly symbols?: readonly string[];
  readonly currencies?: readonly string[];
  readonly limit?: number;
  readonly target_currency?: string;
}

const methods: ReadonlySet<string> = new Set(v3PublicMethods);

/** Parameters of a subscription, as a server reads them. */
export const v3SubscriptionParams = z.object({
  symbols: listParam.optional(),
  currencies: listParam.optional(),
  limit: integerParam(0, 1000).default(0),
  target_currency: codeParam.optional(),
});

/**
 * Reads a request of the v3 public socket. Refusals are errors 1 (broken JSON), 404 (unknown method), 2003
 * (unknown channel) and 10001 (parameters), worded as the service does. Source: v3-gaps, section 1.6.
 */
export function readV3PublicRequest(frame: string | Uint8Array): RequestRead<V3PublicRequest> {
  const read = readSocketRequest(frame);
  if (!read.ok) return read;
  const { method, id } = read.request;
  if (!methods.has(method)) return { ok: false, id, error: unsupportedMethod(method) };
  const name = read.request.channel ?? '';
  const channel = findV3Channel(name);
  if (channel === undefined) return { ok: false, id, error: unknownChannel(name) };
  const given = readRequestParams(v3SubscriptionParams, read.request.params);
  if (!given.ok) return { ok: false, id, error: given.error };
  const { symbols, currencies, limit, target_currency: targetCurrency } = given.params;
  const needsTarget = channel.kind === 'priceRate' || channel.kind === 'convertedCandles';
  if (needsTarget && targetCurrency === undefined && method !== 'subscriptions') {
    return { ok: false, id, error: parameterError('target_currency', 'Parameter is required') };
  }
  const keys = (channel.kind === 'priceRate' ? (currencies ?? symbols) : symbols) ?? [];
  return {
    ok: true,
    request: { method: method as V3PublicMethod, channel, id, keys, limit, targetCurrency },
  };
}

/** `{"result":{"ch":...,"subscriptions":[...]},"id":...}`: every key now active. Source: v3-gaps, section 1.1. */
export function encodeV3SubscribeReply(
  channel: string,
  subscriptions: readonly string[],
  id: RequestId,
): string {
  return `{"result":{"ch":"${channel}","subscriptions":${JSON.stringify(subscriptions)}}${idMember(id)}}`;
}

/** An error on the v3 public socket, which carries no `jsonrpc` member. Source: v3-gaps, section 1.6. */
export function encodeV3PublicError(error: WireError, id: RequestId): string {
  return encodeSocketError(error, id, false);
}

/** A client's request. Source: v3-gaps, section 1.1. */
export function encodeV3Subscribe(
  method: V3PublicMethod,
  channel: string,
  subscription: V3Subscription,
  id: SocketId,
): string {
  return `{"method":"${method}","ch":"${channel}","params":${JSON.stringify(subscription)}${idMember(id)}}`;
}

function unknownChannel(name: string): WireError {
  return wireError(2003, { description: `Channel is not supported: ${name.slice(0, 60)}` });
}
