import type { MarginProductName, Product } from '../../core/model/product.ts';
import type { StateView } from '../../core/state/index.ts';
import { instrumentOf, Refusal, refuse, written } from '../../exchange/base/index.ts';
import type { RestResult, RestRoute, RouteCall } from '../../exchange/http/index.ts';
import { v3Route } from '../../exchange/http/index.ts';
import type { MarginObjects } from '../../venues/hitbtc/wire/resources/index.ts';
import { spotBalanceOfCurrency } from '../../venues/hitbtc/wire/resources/index.ts';
import { notServed } from './denials.ts';
import type { ProgramDesk } from './desk.ts';
import { futuresBalance, futuresBalances, futuresFee, futuresFees } from './reads.ts';
import type { GatewayRoutesDeps } from './route-answers.ts';
import { programOfCall } from './route-answers.ts';
import { marginObjects } from './shown-orders.ts';

/** Changes of margin accounts and closings of positions. Source: v3-gaps, section 8. */
export function marginChangeRoutes(
  { desk }: GatewayRoutesDeps,
  product: MarginProductName,
): readonly RestRoute[] {
  const deskOf = (call: RouteCall): ProgramDesk => desk(programOfCall(call));
  return [
    v3Route(`${product}SetAccount`, async (params, call) => {
      const one = deskOf(call);
      const changed = await one.margin.setAccount(product, params);
      return shown(one, product, (objects) => written(changed, ({ view }) => objects.account(view)));
    }),
    v3Route(`${product}ClosePosition`, async ({ marginMode: mode, symbol, price, strictValidate }, call) => {
      if (mode !== 'isolated' && mode !== 'cross') return refuse(2_024);
      const one = deskOf(call);
      const state = one.stateOf(product);
      const instrument = state instanceof Refusal ? state : instrumentOf(state.instruments, product, symbol);
      if (instrument instanceof Refusal) return instrument;
      const how = { price, strict: strictValidate };
      const position = await one.margin.close(product, { mode, instrument }, how);
      return shown(one, product, (objects) => written(position, (view) => objects.position(view)));
    }),
    v3Route(`${product}ClosePositions`, async (_params, call) => {
      const one = deskOf(call);
      const closed = await one.margin.closeAll(product);
      return shown(one, product, (objects) =>
        written(closed, (views) => views.map((view) => objects.position(view))),
      );
    }),
  ];
}

/** Margin accounts that are open, and the rules of margin. */
export function marginReadRoutes(
  { desk, upstream }: GatewayRoutesDeps,
  product: MarginProductName,
): readonly RestRoute[] {
  const deskOf = (call: RouteCall): ProgramDesk => desk(programOfCall(call));
  const one = (mode: 'isolated' | 'cross', name: string, call: RouteCall): object => {
    const account = deskOf(call).margin.account(product, mode, name);
    return shown(deskOf(call), product, (objects) => written(account, (view) => objects.account(view)));
  };
  return [
    v3Route(`${product}Accounts`, (_params, call) => {
      const accounts = deskOf(call).margin.accounts(product);
      return shown(deskOf(call), product, (objects) =>
        written(accounts, (views) => views.map((view) => objects.account(view))),
      );
    }),
    v3Route(`${product}IsolatedAccount`, ({ symbol }, call) => one('isolated', symbol, call)),
    v3Route(`${product}CrossAccount`, ({ currency }, call) => one('cross', currency, call)),
    v3Route(`${product}Config`, async (_params, call) => {
      const { path, query } = call.request;
      const state = deskOf(call).stateOf(product);
      if (state instanceof Refusal) return state;
      if (upstream?.isSigned !== true)
        return notServed(`The gateway does not serve GET ${path} without an account at a venue of this API`);
      return upstream.read(path, query, true);
    }),
  ];
}

/** Balances and fees of contracts. Source: v3-gaps, section 8. */
export function futuresReadRoutes({ desk }: GatewayRoutesDeps): readonly RestRoute[] {
  const within = (call: RouteCall, read: (state: StateView) => RestResult): RestResult => {
    const state = desk(programOfCall(call)).stateOf('futures');
    return state instanceof Refusal ? state : read(state);
  };
  return [
    v3Route('futuresBalances', (_params, call) => within(call, futuresBalances)),
    v3Route('futuresBalance', ({ currency }, call) =>
      within(call, (state) => futuresBalance(state, currency, (one) => spotBalanceOfCurrency.v3.write(one))),
    ),
    v3Route('futuresFees', (_params, call) => within(call, futuresFees)),
    v3Route('futuresFee', ({ symbol }, call) => within(call, (state) => futuresFee(state, symbol))),
  ];
}

function shown(desk: ProgramDesk, product: Product, write: (objects: MarginObjects) => object): object {
  const state = desk.stateOf(product);
  return state instanceof Refusal ? state : write(marginObjects('v3', product, state.instruments));
}
