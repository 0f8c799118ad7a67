import type { V2Value } from '../../wire/v2/readers.ts';
import { v2Readers } from '../../wire/v2/readers.ts';
import type { V2EndpointName } from '../../wire/v2/rest.ts';
import { v2Endpoints } from '../../wire/v2/rest.ts';
import type { RowInput } from '../table-caller.ts';
import { TableCaller } from '../table-caller.ts';
import type { TypedCaller } from '../caller.ts';

/** Parameters of an endpoint as a caller writes them: the document's names, decimals exact, times in any form. */
export type V2Input<Name extends V2EndpointName> = RowInput<(typeof v2Endpoints)[Name]>;

/** Calls rows of the v2 table by name. */
export class V2Caller extends TableCaller<{ [Name in V2EndpointName]: V2Value<Name> }> {
  constructor(caller: Pick<TypedCaller, 'call'>) {
    super(caller, { endpoints: v2Endpoints, readers: v2Readers });
  }
}
