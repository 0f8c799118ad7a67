import type { Endpoint } from '../wire/endpoint.ts';
import type { Asked } from '../wire/v3/readers.ts';
import type { CallOptions, TypedCaller } from './caller.ts';
import type { Input } from './input.ts';

/** Parameters of a row as a caller writes them. */
export type RowInput<Row> =
  Row extends Endpoint<infer Params, infer _Decode, infer Raw>
    ? Input<unknown extends Raw ? Params : Raw>
    : never;

type Read = (json: unknown, asked: Asked) => unknown;

/** The rows of one version, and readers of answers for those whose own `decode` does not do for this client. */
export interface CallTable<Values> {
  readonly endpoints: Readonly<Record<keyof Values & string, unknown>>;
  readonly readers: object;
}

/** Calls rows of one version's table by name; `Values` says what each of them answers. */
export class TableCaller<Values> {
  readonly #caller: Pick<TypedCaller, 'call'>;
  readonly #table: CallTable<Values>;

  constructor(caller: Pick<TypedCaller, 'call'>, table: CallTable<Values>) {
    this.#caller = caller;
    this.#table = table;
  }

  /** Rejects with `CallFailed`. */
  call<Name extends keyof Values & string>(
    name: Name,
    params: object,
    options?: CallOptions,
  ): Promise<Values[Name]> {
    const row = this.#table.endpoints[name] as Endpoint;
    const readers = this.#table.readers as Readonly<Partial<Record<string, Read>>>;
    const read = readers[name] ?? (row.decode as Read);
    return this.#caller.call(
      { name, row, read: read as (json: unknown, asked: Asked) => Values[Name] },
      params,
      options,
    );
  }
}
