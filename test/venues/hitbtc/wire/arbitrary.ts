import fc from 'fast-check';
import type { Amount } from '../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../src/core/base/clock.ts';
import type { OwnTrade } from '../../../../src/core/model/event.ts';
import { reportTypes } from '../../../../src/core/model/event.ts';
import type { InstrumentSpec, Lots, Ticks } from '../../../../src/core/model/instrument.ts';
import { Instruments } from '../../../../src/core/model/instrument.ts';
import type { Balance, Candle, Level, MarketTrade, Ticker } from '../../../../src/core/model/market.ts';
import type { ClientOrderId, Fill, OrderRequest, VenueOrder } from '../../../../src/core/model/order.ts';
import {
  needsPrice,
  needsStopPrice,
  orderTypes,
  timesInForce,
  venueOrderStates,
} from '../../../../src/core/model/order.ts';
import type { DecodedReport } from '../../../../src/venues/hitbtc/wire/resources/order-model.ts';

// Random values of the model that the wire can carry: times in milliseconds, fees of 12 decimals.

const spec: InstrumentSpec = {
  symbol: 'AAABBB',
  type: 'spot',
  baseCurrency: 'AAA',
  quoteCurrency: 'BBB',
  feeCurrency: 'BBB',
  tickSize: '0.01',
  quantityIncrement: '0.01',
  takeRate: '0.0025',
  makeRate: '-0.0001',
  status: 'working',
  marginTrading: false,
};

/** Two symbols: a plain grid, and one whose tick and increment are no powers of ten. */
export const abcInstruments = new Instruments([
  spec,
  {
    ...spec,
    symbol: 'CCCDDD',
    baseCurrency: 'CCC',
    quoteCurrency: 'DDD',
    feeCurrency: 'DDD',
    tickSize: '0.05',
    quantityIncrement: '10',
    marginTrading: true,
    maxInitialLeverage: '10.00',
  },
]);

export const instrument = fc.constantFrom(...abcInstruments.all);
export const ticks = fc.integer({ min: 1, max: 1_000_000_000 }).map((value) => value as Ticks);
export const lots = fc.integer({ min: 0, max: 1_000_000_000 }).map((value) => value as Lots);
export const someLots = fc.integer({ min: 1, max: 1_000_000_000 }).map((value) => value as Lots);
export const time = fc.integer({ min: 0, max: 4_102_444_800_000 }).map((millis) => (millis * 1000) as Micros);
export const fee = fc
  .bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
  .map((value) => (value * 10n ** 12n) as Amount);
export const amount = fc.bigInt({ min: 0n, max: 10n ** 40n }).map((value) => value as Amount);
export const positive = fc.bigInt({ min: 10n ** 12n, max: 10n ** 36n }).map((value) => value as Amount);
export const clientOrderId = fc.stringMatching(/^[A-Za-z0-9_-]{8,32}$/).map((text) => text as ClientOrderId);
export const tradeId = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }).map(String);

export const orderRequest: fc.Arbitrary<OrderRequest> = fc
  .record({
    clientOrderId,
    instrument: instrument.map((one) => one.id),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    type: fc.constantFrom(...orderTypes),
    timeInForce: fc.constantFrom(...timesInForce),
    quantity: someLots,
    price: ticks,
    stopPrice: ticks,
    expireTime: time,
    postOnly: fc.boolean(),
  })
  .map((order) => ({
    ...order,
    price: needsPrice(order.type) ? order.price : undefined,
    stopPrice: needsStopPrice(order.type) ? order.stopPrice : undefined,
    expireTime: order.timeInForce === 'GTD' ? order.expireTime : undefined,
  }));

export const venueOrder: fc.Arbitrary<VenueOrder> = fc
  .tuple(
    orderRequest,
    fc.record({
      venueOrderId: tradeId,
      state: fc.constantFrom(...venueOrderStates),
      cumulative: lots,
      originalClientOrderId: fc.option(clientOrderId, { nil: undefined }),
      orderListId: fc.option(clientOrderId, { nil: undefined }),
      createdAt: time,
      updatedAt: time,
    }),
  )
  .map(([request, rest]) => ({
    ...request,
    ...rest,
    cumulative: Math.min(rest.cumulative, request.quantity) as Lots,
  }));

export const fill: fc.Arbitrary<Fill> = fc.record({
  tradeId,
  price: ticks,
  quantity: someLots,
  fee,
  taker: fc.boolean(),
  time,
});

const isSameInV2 = ({ postOnly, state }: VenueOrder) => !postOnly || state !== 'expired';

/** Orders that version 2 tells as they are: what is post-only and would take is expired here and canceled there. */
export const v2VenueOrder = venueOrder.filter(isSameInV2);

/** Reports whose fill is stamped with the order's last change, as the wire tells it. */
export const report: fc.Arbitrary<DecodedReport> = fc
  .tuple(venueOrder, fc.constantFrom(...reportTypes), fill)
  .map(([order, reportType, one]) => ({
    reportType,
    order,
    fill: reportType === 'trade' ? { ...one, time: order.updatedAt } : undefined,
  }));

/** Of orders that version 2 tells as they are. */
export const v2Report = report.filter(({ order }) => isSameInV2(order));

export const ownTrade: fc.Arbitrary<OwnTrade> = fc
  .tuple(fill, instrument, clientOrderId, tradeId, fc.constantFrom('buy' as const, 'sell' as const))
  .map(([one, { id }, client, venueOrderId, side]) => ({
    ...one,
    instrument: id,
    clientOrderId: client,
    venueOrderId,
    side,
  }));

export const balance: fc.Arbitrary<Balance> = fc.record({
  currency: fc.stringMatching(/^[A-Z0-9]{1,10}$/),
  available: amount,
  reserved: amount,
});

export const level: fc.Arbitrary<Level> = fc.record({ price: ticks, quantity: lots });
export const levels = fc.array(level, { maxLength: 30 });
export const marketTrade: fc.Arbitrary<MarketTrade> = fc.record({
  tradeId,
  price: ticks,
  quantity: someLots,
  side: fc.constantFrom('buy' as const, 'sell' as const),
  time,
});
export const marketTrades = fc.array(marketTrade, { maxLength: 10 });

export function candleOf(
  one: { readonly id: Candle['instrument'] },
  period: Candle['period'],
): fc.Arbitrary<Candle> {
  return fc.record({
    instrument: fc.constant(one.id),
    period: fc.constant(period),
    time,
    open: positive,
    close: positive,
    min: positive,
    max: positive,
    volume: amount,
    volumeQuote: amount,
  });
}

const maybe = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: undefined });

export function tickerOf(one: { readonly id: Ticker['instrument'] }): fc.Arbitrary<Ticker> {
  return fc.record({
    instrument: fc.constant(one.id),
    time,
    bid: maybe(ticks),
    bidQuantity: maybe(lots),
    ask: maybe(ticks),
    askQuantity: maybe(lots),
    last: maybe(positive),
    open: maybe(positive),
    high: maybe(positive),
    low: maybe(positive),
    volume: maybe(amount),
    volumeQuote: maybe(amount),
  });
}
