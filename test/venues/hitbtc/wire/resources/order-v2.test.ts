import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BadInput } from '../../../../../src/core/base/errors.ts';
import { parseLossless } from '../../../../../src/venues/hitbtc/wire/json.ts';
import { order as orders } from '../../../../../src/venues/hitbtc/wire/resources/order.ts';
import {
  abcInstruments,
  fill,
  ownTrade,
  v2Report as report,
  v2VenueOrder as venueOrder,
} from '../arbitrary.ts';
import { settings } from '../seed.ts';
import {
  decodeOrder,
  decodeOwnTrade,
  decodeReport,
  encodeOrder,
  encodeOwnTrade,
  encodeReport,
} from '../../../../../src/venues/hitbtc/wire/resources/order-model.ts';

const instruments = abcInstruments;

function sent(object: object): unknown {
  return parseLossless(JSON.stringify(object));
}

/** v2 has no order lists and does not say who was taker. */
const v2Report = report.map((given) => {
  const fee = given.fill?.fee ?? 0n;
  const taker = fee >= 0n && !given.order.postOnly;
  return {
    ...given,
    order: { ...given.order, orderListId: undefined },
    fill: given.fill && { ...given.fill, taker },
  };
});

test('any report decodes to what was encoded', () => {
  fc.assert(
    fc.property(v2Report, (given) => {
      const wire = sent(encodeReport('v2', given, instruments.at(given.order.instrument)));
      expect(decodeReport('v2', wire, instruments)).toEqual(given);
    }),
    settings,
  );
});

test('any order of a REST reply decodes to what was encoded', () => {
  fc.assert(
    fc.property(venueOrder, fc.array(fill, { maxLength: 3 }), (given, fills) => {
      const order = { ...given, orderListId: undefined };
      const wire = sent(encodeOrder('v2', order, instruments.at(order.instrument), { fills }));
      expect(decodeOrder('v2', wire, instruments)).toEqual(order);
      expect(orders.v2.read(wire).tradesReport?.map((one) => one.id)).toEqual(
        fills.map((one) => one.tradeId),
      );
    }),
    settings,
  );
});

test('any own trade decodes to what was encoded', () => {
  fc.assert(
    fc.property(ownTrade, (trade) => {
      const wire = sent(encodeOwnTrade('v2', trade, instruments.at(trade.instrument)));
      expect(decodeOwnTrade('v2', wire, instruments)).toEqual(trade);
    }),
    settings,
  );
});

test('the order of the facts file decodes, with its id as a number or as text', () => {
  const sample = {
    id: 840_000_123,
    clientOrderId: 'c000000000000000000000000000001a',
    symbol: 'AAABBB',
    side: 'buy',
    status: 'partiallyFilled',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: '0.02',
    price: '0.04',
    cumQuantity: '0.01',
    postOnly: false,
    createdAt: '2020-05-12T17:17:57.437Z',
    updatedAt: '2020-05-12T17:18:08.610Z',
  };
  const order = decodeOrder('v2', sample, instruments);
  expect(order).toMatchObject({ venueOrderId: '840000123', quantity: 2, cumulative: 1, price: 4 });
  expect(decodeOrder('v2', { ...sample, id: '840000123' }, instruments)).toEqual(order);
  expect(encodeOrder('v2', order, instruments.get('AAABBB'))).toEqual(sample);
  expect(() => decodeOrder('v2', { ...sample, cumQuantity: '0.005' }, instruments)).toThrow(BadInput);
});
