import type { AuthResult } from '../../venues/hitbtc/wire/auth.ts';
import type { Right } from '../../venues/hitbtc/wire/endpoint.ts';
import type { ErrorPlace } from '../../venues/hitbtc/wire/error-bodies.ts';
import { errorBody, errorBodyV2, unknownPathBody } from '../../venues/hitbtc/wire/error-bodies.ts';
import type { WireError } from '../../venues/hitbtc/wire/errors.ts';
import { httpStatusOf, wireError } from '../../venues/hitbtc/wire/errors.ts';
import { verifyV2, verifyV3 } from '../../venues/hitbtc/wire/rest-auth.ts';
import type { ExchangeAccount, ApiKey } from '../base/accounts.ts';
import { bucketOfPath } from '../base/rate-limits.ts';
import { v2BuyCryptoRoutes, v3BuyCryptoRoutes } from '../buy-crypto/rest.ts';
import type { AppSetup } from '../server/app-setup.ts';
import type { HttpAnswer, RestBinding, RestFallback, RestRequest } from './http.ts';
import { parametersOf } from './parameters.ts';
import { badRequest, Refusal, refuse } from '../base/refusal.ts';
import type { RestOutcome, RestRoute } from './rest-route.ts';
import { bookRoutes } from '../market/rest-books.ts';
import { priceRoutes } from '../market/rest-prices.ts';
import { v3FuturesPublicRoutes } from '../futures/rest-v3.ts';
import { v2HistoryRoutes, v3HistoryRoutes } from '../orders/rest-history.ts';
import { symbolRoutes } from '../market/rest-symbols.ts';
import { tradeRoutes } from '../market/rest-trades.ts';
import { v2SpotRoutes, v3SpotRoutes, v3UserRoutes } from '../orders/rest.ts';
import { v2SubAccountRoutes } from '../sub-accounts/rest-v2.ts';
import { v3SubAccountRoutes } from '../sub-accounts/rest-v3.ts';
import { v2AccountRoutes } from '../wallet/rest-v2.ts';
import { v2MarginRoutes } from '../margin/rest-v2.ts';
import { v3MarginRoutes } from '../margin/rest-v3.ts';
import { v3WalletRoutes } from '../wallet/rest-v3.ts';

/** Every REST endpoint, and the answers where there is none. */
export function restApi(app: AppSetup): { bindings: readonly RestBinding[]; fallback: RestFallback } {
  const routes = [
    ...symbolRoutes(app),
    ...priceRoutes(app),
    ...bookRoutes(app),
    ...tradeRoutes(app),
    ...v3FuturesPublicRoutes(app),
    ...v3SpotRoutes(app),
    ...v3HistoryRoutes(app),
    ...v3MarginRoutes(app),
    ...v2MarginRoutes(app),
    ...v3WalletRoutes(app),
    ...v2AccountRoutes(app),
    ...v2SpotRoutes(app),
    ...v2HistoryRoutes(app),
    ...v3SubAccountRoutes(app),
    ...v2SubAccountRoutes(app),
    ...v3BuyCryptoRoutes(app),
    ...v2BuyCryptoRoutes(app),
    ...v3UserRoutes(),
  ];
  return {
    bindings: routes.map((route) => ({
      method: route.method,
      path: route.path,
      answer: (request) => answer(app, route, request),
    })),
    fallback: {
      notFound: (request) => unknownPath(app, request),
      broken: (request, why) => errorAnswer(badRequest(`Bad request. ${why}`.slice(0, 200)).error, request),
      unreadable: (place, why) => errorAnswer(badRequest(why).error, place),
      failed: (request) => errorAnswer(wireError(500), request),
    },
  };
}

/**
 * A request for an unknown path counts against the limits as any other: the limits table has rows without an endpoint. Source: API v3, "Limits".
 */
function unknownPath(app: AppSetup, request: RestRequest): HttpAnswer {
  if (!countAddress(app, request)) return errorAnswer(wireError(429), request);
  const key = request.authorization === undefined ? undefined : keyOf(app, 'key', request);
  if (key !== undefined && !(key instanceof Refusal) && !countAccount(app, request, key.account))
    return errorAnswer(wireError(429), request);
  return { status: 404, text: JSON.stringify(unknownPathBody(request)), reason: 'NOT_FOUND' };
}

function answer(app: AppSetup, route: RestRoute, request: RestRequest): HttpAnswer | Promise<HttpAnswer> {
  const outcome = execute(app, route, request);
  return outcome instanceof Promise
    ? outcome.then((result) => answerOf(result, request))
    : answerOf(outcome, request);
}

function answerOf(result: string | Refusal, request: RestRequest): HttpAnswer {
  return result instanceof Refusal
    ? errorAnswer(result.error, request)
    : { status: 200, text: result, reason: undefined };
}

function execute(app: AppSetup, route: RestRoute, request: RestRequest): RestOutcome {
  const { faults } = app;
  const switched = faults.takeRefusal();
  if (switched !== undefined) return refuse(switched);
  if (!countAddress(app, request)) return refuse(429);
  let account: ExchangeAccount | undefined;
  if (route.right !== 'none') {
    const key = keyOf(app, route.right, request);
    if (key instanceof Refusal) return key;
    account = key.account;
    if (!countAccount(app, request, account)) return refuse(429);
  }
  const parameters = parametersOf(request, route.takesList);
  if (parameters instanceof Refusal) return parameters;
  const run = () => route.run({ request, account, parameters });
  const result = route.changesOrders ? faults.meetOrder(run) : run();
  return typeof result === 'number' ? refuse(result) : result;
}

/** False: the limit of the address is reached. */
function countAddress({ throttle }: AppSetup, { path, address }: RestRequest): boolean {
  const bucket = bucketOfPath('address', path);
  return bucket === undefined || throttle.admit(address, bucket.name, bucket.limit);
}

/** False: the limit of the account is reached. */
function countAccount({ throttle }: AppSetup, { path }: RestRequest, account: ExchangeAccount): boolean {
  const bucket = bucketOfPath('account', path);
  return bucket === undefined || throttle.admit(`account ${account.id}`, bucket.name, bucket.limit);
}

/** Whose key it is, if it is one and has the right. Source: API v3 and v2, "Authentication". */
function keyOf(app: AppSetup, right: Right, request: RestRequest): ApiKey | Refusal {
  const { accounts } = app.world;
  const verify = isV2(request) ? verifyV2 : verifyV3;
  const result: AuthResult = verify({
    authorization: request.authorization,
    request,
    lookup: (apiKey) => accounts.secretOf(apiKey),
    now: request.time,
  });
  if (!result.ok) return new Refusal(result.error);
  const key = accounts.keyOf(result.apiKey);
  if (key === undefined) return refuse(1_002);
  if (right !== 'none' && right !== 'key' && !key.rights.has(right)) return refuse(1_003);
  return app.world.subAccountAccess.admit(key.account) ?? key;
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
