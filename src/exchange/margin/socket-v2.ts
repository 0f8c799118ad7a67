import type { MarginOutcome, ReportOutcome } from '../matching/index.ts';
import type { MarginReport } from '../../core/model/margin.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/index.ts';
import type { Core } from '../base/index.ts';
import type { Reports, OrderService } from '../orders/index.ts';
import type { MarginService } from './service.ts';
import type { V2Orders } from './v2-orders.ts';
import { Refusal, statusReports } from '../base/index.ts';
import type { RpcCall, RpcMethod } from '../sockets/index.ts';
import { sessionAccount, v2Method } from '../sockets/index.ts';
import { withV2Instrument } from '../http/index.ts';
import { encodeReport } from '../../venues/hitbtc/wire/resources/index.ts';
import type { DecodedReport } from '../../venues/hitbtc/wire/resources/index.ts';

interface V2MarginSocketDeps {
  readonly core: Core;
  readonly orders: OrderService;
  readonly reports: Reports;
  readonly marginService: MarginService;
  readonly v2Orders: V2Orders;
}

type AnyReport = DecodedReport & { readonly margin?: MarginReport | undefined };

/** The margin methods of the v2 trading socket. Source: v2-gaps, section 6.1. */
export function v2MarginSocketMethods(deps: V2MarginSocketDeps): [string, RpcMethod][] {
  return [...orderMethods(deps), ...accountMethods(deps), subscribe(deps)];
}

function reportObject({ core }: V2MarginSocketDeps, report: AnyReport): object {
  const positionId = report.margin?.positionId;
  return {
    ...encodeReport('v2', report, core.instruments.at(report.order.instrument)),
    ...(positionId !== undefined && { tradePositionId: positionId }),
  };
}

function activeOrders(deps: V2MarginSocketDeps, call: RpcCall): readonly object[] {
  const { core, marginService } = deps;
  const owner = marginService.margin.product.of(sessionAccount(call));
  return statusReports(core, owner).map((report) => reportObject(deps, report));
}

function accountReports({ marginService }: V2MarginSocketDeps, call: RpcCall): readonly object[] {
  return marginService.margin
    .accounts(sessionAccount(call))
    .filter(({ mode }) => mode === 'isolated')
    .map((view) => marginService.margin.objects.v2.account(view, { reportType: 'status', reason: 'status' }));
}

function orderMethods(deps: V2MarginSocketDeps): [string, RpcMethod][] {
  const { core, marginService, orders, v2Orders } = deps;
  const service = marginService.margin;
  const owner = (call: RpcCall) => service.product.of(sessionAccount(call));
  const answerOf = (outcome: ReportOutcome | Refusal) =>
    outcome instanceof Refusal ? outcome : reportObject(deps, outcome);
  return [
    v2Method('marginOrderNew', (params, call) =>
      withV2Instrument(core, params.symbol, ({ symbol }) =>
        answerOf(v2Orders.placeOnMargin(sessionAccount(call), { ...params, symbol })),
      ),
    ),
    v2Method('marginOrderCancel', ({ clientOrderId }, call) =>
      answerOf(orders.cancel(owner(call), clientOrderId)),
    ),
    v2Method('marginOrderCancelReplace', (params, call) => answerOf(v2Orders.replace(owner(call), params))),
    v2Method('marginOrdersCancel', (_params, call) =>
      orders.cancelAll(owner(call), undefined).map((outcome) => reportObject(deps, outcome)),
    ),
    v2Method('marginOrdersGet', (_params, call) => activeOrders(deps, call)),
  ];
}

function accountMethods(deps: V2MarginSocketDeps): [string, RpcMethod][] {
  const { core, marginService } = deps;
  const service = marginService.margin;
  return [
    v2Method('marginAccountsGet', (_params, call) => accountReports(deps, call)),
    v2Method('marginAccountSet', (params, call) =>
      withV2Instrument(core, params.instrument, ({ symbol }) => {
        const changed = service.setAccount(sessionAccount(call), { ...params, instrument: symbol });
        return changed instanceof Refusal ? changed : marginService.margin.objects.v2.report(changed);
      }),
    ),
    v2Method('marginPositionClose', ({ symbol, price, strictValidate }, call) =>
      withV2Instrument(core, symbol, (instrument) => {
        const where = { mode: 'isolated', instrument } as const;
        const currency = instrument.spec.quoteCurrency;
        const before = service.account(sessionAccount(call), { ...where, currency });
        const closed = service.close(sessionAccount(call), where, { text: price, strict: strictValidate });
        if (closed instanceof Refusal || before === undefined) return closed as Refusal;
        // The closed report comes before the reply, which shows the account as it was.
        marginService.notices.flush();
        const report = { view: before, reportType: 'updated', reason: 'updated' } as const;
        return marginService.margin.objects.v2.report(report);
      }),
    ),
  ];
}

function subscribe(deps: V2MarginSocketDeps): [string, RpcMethod] {
  const { marginService, reports } = deps;
  return v2Method(
    'marginSubscribe',
    (_params, call) => {
      const owner = marginService.margin.product.of(sessionAccount(call));
      const { session } = call;
      const orders = {
        onReport: (outcome: ReportOutcome) =>
          session.connection.send(encodeRpcNotification('marginOrderReport', reportObject(deps, outcome))),
      };
      const accounts = {
        onMargin: (outcome: MarginOutcome) => {
          // Version 2 has neither cross margin nor AMR.
          if (outcome.view.mode === 'cross' || outcome.reason === 'amrChanged') return;
          const report = marginService.margin.objects.v2.report(outcome);
          session.connection.send(encodeRpcNotification('marginAccountReport', report));
        },
      };
      session.atEnd('margin reports', () => {
        reports.unwatchReports(owner, orders);
        marginService.notices.unwatch(owner, accounts);
      });
      reports.watchReports(owner, orders);
      marginService.notices.watch(owner, accounts);
      return 'true';
    },
    (call) => {
      const { connection } = call.session;
      connection.send(encodeRpcNotification('marginOrders', activeOrders(deps, call)));
      connection.send(encodeRpcNotification('marginAccounts', accountReports(deps, call)));
    },
  );
}
