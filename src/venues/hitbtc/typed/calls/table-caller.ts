import type { Endpoint } from '../../wire/index.ts';
import type { V2EndpointName } from '../../wire/v2/index.ts';
import { v2Endpoints } from '../../wire/v2/index.ts';
import type { V3EndpointName } from '../../wire/v3/index.ts';
import { v3Endpoints } from '../../wire/v3/index.ts';
import type { CallOptions, TypedCaller } from './caller.ts';
import type { Input } from './input.ts';

/** Parameters of a row as a caller writes them. */
type RowInput<Row> =
  Row extends Endpoint<infer Params, infer _Answer, infer Raw>
    ? Input<unknown extends Raw ? Params : Raw>
    : never;
type RowAnswer<Row> = Row extends Endpoint<infer _Params, infer Answer, infer _Raw> ? Answer : never;

/** Parameters of an endpoint as a caller writes them: the wire's names in camel case, decimals exact, times any form. */
export type V3Input<Name extends V3EndpointName> = RowInput<(typeof v3Endpoints)[Name]>;
/** Parameters of an endpoint as a caller writes them: the document's names, decimals exact, times in any form. */
export type V2Input<Name extends V2EndpointName> = RowInput<(typeof v2Endpoints)[Name]>;

/** Calls rows of one version's table by name. */
class TableCaller<Table extends object> {
  readonly #caller: Pick<TypedCaller, 'call'>;
  readonly #table: Table;

  constructor(caller: Pick<TypedCaller, 'call'>, table: Table) {
    this.#caller = caller;
    this.#table = table;
  }

  /** Rejects with `CallFailed`. */
  call<Name extends keyof Table & string>(
    name: Name,
    params: object,
    options?: CallOptions,
  ): Promise<RowAnswer<Table[Name]>> {
    const row = this.#table[name] as Endpoint<unknown, RowAnswer<Table[Name]>>;
    return this.#caller.call({ name, row }, params, options);
  }
}

/** Calls rows of the v3 table by name. */
export class V3Caller extends TableCaller<typeof v3Endpoints> {
  constructor(caller: Pick<TypedCaller, 'call'>) {
    super(caller, v3Endpoints);
  }
}

/** Calls rows of the v2 table by name. */
export class V2Caller extends TableCaller<typeof v2Endpoints> {
  constructor(caller: Pick<TypedCaller, 'call'>) {
    super(caller, v2Endpoints);
  }
}
