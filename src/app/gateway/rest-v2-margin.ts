import type { PositionView } from '../../core/model/margin.ts';
import { instrumentOf, Refusal, refuse, written } from '../../exchange/base/index.ts';
import type { RestRoute, RouteCall } from '../../exchange/http/index.ts';
import { v2Route } from '../../exchange/http/index.ts';
import type { MarginObjects, MarginOrderParams } from '../../venues/hitbtc/wire/resources/index.ts';
import type { ProgramDesk } from './desk.ts';
import type { GatewayRoutesDeps } from './route-answers.ts';
import { answered, named, ordersAnswered, programOfCall } from './route-answers.ts';
import { marginObjects } from './shown-orders.ts';

/** Changes on margin by version 2, which has isolated accounts alone; symbols are compared without case. Source: v2-gaps, section 2. */
export function v2MarginChangeRoutes({ desk }: GatewayRoutesDeps): readonly RestRoute[] {
  const deskOf = (call: RouteCall): ProgramDesk => desk(programOfCall(call));
  const placed = async (params: MarginOrderParams, call: RouteCall): Promise<object> => {
    const asked = { ...params, symbol: params.symbol.toUpperCase() };
    return answered(deskOf(call), await deskOf(call).orders.place('margin', asked), 'v2');
  };
  return [
    v2Route('marginNewOrder', placed),
    v2Route('marginPutOrder', placed),
    v2Route('marginCancelOrder', async ({ clientOrderId }, call) =>
      answered(deskOf(call), await deskOf(call).orders.cancel('margin', clientOrderId), 'v2'),
    ),
    v2Route('marginCancelOrders', async ({ symbol }, call) => {
      const one = deskOf(call);
      const instrument = named(one, 'margin', symbol?.toUpperCase());
      return instrument instanceof Refusal
        ? instrument
        : ordersAnswered(one, await one.orders.cancelAll('margin', instrument), 'v2');
    }),
    v2Route('marginSetAccount', async (params, call) => {
      const one = deskOf(call);
      const instrument = params.instrument.toUpperCase();
      const changed = await one.margin.setAccount('margin', { ...params, instrument });
      return shown(one, (objects) => written(changed, ({ view }) => objects.account(view)));
    }),
    v2Route('marginClosePositions', async (_params, call) => {
      const one = deskOf(call);
      return shownPositions(one, await one.margin.closeAll('margin'));
    }),
    v2Route('marginClosePosition', async ({ symbol, price, strictValidate }, call) => {
      const one = deskOf(call);
      const state = one.stateOf('margin');
      const instrument =
        state instanceof Refusal ? state : instrumentOf(state.instruments, 'margin', symbol.toUpperCase());
      if (instrument instanceof Refusal) return instrument;
      const how = { price, strict: strictValidate };
      const closed = await one.margin.close('margin', { mode: 'isolated', instrument }, how);
      return shownPositions(one, closed instanceof Refusal ? closed : [closed]);
    }),
  ];
}

/** Reads of margin by version 2. */
export function v2MarginReadRoutes({ desk }: GatewayRoutesDeps): readonly RestRoute[] {
  const deskOf = (call: RouteCall): ProgramDesk => desk(programOfCall(call));
  const isolated = (one: ProgramDesk) => {
    const accounts = one.margin.accounts('margin');
    return accounts instanceof Refusal ? accounts : accounts.filter(({ mode }) => mode === 'isolated');
  };
  return [
    v2Route('marginAccounts', (_params, call) => {
      const accounts = isolated(deskOf(call));
      return shown(deskOf(call), (objects) =>
        written(accounts, (views) => views.map((view) => objects.account(view))),
      );
    }),
    v2Route('marginAccount', ({ symbol }, call) => {
      const account = deskOf(call).margin.account('margin', 'isolated', symbol.toUpperCase());
      return shown(deskOf(call), (objects) => written(account, (view) => objects.account(view)));
    }),
    v2Route('marginPositions', (_params, call) => {
      const accounts = isolated(deskOf(call));
      return accounts instanceof Refusal
        ? accounts
        : shownPositions(
            deskOf(call),
            accounts.flatMap(({ positions }) => positions),
          );
    }),
    v2Route('marginPosition', ({ symbol }, call) => {
      const account = deskOf(call).margin.account('margin', 'isolated', symbol.toUpperCase());
      if (account instanceof Refusal) return account;
      const [position] = account.positions;
      if (position === undefined) return refuse(20_032);
      return shown(deskOf(call), (objects) => objects.position(position));
    }),
    v2Route('marginOrders', ({ symbol }, call) => {
      const one = deskOf(call);
      const instrument = named(one, 'margin', symbol?.toUpperCase());
      return instrument instanceof Refusal
        ? instrument
        : ordersAnswered(one, one.active('margin', instrument), 'v2');
    }),
    v2Route('marginOrder', ({ clientOrderId }, call) =>
      answered(deskOf(call), deskOf(call).activeOrder('margin', clientOrderId), 'v2'),
    ),
  ];
}

function shownPositions(desk: ProgramDesk, positions: readonly PositionView[] | Refusal): object {
  return shown(desk, (objects) => written(positions, (views) => views.map((view) => objects.position(view))));
}

function shown(desk: ProgramDesk, write: (objects: MarginObjects) => object): object {
  const state = desk.stateOf('margin');
  return state instanceof Refusal ? state : write(marginObjects('v2', 'margin', state.instruments));
}
