import type { Clock } from '../base/clock.ts';
import type { ReportOutcome } from '../matching/outcome.ts';
import { encodeV3Balance } from '../wire/balances.ts';
import { verifyV3Login } from '../wire/socket-auth.ts';
import { encodeV3Fee } from '../wire/v3/fees.ts';
import { v3OrderNoticeText, v3ReportText } from '../wire/v3/report-text.ts';
import { v3TradingMethods as table } from '../wire/v3/trading-methods.ts';
import { encodeV3BalanceNotice, encodeV3OrdersNotice, v3ReportObjects } from '../wire/v3/trading-notices.ts';
import type { Accounts } from './accounts.ts';
import type { Core } from './core.ts';
import type { OrderEntry } from './order-entry.ts';
import { currencyNotFound, Refusal, symbolNotFound } from './refusal.ts';
import { remembered } from './remembered.ts';
import type { BalanceWatcher, Reports, ReportWatcher } from './reports.ts';
import type { RpcCall, RpcMethod, RpcSession } from './rpc-session.ts';
import { accountOf, withParams } from './rpc-session.ts';
import { feeRate, nonZeroBalances, statusReports } from './standing.ts';

export interface V3TradingSetup {
  readonly core: Core;
  readonly accounts: Accounts;
  readonly entry: OrderEntry;
  readonly reports: Reports;
  readonly clock: Clock;
  readonly currencies: ReadonlySet<string>;
  /** Logs a session in, counted against the limit of logins; the refusal when it may not. */
  readonly login: (session: RpcSession, apiKey: string) => Refusal | undefined;
}

type ReportText = (outcome: ReportOutcome) => string;

/** The spot methods of the v3 trading socket. Source: v3-gaps, sections 2.1 to 2.3; API v3, "Limits". */
export function v3TradingMethods(setup: V3TradingSetup): ReadonlyMap<string, RpcMethod> {
  const { core } = setup;
  // The notification and the reply of a request tell the same report.
  const reportText = remembered((outcome: ReportOutcome) =>
    v3ReportText(outcome, core.instruments.at(outcome.order.instrument)),
  );
  return new Map<string, RpcMethod>([
    ['login', loginMethod(setup)],
    ...orderMethods(setup, reportText),
    ...reportMethods(setup, reportText),
    ...balanceMethods(setup),
    ...feeMethods(setup),
  ]);
}

function loginMethod({ accounts, clock, login }: V3TradingSetup): RpcMethod {
  return {
    right: 'open',
    run({ session, request }) {
      const result = verifyV3Login({
        params: request.params,
        lookup: (apiKey) => accounts.secretOf(apiKey),
        now: clock.now(),
      });
      if (!result.ok) return new Refusal(result.error);
      return login(session, result.apiKey) ?? 'true';
    },
  };
}

function orderMethods({ core, entry }: V3TradingSetup, reportText: ReportText): [string, RpcMethod][] {
  const told = (outcome: ReportOutcome | Refusal) =>
    outcome instanceof Refusal ? outcome : reportText(outcome);
  return [
    [
      'spot_new_order',
      {
        right: table.spot_new_order.right,
        changesOrders: true,
        run: withParams(table.spot_new_order.params, (params, call) =>
          told(entry.place(accountOf(call), params)),
        ),
      },
    ],
    [
      'spot_cancel_order',
      {
        right: table.spot_new_order.right,
        changesOrders: true,
        run: withParams(table.spot_cancel_order.params, (params, call) =>
          told(entry.cancel(accountOf(call), params.client_order_id)),
        ),
      },
    ],
    [
      'spot_cancel_orders',
      {
        right: table.spot_new_order.right,
        changesOrders: true,
        run: (call) =>
          JSON.stringify(v3ReportObjects(entry.cancelAll(accountOf(call), undefined), core.instruments)),
      },
    ],
    [
      'spot_replace_order',
      {
        right: table.spot_new_order.right,
        changesOrders: true,
        run: withParams(table.spot_replace_order.params, (params, call) =>
          told(entry.replace(accountOf(call), params)),
        ),
      },
    ],
    [
      'spot_get_orders',
      {
        right: table.spot_get_orders.right,
        run: (call) =>
          JSON.stringify(v3ReportObjects(statusReports(core, accountOf(call)), core.instruments)),
      },
    ],
  ];
}

function reportMethods({ core, reports }: V3TradingSetup, reportText: ReportText): [string, RpcMethod][] {
  const notice = remembered((outcome: ReportOutcome) => v3OrderNoticeText(reportText(outcome)));
  const watchers = new WeakMap<RpcSession, ReportWatcher>();
  const watcherOf = (session: RpcSession): ReportWatcher => {
    let watcher = watchers.get(session);
    if (watcher === undefined) {
      watcher = { onReport: (outcome) => session.connection.send(notice(outcome)) };
      watchers.set(session, watcher);
    }
    return watcher;
  };
  return [
    [
      'spot_subscribe',
      {
        right: table.spot_subscribe.right,
        run(call) {
          const account = accountOf(call);
          const watcher = watcherOf(call.session);
          call.session.atEnd('reports', () => reports.unwatchReports(account, watcher));
          reports.watchReports(account, watcher);
          return 'true';
        },
        after: (call) =>
          call.session.connection.send(
            encodeV3OrdersNotice(statusReports(core, accountOf(call)), core.instruments),
          ),
      },
    ],
    [
      'spot_unsubscribe',
      {
        right: table.spot_unsubscribe.right,
        run(call) {
          reports.unwatchReports(accountOf(call), watcherOf(call.session));
          return 'true';
        },
      },
    ],
  ];
}

function balanceMethods({ core, reports, currencies }: V3TradingSetup): [string, RpcMethod][] {
  const notice = (call: RpcCall) => encodeV3BalanceNotice(nonZeroBalances(core, accountOf(call)));
  const watchers = new WeakMap<RpcSession, BalanceWatcher>();
  return [
    [
      'spot_balances',
      {
        right: table.spot_balances.right,
        run: (call) => JSON.stringify(nonZeroBalances(core, accountOf(call)).map(encodeV3Balance)),
      },
    ],
    [
      'spot_balance',
      {
        right: table.spot_balance.right,
        run: withParams(table.spot_balance.params, ({ currency }, call) =>
          currencies.has(currency)
            ? JSON.stringify(encodeV3Balance(core.exchange.balance(accountOf(call), currency)))
            : currencyNotFound(),
        ),
      },
    ],
    [
      'spot_balance_subscribe',
      {
        right: table.spot_balance_subscribe.right,
        run: withParams(table.spot_balance_subscribe.params, ({ mode }, call) => {
          const account = accountOf(call);
          const watcher = { onBalances: () => call.session.connection.send(notice(call)) };
          call.session.atEnd('balances', () => reports.unwatchBalances(account, watcher));
          watchers.set(call.session, watcher);
          reports.watchBalances(account, watcher, mode);
          return 'true';
        }),
        after: (call) => call.session.connection.send(notice(call)),
      },
    ],
    [
      'spot_balance_unsubscribe',
      {
        right: table.spot_balance_unsubscribe.right,
        run(call) {
          const watcher = watchers.get(call.session);
          if (watcher !== undefined) reports.unwatchBalances(accountOf(call), watcher);
          return 'true';
        },
      },
    ],
  ];
}

function feeMethods({ core }: V3TradingSetup): [string, RpcMethod][] {
  return [
    [
      'spot_fees',
      {
        right: table.spot_fees.right,
        run: () => JSON.stringify(core.instruments.all.map((instrument) => encodeV3Fee(feeRate(instrument)))),
      },
    ],
    [
      'spot_fee',
      {
        right: table.spot_fee.right,
        run: withParams(table.spot_fee.params, ({ symbol }) => {
          const instrument = core.instruments.find(symbol);
          return instrument === undefined
            ? symbolNotFound(symbol)
            : JSON.stringify(encodeV3Fee(feeRate(instrument)));
        }),
      },
    ],
  ];
}
