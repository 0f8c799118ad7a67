import { z } from 'zod';
import type { SocketId } from '../market-sink.ts';
import { codeParam, readParams, textParam } from '../param-fields.ts';
import type { RequestRead } from '../socket-request.ts';
import { readSocketRequest, unsupportedMethod } from '../socket-request.ts';
import { v3OrderListParams, v3OrderParams, v3ReplaceParams } from './order-params.ts';

const none = z.object({});
const mode = z.object({ mode: z.enum(['updates', 'batches']).default('updates') });
const currency = z.object({ currency: codeParam });
const symbol = z.object({ symbol: codeParam });
const order = z.object({ client_order_id: textParam });
const login = z.looseObject({});

/**
 * Every spot method of the v3 trading socket: the right it needs and its parameters as a server reads them.
 * Source: v3-gaps, section 2.3; API v3, "Events" (names) and "Spot trading" (rights of the same calls over REST).
 */
export const v3TradingMethods = {
  login: { right: 'none', params: login },
  spot_subscribe: { right: 'R1', params: none },
  spot_unsubscribe: { right: 'R1', params: none },
  spot_get_orders: { right: 'R1', params: none },
  spot_new_order: { right: 'R2', params: v3OrderParams },
  spot_new_order_list: { right: 'R2', params: v3OrderListParams },
  spot_cancel_order: { right: 'R2', params: order },
  spot_cancel_orders: { right: 'R2', params: none },
  spot_replace_order: { right: 'R2', params: v3ReplaceParams },
  spot_balances: { right: 'R1', params: none },
  spot_balance: { right: 'R1', params: currency },
  spot_fees: { right: 'R1', params: none },
  spot_fee: { right: 'R1', params: symbol },
  spot_balance_subscribe: { right: 'R1', params: mode },
  spot_balance_unsubscribe: { right: 'R1', params: mode },
} as const;

export type V3TradingMethod = keyof typeof v3TradingMethods;

/** A request with its parameters read; switch over `method`. */
export type V3TradingRequest = {
  [Method in V3TradingMethod]: {
    readonly method: Method;
    readonly id: SocketId | undefined;
    readonly params: z.output<(typeof v3TradingMethods)[Method]['params']>;
  };
}[V3TradingMethod];

/**
 * Reads a request of the v3 trading socket. Refusals are errors 1 (broken JSON), 404 (unknown method) and 10001
 * (parameters); what a client may do is for the server to judge (`v3TradingMethods[method].right`).
 */
export function readV3TradingRequest(frame: string | Uint8Array): RequestRead<V3TradingRequest> {
  const read = readSocketRequest(frame);
  if (!read.ok) return read;
  const { method, id } = read.request;
  if (!isMethod(method)) return { ok: false, id, error: unsupportedMethod(method) };
  const params = readParams<unknown>(v3TradingMethods[method].params, read.request.params);
  if (!params.ok) return { ok: false, id, error: params.error };
  return { ok: true, request: { method, id, params: params.params } as V3TradingRequest };
}

function isMethod(method: string): method is V3TradingMethod {
  return Object.hasOwn(v3TradingMethods, method);
}
