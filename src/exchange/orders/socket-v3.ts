import type { ReportOutcome } from '../matching/index.ts';
import { v3OrderNoticeText, v3ReportText } from '../../venues/hitbtc/wire/v3/index.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/index.ts';
import type { Core, Faults } from '../base/index.ts';
import type { OrderService } from './service.ts';
import { instrumentOf, isOfProduct, Refusal, statusReports } from '../base/index.ts';
import { memoizeLast, sessionAccount, Replies, v3Method } from '../sockets/index.ts';
import type { Reports, ReportWatcher } from './reports.ts';
import type { RpcMethod, RpcSession } from '../sockets/index.ts';
import type { BalancedProduct } from './socket-v3-balances.ts';
import { v3BalanceMethods } from './socket-v3-balances.ts';
import { encodeOrder, encodeReports } from '../../venues/hitbtc/wire/resources/index.ts';

interface V3TradingDeps {
  readonly core: Core;
  readonly orders: OrderService;
  readonly faults: Faults;
  readonly reports: Reports;
  readonly currencyCodes: ReadonlySet<string>;
}

type ReportText = (outcome: ReportOutcome) => string;

/** The spot methods of the v3 trading socket, but for `login`. Source: v3-gaps, sections 2.2 and 2.3; API v3, "Limits". */
export function v3TradingMethods(deps: V3TradingDeps): ReadonlyMap<string, RpcMethod> {
  const { core } = deps;
  // The notification and the reply of a request carry the same report, which is encoded once.
  const reportText = memoizeLast((outcome: ReportOutcome) =>
    v3ReportText(outcome, core.instruments.at(outcome.order.instrument)),
  );
  return new Map<string, RpcMethod>([
    ...orderMethods(deps, reportText),
    ...reportMethods(deps, reportText),
    ...v3BalanceMethods(deps, spotOf(core)),
  ]);
}

function spotOf(core: Core): BalancedProduct {
  return {
    name: 'spot',
    of: (account) => account,
    trades: (instrument) => isOfProduct(instrument, 'spot'),
    instrument: (symbol) => instrumentOf(core.instruments, 'spot', symbol),
  };
}

function orderMethods(
  { core, orders, faults }: V3TradingDeps,
  reportText: ReportText,
): [string, RpcMethod][] {
  const textOf = (outcome: ReportOutcome | Refusal) =>
    outcome instanceof Refusal ? outcome : reportText(outcome);
  return [
    v3Method('spot_new_order', (params, call) => textOf(orders.place(sessionAccount(call), params))),
    v3Method('spot_new_order_list', (params, call) => {
      const placed = orders.placeList(sessionAccount(call), params);
      if (placed instanceof Refusal) return placed;
      return new Replies(
        placed.map(({ order, list }) =>
          encodeOrder('v3', order, core.instruments.at(order.instrument), { list }),
        ),
      );
    }),
    v3Method('spot_cancel_order', ({ clientOrderId }, call) =>
      textOf(orders.cancel(sessionAccount(call), clientOrderId)),
    ),
    v3Method('spot_cancel_orders', (_params, call) =>
      encodeReports('v3', orders.cancelAll(sessionAccount(call), undefined), core.instruments),
    ),
    v3Method('spot_replace_order', (params, call) =>
      textOf(orders.replace(sessionAccount(call), params, faults)),
    ),
    v3Method('spot_get_orders', (_params, call) =>
      encodeReports('v3', statusReports(core, sessionAccount(call)), core.instruments),
    ),
  ];
}

function reportMethods({ core, reports }: V3TradingDeps, reportText: ReportText): [string, RpcMethod][] {
  const notice = memoizeLast((outcome: ReportOutcome) => v3OrderNoticeText(reportText(outcome)));
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
    v3Method(
      'spot_subscribe',
      (_params, call) => {
        const account = sessionAccount(call);
        const watcher = watcherOf(call.session);
        call.session.atEnd('reports', () => reports.unwatchReports(account, watcher));
        reports.watchReports(account, watcher);
        return 'true';
      },
      (call) => {
        const reported = encodeReports('v3', statusReports(core, sessionAccount(call)), core.instruments);
        call.session.connection.send(encodeRpcNotification('spot_orders', reported));
      },
    ),
    v3Method('spot_unsubscribe', (_params, call) => {
      reports.unwatchReports(sessionAccount(call), watcherOf(call.session));
      return 'true';
    }),
  ];
}
