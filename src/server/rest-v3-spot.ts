import type { AccountId } from '../matching/command.ts';
import type { ReportOutcome } from '../matching/outcome.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Fill, VenueOrder } from '../model/order.ts';
import { encodeV3Balance, encodeV3SingleBalance } from '../wire/balances.ts';
import { encodeV3Order } from '../wire/v3/encode-orders.ts';
import { encodeV3Fee } from '../wire/v3/fees.ts';
import { averagePrice } from './average-price.ts';
import type { Core } from './core.ts';
import type { DoorSetup } from './door-setup.ts';
import { ofSymbol } from './keyed-answers.ts';
import { currencyNotFound, Refusal, refuse, symbolNotFound } from './refusal.ts';
import type { RestRoute } from './rest-route.ts';
import { accountOf, v3Route } from './rest-route.ts';
import { feeRate, nonZeroBalances } from './standing.ts';

/** Orders, balances and fees of v3. Source: API v3, "Spot trading". */
export function v3SpotRoutes(door: DoorSetup): readonly RestRoute[] {
  return [...placingRoutes(door), ...orderRoutes(door), ...balanceRoutes(door)];
}

function placingRoutes({ world: { core, entry } }: DoorSetup): RestRoute[] {
  return [
    v3Route('spotNewOrder', (params, call) =>
      answer(core, accountOf(call), entry.place(accountOf(call), params)),
    ),
    v3Route('spotReplaceOrder', (params, call) =>
      answer(core, accountOf(call), entry.replace(accountOf(call), params)),
    ),
    v3Route('spotCancelOrder', ({ clientOrderId }, call) =>
      answer(core, accountOf(call), entry.cancel(accountOf(call), clientOrderId)),
    ),
    v3Route('spotCancelOrders', ({ symbol }, call) =>
      withOptionalSymbol(core, symbol, (instrument) =>
        entry
          .cancelAll(accountOf(call), instrument)
          .map(({ order }) => orderObject(core, accountOf(call), order)),
      ),
    ),
  ];
}

function orderRoutes({ world: { core } }: DoorSetup): RestRoute[] {
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

function balanceRoutes({ world: { core }, options }: DoorSetup): RestRoute[] {
  const currencies = new Set(options.currencies.map(({ code }) => code));
  return [
    v3Route('spotBalances', (_params, call) => nonZeroBalances(core, accountOf(call)).map(encodeV3Balance)),
    v3Route('spotBalance', ({ currency }, call) =>
      currencies.has(currency)
        ? encodeV3SingleBalance(core.exchange.balance(accountOf(call), currency))
        : currencyNotFound(),
    ),
    v3Route('spotFees', () => core.instruments.all.map((instrument) => encodeV3Fee(feeRate(instrument)))),
    v3Route('spotFee', ({ symbol }) =>
      ofSymbol(core, symbol, (instrument) => encodeV3Fee(feeRate(instrument))),
    ),
  ];
}

function answer(core: Core, account: AccountId, outcome: ReportOutcome | Refusal): object {
  return outcome instanceof Refusal ? outcome : orderObject(core, account, outcome.order);
}

/** An order with the executions it had, also when it has just ended. */
function orderObject(core: Core, account: AccountId, order: VenueOrder): object {
  const fills: readonly Fill[] = core.log(account).record(order.venueOrderId)?.fills ?? [];
  const instrument = core.instruments.at(order.instrument);
  if (fills.length === 0) return encodeV3Order(order, instrument);
  return encodeV3Order(order, instrument, { fills, priceAverage: averagePrice(instrument, fills) });
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
