import { Refusal } from '../../exchange/base/index.ts';
import type { RestResult, RestRoute, RouteCall } from '../../exchange/http/index.ts';
import { v2Route } from '../../exchange/http/index.ts';
import type { OrderParams } from '../../venues/hitbtc/wire/resources/index.ts';
import { onV2Margin, walletBalance } from '../../venues/hitbtc/wire/resources/index.ts';
import type { ProgramDesk } from './desk.ts';
import { ownHistory } from './history.ts';
import { spotRows, readState, spotFee, spotFees } from './reads.ts';
import type { GatewayRoutesDeps } from './route-answers.ts';
import { answered, ordersAnswered, named, programOfCall } from './route-answers.ts';

type V2OrderParams = OrderParams & { readonly closePosition: boolean };

/** Orders of spot, by version 2, whose symbols are compared without case. Source: API v2, "Trading and history". */
export function v2OrderRoutes({ desk }: GatewayRoutesDeps): RestRoute[] {
  const deskOf = (call: RouteCall): ProgramDesk => desk(programOfCall(call));
  const placed = async (params: V2OrderParams, call: RouteCall): Promise<object> => {
    const asked = { ...params, symbol: params.symbol.toUpperCase() };
    const { orders } = deskOf(call);
    // An order that closes a position is one on margin.
    const order = params.closePosition
      ? await orders.place('margin', onV2Margin(asked))
      : await orders.place('spot', asked);
    return answered(deskOf(call), order, 'v2');
  };
  return [
    v2Route('newOrder', placed),
    v2Route('putOrder', placed),
    v2Route('replaceOrder', async (params, call) =>
      answered(deskOf(call), await deskOf(call).orders.replace('spot', params), 'v2'),
    ),
    v2Route('cancelOrder', async ({ clientOrderId }, call) =>
      answered(deskOf(call), await deskOf(call).orders.cancel('spot', clientOrderId), 'v2'),
    ),
    v2Route('cancelOrders', async ({ symbol }, call) => {
      const one = deskOf(call);
      const instrument = named(one, 'spot', symbol?.toUpperCase());
      return instrument instanceof Refusal
        ? instrument
        : ordersAnswered(one, await one.orders.cancelAll('spot', instrument), 'v2');
    }),
  ];
}

/** Reads of the orders of a program and of the account, by version 2. */
export function v2ReadingRoutes({ desk, upstream }: GatewayRoutesDeps): RestRoute[] {
  const deskOf = (call: RouteCall): ProgramDesk => desk(programOfCall(call));
  const within = (call: RouteCall, read: Parameters<typeof readState<object>>[1]): RestResult =>
    readState(deskOf(call), read);
  return [
    v2Route('activeOrders', ({ symbol }, call) => {
      const one = deskOf(call);
      const instrument = named(one, 'spot', symbol?.toUpperCase());
      return instrument instanceof Refusal
        ? instrument
        : ordersAnswered(one, one.active('spot', instrument), 'v2');
    }),
    v2Route('activeOrder', async ({ clientOrderId, wait }, call) => {
      const one = deskOf(call);
      if (wait === undefined) return answered(one, one.activeOrder('spot', clientOrderId), 'v2');
      const { onGone } = call.request;
      return answered(one, await one.orderOnceEnded(clientOrderId, { ms: wait, onGone }), 'v2');
    }),
    v2Route('tradingBalances', (_params, call) =>
      within(call, (state, one) => spotRows(state, one).map((row) => walletBalance.v2.write(row))),
    ),
    v2Route('tradingFees', (_params, call) => within(call, (state) => spotFees(state, 'v2'))),
    v2Route('tradingFee', ({ symbol }, call) =>
      within(call, (state) => spotFee(state, symbol.toUpperCase(), 'v2')),
    ),
    v2Route('orderHistory', ({ clientOrderId: name }, call) =>
      ownHistory(call.request, { desk: deskOf(call), upstream, version: 'v2', product: 'spot', name }),
    ),
    v2Route('orderTrades', (_params, call) =>
      ownHistory(call.request, { desk: deskOf(call), upstream, version: 'v2', product: 'spot' }),
    ),
    v2Route('tradeHistory', (_params, call) =>
      ownHistory(call.request, { desk: deskOf(call), upstream, version: 'v2', product: 'spot' }),
    ),
  ];
}
