import { z } from 'zod';
import { BadInput } from '../../../core/base/errors.ts';
import type { Asked } from './endpoint.ts';
import { reads, sentTo } from './sent.ts';

/** The members of an object keyed by code, in the order of the answer. Throws `BadInput` when it is none. */
export function entriesOf(json: unknown, what: string): readonly (readonly [string, unknown])[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new BadInput(`${what}: expected an object keyed by code`);
  }
  return Object.entries(json);
}

/**
 * An object keyed by code as a map, in the order of the answer, every value read by `read`.
 * Throws `BadInput` when it is none. Source: API v3, "Market data" ("object keyed by symbol").
 */
export function readKeyed<Value>(
  json: unknown,
  what: string,
  read: (value: unknown, key: string) => Value,
): ReadonlyMap<string, Value> {
  return new Map(entriesOf(json, what).map(([key, value]) => [key, read(value, key)]));
}

/** A reader of an answer keyed by code, as rows of the endpoint tables want it. */
export function keyed<Value>(
  what: string,
  read: (value: unknown, key: string) => Value,
): (json: unknown) => ReadonlyMap<string, Value> {
  return reads(
    (json: unknown) => readKeyed(json, what, read),
    () => z.record(z.string(), sentTo(read)),
  );
}

/** A reader of one value whose answer does not repeat the code asked for: `read` is handed the code. */
export function withCode<Value>(
  name: string,
  read: (value: unknown, code: string) => Value,
): (json: unknown, asked: Asked) => Value {
  return reads(
    (json: unknown, asked: Asked) => read(json, asked[name] ?? ''),
    () => sentTo(read),
  );
}

type Coded<Name extends string, Row> = Record<Name, string> & Row;

/** A reader of one row whose answer does not repeat the code asked for: the row gets it as the member `name`. */
export function addCode<Name extends string, Row extends object>(
  name: Name,
  read: (value: unknown) => Row,
): (json: unknown, asked: Asked) => { -readonly [Key in keyof Coded<Name, Row>]: Coded<Name, Row>[Key] } {
  return reads(
    (json: unknown, asked: Asked) => ({ [name]: asked[name] ?? '', ...read(json) }) as Coded<Name, Row>,
    () => sentTo(read),
  );
}
