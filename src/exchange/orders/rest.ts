import type { AccountId, ReportOutcome } from '../matching/index.ts';
import { marginAccountOf } from '../matching/index.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { ListMark } from '../../core/model/order-list.ts';
import type { Fill, VenueOrder } from '../../core/model/order.ts';
import type { OrderHistoryEntry, Core, Faults } from '../base/index.ts';
import {
  averagePrice,
  isPurged,
  currencyNotFound,
  notSpot,
  Refusal,
  refuse,
  symbolNotFound,
  feeRate,
  nonZeroBalances,
  tradingBalance,
} from '../base/index.ts';
import type { Reports } from './reports.ts';
import type { OrderService } from './service.ts';
import { OrderWaits } from './waits.ts';
import type { Clock } from '../../core/base/clock.ts';
import {
  ofSymbol,
  v2Instruments,
  withOptionalV2Instrument,
  withV2Instrument,
  routeAccount,
  v2Route,
  v3Route,
} from '../http/index.ts';
import type { RestRoute } from '../http/index.ts';
import {
  apiKeyRow,
  encodeOrder,
  feeOfSymbol,
  feeRates,
  spotBalance,
  spotBalanceOfCurrency,
  walletBalance,
  withMargin,
} from '../../venues/hitbtc/wire/resources/index.ts';
import type { OrderParams, ReplaceParams } from '../../venues/hitbtc/wire/resources/index.ts';

interface V3SpotDeps {
  readonly core: Core;
  readonly orders: OrderService;
  readonly faults: Faults;
  readonly currencyCodes: ReadonlySet<string>;
}

/** Orders as version 2 takes them: one that closes a position is an order on margin. */
export interface V2OrderPort {
  place(
    account: AccountId,
    params: OrderParams & { readonly closePosition: boolean },
  ): ReportOutcome | Refusal;
  replace(account: AccountId, params: ReplaceParams): ReportOutcome | Refusal;
}

interface V2SpotDeps {
  readonly core: Core;
  readonly orders: OrderService;
  readonly v2Orders: V2OrderPort;
  readonly reports: Reports;
  readonly clock: Clock;
}

/** Orders, balances and fees of v3. Source: API v3, "Spot trading". */
export function v3SpotRoutes(deps: V3SpotDeps): readonly RestRoute[] {
  return [...v3PlacingRoutes(deps), ...v3ReadingRoutes(deps), ...v3BalanceRoutes(deps)];
}

function v3PlacingRoutes({ core, orders, faults }: V3SpotDeps): RestRoute[] {
  return [
    v3Route('spotNewOrder', (params, call) =>
      v3Answer(core, routeAccount(call), orders.place(routeAccount(call), params)),
    ),
    v3Route('spotNewOrderList', (params, call) => {
      const placed = orders.placeList(routeAccount(call), params);
      if (placed instanceof Refusal) return placed;
      return placed.map(({ order, list }) => v3ListedOrder(core, routeAccount(call), order, list));
    }),
    v3Route('spotReplaceOrder', (params, call) =>
      v3Answer(core, routeAccount(call), orders.replace(routeAccount(call), params, faults)),
    ),
    v3Route('spotCancelOrder', ({ clientOrderId }, call) =>
      v3Answer(core, routeAccount(call), orders.cancel(routeAccount(call), clientOrderId)),
    ),
    v3Route('spotCancelOrders', ({ symbol }, call) =>
      withOptionalSymbol(core, symbol, (instrument) =>
        orders
          .cancelAll(routeAccount(call), instrument)
          .map(({ order }) => v3Order(core, routeAccount(call), order)),
      ),
    ),
  ];
}

function v3ReadingRoutes({ core }: V3SpotDeps): RestRoute[] {
  return [
    v3Route('spotActiveOrders', ({ symbol }, call) =>
      withOptionalSymbol(core, symbol, (instrument) =>
        core.exchange
          .activeOrders(routeAccount(call), instrument?.id)
          .map((order) => v3Order(core, routeAccount(call), order)),
      ),
    ),
    v3Route('spotActiveOrder', ({ clientOrderId }, call) => {
      const order = core.exchange.order(routeAccount(call), clientOrderId);
      return order === undefined ? refuse(20_002) : v3Order(core, routeAccount(call), order);
    }),
  ];
}

function v3BalanceRoutes({ core, currencyCodes }: V3SpotDeps): RestRoute[] {
  return [
    v3Route('spotBalances', (_params, call) =>
      nonZeroBalances(core, routeAccount(call)).map((one) => spotBalance.v3.write(withMargin(one))),
    ),
    v3Route('spotBalance', ({ currency }, call) =>
      currencyCodes.has(currency)
        ? spotBalanceOfCurrency.v3.write(withMargin(tradingBalance(core, routeAccount(call), currency)))
        : currencyNotFound(),
    ),
    v3Route('spotFees', () =>
      core.instruments.all
        .filter(({ spec }) => spec.type === 'spot')
        .map((instrument) => feeRates.v3.write(feeRate(instrument))),
    ),
    v3Route('spotFee', ({ symbol }) =>
      ofSymbol(core, symbol, (instrument) =>
        instrument.spec.type === 'spot' ? feeRates.v3.write(feeRate(instrument)) : notSpot(symbol),
      ),
    ),
  ];
}

function v3Answer(core: Core, account: AccountId, outcome: ReportOutcome | Refusal): object {
  return outcome instanceof Refusal ? outcome : v3Order(core, account, outcome.order);
}

/** An order with the executions it had, also when it has just ended. */
function v3Order(core: Core, account: AccountId, order: VenueOrder): object {
  const record = core.log(account).record(order.venueOrderId);
  const fills: readonly Fill[] = record?.fills ?? [];
  const list = record?.list;
  const instrument = core.instruments.at(order.instrument);
  const average = averagePrice(instrument, fills);
  return encodeOrder(
    'v3',
    order,
    instrument,
    fills.length === 0 ? { averagePrice: average, list } : { fills, averagePrice: average, list },
  );
}

/** Replies to lists never carry the executions. Source: API v3, "Spot order", trades. */
function v3ListedOrder(
  core: Core,
  account: AccountId,
  order: VenueOrder,
  list: ListMark | undefined,
): object {
  const instrument = core.instruments.at(order.instrument);
  const fills = core.log(account).record(order.venueOrderId)?.fills ?? [];
  return encodeOrder('v3', order, instrument, { averagePrice: averagePrice(instrument, fills), list });
}

function withOptionalSymbol(
  core: Core,
  symbol: string | undefined,
  run: (instrument: Instrument | undefined) => object,
): object {
  if (symbol === undefined) return run(undefined);
  const instrument = core.instruments.find(symbol);
  return instrument === undefined ? symbolNotFound(symbol) : run(instrument);
}

/** Orders, balances and fees of v2. Source: API v2, "Trading and history"; v2-gaps, section 1. */
export function v2SpotRoutes(deps: V2SpotDeps): readonly RestRoute[] {
  return [
    ...v2PlacingRoutes(deps),
    ...v2CancelRoutes(deps),
    ...v2ReadingRoutes(deps),
    ...v2BalanceRoutes(deps),
  ];
}

function v2PlacingRoutes({ core, v2Orders }: V2SpotDeps): RestRoute[] {
  const placed = (account: AccountId, params: OrderParams & { readonly closePosition: boolean }) =>
    withV2Instrument(core, params.symbol, ({ symbol }) =>
      v2Executed(core, params.closePosition ? marginAccountOf(account) : account, () =>
        v2Orders.place(account, { ...params, symbol }),
      ),
    );
  return [
    v2Route('newOrder', (params, call) => placed(routeAccount(call), params)),
    v2Route('putOrder', (params, call) => placed(routeAccount(call), params)),
    v2Route('replaceOrder', (params, call) =>
      v2Executed(core, routeAccount(call), () => v2Orders.replace(routeAccount(call), params)),
    ),
  ];
}

function v2CancelRoutes({ core, orders }: V2SpotDeps): RestRoute[] {
  return [
    v2Route('cancelOrder', ({ clientOrderId }, call) => {
      const outcome = orders.cancel(routeAccount(call), clientOrderId);
      return outcome instanceof Refusal ? outcome : v2Order(core, outcome.order);
    }),
    v2Route('cancelOrders', ({ symbol }, call) =>
      withOptionalV2Instrument(core, symbol, (instrument) =>
        orders.cancelAll(routeAccount(call), instrument).map(({ order }) => v2Order(core, order)),
      ),
    ),
  ];
}

function v2ReadingRoutes({ core, reports, clock }: V2SpotDeps): RestRoute[] {
  const waits = new OrderWaits(reports, clock);
  return [
    v2Route('activeOrders', ({ symbol }, call) =>
      withOptionalV2Instrument(core, symbol, (instrument) =>
        core.exchange.activeOrders(routeAccount(call), instrument?.id).map((order) => v2Order(core, order)),
      ),
    ),
    v2Route('activeOrder', ({ clientOrderId, wait }, call) => {
      const account = routeAccount(call);
      if (wait === undefined) {
        const order = core.exchange.order(account, clientOrderId);
        return order === undefined ? refuse(20_002) : v2Order(core, order);
      }
      // A wait for the end of an order that has ended already is answered at once.
      const record = lastRecord(core, account, clientOrderId);
      if (record === undefined) return refuse(20_002);
      const { onGone } = call.request;
      return waits
        .untilEnded(account, record.order, { ms: wait, onGone })
        .then(() => v2Order(core, record.order));
    }),
  ];
}

function v2BalanceRoutes({ core }: V2SpotDeps): RestRoute[] {
  return [
    v2Route('tradingBalances', (_params, call) =>
      nonZeroBalances(core, routeAccount(call)).map((one) => walletBalance.v2.write(one)),
    ),
    v2Route('tradingFees', () =>
      v2Instruments(core).map((instrument) => feeRates.v2.write(feeRate(instrument))),
    ),
    v2Route('tradingFee', ({ symbol }) =>
      withV2Instrument(core, symbol, (instrument) => feeOfSymbol.v2.write(feeRate(instrument))),
    ),
  ];
}

/** The order after a request, with what v2Executed in it. Source: v2-gaps, section 1 (`tradesReport`). */
function v2Executed(core: Core, account: AccountId, run: () => ReportOutcome | Refusal): object {
  const log = core.log(account);
  const before = log.trades.last?.number ?? 0;
  const outcome = run();
  if (outcome instanceof Refusal) return outcome;
  const record = log.record(outcome.order.venueOrderId);
  const order = record?.order ?? outcome.order;
  const fills = (record?.fills ?? []).filter(({ tradeId }) => Number(tradeId) > before);
  return encodeOrder('v2', order, core.instruments.at(order.instrument), fills.length === 0 ? {} : { fills });
}

function v2Order(core: Core, order: VenueOrder): object {
  return encodeOrder('v2', order, core.instruments.at(order.instrument));
}

/** The order that had this id last, ended or not. */
function lastRecord(core: Core, account: AccountId, clientOrderId: string): OrderHistoryEntry | undefined {
  const record = core.log(account).last(clientOrderId);
  return record === undefined || isPurged(record, core.now()) ? undefined : record;
}

/** What a user may know of the keys of the account: never their secrets. Source: v3-gaps, section 8. */
export function v3UserRoutes(): RestRoute[] {
  return [
    v3Route('userApiKeys', (_params, call) =>
      (call.account?.keys ?? []).map(({ apiKey, rights }) =>
        apiKeyRow.v3.write({ apiKey, rights: [...rights] }),
      ),
    ),
  ];
}
