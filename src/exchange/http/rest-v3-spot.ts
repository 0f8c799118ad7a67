import type { AccountId } from '../matching/command.ts';
import type { ReportOutcome } from '../matching/outcome.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { ListMark } from '../../core/model/order-list.ts';
import type { Fill, VenueOrder } from '../../core/model/order.ts';
import { averagePrice } from '../orders/log.ts';
import type { Core } from '../core.ts';
import type { AppSetup } from '../app-setup.ts';
import { ofSymbol } from './instruments.ts';
import { currencyNotFound, notSpot, Refusal, refuse, symbolNotFound } from '../refusal.ts';
import type { RestRoute } from './rest-route.ts';
import { accountOf, v3Route } from './rest-route.ts';
import { feeRate, nonZeroBalances, tradingBalance } from '../account-views.ts';
import { apiKeyRow } from '../../venues/hitbtc/wire/v3/endpoints-user.ts';
import { encodeOrder } from '../../venues/hitbtc/wire/resources/order-model.ts';
import {
  feeRates,
  spotBalance,
  spotBalanceOfCurrency,
  withMargin,
} from '../../venues/hitbtc/wire/resources/account.ts';

/** Orders, balances and fees of v3. Source: API v3, "Spot trading". */
export function v3SpotRoutes(app: AppSetup): readonly RestRoute[] {
  return [...placingRoutes(app), ...orderRoutes(app), ...balanceRoutes(app)];
}

function placingRoutes({ world: { core, orders }, faults }: AppSetup): RestRoute[] {
  return [
    v3Route('spotNewOrder', (params, call) =>
      answer(core, accountOf(call), orders.place(accountOf(call), params)),
    ),
    v3Route('spotNewOrderList', (params, call) => {
      const placed = orders.placeList(accountOf(call), params);
      if (placed instanceof Refusal) return placed;
      return placed.map(({ order, list }) => listedOrder(core, accountOf(call), order, list));
    }),
    v3Route('spotReplaceOrder', (params, call) =>
      answer(core, accountOf(call), orders.replace(accountOf(call), params, faults)),
    ),
    v3Route('spotCancelOrder', ({ clientOrderId }, call) =>
      answer(core, accountOf(call), orders.cancel(accountOf(call), clientOrderId)),
    ),
    v3Route('spotCancelOrders', ({ symbol }, call) =>
      withOptionalSymbol(core, symbol, (instrument) =>
        orders
          .cancelAll(accountOf(call), instrument)
          .map(({ order }) => orderObject(core, accountOf(call), order)),
      ),
    ),
  ];
}

function orderRoutes({ world: { core } }: AppSetup): RestRoute[] {
  return [
    v3Route('spotActiveOrders', ({ symbol }, call) =>
      withOptionalSymbol(core, symbol, (instrument) =>
        core.exchange
          .activeOrders(accountOf(call), instrument?.id)
          .map((order) => orderObject(core, accountOf(call), order)),
      ),
    ),
    v3Route('spotActiveOrder', ({ clientOrderId }, call) => {
      const order = core.exchange.order(accountOf(call), clientOrderId);
      return order === undefined ? refuse(20_002) : orderObject(core, accountOf(call), order);
    }),
  ];
}

function balanceRoutes({ world: { core }, options }: AppSetup): RestRoute[] {
  const currencies = new Set(options.currencies.map(({ code }) => code));
  return [
    v3Route('spotBalances', (_params, call) =>
      nonZeroBalances(core, accountOf(call)).map((one) => spotBalance.v3.write(withMargin(one))),
    ),
    v3Route('spotBalance', ({ currency }, call) =>
      currencies.has(currency)
        ? spotBalanceOfCurrency.v3.write(withMargin(tradingBalance(core, accountOf(call), currency)))
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

function answer(core: Core, account: AccountId, outcome: ReportOutcome | Refusal): object {
  return outcome instanceof Refusal ? outcome : orderObject(core, account, outcome.order);
}

/** An order with the executions it had, also when it has just ended. */
function orderObject(core: Core, account: AccountId, order: VenueOrder): object {
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
function listedOrder(core: Core, account: AccountId, order: VenueOrder, list: ListMark | undefined): object {
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
