import { fail } from '../../core/base/assert.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { StateView } from '../../core/state/index.ts';
import { averagePrice, Refusal } from '../../exchange/base/index.ts';
import type { RestResult, RestRoute, RouteCall } from '../../exchange/http/index.ts';
import { v2Route, v3Route } from '../../exchange/http/index.ts';
import { apiKeyRow, encodeOrder, spotBalanceOfCurrency } from '../../venues/hitbtc/wire/resources/index.ts';
import type { V2EndpointName } from '../../venues/hitbtc/wire/v2/index.ts';
import { v2Endpoints } from '../../venues/hitbtc/wire/v2/index.ts';
import type { V3EndpointName } from '../../venues/hitbtc/wire/v3/index.ts';
import { v3Endpoints } from '../../venues/hitbtc/wire/v3/index.ts';
import { notServed } from './denials.ts';
import { ownHistory } from './history.ts';
import type { ProgramDesk, VenueKnownOrder } from './desk.ts';
import { balanceOf, heldBalances, programOrder, spotFee, spotFees } from './reads.ts';
import type { Upstream } from './upstream.ts';
import type { UsedSignatures } from './used-signatures.ts';

export interface GatewayRoutesDeps {
  /** The desk of the program of that name. */
  readonly desk: (program: string) => ProgramDesk;
  readonly signatures: UsedSignatures;
  /** Way to the venue's own reads; without one nothing is passed on. */
  readonly upstream: Upstream | undefined;
}

/** REST endpoints of both versions: those that are served, and those that are refused in one sentence. */
export function gatewayRoutes(deps: GatewayRoutesDeps): readonly RestRoute[] {
  const orders = orderRoutes(deps).map((route) => deps.signatures.once(route));
  const served = [...orders, ...readingRoutes(deps), ...accountRoutes(deps), ...passedOn(deps)];
  const paths = new Set(served.map(({ method, path }) => `${method} ${path}`));
  const refused = [
    ...(Object.keys(v3Endpoints) as V3EndpointName[]).map((name) => v3Route(name, notBuilt)),
    ...(Object.keys(v2Endpoints) as V2EndpointName[]).map((name) => v2Route(name, notBuilt)),
  ];
  return [...served, ...refused.filter(({ method, path }) => !paths.has(`${method} ${path}`))];
}

function notBuilt(_params: unknown, { request }: RouteCall): Refusal {
  return notServed(`The gateway does not serve ${request.method} ${request.path}`);
}

/** Orders of spot. Source: API v3, "Spot trading". */
function orderRoutes({ desk }: GatewayRoutesDeps): RestRoute[] {
  const deskOf = (call: RouteCall): ProgramDesk => desk(programOfCall(call));
  return [
    v3Route('spotNewOrder', async (params, call) => answered(deskOf(call), await deskOf(call).place(params))),
    v3Route('spotReplaceOrder', async (params, call) =>
      answered(deskOf(call), await deskOf(call).replace(params)),
    ),
    v3Route('spotCancelOrder', async ({ clientOrderId }, call) =>
      answered(deskOf(call), await deskOf(call).cancel(clientOrderId)),
    ),
    v3Route('spotCancelOrders', async ({ symbol }, call) => {
      const one = deskOf(call);
      const instrument = named(one, symbol);
      if (instrument instanceof Refusal) return instrument;
      return listed(one, await one.cancelAll(instrument));
    }),
  ];
}

function readingRoutes({ desk, upstream }: GatewayRoutesDeps): RestRoute[] {
  const deskOf = (call: RouteCall): ProgramDesk => desk(programOfCall(call));
  return [
    v3Route('spotActiveOrders', ({ symbol }, call) => {
      const one = deskOf(call);
      const instrument = named(one, symbol);
      return instrument instanceof Refusal ? instrument : listed(one, one.active(instrument));
    }),
    v3Route('spotActiveOrder', ({ clientOrderId }, call) =>
      answered(deskOf(call), deskOf(call).activeOrder(clientOrderId)),
    ),
    v3Route('spotOrderHistory', ({ clientOrderId: name }, call) =>
      ownHistory(call.request, { desk: deskOf(call), upstream, name }),
    ),
    v3Route('spotTradeHistory', (_params, call) =>
      ownHistory(call.request, { desk: deskOf(call), upstream }),
    ),
  ];
}

/** Balances of the account as the daemon knows them, fee rates, and the keys of the program itself. */
function accountRoutes({ desk }: GatewayRoutesDeps): RestRoute[] {
  const within = (call: RouteCall, read: (state: StateView) => RestResult): RestResult => {
    const { state } = desk(programOfCall(call));
    return state instanceof Refusal ? state : read(state);
  };
  return [
    v3Route('spotBalances', (_params, call) => within(call, heldBalances)),
    v3Route('spotBalance', ({ currency }, call) =>
      within(call, (state) => balanceOf(state, currency, (one) => spotBalanceOfCurrency.v3.write(one))),
    ),
    v3Route('spotFees', (_params, call) => within(call, spotFees)),
    v3Route('spotFee', ({ symbol }, call) => within(call, (state) => spotFee(state, symbol))),
    v3Route('userApiKeys', (_params, call) =>
      (call.account?.keys ?? []).map(({ apiKey, rights }) =>
        apiKeyRow.v3.write({ apiKey, rights: [...rights] }),
      ),
    ),
  ];
}

/** Public data, passed on as they are asked for. */
function passedOn({ upstream }: GatewayRoutesDeps): RestRoute[] {
  if (upstream === undefined) return [];
  const root = '/api/3';
  return (Object.keys(v3Endpoints) as V3EndpointName[])
    .filter((name) => v3Endpoints[name].right === 'none')
    .map((name) => ({
      ...v3Route(name, () => ''),
      run: ({ request }) => upstream.read(request.path.slice(root.length), request.query, false),
    }));
}

/** The program of the key: there is one wherever a route needs a key. */
function programOfCall({ account, request }: RouteCall): string {
  return account?.name ?? fail('a route ran without a program', { path: request.path });
}

function named(desk: ProgramDesk, symbol: string | undefined): Instrument | undefined | Refusal {
  const { state } = desk;
  if (state instanceof Refusal || symbol === undefined) return state instanceof Refusal ? state : undefined;
  return desk.instrument(state, symbol);
}

function answered(desk: ProgramDesk, answer: VenueKnownOrder | Refusal): object {
  return answer instanceof Refusal ? answer : wireOrder(desk, answer);
}

function listed(desk: ProgramDesk, answer: readonly VenueKnownOrder[] | Refusal): object {
  return answer instanceof Refusal ? answer : answer.map((order) => wireOrder(desk, order));
}

/** An order as the documents show it, with the executions that were seen of it. */
function wireOrder(desk: ProgramDesk, order: VenueKnownOrder): object {
  const { state } = desk;
  if (state instanceof Refusal) return state;
  const instrument = state.instruments.at(order.instrument);
  const fills = desk.fills(order.clientOrderId);
  const average = { averagePrice: averagePrice(instrument, fills) };
  const extras = fills.length === 0 ? average : { ...average, fills };
  return encodeOrder('v3', programOrder(order, state), instrument, extras);
}
