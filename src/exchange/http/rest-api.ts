import type { AuthResult, Right, ErrorPlace, WireError } from '../../venues/hitbtc/wire/index.ts';
import {
  errorBody,
  errorBodyV2,
  unknownPathBody,
  httpStatusOf,
  wireError,
  verifyV2,
  verifyV3,
} from '../../venues/hitbtc/wire/index.ts';
import type { AccountAccess, ApiKey, ExchangeAccount, Faults, KeyRing, RateLimiter } from '../base/index.ts';
import { bucketOfPath, badRequest, Refusal, refuse } from '../base/index.ts';
import type { HttpAnswer, RestBinding, RestFallback, RestRequest } from './http.ts';
import { parametersOf } from './parameters.ts';
import type { RestOutcome, RestRoute } from './rest-route.ts';

interface ServingDeps {
  readonly accounts: KeyRing;
  readonly access: AccountAccess;
  readonly throttle: RateLimiter;
  readonly faults: Faults;
}

/** Serves routes: limits, keys, rights and parameters come before them. Also the answers where there is no route. */
export function serveRoutes(
  routes: readonly RestRoute[],
  deps: ServingDeps,
): { bindings: readonly RestBinding[]; fallback: RestFallback } {
  return {
    bindings: routes.map((route) => ({
      method: route.method,
      path: route.path,
      changesOrders: route.changesOrders,
      answer: (request) => answer(deps, route, request),
    })),
    fallback: {
      notFound: (request) => unknownPath(deps, request),
      broken: (request, why) => errorAnswer(badRequest(`Bad request. ${why}`.slice(0, 200)).error, request),
      unreadable: (place, why) => errorAnswer(badRequest(why).error, place),
      failed: (request) => errorAnswer(wireError(500), request),
    },
  };
}

/**
 * A request for an unknown path counts against the limits as any other: the limits table has rows without an endpoint. Source: API v3, "Limits".
 */
function unknownPath(deps: ServingDeps, request: RestRequest): HttpAnswer {
  if (!countAddress(deps, request)) return errorAnswer(wireError(429), request);
  const key = request.authorization === undefined ? undefined : keyOf(deps, 'key', request);
  if (key !== undefined && !(key instanceof Refusal) && !countAccount(deps, request, key.account))
    return errorAnswer(wireError(429), request);
  return { status: 404, text: JSON.stringify(unknownPathBody(request)), reason: 'NOT_FOUND' };
}

function answer(deps: ServingDeps, route: RestRoute, request: RestRequest): HttpAnswer | Promise<HttpAnswer> {
  const outcome = execute(deps, route, request);
  return outcome instanceof Promise
    ? outcome.then((result) => answerOf(result, request))
    : answerOf(outcome, request);
}

function answerOf(result: string | Refusal, request: RestRequest): HttpAnswer {
  return result instanceof Refusal
    ? errorAnswer(result.error, request)
    : { status: 200, text: result, reason: undefined };
}

function execute(deps: ServingDeps, route: RestRoute, request: RestRequest): RestOutcome {
  const { faults } = deps;
  const switched = faults.takeRefusal();
  if (switched !== undefined) return refuse(switched);
  if (!countAddress(deps, request)) return refuse(429);
  let account: ExchangeAccount | undefined;
  if (route.right !== 'none') {
    const key = keyOf(deps, route.right, request);
    if (key instanceof Refusal) return key;
    account = key.account;
    if (!countAccount(deps, request, account)) return refuse(429);
  }
  const parameters = parametersOf(request, route.takesList);
  if (parameters instanceof Refusal) return parameters;
  const run = () => route.run({ request, account, parameters });
  const result = route.changesOrders ? faults.meetOrder(run) : run();
  return typeof result === 'number' ? refuse(result) : result;
}

/** False: the limit of the address is reached. */
function countAddress({ throttle }: ServingDeps, { path, address }: RestRequest): boolean {
  const bucket = bucketOfPath('address', path);
  return bucket === undefined || throttle.admit(address, bucket.name, bucket.limit);
}

/** False: the limit of the account is reached. */
function countAccount({ throttle }: ServingDeps, { path }: RestRequest, account: ExchangeAccount): boolean {
  const bucket = bucketOfPath('account', path);
  return bucket === undefined || throttle.admit(`account ${account.id}`, bucket.name, bucket.limit);
}

/** Owner of the key, if it is one and has the right. Source: API v3 and v2, "Authentication". */
function keyOf(deps: ServingDeps, right: Right, request: RestRequest): ApiKey | Refusal {
  const { accounts, access } = deps;
  const verify = isV2(request) ? verifyV2 : verifyV3;
  const { authorization, time, otherTime } = request;
  const lookup = (apiKey: string) => accounts.secretOf(apiKey);
  let result: AuthResult = verify({ authorization, request, lookup, now: time });
  if (!result.ok && otherTime !== undefined)
    result = verify({ authorization, request, lookup, now: otherTime });
  if (!result.ok) return new Refusal(result.error);
  const key = accounts.keyOf(result.apiKey);
  if (key === undefined) return refuse(1_002);
  if (right !== 'none' && right !== 'key' && !key.rights.has(right)) return refuse(1_003);
  return access.admit(key.account) ?? key;
}

function errorAnswer(error: WireError, request: ErrorPlace): HttpAnswer {
  return {
    status: httpStatusOf(error.code),
    text: JSON.stringify(isV2(request) ? errorBodyV2(error) : errorBody(error, request)),
    reason: reasonOf(error),
  };
}

function isV2({ path }: ErrorPlace): boolean {
  return path.startsWith('/api/2/');
}

/** The words live hosts put into their reason header: `SYMBOL_NOT_FOUND`, `VALIDATION_ERROR`. Source: v3-gaps, section 5. */
function reasonOf(error: WireError): string {
  const title = error.code === 2_001 ? 'Symbol not found' : wireError(error.code).message;
  return title
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
