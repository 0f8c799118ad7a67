import type { AuthResult } from '../wire/auth.ts';
import type { Right } from '../wire/endpoint.ts';
import { errorBody, unknownPathBody } from '../wire/error-bodies.ts';
import type { WireError } from '../wire/errors.ts';
import { httpStatusOf, wireError } from '../wire/errors.ts';
import { verifyV3 } from '../wire/rest-auth.ts';
import type { Account, ApiKey } from './accounts.ts';
import { bucketOfPath } from './buckets.ts';
import type { DoorSetup } from './door-setup.ts';
import type { RestAnswer, RestBinding, RestFallback } from './http.ts';
import { parametersOf } from './parameters.ts';
import { badParameter, Refusal, refuse } from './refusal.ts';
import type { RestRequest } from './rest-request.ts';
import type { RestRoute } from './rest-route.ts';
import { v3BookRoutes, v3CandleRoutes } from './rest-v3-books.ts';
import { v3HistoryRoutes } from './rest-v3-history.ts';
import { v3PublicRoutes } from './rest-v3-public.ts';
import { v3SpotRoutes } from './rest-v3-spot.ts';

/** Every REST endpoint, and the answers where there is none. */
export function restApi(door: DoorSetup): { bindings: readonly RestBinding[]; fallback: RestFallback } {
  const routes = [
    ...v3PublicRoutes(door),
    ...v3BookRoutes(door),
    ...v3CandleRoutes(door),
    ...v3SpotRoutes(door),
    ...v3HistoryRoutes(door),
  ];
  return {
    bindings: routes.map((route) => ({
      method: route.method,
      path: route.path,
      answer: (request) => answer(door, route, request),
    })),
    fallback: {
      notFound: (request) => ({
        status: 404,
        text: JSON.stringify(unknownPathBody(request)),
        reason: 'NOT_FOUND',
      }),
      broken: (request, why) => errorAnswer(badParameter(`Bad request. ${why}`.slice(0, 200)).error, request),
      failed: (request) => errorAnswer(wireError(500), request),
    },
  };
}

function answer(door: DoorSetup, route: RestRoute, request: RestRequest): RestAnswer {
  const result = execute(door, route, request);
  return result instanceof Refusal
    ? errorAnswer(result.error, request)
    : { status: 200, text: result, reason: undefined };
}

function execute(door: DoorSetup, route: RestRoute, request: RestRequest): string | Refusal {
  const { faults, throttle } = door;
  const switched = faults.takeRefusal();
  if (switched !== undefined) return refuse(switched);
  const bucket = bucketOfPath('address', request.path);
  if (bucket !== undefined && !throttle.admit(request.address, bucket.name, bucket.limit)) return refuse(429);
  let account: Account | undefined;
  if (route.right !== 'none') {
    const key = keyOf(door, route.right, request);
    if (key instanceof Refusal) return key;
    account = key.account;
    const own = bucketOfPath('account', request.path);
    if (own !== undefined && !throttle.admit(`account ${account.id}`, own.name, own.limit))
      return refuse(429);
  }
  const parameters = parametersOf(request);
  if (parameters instanceof Refusal) return parameters;
  const timeout = route.changesOrders ? faults.takeTimeout() : undefined;
  if (timeout === 'beforeAccept') return refuse(504);
  const result = route.run({ request, account, parameters });
  return timeout === 'afterAccept' ? refuse(504) : result;
}

/** Whose key it is, if it is one and has the right. Source: API v3, "Authentication". */
function keyOf(door: DoorSetup, right: Right, request: RestRequest): ApiKey | Refusal {
  const { accounts } = door.world;
  const result: AuthResult = verifyV3({
    authorization: request.authorization,
    request,
    lookup: (apiKey) => accounts.secretOf(apiKey),
    now: request.time,
  });
  if (!result.ok) return new Refusal(result.error);
  const key = accounts.keyOf(result.apiKey);
  if (key === undefined) return refuse(1_002);
  return right === 'none' || key.rights.has(right) ? key : refuse(1_003);
}

function errorAnswer(error: WireError, request: RestRequest): RestAnswer {
  return {
    status: httpStatusOf(error.code),
    text: JSON.stringify(errorBody(error, request)),
    reason: reasonOf(error),
  };
}

/** The words live hosts put into their reason header: `SYMBOL_NOT_FOUND`, `VALIDATION_ERROR`. Source: v3-gaps, section 5. */
function reasonOf(error: WireError): string {
  const title = error.code === 2_001 ? 'Symbol not found' : wireError(error.code).message;
  return title
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
