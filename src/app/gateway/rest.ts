import { products } from '../../core/model/product.ts';
import type { Refusal } from '../../exchange/base/index.ts';
import type { RestResult, RestRoute, RouteCall } from '../../exchange/http/index.ts';
import { v2Route, v3Route } from '../../exchange/http/index.ts';
import { bookRoutes } from '../../exchange/market/index.ts';
import { apiKeyRow, spotBalanceOfCurrency } from '../../venues/hitbtc/wire/resources/index.ts';
import type { V2EndpointName } from '../../venues/hitbtc/wire/v2/index.ts';
import { v2Endpoints } from '../../venues/hitbtc/wire/v2/index.ts';
import type { V3EndpointName } from '../../venues/hitbtc/wire/v3/index.ts';
import { v3Endpoints } from '../../venues/hitbtc/wire/v3/index.ts';
import { notServed } from './denials.ts';
import type { MarketDesk } from './market-desk.ts';
import { balanceOf, heldBalances, readState, spotFee, spotFees } from './reads.ts';
import { futuresReadRoutes, marginChangeRoutes, marginReadRoutes } from './rest-margin.ts';
import { orderRoutes, readingRoutes } from './rest-orders.ts';
import { v2MarginChangeRoutes, v2MarginReadRoutes } from './rest-v2-margin.ts';
import { v2OrderRoutes, v2ReadingRoutes } from './rest-v2.ts';
import type { GatewayRoutesDeps } from './route-answers.ts';
import { programOfCall } from './route-answers.ts';

const marginProducts = ['margin', 'futures'] as const;
const v3Names = Object.keys(v3Endpoints) as V3EndpointName[];
const v2Names = Object.keys(v2Endpoints) as V2EndpointName[];

/** REST endpoints of both versions: those that are served, and those that are refused in one sentence. */
export function gatewayRoutes(deps: GatewayRoutesDeps): readonly RestRoute[] {
  const changes = [
    ...products.flatMap((product) => orderRoutes(deps, product)),
    ...marginProducts.flatMap((product) => marginChangeRoutes(deps, product)),
    ...v2OrderRoutes(deps),
    ...v2MarginChangeRoutes(deps),
  ].map((route) => deps.signatures.once(route));
  const reads = [
    ...products.flatMap((product) => readingRoutes(deps, product)),
    ...marginProducts.flatMap((product) => marginReadRoutes(deps, product)),
    ...futuresReadRoutes(deps),
    ...accountRoutes(deps),
    ...v2ReadingRoutes(deps),
    ...v2MarginReadRoutes(deps),
    ...passedOn(deps),
  ];
  const served = [...changes, ...reads];
  const paths = new Set(served.map(({ method, path }) => `${method} ${path}`));
  const refused = [
    ...v3Names.map((name) => v3Route(name, notBuilt)),
    ...v2Names.map((name) => v2Route(name, notBuilt)),
  ];
  return [...served, ...refused.filter(({ method, path }) => !paths.has(`${method} ${path}`))];
}

function notBuilt(_params: unknown, { request }: RouteCall): Refusal {
  return notServed(`The gateway does not serve ${request.method} ${request.path}`);
}

/** Balances of the account as the daemon knows them, fee rates, and the keys of the program itself. */
function accountRoutes({ desk }: GatewayRoutesDeps): RestRoute[] {
  const within = (call: RouteCall, read: Parameters<typeof readState<RestResult>>[1]): RestResult =>
    readState(desk(programOfCall(call)), read);
  return [
    v3Route('spotBalances', (_params, call) => within(call, heldBalances)),
    v3Route('spotBalance', ({ currency }, call) =>
      within(call, (state, one) =>
        balanceOf(state, { currency, desk: one }, (balance) => spotBalanceOfCurrency.v3.write(balance)),
      ),
    ),
    v3Route('spotFees', (_params, call) => within(call, (state) => spotFees(state))),
    v3Route('spotFee', ({ symbol }, call) => within(call, (state) => spotFee(state, symbol))),
    v3Route('userApiKeys', (_params, call) =>
      (call.account?.keys ?? []).map(({ apiKey, rights }) =>
        apiKeyRow.v3.write({ apiKey, rights: [...rights] }),
      ),
    ),
  ];
}

/** Public data of both versions, passed on as they are asked for. */
function passedOn({ upstream, market }: GatewayRoutesDeps): RestRoute[] {
  const names = [
    ...v3Names.map((name) => v3Route(name, nothing)),
    ...v2Names.map((name) => v2Route(name, nothing)),
  ];
  const passed = names
    .filter(({ right }) => right === 'none')
    .map((route): RestRoute => ({
      ...route,
      run: ({ request: { path, query } }) =>
        upstream?.read(path, query, false) ?? notServed(`The gateway does not serve GET ${path}`),
    }));
  return passed.map((route) => (bookPaths.has(route.path) ? followedFirst(route, market) : route));
}

/** Reads of one book. */
const bookPaths: ReadonlySet<string> = new Set([
  v3Route('publicOrderBook', nothing).path,
  v2Route('publicOrderBook', nothing).path,
]);

/** A read of one book: from the state of the daemon where it follows the symbol, else by `route`. */
function followedFirst(route: RestRoute, market: MarketDesk): RestRoute {
  return {
    ...route,
    run: (call) => {
      const symbol = decodeURIComponent(call.request.path.split('/').at(-1) ?? '').toUpperCase();
      const markets = market.marketsOf(symbol);
      const own = markets && bookRoutes(markets).find(({ path }) => path === route.path);
      return (own ?? route).run(call);
    },
  };
}

function nothing(): string {
  return '';
}
