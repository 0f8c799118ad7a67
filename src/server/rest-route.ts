import { fail } from '../base/assert.ts';
import type { AccountId } from '../matching/command.ts';
import type { Endpoint, HttpMethod, Right } from '../wire/endpoint.ts';
import { readParams } from '../wire/param-fields.ts';
import type { V3EndpointName, V3Params } from '../wire/v3/rest.ts';
import { v3Endpoints } from '../wire/v3/rest.ts';
import type { Account } from './accounts.ts';
import { Refusal } from './refusal.ts';
import type { RestRequest } from './rest-request.ts';

/** One call being answered: the parameters are still in their outer form. */
export interface RestCall {
  readonly request: RestRequest;
  /** Whoever asks; undefined on public paths. */
  readonly account: Account | undefined;
  readonly parameters: unknown;
}

/** An endpoint as the server serves it. */
export interface RestRoute {
  readonly method: HttpMethod;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly right: Right;
  /** Whether faults that concern orders apply. */
  readonly changesOrders: boolean;
  run(call: RestCall): string | Refusal;
}

/** What an endpoint answers: JSON text, a value to be made into it, or why not. */
export type RestResult = string | object | Refusal;

/** The route of a row of the wire's table: its method, path, right and parameters are the row's. */
export function v3Route<Name extends V3EndpointName>(
  name: Name,
  run: (params: V3Params<Name>, call: RestCall) => RestResult,
): RestRoute {
  const endpoint: Endpoint = v3Endpoints[name];
  return {
    method: endpoint.method,
    path: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    right: endpoint.right,
    // Whatever is not a read may place or end orders.
    changesOrders: endpoint.method !== 'GET',
    run(call) {
      const read = readParams(endpoint.params, call.parameters);
      if (!read.ok) return new Refusal(read.error);
      const result = run(read.params as V3Params<Name>, call);
      return typeof result === 'string' || result instanceof Refusal ? result : JSON.stringify(result);
    },
  };
}

/** The account a call is made for: there is one wherever a route needs a key. */
export function accountOf(call: RestCall): AccountId {
  return call.account?.id ?? fail('a route ran without an account', { path: call.request.path });
}
