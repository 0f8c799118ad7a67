import type { AccountId } from '../matching/command.ts';
import type { ReportOutcome } from '../matching/outcome.ts';
import type { VenueOrder } from '../../core/model/order.ts';
import type { Core } from '../core.ts';
import type { AppSetup } from '../app-setup.ts';
import type { OrderHistoryEntry } from '../orders/log.ts';
import { isPurged } from '../orders/log.ts';
import { OrderWaits } from '../orders/waits.ts';
import { Refusal, refuse } from '../refusal.ts';
import type { RestRoute } from './rest-route.ts';
import { accountOf, v2Route } from './rest-route.ts';
import { withOptionalV2Instrument, withV2Instrument } from './instruments.ts';
import { encodeOrder } from '../../venues/hitbtc/wire/resources/order-model.ts';

/** Orders of v2. Source: v2-gaps, section 1. */
export function v2OrderRoutes(app: AppSetup): readonly RestRoute[] {
  return [...placingRoutes(app), ...cancelRoutes(app), ...readRoutes(app)];
}

function placingRoutes({ world: { core, orders } }: AppSetup): RestRoute[] {
  return [
    v2Route('newOrder', (params, call) =>
      withV2Instrument(core, params.symbol, ({ symbol }) =>
        executed(core, accountOf(call), () => orders.place(accountOf(call), { ...params, symbol })),
      ),
    ),
    v2Route('putOrder', (params, call) =>
      withV2Instrument(core, params.symbol, ({ symbol }) =>
        executed(core, accountOf(call), () => orders.place(accountOf(call), { ...params, symbol })),
      ),
    ),
    v2Route('replaceOrder', (params, call) =>
      executed(core, accountOf(call), () => orders.replace(accountOf(call), params)),
    ),
  ];
}

function cancelRoutes({ world: { core, orders } }: AppSetup): RestRoute[] {
  return [
    v2Route('cancelOrder', ({ clientOrderId }, call) => {
      const outcome = orders.cancel(accountOf(call), clientOrderId);
      return outcome instanceof Refusal ? outcome : orderObject(core, outcome.order);
    }),
    v2Route('cancelOrders', ({ symbol }, call) =>
      withOptionalV2Instrument(core, symbol, (instrument) =>
        orders.cancelAll(accountOf(call), instrument).map(({ order }) => orderObject(core, order)),
      ),
    ),
  ];
}

function readRoutes({ world: { core, reports }, clock }: AppSetup): RestRoute[] {
  const waits = new OrderWaits(reports, clock);
  return [
    v2Route('activeOrders', ({ symbol }, call) =>
      withOptionalV2Instrument(core, symbol, (instrument) =>
        core.exchange.activeOrders(accountOf(call), instrument?.id).map((order) => orderObject(core, order)),
      ),
    ),
    v2Route('activeOrder', ({ clientOrderId, wait }, call) => {
      const account = accountOf(call);
      if (wait === undefined) {
        const order = core.exchange.order(account, clientOrderId);
        return order === undefined ? refuse(20_002) : orderObject(core, order);
      }
      // A wait for the end of an order that has ended already is answered at once.
      const record = lastRecord(core, account, clientOrderId);
      if (record === undefined) return refuse(20_002);
      const { onGone } = call.request;
      return waits
        .untilEnded(account, record.order, { ms: wait, onGone })
        .then(() => orderObject(core, record.order));
    }),
  ];
}

/** The order after a request, with what executed in it. Source: v2-gaps, section 1 (`tradesReport`). */
function executed(core: Core, account: AccountId, run: () => ReportOutcome | Refusal): object {
  const log = core.log(account);
  const before = log.trades.last?.number ?? 0;
  const outcome = run();
  if (outcome instanceof Refusal) return outcome;
  const record = log.record(outcome.order.venueOrderId);
  const order = record?.order ?? outcome.order;
  const fills = (record?.fills ?? []).filter(({ tradeId }) => Number(tradeId) > before);
  return encodeOrder('v2', order, core.instruments.at(order.instrument), fills.length === 0 ? {} : { fills });
}

function orderObject(core: Core, order: VenueOrder): object {
  return encodeOrder('v2', order, core.instruments.at(order.instrument));
}

/** The order that had this id last, ended or not. */
function lastRecord(core: Core, account: AccountId, clientOrderId: string): OrderHistoryEntry | undefined {
  const log = core.log(account);
  const now = core.now();
  return (
    log.active(clientOrderId) ??
    log.records.findLast((record) => record.order.clientOrderId === clientOrderId && !isPurged(record, now))
  );
}
