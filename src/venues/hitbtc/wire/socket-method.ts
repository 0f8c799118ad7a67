import { z } from 'zod';
import type { Asked, Right } from './endpoint.ts';
import { reads } from './sent.ts';

/** One row of a table of socket methods. */
export interface SocketMethod<Params = unknown, Answer = unknown, Input = unknown> {
  readonly right: Right;
  /** Reads the parameters as a server takes them. */
  readonly params: z.ZodType<Params, Input>;
  /** Reads a result; several results of one request each. Throws `BadInput` naming the member. */
  readonly answer: (result: unknown, asked: Asked) => Answer;
  /** Whether it may place or end orders. */
  readonly changesOrders?: true;
}

/** Writes a row without losing its types. */
export function socketMethod<Params, Answer, Input>(
  row: SocketMethod<Params, Answer, Input>,
): SocketMethod<Params, Answer, Input> {
  return row;
}

/** The answer to a subscription says no more than that there is one. */
export const done = reads(
  (): undefined => undefined,
  () => z.literal(true),
);

/** The rows of a table, each under its name with a prefix. */
export function prefixed<Prefix extends string, Table extends Readonly<Record<string, unknown>>>(
  prefix: Prefix,
  table: Table,
): { readonly [Name in keyof Table & string as `${Prefix}_${Name}`]: Table[Name] } {
  const entries = Object.entries(table).map(([name, row]) => [`${prefix}_${name}`, row] as const);
  return Object.fromEntries(entries) as {
    readonly [Name in keyof Table & string as `${Prefix}_${Name}`]: Table[Name];
  };
}
