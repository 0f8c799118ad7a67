import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Amount } from '../../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../../src/core/base/clock.ts';
import { reportTypes } from '../../../../../src/core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../../../../src/core/model/instrument.ts';
import { Instruments } from '../../../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../../../src/core/model/order.ts';
import { orderTypes, timesInForce, venueOrderStates } from '../../../../../src/core/model/order.ts';
import { v3OrderNoticeText, v3ReportText } from '../../../../../src/venues/hitbtc/wire/v3/report-text.ts';
import { encodeRpcNotification } from '../../../../../src/venues/hitbtc/wire/socket-request.ts';
import { encodeReport } from '../../../../../src/venues/hitbtc/wire/resources/order-model.ts';

const instruments = new Instruments([
  {
    symbol: 'ETHBTC',
    type: 'spot',
    baseCurrency: 'ETH',
    quoteCurrency: 'BTC',
    feeCurrency: 'BTC',
    tickSize: '0.000001',
    quantityIncrement: '0.0001',
    takeRate: '0.001',
    makeRate: '-0.0001',
    status: 'working',
    marginTrading: false,
  },
]);
const time = fc.integer({ min: 0, max: 4_000_000_000_000 }).map((millis) => (millis * 1_000) as Micros);
const count = fc.integer({ min: 1, max: 1e9 });
const id = fc.stringMatching(/^[A-Za-z0-9_-]{8,32}$/).map((text) => text as ClientOrderId);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const report = fc.record({
  reportType: fc.constantFrom(...reportTypes),
  order: fc.record({
    clientOrderId: id,
    instrument: fc.constant(0 as InstrumentId),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    type: fc.constantFrom(...orderTypes),
    timeInForce: fc.constantFrom(...timesInForce),
    quantity: count.map((lots) => lots as Lots),
    price: maybe(count.map((ticks) => ticks as Ticks)),
    stopPrice: maybe(count.map((ticks) => ticks as Ticks)),
    expireTime: maybe(time),
    postOnly: fc.boolean(),
    venueOrderId: fc.bigInt({ min: 1n, max: 2n ** 60n }).map(String),
    state: fc.constantFrom(...venueOrderStates),
    cumulative: fc.integer({ min: 0, max: 1e9 }).map((lots) => lots as Lots),
    originalClientOrderId: maybe(id),
    orderListId: maybe(id),
    createdAt: time,
    updatedAt: time,
  }),
  fill: maybe(
    fc.record({
      tradeId: fc.integer({ min: 1, max: 1e12 }).map(String),
      price: count.map((ticks) => ticks as Ticks),
      quantity: count.map((lots) => lots as Lots),
      fee: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }).map((fee) => fee as Amount),
      taker: fc.boolean(),
      time,
    }),
  ),
});

test('the template of a report writes what the table of members writes, byte for byte', () => {
  fc.assert(
    fc.property(report, (one) => {
      const text = v3ReportText(one, instruments.at(0 as InstrumentId));
      expect(text).toBe(JSON.stringify(encodeReport('v3', one, instruments.at(0 as InstrumentId))));
      expect(v3OrderNoticeText(text)).toBe(
        encodeRpcNotification('spot_order', encodeReport('v3', one, instruments.at(0 as InstrumentId))),
      );
    }),
  );
});
