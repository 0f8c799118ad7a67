import type { MarginOutcome, ReportOutcome } from '../matching/outcome.ts';
import type { MarginReport } from '../../core/model/margin.ts';
import type { DecodedReport } from '../../venues/hitbtc/wire/decoded-report.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/socket-request.ts';
import { encodeV2Report } from '../../venues/hitbtc/wire/v2/encode-orders.ts';
import { v2MarginMethods as table } from '../../venues/hitbtc/wire/v2/margin-methods.ts';
import { encodeV2MarginReport } from '../../venues/hitbtc/wire/v2/margin-rows.ts';
import type { DoorSetup } from '../app-setup.ts';
import { Refusal } from '../refusal.ts';
import type { RpcCall, RpcMethod } from '../sockets/rpc-session.ts';
import { accountOf, withParams } from '../sockets/rpc-session.ts';
import { statusReports } from '../account-views.ts';
import { withV2Instrument } from '../http/instruments.ts';

type Told = DecodedReport & { readonly margin?: MarginReport | undefined };

/** The margin methods of the v2 trading socket. Source: v2-gaps, section 6.1. */
export function v2MarginSocketMethods(door: DoorSetup): [string, RpcMethod][] {
  return [...orderMethods(door), ...accountMethods(door), ['marginSubscribe', subscribe(door)]];
}

function reportObject({ world: { core } }: DoorSetup, told: Told): object {
  const positionId = told.margin?.positionId;
  return {
    ...encodeV2Report(told, core.instruments.at(told.order.instrument)),
    ...(positionId !== undefined && { tradePositionId: positionId }),
  };
}

function activeOrders(door: DoorSetup, call: RpcCall): readonly object[] {
  const { core, marginDesk } = door.world;
  const wing = marginDesk.margin.wing.of(accountOf(call));
  return statusReports(core, wing).map((report) => reportObject(door, report));
}

function accountReports({ world: { core, marginDesk } }: DoorSetup, call: RpcCall): readonly object[] {
  return marginDesk.margin
    .accounts(accountOf(call))
    .filter(({ mode }) => mode === 'isolated')
    .map((view) => encodeV2MarginReport({ view, reportType: 'status', reason: 'status' }, core.instruments));
}

function orderMethods(door: DoorSetup): [string, RpcMethod][] {
  const { core, marginDesk, entry: orders } = door.world;
  const entry = marginDesk.margin;
  const wing = (call: RpcCall) => entry.wing.of(accountOf(call));
  const text = (outcome: ReportOutcome | Refusal) =>
    outcome instanceof Refusal ? outcome : JSON.stringify(reportObject(door, outcome));
  const change = (name: keyof typeof table, run: RpcMethod['run']): [string, RpcMethod] => [
    name,
    { right: table[name].right, changesOrders: true, run },
  ];
  return [
    change(
      'marginOrderNew',
      withParams(table.marginOrderNew.params, (params, call) =>
        withV2Instrument(core, params.symbol, ({ symbol }) =>
          text(entry.place(accountOf(call), { ...params, symbol })),
        ),
      ),
    ),
    change(
      'marginOrderCancel',
      withParams(table.marginOrderCancel.params, ({ clientOrderId }, call) =>
        text(orders.cancel(wing(call), clientOrderId)),
      ),
    ),
    change(
      'marginOrderCancelReplace',
      withParams(table.marginOrderCancelReplace.params, (params, call) =>
        text(orders.replace(wing(call), params)),
      ),
    ),
    change('marginOrdersCancel', (call) =>
      JSON.stringify(orders.cancelAll(wing(call), undefined).map((outcome) => reportObject(door, outcome))),
    ),
    [
      'marginOrdersGet',
      { right: table.marginOrdersGet.right, run: (call) => JSON.stringify(activeOrders(door, call)) },
    ],
  ];
}

function accountMethods(door: DoorSetup): [string, RpcMethod][] {
  const { core, marginDesk } = door.world;
  const entry = marginDesk.margin;
  return [
    [
      'marginAccountsGet',
      { right: table.marginAccountsGet.right, run: (call) => JSON.stringify(accountReports(door, call)) },
    ],
    [
      'marginAccountSet',
      {
        right: table.marginAccountSet.right,
        run: withParams(table.marginAccountSet.params, (params, call) =>
          withV2Instrument(core, params.instrument, ({ symbol }) => {
            const changed = entry.setAccount(accountOf(call), { ...params, instrument: symbol });
            return changed instanceof Refusal
              ? changed
              : JSON.stringify(encodeV2MarginReport(changed, core.instruments));
          }),
        ),
      },
    ],
    [
      'marginPositionClose',
      {
        right: table.marginPositionClose.right,
        changesOrders: true,
        run: withParams(table.marginPositionClose.params, ({ symbol, price, strictValidate }, call) =>
          withV2Instrument(core, symbol, (instrument) => {
            const where = { mode: 'isolated', instrument } as const;
            const currency = instrument.spec.quoteCurrency;
            const before = entry.account(accountOf(call), { ...where, currency });
            const closed = entry.close(accountOf(call), where, { text: price, strict: strictValidate });
            if (closed instanceof Refusal || before === undefined) return closed as Refusal;
            // The closed report comes before the reply, which shows the account as it was.
            marginDesk.notices.flush();
            const report = { view: before, reportType: 'updated', reason: 'updated' } as const;
            return JSON.stringify(encodeV2MarginReport(report, core.instruments));
          }),
        ),
      },
    ],
  ];
}

function subscribe(door: DoorSetup): RpcMethod {
  const { core, marginDesk, reports } = door.world;
  return {
    right: table.marginSubscribe.right,
    run(call) {
      const wing = marginDesk.margin.wing.of(accountOf(call));
      const { session } = call;
      const orders = {
        onReport: (outcome: ReportOutcome) =>
          session.connection.send(encodeRpcNotification('marginOrderReport', reportObject(door, outcome))),
      };
      const accounts = {
        onMargin: (outcome: MarginOutcome) => {
          if (outcome.view.mode === 'cross') return;
          const report = encodeV2MarginReport(outcome, core.instruments);
          session.connection.send(encodeRpcNotification('marginAccountReport', report));
        },
      };
      session.atEnd('margin reports', () => {
        reports.unwatchReports(wing, orders);
        marginDesk.notices.unwatch(wing, accounts);
      });
      reports.watchReports(wing, orders);
      marginDesk.notices.watch(wing, accounts);
      return 'true';
    },
    after(call) {
      const { connection } = call.session;
      connection.send(encodeRpcNotification('marginOrders', activeOrders(door, call)));
      connection.send(encodeRpcNotification('marginAccounts', accountReports(door, call)));
    },
  };
}
