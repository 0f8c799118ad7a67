import { z } from 'zod';
import type { Micros } from '../../../core/base/clock.ts';
import { camelOf } from './camel.ts';
import type { WireError } from './errors.ts';
import { findError, wireError } from './errors.ts';
import { printTime } from './formats.ts';
import type { RequestId } from './socket-request.ts';
import { sentAs, timeForm, titled } from './sent.ts';
import { idMember } from './socket-request.ts';

/** Where and when a REST request failed. */
export interface ErrorPlace {
  readonly time: Micros;
  readonly path: string;
  readonly requestId: string;
}

/** The error member of bodies and frames; `description` is left out when there is none. */
export function errorMember(error: WireError): object {
  const { code, message, description } = error;
  return description === undefined ? { code, message } : { code, message, description };
}

const sentMember = titled(
  z.object({
    code: sentAs(z.int(), { type: 'integer', description: 'one of the codes that this document lists' }),
    message: z.string(),
    description: z.string().optional(),
  }),
  'wire error',
);
/** Error bodies of REST by version, and the error of a socket, for documents. */
export const sentErrors = {
  v3: titled(
    z.object({
      timestamp: sentAs(z.string(), timeForm),
      error: sentMember,
      path: z.string(),
      requestId: z.string(),
    }),
    'error body',
  ),
  v2: titled(z.object({ error: sentMember }), 'error body'),
  socket: sentMember,
} as const;

/** A v3 REST error body. Source: v3-gaps, section 9 ("Real REST error body"). */
export function errorBody(error: WireError, place: ErrorPlace): object {
  return {
    timestamp: printTime(place.time),
    error: errorMember(error),
    path: place.path,
    requestId: place.requestId,
  };
}

const v2SymbolHint = 'Try get /api/2/public/symbol, to get list of all available symbols.';

/** Where API v2, "Errors", has words of its own for a code. */
const v2Words: ReadonlyMap<number, string> = new Map([
  [600, 'Action is not allowed'],
  [1002, 'Authorization failed'],
  [10021, 'user disabled'],
]);

/**
 * An error as v2 words it, over REST and on its sockets. What is wrong with a parameter is the description, and its name is
 * spelled as v2 spells it; an unknown symbol is not named. Source: v2-gaps, sections 3 and 4.1.
 */
export function v2ErrorWords(error: WireError): WireError {
  if (error.code === 2001) return wireError(2001, { description: v2SymbolHint });
  const parameter = /^Bad request parameter \[([^\]]*)\]/.exec(error.message);
  if (parameter !== null) {
    const [head, name = ''] = parameter;
    const rest = error.message.slice(head.length);
    const missing = rest === '. Parameter is required';
    const description = missing
      ? `Param '${camelOf(name)}' required`
      : `Bad request parameter [${camelOf(name)}]${rest}`;
    return wireError(10001, { description });
  }
  const words = error.message === findError(error.code)?.message ? v2Words.get(error.code) : undefined;
  return words === undefined ? error : { ...error, message: words };
}

/** A v2 REST error body: the `error` member alone. Source: API v2, "Errors". */
export function errorBodyV2(error: WireError): object {
  return { error: errorMember(v2ErrorWords(error)) };
}

/** The body of an unknown path: HTTP 404, `error` is a text. Source: v3-gaps, section 9. */
export function unknownPathBody(place: ErrorPlace): object {
  return {
    timestamp: printTime(place.time),
    path: place.path,
    status: 404,
    error: 'Not Found',
    requestId: place.requestId,
    message: `No static resource ${place.path.replace(/^\//, '')}.`,
  };
}

/**
 * An error reply on a socket. `jsonrpc` is there on every socket but v3's public one; no `id` member when the
 * request had none. Source: v3-gaps, sections 1.6, 2.1 and 2.6.
 */
export function encodeSocketError(error: WireError, id: RequestId, jsonrpc: boolean): string {
  const head = jsonrpc ? '"jsonrpc":"2.0",' : '';
  return `{${head}"error":${JSON.stringify(errorMember(error))}${idMember(id)}}`;
}

const body = z.object({
  error: z
    .union([
      z.object({ code: z.int(), message: z.string().nullish(), description: z.string().nullish() }),
      z.string(),
    ])
    .optional(),
  code: z.int().optional(),
  message: z.string().nullish(),
  description: z.string().nullish(),
});

/**
 * The error a REST answer carries, whatever its form: `{error:{...}}`, the three members without the wrapper
 * (429, 503, 504 in older traces), `error` as a text (unknown paths), or no JSON of ours at all; the code is
 * then the HTTP status. `json` is the parsed body, or `undefined` when it was no JSON.
 * Source: v3-gaps, section 9; v2-gaps, section 8.
 */
export function decodeRestError(json: unknown, httpStatus: number): WireError {
  const read = body.safeParse(json);
  if (!read.success) return wireError(httpStatus, titleOf(httpStatus));
  const { error, code, message, description } = read.data;
  if (typeof error === 'object') {
    return {
      code: error.code,
      message: error.message ?? '',
      description: error.description ?? undefined,
    };
  }
  if (code !== undefined) return { code, message: message ?? '', description: description ?? undefined };
  return { code: httpStatus, message: error ?? `HTTP ${httpStatus}`, description: message ?? undefined };
}

function titleOf(httpStatus: number): { message?: string } {
  return findError(httpStatus) === undefined ? { message: `HTTP ${httpStatus}` } : {};
}
