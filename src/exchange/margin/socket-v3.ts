import type { ReportOutcome } from '../matching/index.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/index.ts';
import type { Core } from '../base/index.ts';
import type { Reports, OrderService } from '../orders/index.ts';
import type { MarginService } from './service.ts';
import type { MarginReport } from '../../core/model/margin.ts';
import { Refusal, refuse, statusReports } from '../base/index.ts';
import type { RpcCall, RpcMethod, RpcSession } from '../sockets/index.ts';
import { sessionAccount, Replies, v3Method } from '../sockets/index.ts';
import { accountNotices } from './account-notices.ts';
import type { MarginProductService } from './product-service.ts';
import { v3BalanceMethods } from '../orders/index.ts';
import { encodeOrder, encodeReport } from '../../venues/hitbtc/wire/resources/index.ts';
import type { DecodedReport } from '../../venues/hitbtc/wire/resources/index.ts';

interface V3MarginSocketDeps {
  readonly core: Core;
  readonly orders: OrderService;
  readonly reports: Reports;
  readonly marginService: MarginService;
  readonly currencyCodes: ReadonlySet<string>;
}

type AnyReport = DecodedReport & { readonly margin?: MarginReport | undefined };

/** The methods of margin and futures on the v3 trading socket. Source: v3-gaps, sections 2.4 and 2.5. */
export function v3MarginMethods(deps: V3MarginSocketDeps): [string, RpcMethod][] {
  const { margin, futures } = deps.marginService;
  return [margin, futures].flatMap((service) => [
    ...orderMethods(deps, service),
    ...accountMethods(deps, service),
    ...subscriptions(deps, service),
  ]);
}

/** A report of a margin order; an execution names its position. */
function reportObject(deps: V3MarginSocketDeps, service: MarginProductService, report: AnyReport): object {
  const { instruments } = deps.core;
  const positionId = report.margin?.positionId;
  return {
    ...encodeReport('v3', report, instruments.at(report.order.instrument)),
    ...service.objects.v3.orderMembers(report.margin),
    ...(positionId !== undefined && { trade_position_id: positionId }),
  };
}

function orderMethods(deps: V3MarginSocketDeps, service: MarginProductService): [string, RpcMethod][] {
  const { core, orders } = deps;
  const { name } = service.product;
  const answerOf = (outcome: ReportOutcome | Refusal) =>
    outcome instanceof Refusal ? outcome : reportObject(deps, service, outcome);
  const owner = (call: RpcCall) => service.product.of(sessionAccount(call));
  return [
    v3Method(`${name}_new_order`, (params, call) => answerOf(service.place(sessionAccount(call), params))),
    v3Method(`${name}_new_order_list`, (params, call) => {
      const placed = service.placeList(sessionAccount(call), params);
      if (placed instanceof Refusal) return placed;
      return new Replies(
        placed.map(({ order, list, margin }) => ({
          ...encodeOrder('v3', order, core.instruments.at(order.instrument), { list }),
          ...service.objects.v3.orderMembers(margin),
        })),
      );
    }),
    v3Method(`${name}_cancel_order`, ({ clientOrderId }, call) =>
      answerOf(orders.cancel(owner(call), clientOrderId)),
    ),
    v3Method(`${name}_cancel_orders`, (_params, call) =>
      orders.cancelAll(owner(call), undefined).map((outcome) => reportObject(deps, service, outcome)),
    ),
    v3Method(`${name}_replace_order`, (params, call) => answerOf(orders.replace(owner(call), params))),
    v3Method(`${name}_get_orders`, (_params, call) => activeOrders(deps, service, call)),
  ];
}

function accountMethods(deps: V3MarginSocketDeps, service: MarginProductService): [string, RpcMethod][] {
  const { marginService } = deps;
  const { name } = service.product;
  return [
    v3Method(`${name}_get_accounts`, (_params, call) => accountReports(service, call)),
    v3Method(`${name}_set_account`, (params, call) => {
      const changed = service.setAccount(sessionAccount(call), params);
      if (changed instanceof Refusal) return changed;
      return service.objects.v3.report(changed);
    }),
    v3Method(`${name}_close_position`, (params, call) => {
      const { marginMode, symbol, price, strictValidate } = params;
      const target = service.target(marginMode === 'cross' ? 'isolated' : marginMode, symbol);
      if (target instanceof Refusal) return target;
      const { instrument } = target;
      if (instrument === undefined) return refuse(2_024);
      const mode = marginMode === 'cross' ? 'cross' : 'isolated';
      const before = service.account(sessionAccount(call), { ...target, mode });
      const where = { mode, instrument } as const;
      const closed = service.close(sessionAccount(call), where, { text: price, strict: strictValidate });
      if (closed instanceof Refusal || before === undefined) return closed as Refusal;
      // The report of the closing comes before the reply, which shows the account as it was.
      marginService.notices.flush();
      const report = { view: before, reportType: 'updated', reason: 'updated' } as const;
      return service.objects.v3.report(report);
    }),
  ];
}

function subscriptions(deps: V3MarginSocketDeps, service: MarginProductService): [string, RpcMethod][] {
  const { core, marginService, reports } = deps;
  const { name } = service.product;
  const watchers = new WeakMap<RpcSession, { end(): void }>();
  return [
    v3Method(
      `${name}_subscribe`,
      (_params, call) => {
        const owner = service.product.of(sessionAccount(call));
        const { session } = call;
        const orders = {
          onReport: (outcome: ReportOutcome) =>
            session.connection.send(
              encodeRpcNotification(`${name}_order`, reportObject(deps, service, outcome)),
            ),
        };
        const accounts = accountNotices({
          product: name,
          instruments: core.instruments,
          objects: service.objects.v3,
          accounts: service.accounts(sessionAccount(call)),
          send: (method, params) => session.connection.send(encodeRpcNotification(method, params)),
        });
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
      (call) => {
        const { connection } = call.session;
        connection.send(encodeRpcNotification(`${name}_orders`, activeOrders(deps, service, call)));
        connection.send(encodeRpcNotification(`${name}_accounts`, accountReports(service, call)));
      },
    ),
    v3Method(`${name}_unsubscribe`, (_params, { session }) => {
      watchers.get(session)?.end();
      return 'true';
    }),
  ];
}

function activeOrders(
  { core }: V3MarginSocketDeps,
  service: MarginProductService,
  call: RpcCall,
): readonly object[] {
  const owner = service.product.of(sessionAccount(call));
  const log = core.log(owner);
  return statusReports(core, owner).map((report) => {
    const margin = log.record(report.order.venueOrderId)?.margin;
    return {
      ...encodeReport('v3', report, core.instruments.at(report.order.instrument)),
      ...service.objects.v3.orderMembers(margin),
    };
  });
}

function accountReports(service: MarginProductService, call: RpcCall): readonly object[] {
  return service
    .accounts(sessionAccount(call))
    .map((view) => service.objects.v3.account(view, { reportType: 'status', reason: 'status' }));
}

/** Balances, fees and leverage of contracts on the v3 trading socket. Source: v3-gaps, section 2.5. */
export function v3FuturesMethods(deps: V3MarginSocketDeps): [string, RpcMethod][] {
  const { marginService } = deps;
  const { futures } = marginService;
  return [
    ...v3BalanceMethods(deps, {
      name: 'futures',
      of: (account) => futures.product.of(account),
      trades: (instrument) => futures.product.trades(instrument),
      instrument: (symbol) => futures.instrument(symbol),
    }),
    leverageMethod(marginService),
  ];
}

function leverageMethod({ futures }: MarginService): [string, RpcMethod] {
  return v3Method('futures_set_leverage', ({ symbol, leverage }, call) => {
    const changed = futures.setLeverage(sessionAccount(call), symbol, leverage);
    if (changed instanceof Refusal) return changed;
    return futures.objects.v3.report(changed);
  });
}
