import { z } from 'zod';
import { candlePeriods } from '../../../../core/model/market.ts';
import type { SocketId } from '../market-sink.ts';
import { booleanParam, codeParam, integerParam, listParam, pageShape } from '../param-fields.ts';
import { readParams, toPage } from '../param-fields.ts';
import type { RequestId, RequestRead } from '../socket-request.ts';
import { idMember, readSocketRequest, unsupportedMethod } from '../socket-request.ts';

const symbol = z.object({ symbol: codeParam });
const trades = z.object({ symbol: codeParam, limit: integerParam(0, 1000).default(100) });
const candles = trades.extend({ period: z.enum(candlePeriods).default('M30') });
const page = { sort: 'DESC', by: 'timestamp', limit: 100, limitMin: 0 } as const;
const tradePage = z
  .object({ symbol: codeParam.optional(), ...pageShape(page) })
  .transform((given, context) => ({ symbol: given.symbol, page: toPage(given, page.by, context) }));

/** Every method of the v2 market data socket. Source: API v2, "Socket methods". */
export const v2PublicMethods = {
  getCurrency: z.object({ currency: codeParam, extended: booleanParam.default(false) }),
  getCurrencies: z.object({ currency: listParam.optional(), extended: booleanParam.default(false) }),
  getSymbol: symbol,
  getSymbols: z.object({ symbol: listParam.optional() }),
  getTrades: tradePage,
  subscribeTicker: symbol,
  unsubscribeTicker: symbol,
  subscribeOrderbook: symbol,
  unsubscribeOrderbook: symbol,
  subscribeTrades: trades,
  unsubscribeTrades: trades,
  subscribeCandles: candles,
  unsubscribeCandles: candles,
} as const;

export type V2PublicMethod = keyof typeof v2PublicMethods;

/** A request with its parameters read; switch over `method`. */
export type V2PublicRequest = {
  [Method in V2PublicMethod]: {
    readonly method: Method;
    readonly id: RequestId;
    readonly params: z.output<(typeof v2PublicMethods)[Method]>;
  };
}[V2PublicMethod];

/** Reads a request of the v2 market data socket: errors 1, 404 and 10001. */
export function readV2PublicRequest(frame: string | Uint8Array): RequestRead<V2PublicRequest> {
  const read = readSocketRequest(frame);
  if (!read.ok) return read;
  const { method, id } = read.request;
  if (!isV2PublicMethod(method)) return { ok: false, id, error: unsupportedMethod(method) };
  const params = readParams<unknown>(v2PublicMethods[method], read.request.params);
  if (!params.ok) return { ok: false, id, error: params.error };
  return { ok: true, request: { method, id, params: params.params } as V2PublicRequest };
}

/** Whether a method belongs to the v2 market data socket. */
export function isV2PublicMethod(method: string): method is V2PublicMethod {
  return Object.hasOwn(v2PublicMethods, method);
}

/** A client's request, such as `subscribeOrderbook` with `{symbol}`. */
export function encodeV2PublicRequest(method: V2PublicMethod, params: object, id: SocketId): string {
  return `{"method":"${method}","params":${JSON.stringify(params)}${idMember(id)}}`;
}
