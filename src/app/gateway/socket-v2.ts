import { instrumentOf, Refusal, written } from '../../exchange/base/index.ts';
import type { RpcMethod } from '../../exchange/sockets/index.ts';
import { v2Method } from '../../exchange/sockets/index.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/index.ts';
import { onV2Margin, walletBalance } from '../../venues/hitbtc/wire/resources/index.ts';
import type { V2MethodName } from '../../venues/hitbtc/wire/v2/index.ts';
import { v2Methods, v2PublicMethods } from '../../venues/hitbtc/wire/v2/index.ts';
import { notServed } from './denials.ts';
import type { ProgramDesk } from './desk.ts';
import { spotRows } from './reads.ts';
import { marginObjects } from './shown-orders.ts';
import { reportObject } from './shown-reports.ts';
import type { GatewayMethodsDeps } from './socket-answers.ts';
import { deskOfSession, reported, reportedOrders, watchOrders } from './socket-answers.ts';

/** Methods of the sockets of version 2 but for `login` and market data: those that are served, and a refusal for each of the others. */
export function v2GatewayMethods(deps: GatewayMethodsDeps): ReadonlyMap<string, RpcMethod> {
  const served = new Map<string, RpcMethod>([
    ...spotMethods(deps),
    subscription(deps, 'spot'),
    ...marginOrderMethods(deps),
    ...marginAccountMethods(deps),
    subscription(deps, 'margin'),
  ]);
  const refused = (Object.keys(v2Methods) as V2MethodName[])
    .filter((name) => name !== 'login' && !Object.hasOwn(v2PublicMethods, name) && !served.has(name))
    .map((name) => v2Method(name, () => notServed(`The gateway does not serve ${name}`)));
  return new Map([...served, ...refused]);
}

/** Spot orders, whose symbols are compared without case. Source: API v2, "Socket methods"; v2-gaps, section 6. */
function spotMethods(deps: GatewayMethodsDeps): [string, RpcMethod][] {
  return [
    v2Method('newOrder', async (params, call) => {
      const desk = deskOfSession(deps, call);
      const asked = { ...params, symbol: params.symbol.toUpperCase() };
      const placed = params.closePosition
        ? await desk.orders.place('margin', onV2Margin(asked))
        : await desk.orders.place('spot', asked);
      return reported(desk, placed, 'v2');
    }),
    v2Method('cancelOrder', async ({ clientOrderId }, call) => {
      const desk = deskOfSession(deps, call);
      return reported(desk, await desk.orders.cancel('spot', clientOrderId), 'v2');
    }),
    v2Method('cancelReplaceOrder', async (params, call) => {
      const desk = deskOfSession(deps, call);
      return reported(desk, await desk.orders.replace('spot', params), 'v2');
    }),
    v2Method('getOrders', (_params, call) => {
      const desk = deskOfSession(deps, call);
      return reportedOrders(desk, desk.active('spot', undefined), { version: 'v2', reportType: 'status' });
    }),
    v2Method('getTradingBalance', (_params, call) => {
      const desk = deskOfSession(deps, call);
      const { state } = desk;
      if (state instanceof Refusal) return state;
      return spotRows(state, desk).map((one) => walletBalance.v2.write(one));
    }),
  ];
}

/** Orders on margin. Source: v2-gaps, section 6.1. */
function marginOrderMethods(deps: GatewayMethodsDeps): [string, RpcMethod][] {
  return [
    v2Method('marginOrderNew', async (params, call) => {
      const desk = deskOfSession(deps, call);
      const asked = { ...params, symbol: params.symbol.toUpperCase() };
      return reported(desk, await desk.orders.place('margin', asked), 'v2');
    }),
    v2Method('marginOrderCancel', async ({ clientOrderId }, call) => {
      const desk = deskOfSession(deps, call);
      return reported(desk, await desk.orders.cancel('margin', clientOrderId), 'v2');
    }),
    v2Method('marginOrderCancelReplace', async (params, call) => {
      const desk = deskOfSession(deps, call);
      return reported(desk, await desk.orders.replace('margin', params), 'v2');
    }),
    v2Method('marginOrdersCancel', async (_params, call) => {
      const desk = deskOfSession(deps, call);
      return reportedOrders(desk, await desk.orders.cancelAll('margin', undefined), { version: 'v2' });
    }),
    v2Method('marginOrdersGet', (_params, call) => {
      const desk = deskOfSession(deps, call);
      return reportedOrders(desk, desk.active('margin', undefined), { version: 'v2', reportType: 'status' });
    }),
  ];
}

/** Isolated margin accounts: version 2 has no others. Source: v2-gaps, section 6.1. */
function marginAccountMethods(deps: GatewayMethodsDeps): [string, RpcMethod][] {
  return [
    v2Method('marginAccountsGet', (_params, call) => accountReports(deskOfSession(deps, call))),
    v2Method('marginAccountSet', async (params, call) => {
      const desk = deskOfSession(deps, call);
      const instrument = params.instrument.toUpperCase();
      const changed = await desk.margin.setAccount('margin', { ...params, instrument });
      const { state } = desk;
      if (state instanceof Refusal) return state;
      const objects = marginObjects('v2', 'margin', state.instruments);
      return written(changed, (report) => objects.report(report));
    }),
    v2Method('marginPositionClose', async ({ symbol, price, strictValidate }, call) => {
      const desk = deskOfSession(deps, call);
      const state = desk.stateOf('margin');
      if (state instanceof Refusal) return state;
      const instrument = instrumentOf(state.instruments, 'margin', symbol.toUpperCase());
      if (instrument instanceof Refusal) return instrument;
      const before = desk.margin.account('margin', 'isolated', instrument.symbol);
      const how = { price, strict: strictValidate };
      const closed = await desk.margin.close('margin', { mode: 'isolated', instrument }, how);
      if (closed instanceof Refusal) return closed;
      // The report of the closing comes by itself; the reply shows the account as it was, as at the venue.
      return written(before, (view) =>
        marginObjects('v2', 'margin', state.instruments).report({
          view,
          reportType: 'updated',
          reason: 'updated',
        }),
      );
    }),
  ];
}

function accountReports(desk: ProgramDesk): object {
  const state = desk.stateOf('margin');
  const accounts = desk.margin.accounts('margin');
  if (state instanceof Refusal) return state;
  const objects = marginObjects('v2', 'margin', state.instruments);
  return written(accounts, (views) =>
    views
      .filter(({ mode }) => mode === 'isolated')
      .map((view) => objects.account(view, { reportType: 'status', reason: 'status' })),
  );
}

const names = {
  spot: { method: 'subscribeReports', orders: 'activeOrders', order: 'report' },
  margin: { method: 'marginSubscribe', orders: 'marginOrders', order: 'marginOrderReport' },
} as const;

/** Reports on orders of spot, or on those of margin with its accounts. Source: API v2, "Socket methods"; v2-gaps, section 6.1. */
function subscription(deps: GatewayMethodsDeps, product: 'spot' | 'margin'): [string, RpcMethod] {
  const { method, orders, order } = names[product];
  return v2Method(
    method,
    (_params, call) => {
      const desk = deskOfSession(deps, call);
      const allowed = desk.stateOf(product);
      if (allowed instanceof Refusal) return allowed;
      const { session } = call;
      const unwatch = watchOrders(deps, { desk, product, to: session.connection }, (report, state) =>
        encodeRpcNotification(order, reportObject('v2', report, state)),
      );
      session.atEnd(`${product} reports`, unwatch);
      return 'true';
    },
    (call) => {
      const desk = deskOfSession(deps, call);
      const state = desk.stateOf(product);
      if (state instanceof Refusal) return;
      const { connection } = call.session;
      const how = { version: 'v2', reportType: 'status' } as const;
      const active = reportedOrders(desk, desk.live(product, state), how);
      connection.send(encodeRpcNotification(orders, active));
      if (product === 'spot') return;
      connection.send(encodeRpcNotification('marginAccounts', accountReports(desk)));
      const objects = marginObjects('v2', 'margin', state.instruments);
      const unwatch = desk.watch({
        account: ({ product: of, account, reportType, reason }) => {
          // Version 2 has neither cross margin nor AMR.
          if (of !== 'margin' || account.mode === 'cross' || reason === 'amrChanged') return;
          const view = desk.margin.shown('margin', account);
          if (view !== undefined)
            connection.send(
              encodeRpcNotification('marginAccountReport', objects.report({ view, reportType, reason })),
            );
        },
      });
      call.session.atEnd('margin accounts', unwatch);
    },
  );
}
