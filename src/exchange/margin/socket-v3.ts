import type { ReportOutcome } from '../matching/outcome.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/socket-request.ts';
import type { MarginMethod } from '../../venues/hitbtc/wire/v3/margin-methods.ts';
import { marginMethods as table, futuresMethods } from '../../venues/hitbtc/wire/v3/margin-methods.ts';
import { encodeMarginAccountReport, marginOrderMembers } from '../../venues/hitbtc/wire/v3/margin-rows.ts';
import type { AppSetup } from '../app-setup.ts';
import type { MarginReport } from '../../core/model/margin.ts';
import { Refusal, refuse } from '../refusal.ts';
import type { RpcCall, RpcMethod, RpcSession } from '../sockets/rpc-session.ts';
import { accountOf, withParams } from '../sockets/rpc-session.ts';
import { statusReports } from '../account-views.ts';
import { accountNotices } from './account-notices.ts';
import type { MarginProductService } from './product-service.ts';
import { v3BalanceMethods } from '../sockets/v3-balance-methods.ts';
import { encodeOrder, encodeReport } from '../../venues/hitbtc/wire/resources/order-model.ts';
import type { DecodedReport } from '../../venues/hitbtc/wire/resources/order-model.ts';

type AnyReport = DecodedReport & { readonly margin?: MarginReport | undefined };

/** The methods of margin and futures on the v3 trading socket. Source: v3-gaps, sections 2.4 and 2.5. */
export function v3MarginMethods(app: AppSetup): [string, RpcMethod][] {
  const { margin, futures } = app.world.marginService;
  return [margin, futures].flatMap((service) => [
    ...orderMethods(app, service),
    ...accountMethods(app, service),
    ...subscriptions(app, service),
  ]);
}

/** A report of a margin order; an execution names its position. */
function reportObject(app: AppSetup, service: MarginProductService, report: AnyReport): object {
  const { instruments } = app.world.core;
  const positionId = report.margin?.positionId;
  return {
    ...encodeReport('v3', report, instruments.at(report.order.instrument)),
    ...marginOrderMembers(report.margin, service.product.spelling),
    ...(positionId !== undefined && { trade_position_id: positionId }),
  };
}

function named(service: MarginProductService, name: MarginMethod): string {
  return `${service.product.name}_${name}`;
}

function orderMethods(app: AppSetup, service: MarginProductService): [string, RpcMethod][] {
  const { core, orders } = app.world;
  const text = (outcome: ReportOutcome | Refusal) =>
    outcome instanceof Refusal ? outcome : JSON.stringify(reportObject(app, service, outcome));
  const owner = (call: RpcCall) => service.product.of(accountOf(call));
  const change = (name: MarginMethod, run: RpcMethod['run']): [string, RpcMethod] => [
    named(service, name),
    { right: table[name].right, changesOrders: true, run },
  ];
  return [
    change(
      'new_order',
      withParams(table.new_order.params, (params, call) => text(service.place(accountOf(call), params))),
    ),
    change(
      'new_order_list',
      withParams(table.new_order_list.params, (params, call) => {
        const placed = service.placeList(accountOf(call), params);
        if (placed instanceof Refusal) return placed;
        return placed.map(({ order, list, margin }) => {
          const object = encodeOrder('v3', order, core.instruments.at(order.instrument), { list });
          return JSON.stringify({ ...object, ...marginOrderMembers(margin, service.product.spelling) });
        });
      }),
    ),
    change(
      'cancel_order',
      withParams(table.cancel_order.params, ({ clientOrderId }, call) =>
        text(orders.cancel(owner(call), clientOrderId)),
      ),
    ),
    change('cancel_orders', (call) =>
      JSON.stringify(
        orders.cancelAll(owner(call), undefined).map((outcome) => reportObject(app, service, outcome)),
      ),
    ),
    change(
      'replace_order',
      withParams(table.replace_order.params, (params, call) => text(orders.replace(owner(call), params))),
    ),
    [
      named(service, 'get_orders'),
      { right: table.get_orders.right, run: (call) => JSON.stringify(activeOrders(app, service, call)) },
    ],
  ];
}

function accountMethods(app: AppSetup, service: MarginProductService): [string, RpcMethod][] {
  const { core, marginService } = app.world;
  const { instruments } = core;
  const { spelling } = service.product;
  return [
    [
      named(service, 'get_accounts'),
      { right: table.get_accounts.right, run: (call) => JSON.stringify(accountReports(app, service, call)) },
    ],
    [
      named(service, 'set_account'),
      {
        right: table.set_account.right,
        run: withParams(table.set_account.params, (params, call) => {
          const changed = service.setAccount(accountOf(call), params);
          if (changed instanceof Refusal) return changed;
          return JSON.stringify(encodeMarginAccountReport(changed, instruments, spelling));
        }),
      },
    ],
    [
      named(service, 'close_position'),
      {
        right: table.close_position.right,
        changesOrders: true,
        run: withParams(table.close_position.params, (params, call) => {
          const { marginMode, symbol, price, strictValidate } = params;
          const target = service.target(marginMode === 'cross' ? 'isolated' : marginMode, symbol);
          if (target instanceof Refusal) return target;
          const { instrument } = target;
          if (instrument === undefined) return refuse(2_024);
          const mode = marginMode === 'cross' ? 'cross' : 'isolated';
          const before = service.account(accountOf(call), { ...target, mode });
          const where = { mode, instrument } as const;
          const closed = service.close(accountOf(call), where, { text: price, strict: strictValidate });
          if (closed instanceof Refusal || before === undefined) return closed as Refusal;
          // The report of the closing comes before the reply, which shows the account as it was.
          marginService.notices.flush();
          const report = { view: before, reportType: 'updated', reason: 'updated' } as const;
          return JSON.stringify(encodeMarginAccountReport(report, instruments, spelling));
        }),
      },
    ],
  ];
}

function subscriptions(app: AppSetup, service: MarginProductService): [string, RpcMethod][] {
  const { marginService, reports } = app.world;
  const { name } = service.product;
  const watchers = new WeakMap<RpcSession, { end(): void }>();
  return [
    [
      named(service, 'subscribe'),
      {
        right: table.subscribe.right,
        run({ session, request }) {
          const owner = service.product.of(accountOf({ session, request }));
          const { connection } = session;
          const orders = {
            onReport: (outcome: ReportOutcome) =>
              connection.send(encodeRpcNotification(`${name}_order`, reportObject(app, service, outcome))),
          };
          const accounts = accountNotices(app, service, session);
          const end = () => {
            reports.unwatchReports(owner, orders);
            marginService.notices.unwatch(owner, accounts);
          };
          session.atEnd(`${name} reports`, end);
          watchers.set(session, { end });
          reports.watchReports(owner, orders);
          marginService.notices.watch(owner, accounts);
          return 'true';
        },
        after(call) {
          const { connection } = call.session;
          connection.send(encodeRpcNotification(`${name}_orders`, activeOrders(app, service, call)));
          connection.send(encodeRpcNotification(`${name}_accounts`, accountReports(app, service, call)));
        },
      },
    ],
    [
      named(service, 'unsubscribe'),
      {
        right: table.unsubscribe.right,
        run({ session }) {
          watchers.get(session)?.end();
          return 'true';
        },
      },
    ],
  ];
}

function activeOrders({ world }: AppSetup, service: MarginProductService, call: RpcCall): readonly object[] {
  const owner = service.product.of(accountOf(call));
  const log = world.core.log(owner);
  return statusReports(world.core, owner).map((report) => {
    const margin = log.record(report.order.venueOrderId)?.margin;
    return {
      ...encodeReport('v3', report, world.core.instruments.at(report.order.instrument)),
      ...marginOrderMembers(margin, service.product.spelling),
    };
  });
}

function accountReports(
  { world }: AppSetup,
  service: MarginProductService,
  call: RpcCall,
): readonly object[] {
  return service
    .accounts(accountOf(call))
    .map((view) =>
      encodeMarginAccountReport(
        { view, reportType: 'status', reason: 'status' },
        world.core.instruments,
        service.product.spelling,
      ),
    );
}

/** Balances, fees and leverage of contracts on the v3 trading socket. Source: v3-gaps, section 2.5. */
export function v3FuturesMethods({ world, options }: AppSetup): [string, RpcMethod][] {
  const { core, reports, marginService } = world;
  const { futures } = marginService;
  const currencies = new Set(options.currencies.map(({ code }) => code));
  return [
    ...v3BalanceMethods(
      { core, reports, currencies },
      {
        name: 'futures',
        of: (account) => futures.product.of(account),
        trades: (instrument) => futures.product.trades(instrument),
        instrument: (symbol) => futures.instrument(symbol),
      },
    ),
    leverageMethod(world),
  ];
}

function leverageMethod({ core, marginService }: AppSetup['world']): [string, RpcMethod] {
  const { futures } = marginService;
  return [
    'futures_set_leverage',
    {
      right: futuresMethods.futures_set_leverage.right,
      run: withParams(futuresMethods.futures_set_leverage.params, ({ symbol, leverage }, call) => {
        const changed = futures.setLeverage(accountOf(call), symbol, leverage);
        if (changed instanceof Refusal) return changed;
        return JSON.stringify(encodeMarginAccountReport(changed, core.instruments, futures.product.spelling));
      }),
    },
  ];
}
