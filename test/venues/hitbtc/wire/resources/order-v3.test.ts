import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BadInput } from '../../../../../src/core/base/errors.ts';
import { parseLossless } from '../../../../../src/venues/hitbtc/wire/json.ts';
import { order as orders } from '../../../../../src/venues/hitbtc/wire/resources/order.ts';
import { abcInstruments, fill, ownTrade, report, venueOrder } from '../arbitrary.ts';
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

/** As it crosses the wire. */
function sent(object: object): unknown {
  return parseLossless(JSON.stringify(object));
}

const sample = {
  id: 7_000_000_000_123,
  client_order_id: 'ord-000000000042',
  symbol: 'AAABBB',
  side: 'sell',
  status: 'partiallyFilled',
  type: 'limit',
  time_in_force: 'GTC',
  quantity: '5.00',
  quantity_cumulative: '1.50',
  price: '10.02',
  post_only: false,
  created_at: '2024-01-02T03:04:05.678Z',
  updated_at: '2024-01-02T03:04:06.100Z',
  report_type: 'trade',
  trade_id: 4512,
  trade_quantity: '1.50',
  trade_price: '10.02',
  trade_fee: '0.015030000000',
  trade_taker: false,
};

describe('reports', () => {
  test('the report of the facts file decodes, and encodes to itself', () => {
    const decoded = decodeReport('v3', sample, instruments);
    expect(decoded).toMatchObject({
      reportType: 'trade',
      order: {
        venueOrderId: '7000000000123',
        quantity: 500,
        cumulative: 150,
        price: 1002,
        state: 'partiallyFilled',
      },
      fill: { tradeId: '4512', price: 1002, quantity: 150, taker: false },
    });
    expect(encodeReport('v3', decoded, instruments.get('AAABBB'))).toEqual(sample);
  });

  test('any report decodes to what was encoded', () => {
    fc.assert(
      fc.property(report, (given) => {
        const wire = sent(encodeReport('v3', given, instruments.at(given.order.instrument)));
        expect(decodeReport('v3', wire, instruments)).toEqual(given);
      }),
      settings,
    );
  });

  test.each([
    ['quantity', '5.001', 'quantity'],
    ['price', '10.025', 'price'],
    ['price', undefined, 'price'],
    ['status', 'gone', 'status'],
    ['updated_at', 'yesterday', 'updated_at'],
    ['id', true, 'id'],
    ['quantity_cumulative', '6.00', 'quantity_cumulative'],
    ['trade_fee', undefined, 'trade_fee'],
    ['trade_quantity', '-1', 'trade_quantity'],
    ['quantity', '5e1', 'quantity'],
  ])('a report whose %s is %s is refused, naming the member', (member, value, named) => {
    const broken = { ...sample, [member]: value };
    expect(() => decodeReport('v3', broken, instruments)).toThrow(BadInput);
    expect(() => decodeReport('v3', broken, instruments)).toThrow(named);
  });

  test('a report of an unknown symbol is refused', () => {
    expect(() => decodeReport('v3', { ...sample, symbol: 'XXXYYY' }, instruments)).toThrow('XXXYYY');
  });

  test('an id beyond 2^53 keeps all its digits', () => {
    const text = JSON.stringify(sample).replace('7000000000123', '9223372036854775807');
    const decoded = decodeReport('v3', parseLossless(text), instruments);
    expect(decoded.order.venueOrderId).toBe('9223372036854775807');
  });

  test('the execution price that history shows for a market order is no limit price', () => {
    const { price, ...row } = sample;
    const market = { ...row, type: 'market', time_in_force: 'FOK', price: '10.0213' };
    expect(decodeOrder('v3', market, instruments).price).toBeUndefined();
    expect(price).toBe('10.02');
  });
});

test('any order of a REST reply decodes to what was encoded, with its executions', () => {
  fc.assert(
    fc.property(venueOrder, fc.array(fill, { maxLength: 3 }), (order, fills) => {
      const instrument = instruments.at(order.instrument);
      const wire = sent(encodeOrder('v3', order, instrument, { fills, averagePrice: '10.021' }));
      expect(orders.v3.read(wire).trades).toEqual(
        fills.map(({ tradeId, price, quantity, fee, taker, time }) => ({
          id: tradeId,
          price: instrument.priceAmount(price),
          quantity: instrument.quantityAmount(quantity),
          fee,
          taker,
          timestamp: time,
        })),
      );
      expect(decodeOrder('v3', wire, instruments)).toEqual(order);
    }),
    settings,
  );
});

test('any own trade decodes to what was encoded', () => {
  fc.assert(
    fc.property(ownTrade, (trade) => {
      const wire = sent(encodeOwnTrade('v3', trade, instruments.at(trade.instrument)));
      expect(decodeOwnTrade('v3', wire, instruments)).toEqual(trade);
    }),
    settings,
  );
});
