import type { ReportOutcome } from '../matching/index.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/index.ts';
import type { Core } from '../base/index.ts';
import { Refusal, nonZeroBalances, statusReports } from '../base/index.ts';
import { memoizeLast, sessionAccount, v2Method } from '../sockets/index.ts';
import type { Reports, ReportWatcher } from './reports.ts';
import type { V2OrderPort } from './rest.ts';
import type { OrderService } from './service.ts';
import type { RpcMethod } from '../sockets/index.ts';
import { withV2Instrument } from '../http/index.ts';
import { encodeReport, encodeReports, walletBalance } from '../../venues/hitbtc/wire/resources/index.ts';

interface V2TradingDeps {
  readonly core: Core;
  readonly orders: OrderService;
  readonly v2Orders: V2OrderPort;
  readonly reports: Reports;
}

/** The spot methods of the v2 trading socket, but for `login`. Source: API v2, "Socket methods"; v2-gaps, section 6. */
export function v2TradingSocketMethods(deps: V2TradingDeps): ReadonlyMap<string, RpcMethod> {
  const { core, orders, v2Orders } = deps;
  const report = (outcome: ReportOutcome | Refusal) =>
    outcome instanceof Refusal
      ? outcome
      : encodeReport('v2', outcome, core.instruments.at(outcome.order.instrument));
  return new Map<string, RpcMethod>([
    subscribeReports(deps),
    v2Method('newOrder', (params, call) =>
      withV2Instrument(core, params.symbol, ({ symbol }) =>
        report(v2Orders.place(sessionAccount(call), { ...params, symbol })),
      ),
    ),
    v2Method('cancelOrder', ({ clientOrderId }, call) =>
      report(orders.cancel(sessionAccount(call), clientOrderId)),
    ),
    v2Method('cancelReplaceOrder', (params, call) => report(v2Orders.replace(sessionAccount(call), params))),
    v2Method('getOrders', (_params, call) =>
      encodeReports('v2', statusReports(core, sessionAccount(call)), core.instruments),
    ),
    v2Method('getTradingBalance', (_params, call) =>
      nonZeroBalances(core, sessionAccount(call)).map((one) => walletBalance.v2.write(one)),
    ),
  ]);
}

function subscribeReports({ core, reports }: V2TradingDeps): [string, RpcMethod] {
  const notice = memoizeLast((outcome: ReportOutcome) =>
    encodeRpcNotification(
      'report',
      encodeReport('v2', outcome, core.instruments.at(outcome.order.instrument)),
    ),
  );
  return v2Method(
    'subscribeReports',
    (_params, call) => {
      const account = sessionAccount(call);
      const { session } = call;
      const watcher: ReportWatcher = { onReport: (outcome) => session.connection.send(notice(outcome)) };
      session.atEnd('reports', () => reports.unwatchReports(account, watcher));
      reports.watchReports(account, watcher);
      return 'true';
    },
    (call) => {
      const reported = encodeReports('v2', statusReports(core, sessionAccount(call)), core.instruments);
      call.session.connection.send(encodeRpcNotification('activeOrders', reported));
    },
  );
}
