import type { Product } from '../../core/model/product.ts';
import { products } from '../../core/model/product.ts';
import type { StateView } from '../../core/state/index.ts';
import { Refusal } from '../../exchange/base/index.ts';
import type { RpcMethod } from '../../exchange/sockets/index.ts';
import { Replies, v3Method } from '../../exchange/sockets/index.ts';
import { rpcNotificationText } from '../../venues/hitbtc/wire/index.ts';
import { encodeOrder } from '../../venues/hitbtc/wire/resources/index.ts';
import type { V3MethodName } from '../../venues/hitbtc/wire/v3/index.ts';
import { v3Methods } from '../../venues/hitbtc/wire/v3/index.ts';
import { notServed } from './denials.ts';
import { listMarkOf, marginMembersOf, programOrder } from './shown-orders.ts';
import { reportText } from './shown-reports.ts';
import type { GatewayMethodsDeps } from './socket-answers.ts';
import { deskOfSession, reported, reportedOrders, watchOrders } from './socket-answers.ts';
import { balanceMethods } from './socket-balances.ts';
import { accountMethods, startAccounts } from './socket-margin.ts';
import type { VenueKnownOrder } from './waits.ts';

/** Methods of the v3 trading socket but for `login`: those that are served, and a refusal for each of the others. */
export function gatewayMethods(deps: GatewayMethodsDeps): ReadonlyMap<string, RpcMethod> {
  const served = new Map<string, RpcMethod>([
    ...products.flatMap((product) => [...orderMethods(deps, product), ...reportMethods(deps, product)]),
    ...balanceMethods(deps, 'spot'),
    ...balanceMethods(deps, 'futures'),
    ...accountMethods(deps),
  ]);
  const names = (Object.keys(v3Methods) as V3MethodName[]).filter((name) => name !== 'login');
  const refused = names
    .filter((name) => !served.has(name))
    .map((name) => v3Method(name, () => notServed(`The gateway does not serve ${name}`)));
  return new Map([...served, ...refused]);
}

/** Orders of a product. Source: v3-gaps, sections 2.3 to 2.5. */
function orderMethods(deps: GatewayMethodsDeps, product: Product): [string, RpcMethod][] {
  return [
    v3Method(`${product}_new_order`, async (params, call) => {
      const desk = deskOfSession(deps, call);
      return reported(desk, await desk.orders.place(product, params));
    }),
    v3Method(`${product}_new_order_list`, async (params, call) => {
      const desk = deskOfSession(deps, call);
      const orders = await desk.orders.placeList(product, params);
      const { state } = desk;
      if (orders instanceof Refusal) return orders;
      return state instanceof Refusal ? state : repliesOf(state, orders);
    }),
    v3Method(`${product}_replace_order`, async (params, call) => {
      const desk = deskOfSession(deps, call);
      return reported(desk, await desk.orders.replace(product, params));
    }),
    v3Method(`${product}_cancel_order`, async ({ clientOrderId }, call) => {
      const desk = deskOfSession(deps, call);
      return reported(desk, await desk.orders.cancel(product, clientOrderId));
    }),
    v3Method(`${product}_cancel_orders`, async (_params, call) => {
      const desk = deskOfSession(deps, call);
      return reportedOrders(desk, await desk.orders.cancelAll(product, undefined));
    }),
    v3Method(`${product}_get_orders`, (_params, call) => {
      const desk = deskOfSession(deps, call);
      return reportedOrders(desk, desk.active(product, undefined), { reportType: 'status' });
    }),
  ];
}

/** Reports on orders of the program, and on its margin accounts. Source: v3-gaps, sections 2.3 to 2.5. */
function reportMethods(deps: GatewayMethodsDeps, product: Product): [string, RpcMethod][] {
  const ending = `${product} reports`;
  return [
    v3Method(
      `${product}_subscribe`,
      (_params, { session, ...call }) => {
        const desk = deskOfSession(deps, { session, ...call });
        const state = desk.stateOf(product);
        if (state instanceof Refusal) return state;
        const unwatch = watchOrders(deps, { desk, product, to: session.connection }, (report, now) =>
          rpcNotificationText(`${product}_order`, reportText(report, now)),
        );
        session.atEnd(ending, unwatch);
        return 'true';
      },
      (call) => {
        const desk = deskOfSession(deps, call);
        const state = desk.stateOf(product);
        if (state instanceof Refusal) return;
        const orders = reportedOrders(desk, desk.live(product, state), { reportType: 'status' });
        call.session.connection.send(rpcNotificationText(`${product}_orders`, JSON.stringify(orders)));
        if (product !== 'spot') startAccounts(desk, product, call);
      },
    ),
    v3Method(`${product}_unsubscribe`, (_params, { session }) => {
      session.atEnd(ending, () => {});
      session.atEnd(`${product} accounts`, () => {});
      return 'true';
    }),
  ];
}

/** One reply for each order of a list. Source: v3-gaps, section 2.3. */
function repliesOf(state: StateView, orders: readonly VenueKnownOrder[]): Replies {
  return new Replies(
    orders.map((order) => ({
      ...encodeOrder('v3', programOrder(order, state), state.instruments.at(order.instrument), {
        list: listMarkOf(order, state),
      }),
      ...marginMembersOf(order, state),
    })),
  );
}
