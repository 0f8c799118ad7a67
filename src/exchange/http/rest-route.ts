import { fail } from '../../core/base/assert.ts';
import type { AccountId } from '../matching/index.ts';
import type { Endpoint, HttpMethod, Right } from '../../venues/hitbtc/wire/index.ts';
import { readRequestParams } from '../../venues/hitbtc/wire/index.ts';
import type { V2EndpointName, V2Params } from '../../venues/hitbtc/wire/v2/index.ts';
import { v2Endpoints } from '../../venues/hitbtc/wire/v2/index.ts';
import type { V3EndpointName, V3Params } from '../../venues/hitbtc/wire/v3/index.ts';
import { v3Endpoints } from '../../venues/hitbtc/wire/v3/index.ts';
import type { ExchangeAccount } from '../base/index.ts';
import { Refusal } from '../base/index.ts';
import type { RestRequest } from './http.ts';

/** One call being answered: the parameters are still in their outer form. */
export interface RouteCall {
  readonly request: RestRequest;
  /** The account of the key; undefined on public paths. */
  readonly account: ExchangeAccount | undefined;
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
  /** Whether the body is a list, which then is the parameter `items`. */
  readonly takesList: boolean;
  run(call: RouteCall): RestOutcome;
}

/** JSON text, or why there is none; a promise where the answer waits for something to happen. */
export type RestOutcome = string | Refusal | Promise<string | Refusal>;

/** Answer of an endpoint: JSON text, a value to be made into it, or why not; now or later. */
export type RestResult = string | object | Refusal | Promise<object | Refusal>;

/** The route of a row of the wire's v3 table: its method, path, right and parameters are the row's. */
export function v3Route<Name extends V3EndpointName>(
  name: Name,
  run: (params: V3Params<Name>, call: RouteCall) => RestResult,
): RestRoute {
  return routeOf(v3Endpoints[name] as Endpoint<V3Params<Name>>, run);
}

/** The route of a row of the wire's v2 table. */
export function v2Route<Name extends V2EndpointName>(
  name: Name,
  run: (params: V2Params<Name>, call: RouteCall) => RestResult,
): RestRoute {
  return routeOf(v2Endpoints[name] as Endpoint<V2Params<Name>>, run);
}

function routeOf<Params>(
  endpoint: Endpoint<Params>,
  run: (params: Params, call: RouteCall) => RestResult,
): RestRoute {
  return {
    method: endpoint.method,
    path: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    right: endpoint.right,
    // Whatever is not a read may place or end orders.
    changesOrders: endpoint.method !== 'GET',
    takesList: endpoint.payload === 'list',
    run(call) {
      const read = readRequestParams(endpoint.params, call.parameters);
      if (!read.ok) return new Refusal(read.error);
      const result = run(read.params, call);
      return result instanceof Promise ? result.then(textOf) : textOf(result);
    },
  };
}

function textOf(result: string | object | Refusal): string | Refusal {
  return typeof result === 'string' || result instanceof Refusal ? result : JSON.stringify(result);
}

/** The account a call is made for: there is one wherever a route needs a key. */
export function routeAccount(call: RouteCall): AccountId {
  return call.account?.id ?? fail('a route ran without an account', { path: call.request.path });
}
