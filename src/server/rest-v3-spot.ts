import type { AccountId } from '../matching/command.ts';
import type { ReportOutcome } from '../matching/outcome.ts';
import type { Instrument } from '../model/instrument.ts';
import type { Fill, VenueOrder } from '../model/order.ts';
import type { OwnTrade } from '../model/event.ts';
import { encodeV3Balance, encodeV3SingleBalance } from '../wire/balances.ts';
import { encodeV3Order, encodeV3OwnTrade } from '../wire/v3/encode-orders.ts';
import { encodeV3Fee } from '../wire/v3/fees.ts';
import { v3OrderParams, v3ReplaceParams } from '../wire/v3/order-params.ts';
import { averagePrice } from './average-price.ts';
import * as schemas from './codec/rest-params.ts';
import type { Core } from './core.ts';
import type { DoorSetup } from './door-setup.ts';
import type { OrderRecord, OwnFill } from './order-log.ts';
import { isPurged } from './order-log.ts';
import { historyOf, pageOf } from './page.ts';
import { currencyNotFound, Refusal, refuse, symbolNotFound } from './refusal.ts';
import type { RestCall, RestRoute } from './rest-route.ts';
import { accountOf, withRestParams } from './rest-route.ts';
import { feeRate, nonZeroBalances } from './standing.ts';
import { ownTradeReading } from './trade-reading.ts';

/** The spot endpoints of v3. Source: API v3, "Spot trading". */
export function v3SpotRoutes(door: DoorSetup): readonly RestRoute[] {
  return [...orderRoutes(door), ...listingRoutes(door), ...balanceRoutes(door), ...historyRoutes(door)];
}

function orderRoutes({ world: { core, entry } }: DoorSetup): RestRoute[] {
  const answer = (call: RestCall, outcome: ReportOutcome | Refusal) =>
    outcome instanceof Refusal ? outcome : orderObject(core, accountOf(call), outcome.order);
  const path = '/api/3/spot/order';
  return [
    {
      method: 'POST',
      path,
      right: 'R2',
      changesOrders: true,
      run: withRestParams(v3OrderParams, (params, call) => {
        const outcome = entry.place(accountOf(call), params);
        return outcome instanceof Refusal ? outcome : placedObject(core, accountOf(call), outcome.order);
      }),
    },
    {
      method: 'PATCH',
      path: `${path}/:client_order_id`,
      right: 'R2',
      changesOrders: true,
      run: withRestParams(v3ReplaceParams, (params, call) => answer(call, entry.replace(accountOf(call), params))),
    },
    {
      method: 'DELETE',
      path: `${path}/:client_order_id`,
      right: 'R2',
      changesOrders: true,
      run: withRestParams(schemas.oneOrder, (params, call) =>
        answer(call, entry.cancel(accountOf(call), params.client_order_id)),
      ),
    },
    {
      method: 'DELETE',
      path,
      right: 'R2',
      changesOrders: true,
      run: withRestParams(schemas.maybeSymbol, ({ symbol }, call) =>
        withOptionalSymbol(core, symbol, (instrument) =>
          entry.cancelAll(accountOf(call), instrument).map(({ order }) => orderObject(core, accountOf(call), order)),
        ),
      ),
    },
  ];
}

function listingRoutes({ world: { core } }: DoorSetup): RestRoute[] {
  const path = '/api/3/spot/order';
  return [
    {
      method: 'GET',
      path,
      right: 'R1',
      run: withRestParams(schemas.maybeSymbol, ({ symbol }, call) =>
        withOptionalSymbol(core, symbol, (instrument) =>
          core.exchange
            .activeOrders(accountOf(call), instrument?.id)
            .map((order) => orderObject(core, accountOf(call), order)),
        ),
      ),
    },
    {
      method: 'GET',
      path: `${path}/:client_order_id`,
      right: 'R1',
      run: withRestParams(schemas.oneOrder, (params, call) => {
        const order = core.exchange.order(accountOf(call), params.client_order_id);
        return order === undefined ? refuse(20_002) : orderObject(core, accountOf(call), order);
      }),
    },
  ];
}

function balanceRoutes({ world: { core }, options }: DoorSetup): RestRoute[] {
  const currencies = new Set(options.currencies.map(({ code }) => code));
  return [
    {
      method: 'GET',
      path: '/api/3/spot/balance',
      right: 'R1',
      run: withRestParams(schemas.noParams, (_params, call) =>
        nonZeroBalances(core, accountOf(call)).map(encodeV3Balance),
      ),
    },
    {
      method: 'GET',
      path: '/api/3/spot/balance/:currency',
      right: 'R1',
      run: withRestParams(schemas.oneCurrency, ({ currency }, call) =>
        currencies.has(currency)
          ? encodeV3SingleBalance(core.exchange.balance(accountOf(call), currency))
          : currencyNotFound(),
      ),
    },
    {
      method: 'GET',
      path: '/api/3/spot/fee',
      right: 'R1',
      run: withRestParams(schemas.noParams, () =>
        core.instruments.all.map((instrument) => encodeV3Fee(feeRate(instrument))),
      ),
    },
    {
      method: 'GET',
      path: '/api/3/spot/fee/:symbol',
      right: 'R2',
      run: withRestParams(schemas.oneSymbol, ({ symbol }) => {
        const instrument = core.instruments.find(symbol);
        return instrument === undefined ? symbolNotFound(symbol) : encodeV3Fee(feeRate(instrument));
      }),
    },
  ];
}

function historyRoutes({ world: { core } }: DoorSetup): RestRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/3/spot/history/order',
      right: 'R1',
      run: withRestParams(schemas.orderHistory, ({ symbols, clientOrderId, page }, call) => {
        const log = core.log(accountOf(call));
        const now = core.now();
        const shown = (record: OrderRecord) => !isPurged(record, now);
        // When an id is given, every other parameter is ignored.
        if (clientOrderId !== undefined) {
          const found = log.records.filter((one) => one.order.clientOrderId === clientOrderId && shown(one));
          return found.reverse().map((record) => rowObject(core, record));
        }
        const wanted = symbolFilter(core, symbols);
        return pageOf(historyOf(log.records), page, {
          numberOf: (record) => record.number,
          timeOf: (record) => record.order.createdAt,
          accepts: (record) => wanted(record.order.instrument) && shown(record),
        }).map((record) => rowObject(core, record));
      }),
    },
    {
      method: 'GET',
      path: '/api/3/spot/history/trade',
      right: 'R1',
      run: withRestParams(schemas.tradeHistory, ({ symbols, orderId, page }, call) => {
        const wanted = symbolFilter(core, symbols);
        const reading = ownTradeReading(
          (row) => wanted(row.instrument) && (orderId === undefined || row.venueOrderId === orderId),
        );
        return pageOf(core.log(accountOf(call)).trades, page, reading).map((row) =>
          encodeV3OwnTrade(ownTrade(row), core.instruments.at(row.instrument)),
        );
      }),
    },
  ];
}

/** The order just placed: with its executions even when it has ended. */
function placedObject(core: Core, account: AccountId, order: VenueOrder): object {
  const { records } = core.log(account);
  for (let i = records.length - 1; i >= 0; i--) {
    const record = records[i];
    if (record?.order.venueOrderId === order.venueOrderId) return withFills(core, order, record.fills);
  }
  return withFills(core, order, []);
}

function orderObject(core: Core, account: AccountId, order: VenueOrder): object {
  return withFills(core, order, core.log(account).active(order.clientOrderId)?.fills ?? []);
}

function withFills(core: Core, order: VenueOrder, fills: readonly Fill[]): object {
  const instrument = core.instruments.at(order.instrument);
  return fills.length === 0
    ? encodeV3Order(order, instrument)
    : encodeV3Order(order, instrument, { fills, priceAverage: averagePrice(instrument, fills) });
}

/** A row of the history has no list of trades. Source: API v3, "Spot order history entry". */
function rowObject(core: Core, { order, fills }: OrderRecord): object {
  const instrument = core.instruments.at(order.instrument);
  return encodeV3Order(order, instrument, fills.length === 0 ? {} : { priceAverage: averagePrice(instrument, fills) });
}

function ownTrade(row: OwnFill): OwnTrade {
  const { instrument, clientOrderId, venueOrderId, side, fill } = row;
  return { ...fill, instrument, clientOrderId: clientOrderId as OwnTrade['clientOrderId'], venueOrderId, side };
}

function symbolFilter(core: Core, symbols: readonly string[] | undefined): (id: Instrument['id']) => boolean {
  if (symbols === undefined) return () => true;
  const ids = new Set(symbols.map((symbol) => core.instruments.find(symbol)?.id));
  return (id) => ids.has(id);
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
