import type { MarginProductName } from '../../core/model/product.ts';
import { instrumentOf, Refusal, written } from '../../exchange/base/index.ts';
import { accountNotices } from '../../exchange/margin/index.ts';
import type { RpcCall, RpcMethod } from '../../exchange/sockets/index.ts';
import { v3Method } from '../../exchange/sockets/index.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/index.ts';
import type { MarginObjects } from '../../venues/hitbtc/wire/resources/index.ts';
import type { ProgramDesk } from './desk.ts';
import { marginObjects } from './shown-orders.ts';
import type { GatewayMethodsDeps } from './socket-answers.ts';
import { deskOfSession } from './socket-answers.ts';

const marginProducts = ['margin', 'futures'] as const;

/** Accounts of margin and futures. Source: v3-gaps, sections 2.4 and 2.5. */
export function accountMethods(deps: GatewayMethodsDeps): [string, RpcMethod][] {
  return [
    ...marginProducts.flatMap((product) => methodsOf(deps, product)),
    v3Method('futures_set_leverage', async ({ symbol, leverage }, call) => {
      const desk = deskOfSession(deps, call);
      const changed = await desk.margin.setLeverage(symbol, leverage);
      return shown(desk, 'futures', (objects) => written(changed, (report) => objects.report(report)));
    }),
  ];
}

function methodsOf(deps: GatewayMethodsDeps, product: MarginProductName): [string, RpcMethod][] {
  return [
    v3Method(`${product}_get_accounts`, (_params, call) =>
      accountReports(deskOfSession(deps, call), product),
    ),
    v3Method(`${product}_set_account`, async (params, call) => {
      const desk = deskOfSession(deps, call);
      const changed = await desk.margin.setAccount(product, params);
      return shown(desk, product, (objects) => written(changed, (report) => objects.report(report)));
    }),
    v3Method(`${product}_close_position`, async ({ marginMode, symbol, price, strictValidate }, call) => {
      const desk = deskOfSession(deps, call);
      const state = desk.stateOf(product);
      const instrument = state instanceof Refusal ? state : instrumentOf(state.instruments, product, symbol);
      if (instrument instanceof Refusal) return instrument;
      const mode = marginMode === 'cross' ? 'cross' : 'isolated';
      const name = mode === 'cross' ? instrument.spec.quoteCurrency : symbol;
      const before = desk.margin.account(product, mode, name);
      const how = { price, strict: strictValidate };
      const closed = await desk.margin.close(product, { mode, instrument }, how);
      if (closed instanceof Refusal) return closed;
      if (before instanceof Refusal) return before;
      // The report of the closing comes by itself; the reply shows the account as it was, as at the venue.
      const report = { view: before, reportType: 'updated', reason: 'updated' } as const;
      return shown(desk, product, (objects) => objects.report(report));
    }),
  ];
}

/** Sends the accounts that are open, and each change from then on. */
export function startAccounts(desk: ProgramDesk, product: MarginProductName, { session }: RpcCall): void {
  const state = desk.stateOf(product);
  const accounts = desk.margin.accounts(product);
  if (state instanceof Refusal || accounts instanceof Refusal) return;
  const { connection } = session;
  const notices = accountNotices({
    product,
    instruments: state.instruments,
    objects: marginObjects('v3', product, state.instruments),
    accounts,
    send: (method, params) => connection.send(encodeRpcNotification(method, params)),
  });
  const unwatch = desk.watch({
    account: ({ product: of, account, reportType, reason }) => {
      const view = of === product ? desk.margin.shown(product, account) : undefined;
      if (view !== undefined) notices.onMargin({ view, reportType, reason });
    },
  });
  session.atEnd(`${product} accounts`, unwatch);
  connection.send(encodeRpcNotification(`${product}_accounts`, accountReports(desk, product)));
}

function accountReports(desk: ProgramDesk, product: MarginProductName): object {
  const accounts = desk.margin.accounts(product);
  return shown(desk, product, (objects) =>
    written(accounts, (views) =>
      views.map((view) => objects.account(view, { reportType: 'status', reason: 'status' })),
    ),
  );
}

function shown(
  desk: ProgramDesk,
  product: MarginProductName,
  write: (objects: MarginObjects) => object,
): object {
  const state = desk.stateOf(product);
  return state instanceof Refusal ? state : write(marginObjects('v3', product, state.instruments));
}
