import type { Asked, Endpoint } from '../../wire/index.ts';
import { fillPath } from '../../wire/index.ts';
import type { ApiCall, ApiVersion } from './rest.ts';
import { restRoots } from './rest.ts';

/**
 * The call of a row of an endpoint table. `wire` are its parameters in wire spelling: those of the path stand there, the
 * rest goes as the row's payload. `asked` is what the reader of the answer gets of them.
 */
export function callOf(
  row: Endpoint,
  wire: Readonly<Record<string, unknown>>,
  version: ApiVersion = 'v3',
): { readonly call: ApiCall; readonly asked: Asked } {
  const asked = Object.fromEntries(
    Object.entries(wire).map(([name, value]) => [name, typeof value === 'object' ? '' : fieldText(value)]),
  );
  const inPath = new Set([...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
  const rest = Object.fromEntries(Object.entries(wire).filter(([name]) => !inPath.has(name)));
  const path = fillPath(row.path, asked).slice(restRoots[version].length);
  const call = { method: row.method, path, signed: row.right !== 'none', ...payloadOf(row, rest) };
  return { call, asked };
}

function payloadOf(row: Endpoint, params: Readonly<Record<string, unknown>>): Partial<ApiCall> {
  if (Object.keys(params).length === 0) return {};
  switch (row.payload) {
    case 'query':
      return { query: encodeFields(params) };
    case 'form':
      return { form: encodeFields(params) };
    case 'json':
      return { json: JSON.stringify(params) };
    case 'list':
      return { json: JSON.stringify(params['items']) };
  }
}

/** A query or form: values as text, lists with commas, percent-encoded. Source: API v3, "Conventions", 4. */
export function encodeFields(params: Readonly<Record<string, unknown>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(fieldText(value))}`)
    .join('&');
}

/** Values as text, as they stand in a path or query. */
export function fieldText(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(',') : String(value);
}
