import type { Product } from '../../core/model/product.ts';
import { Refusal } from '../../exchange/base/index.ts';
import type { RestRoute, RouteCall } from '../../exchange/http/index.ts';
import { v3Route } from '../../exchange/http/index.ts';
import type { ProgramDesk } from './desk.ts';
import { ownHistory } from './history.ts';
import type { GatewayRoutesDeps } from './route-answers.ts';
import { answered, listAnswered, named, ordersAnswered, programOfCall } from './route-answers.ts';

/** Orders of a product, of version 3. Source: API v3, "Spot trading" and "Margin"; v3-gaps, section 8. */
export function orderRoutes({ desk }: GatewayRoutesDeps, product: Product): RestRoute[] {
  const deskOf = (call: RouteCall): ProgramDesk => desk(programOfCall(call));
  return [
    v3Route(`${product}NewOrder`, async (params, call) =>
      answered(deskOf(call), await deskOf(call).orders.place(product, params)),
    ),
    v3Route(`${product}NewOrderList`, async (params, call) => {
      const one = deskOf(call);
      return listAnswered(one, await one.orders.placeList(product, params));
    }),
    v3Route(`${product}ReplaceOrder`, async (params, call) =>
      answered(deskOf(call), await deskOf(call).orders.replace(product, params)),
    ),
    v3Route(`${product}CancelOrder`, async ({ clientOrderId }, call) =>
      answered(deskOf(call), await deskOf(call).orders.cancel(product, clientOrderId)),
    ),
    v3Route(`${product}CancelOrders`, async ({ symbol }, call) => {
      const one = deskOf(call);
      const instrument = named(one, product, symbol);
      if (instrument instanceof Refusal) return instrument;
      return ordersAnswered(one, await one.orders.cancelAll(product, instrument));
    }),
  ];
}

/** Orders that live, and histories of orders and trades. */
export function readingRoutes({ desk, upstream }: GatewayRoutesDeps, product: Product): RestRoute[] {
  const deskOf = (call: RouteCall): ProgramDesk => desk(programOfCall(call));
  return [
    v3Route(`${product}ActiveOrders`, ({ symbol }, call) => {
      const one = deskOf(call);
      const instrument = named(one, product, symbol);
      return instrument instanceof Refusal
        ? instrument
        : ordersAnswered(one, one.active(product, instrument));
    }),
    v3Route(`${product}ActiveOrder`, ({ clientOrderId }, call) =>
      answered(deskOf(call), deskOf(call).activeOrder(product, clientOrderId)),
    ),
    v3Route(`${product}OrderHistory`, ({ clientOrderId: name }, call) =>
      ownHistory(call.request, { desk: deskOf(call), upstream, version: 'v3', product, name }),
    ),
    v3Route(`${product}TradeHistory`, (_params, call) =>
      ownHistory(call.request, { desk: deskOf(call), upstream, version: 'v3', product }),
    ),
  ];
}
