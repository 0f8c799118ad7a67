import type { ReportOutcome } from '../matching/outcome.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/socket-request.ts';
import { encodeV3Order, encodeV3Report } from '../../venues/hitbtc/wire/v3/encode-orders.ts';
import type { MarginMethod } from '../../venues/hitbtc/wire/v3/margin-methods.ts';
import { marginMethods as table, futuresMethods } from '../../venues/hitbtc/wire/v3/margin-methods.ts';
import { encodeMarginAccountReport, marginOrderMembers } from '../../venues/hitbtc/wire/v3/margin-rows.ts';
import type { DoorSetup } from '../app-setup.ts';
import type { DecodedReport } from '../../venues/hitbtc/wire/decoded-report.ts';
import type { MarginReport } from '../../core/model/margin.ts';
import { Refusal, refuse } from '../refusal.ts';
import type { RpcCall, RpcMethod, RpcSession } from '../sockets/rpc-session.ts';
import { accountOf, withParams } from '../sockets/rpc-session.ts';
import { statusReports } from '../account-views.ts';
import { accountNotices } from './account-notices.ts';
import type { MarginEntry } from './product-service.ts';
import { v3BalanceMethods } from '../sockets/v3-balance-methods.ts';

type Told = DecodedReport & { readonly margin?: MarginReport | undefined };

/** The methods of margin and futures on the v3 trading socket. Source: v3-gaps, sections 2.4 and 2.5. */
export function v3MarginMethods(door: DoorSetup): [string, RpcMethod][] {
  const { margin, futures } = door.world.marginDesk;
  return [margin, futures].flatMap((entry) => [
    ...orderMethods(door, entry),
    ...accountMethods(door, entry),
    ...subscriptions(door, entry),
  ]);
}

/** A report of a margin order; an execution names its position. */
function reportObject(door: DoorSetup, entry: MarginEntry, told: Told): object {
  const { instruments } = door.world.core;
  const positionId = told.margin?.positionId;
  return {
    ...encodeV3Report(told, instruments.at(told.order.instrument)),
    ...marginOrderMembers(told.margin, entry.wing.spelling),
    ...(positionId !== undefined && { trade_position_id: positionId }),
  };
}

function named(entry: MarginEntry, name: MarginMethod): string {
  return `${entry.wing.name}_${name}`;
}

function orderMethods(door: DoorSetup, entry: MarginEntry): [string, RpcMethod][] {
  const { core, entry: orders } = door.world;
  const text = (outcome: ReportOutcome | Refusal) =>
    outcome instanceof Refusal ? outcome : JSON.stringify(reportObject(door, entry, outcome));
  const wing = (call: RpcCall) => entry.wing.of(accountOf(call));
  const change = (name: MarginMethod, run: RpcMethod['run']): [string, RpcMethod] => [
    named(entry, name),
    { right: table[name].right, changesOrders: true, run },
  ];
  return [
    change(
      'new_order',
      withParams(table.new_order.params, (params, call) => text(entry.place(accountOf(call), params))),
    ),
    change(
      'new_order_list',
      withParams(table.new_order_list.params, (params, call) => {
        const placed = entry.placeList(accountOf(call), params);
        if (placed instanceof Refusal) return placed;
        return placed.map(({ order, list, margin }) => {
          const object = encodeV3Order(order, core.instruments.at(order.instrument), { list });
          return JSON.stringify({ ...object, ...marginOrderMembers(margin, entry.wing.spelling) });
        });
      }),
    ),
    change(
      'cancel_order',
      withParams(table.cancel_order.params, ({ clientOrderId }, call) =>
        text(orders.cancel(wing(call), clientOrderId)),
      ),
    ),
    change('cancel_orders', (call) =>
      JSON.stringify(
        orders.cancelAll(wing(call), undefined).map((outcome) => reportObject(door, entry, outcome)),
      ),
    ),
    change(
      'replace_order',
      withParams(table.replace_order.params, (params, call) => text(orders.replace(wing(call), params))),
    ),
    [
      named(entry, 'get_orders'),
      { right: table.get_orders.right, run: (call) => JSON.stringify(activeOrders(door, entry, call)) },
    ],
  ];
}

function accountMethods(door: DoorSetup, entry: MarginEntry): [string, RpcMethod][] {
  const { core, marginDesk } = door.world;
  const { instruments } = core;
  const { spelling } = entry.wing;
  return [
    [
      named(entry, 'get_accounts'),
      { right: table.get_accounts.right, run: (call) => JSON.stringify(accountReports(door, entry, call)) },
    ],
    [
      named(entry, 'set_account'),
      {
        right: table.set_account.right,
        run: withParams(table.set_account.params, (params, call) => {
          const changed = entry.setAccount(accountOf(call), params);
          if (changed instanceof Refusal) return changed;
          return JSON.stringify(encodeMarginAccountReport(changed, instruments, spelling));
        }),
      },
    ],
    [
      named(entry, 'close_position'),
      {
        right: table.close_position.right,
        changesOrders: true,
        run: withParams(table.close_position.params, (params, call) => {
          const { marginMode, symbol, price, strictValidate } = params;
          const target = entry.target(marginMode === 'cross' ? 'isolated' : marginMode, symbol);
          if (target instanceof Refusal) return target;
          const { instrument } = target;
          if (instrument === undefined) return refuse(2_024);
          const mode = marginMode === 'cross' ? 'cross' : 'isolated';
          const before = entry.account(accountOf(call), { ...target, mode });
          const where = { mode, instrument } as const;
          const closed = entry.close(accountOf(call), where, { text: price, strict: strictValidate });
          if (closed instanceof Refusal || before === undefined) return closed as Refusal;
          // The report of the closing comes before the reply, which shows the account as it was.
          marginDesk.notices.flush();
          const report = { view: before, reportType: 'updated', reason: 'updated' } as const;
          return JSON.stringify(encodeMarginAccountReport(report, instruments, spelling));
        }),
      },
    ],
  ];
}

function subscriptions(door: DoorSetup, entry: MarginEntry): [string, RpcMethod][] {
  const { marginDesk, reports } = door.world;
  const { name } = entry.wing;
  const watchers = new WeakMap<RpcSession, { end(): void }>();
  return [
    [
      named(entry, 'subscribe'),
      {
        right: table.subscribe.right,
        run({ session, request }) {
          const wing = entry.wing.of(accountOf({ session, request }));
          const { connection } = session;
          const orders = {
            onReport: (outcome: ReportOutcome) =>
              connection.send(encodeRpcNotification(`${name}_order`, reportObject(door, entry, outcome))),
          };
          const accounts = accountNotices(door, entry, session);
          const end = () => {
            reports.unwatchReports(wing, orders);
            marginDesk.notices.unwatch(wing, accounts);
          };
          session.atEnd(`${name} reports`, end);
          watchers.set(session, { end });
          reports.watchReports(wing, orders);
          marginDesk.notices.watch(wing, accounts);
          return 'true';
        },
        after(call) {
          const { connection } = call.session;
          connection.send(encodeRpcNotification(`${name}_orders`, activeOrders(door, entry, call)));
          connection.send(encodeRpcNotification(`${name}_accounts`, accountReports(door, entry, call)));
        },
      },
    ],
    [
      named(entry, 'unsubscribe'),
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

function activeOrders({ world }: DoorSetup, entry: MarginEntry, call: RpcCall): readonly object[] {
  const wing = entry.wing.of(accountOf(call));
  const log = world.core.log(wing);
  return statusReports(world.core, wing).map((report) => {
    const margin = log.record(report.order.venueOrderId)?.margin;
    return {
      ...encodeV3Report(report, world.core.instruments.at(report.order.instrument)),
      ...marginOrderMembers(margin, entry.wing.spelling),
    };
  });
}

function accountReports({ world }: DoorSetup, entry: MarginEntry, call: RpcCall): readonly object[] {
  return entry
    .accounts(accountOf(call))
    .map((view) =>
      encodeMarginAccountReport(
        { view, reportType: 'status', reason: 'status' },
        world.core.instruments,
        entry.wing.spelling,
      ),
    );
}

/** Balances, fees and leverage of contracts on the v3 trading socket. Source: v3-gaps, section 2.5. */
export function v3FuturesMethods({ world, options }: DoorSetup): [string, RpcMethod][] {
  const { core, reports, marginDesk } = world;
  const { futures } = marginDesk;
  const currencies = new Set(options.currencies.map(({ code }) => code));
  return [
    ...v3BalanceMethods(
      { core, reports, currencies },
      {
        name: 'futures',
        of: (account) => futures.wing.of(account),
        trades: (instrument) => futures.wing.trades(instrument),
        instrument: (symbol) => futures.instrument(symbol),
      },
    ),
    leverageMethod(world),
  ];
}

function leverageMethod({ core, marginDesk }: DoorSetup['world']): [string, RpcMethod] {
  const { futures } = marginDesk;
  return [
    'futures_set_leverage',
    {
      right: futuresMethods.futures_set_leverage.right,
      run: withParams(futuresMethods.futures_set_leverage.params, ({ symbol, leverage }, call) => {
        const changed = futures.setLeverage(accountOf(call), symbol, leverage);
        if (changed instanceof Refusal) return changed;
        return JSON.stringify(encodeMarginAccountReport(changed, core.instruments, futures.wing.spelling));
      }),
    },
  ];
}
