import type { z } from 'zod';
import type { SocketId } from '../../../../src/venues/hitbtc/wire/market-sink.ts';
import { readRequestParams } from '../../../../src/venues/hitbtc/wire/param-fields.ts';
import type { RequestRead } from '../../../../src/venues/hitbtc/wire/socket-request.ts';
import { readSocketRequest, unsupportedMethod } from '../../../../src/venues/hitbtc/wire/socket-request.ts';

type MethodTable = Readonly<Record<string, { readonly params: z.ZodType }>>;

/** A request with its parameters read; switch over `method`. */
type RequestOf<Table extends MethodTable> = {
  [Method in keyof Table]: {
    readonly method: Method;
    readonly id: SocketId | undefined;
    readonly params: z.output<Table[Method]['params']>;
  };
}[keyof Table];

/** Reads a request as a server with that table of methods does: errors 1, 404 and 10001. */
export function readRequest<Table extends MethodTable>(
  table: Table,
  frame: string | Uint8Array,
): RequestRead<RequestOf<Table>> {
  const read = readSocketRequest(frame);
  if (!read.ok) return read;
  const { method, id } = read.request;
  const row = Object.hasOwn(table, method) ? table[method] : undefined;
  if (row === undefined) return { ok: false, id, error: unsupportedMethod(method) };
  const params = readRequestParams<unknown>(row.params, read.request.params);
  if (!params.ok) return { ok: false, id, error: params.error };
  return { ok: true, request: { method, id, params: params.params } as RequestOf<Table> };
}
