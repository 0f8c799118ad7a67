import type { Endpoint } from '../../wire/endpoint.ts';
import type { Asked, V3Value } from '../../wire/v3/readers.ts';
import { v3Readers } from '../../wire/v3/readers.ts';
import type { V3EndpointName } from '../../wire/v3/rest.ts';
import { v3Endpoints } from '../../wire/v3/rest.ts';
import type { CallOptions, TypedCaller } from '../typed-caller.ts';
import type { Input } from '../typed-input.ts';

/** Parameters of an endpoint as a caller writes them: the wire's names in camel case, decimals exact, times any form. */
export type V3Input<Name extends V3EndpointName> =
  (typeof v3Endpoints)[Name] extends Endpoint<infer Params, infer _Decode, infer Raw>
    ? Input<unknown extends Raw ? Params : Raw>
    : never;

type Read = (json: unknown, asked: Asked) => unknown;

/** Calls rows of the v3 table by name. */
export class V3Caller {
  readonly #caller: Pick<TypedCaller, 'call'>;

  constructor(caller: Pick<TypedCaller, 'call'>) {
    this.#caller = caller;
  }

  /** Rejects with `CallFailed`. */
  call<Name extends V3EndpointName>(
    name: Name,
    params: object,
    options?: CallOptions,
  ): Promise<V3Value<Name>> {
    const row = v3Endpoints[name] as Endpoint;
    const readers: Readonly<Partial<Record<V3EndpointName, Read>>> = v3Readers;
    const read = readers[name] ?? (row.decode as Read);
    return this.#caller.call(
      { name, row, read: read as (json: unknown, asked: Asked) => V3Value<Name> },
      params,
      options,
    );
  }
}
