import type { Endpoint } from '../../wire/endpoint.ts';
import type { V2Value } from '../../wire/v2/readers.ts';
import { v2Readers } from '../../wire/v2/readers.ts';
import type { V2EndpointName } from '../../wire/v2/rest.ts';
import { v2Endpoints } from '../../wire/v2/rest.ts';
import type { Asked } from '../../wire/v3/readers.ts';
import type { CallOptions, TypedCaller } from '../typed-caller.ts';
import type { Input } from '../typed-input.ts';

/** Parameters of an endpoint as a caller writes them: the document's names, decimals exact, times in any form. */
export type V2Input<Name extends V2EndpointName> =
  (typeof v2Endpoints)[Name] extends Endpoint<infer Params, infer _Decode, infer Raw>
    ? Input<unknown extends Raw ? Params : Raw>
    : never;

type Read = (json: unknown, asked: Asked) => unknown;

/** Calls rows of the v2 table by name. */
export class V2Caller {
  readonly #caller: Pick<TypedCaller, 'call'>;

  constructor(caller: Pick<TypedCaller, 'call'>) {
    this.#caller = caller;
  }

  /** Rejects with `CallFailed`. */
  call<Name extends V2EndpointName>(
    name: Name,
    params: object,
    options?: CallOptions,
  ): Promise<V2Value<Name>> {
    const row = v2Endpoints[name] as Endpoint;
    const readers: Readonly<Partial<Record<V2EndpointName, Read>>> = v2Readers;
    const read = readers[name] ?? (row.decode as Read);
    return this.#caller.call(
      { name, row, read: read as (json: unknown, asked: Asked) => V2Value<Name> },
      params,
      options,
    );
  }
}
