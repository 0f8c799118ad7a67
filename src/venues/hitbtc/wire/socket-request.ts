import { BadInput } from '../../../core/base/errors.ts';
import type { WireError } from './errors.ts';
import { wireError } from './errors.ts';
import { parseFrame, utf8Text } from './json.ts';
import type { SocketId } from './market-sink.ts';

/** The outer form of a request on any socket: what a server reads first. */
export interface SocketRequest {
  readonly method: string;
  /** The `ch` member, on the v3 public socket. */
  readonly channel: string | undefined;
  readonly params: unknown;
  readonly id: RequestId;
}

/** The id of a request, as it came: null is one, too; undefined when there was none. Source: API v2, "Socket methods". */
export type RequestId = SocketId | null | undefined;

export type RequestRead<Request> =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly id: RequestId; readonly error: WireError };

/** Reads the outer form. Broken JSON is error 1 without an id; a frame without a method is error 404. */
export function readSocketRequest(frame: string | Uint8Array): RequestRead<SocketRequest> {
  let value: unknown;
  try {
    value = parseFrame(frame);
  } catch (error) {
    if (error instanceof BadInput) return { ok: false, id: undefined, error: wireError(1) };
    throw error;
  }
  const members = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const id = idOf(members['id'], frame);
  const { method, ch } = members;
  if (typeof method !== 'string') return { ok: false, id, error: unsupportedMethod('') };
  return {
    ok: true,
    request: { method, channel: typeof ch === 'string' ? ch : undefined, params: members['params'], id },
  };
}

/** Error 404 as the service words it. Source: v3-gaps, section 1.6. */
export function unsupportedMethod(method: string): WireError {
  return wireError(404, { description: `Method is not supported: ${method.slice(0, 60)}` });
}

/** The `id` member of a reply, with its comma; nothing when the request had none. */
export function idMember(id: RequestId): string {
  return id === undefined ? '' : `,"id":${id === null ? 'null' : idText(id)}`;
}

/** An id as JSON. */
export function idText(id: SocketId): string {
  return typeof id === 'string' ? JSON.stringify(id) : String(id);
}

/** A whole number beyond doubles (nanoseconds are one) was parsed as text; the frame shows whether it came as such. */
function idOf(given: unknown, frame: string | Uint8Array): RequestId {
  if (given === null) return null;
  if (typeof given === 'number') return Number.isFinite(given) ? given : undefined;
  if (typeof given !== 'string') return undefined;
  if (!/^-?[1-9]\d{15,99}$/.test(given)) return given;
  const text = typeof frame === 'string' ? frame : utf8Text(frame);
  return new RegExp(`"id"\\s*:\\s*${given}`).test(text) ? BigInt(given) : given;
}

/** A notification on every socket but v3's public one. Source: v3-gaps, section 2.2; API v2, "Socket methods". */
export function encodeRpcNotification(method: string, params: unknown): string {
  return rpcNotificationText(method, JSON.stringify(params));
}

/** A notification around the JSON text of its params. */
export function rpcNotificationText(method: string, params: string): string {
  return `{"jsonrpc":"2.0","method":"${method}","params":${params}}`;
}
