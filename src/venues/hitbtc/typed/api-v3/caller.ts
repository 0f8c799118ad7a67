import type { V3Value } from '../../wire/v3/readers.ts';
import { v3Readers } from '../../wire/v3/readers.ts';
import type { V3EndpointName } from '../../wire/v3/rest.ts';
import { v3Endpoints } from '../../wire/v3/rest.ts';
import type { RowInput } from '../table-caller.ts';
import { TableCaller } from '../table-caller.ts';
import type { TypedCaller } from '../caller.ts';

/** Parameters of an endpoint as a caller writes them: the wire's names in camel case, decimals exact, times any form. */
export type V3Input<Name extends V3EndpointName> = RowInput<(typeof v3Endpoints)[Name]>;

/** Calls rows of the v3 table by name. */
export class V3Caller extends TableCaller<{ [Name in V3EndpointName]: V3Value<Name> }> {
  constructor(caller: Pick<TypedCaller, 'call'>) {
    super(caller, { endpoints: v3Endpoints, readers: v3Readers });
  }
}
