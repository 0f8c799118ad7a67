import fc from 'fast-check';
import { expect, test } from 'vitest';
import { zero } from '../../../../../src/core/base/amount.ts';
import { Decimal } from '../../../../../src/core/base/decimal.ts';
import type { ClientOrderId } from '../../../../../src/core/model/order.ts';
import type { OrderParams } from '../../../../../src/venues/hitbtc/wire/resources/order-request.ts';
import {
  toOrderRequest,
  toReplacement,
} from '../../../../../src/venues/hitbtc/wire/resources/order-params.ts';
import { readRequestParams } from '../../../../../src/venues/hitbtc/wire/param-fields.ts';
import {
  v3OrderListParams,
  v3OrderParams,
} from '../../../../../src/venues/hitbtc/wire/resources/order-request.ts';
import { abcInstruments } from '../arbitrary.ts';
import { settings } from '../seed.ts';

const id = 'ord-000000000042' as ClientOrderId;
const plain = abcInstruments.get('AAABBB');
const coarse = abcInstruments.get('CCCDDD');
const limit: OrderParams = {
  clientOrderId: id,
  symbol: 'AAABBB',
  side: 'buy',
  type: 'limit',
  timeInForce: undefined,
  quantity: '1.50',
  price: '10.02',
  stopPrice: undefined,
  expireTime: undefined,
  strictValidate: true,
  postOnly: false,
  takeMarkup: zero,
  makeMarkup: zero,
};

test.each([
  ['1.505', 150],
  ['1.5051', 151],
  ['1.504', 150],
  ['1.515', 151],
])('without strict validation a quantity of %s is rounded half down to %d lots', (quantity, lots) => {
  const result = toOrderRequest({ ...limit, quantity, strictValidate: false }, plain, id);
  expect(result).toMatchObject({ ok: true, value: { quantity: lots } });
});

test('prices round half down to ticks that are no power of ten', () => {
  const result = toOrderRequest(
    { ...limit, quantity: '15', price: '1.075', strictValidate: false },
    coarse,
    id,
  );
  expect(result).toMatchObject({ ok: true, value: { quantity: 1, price: 21 } });
});

test.each([
  [{ quantity: '1.505' }, 2012],
  [{ quantity: undefined }, 2010],
  [{ quantity: '1e3' }, 2010],
  [{ quantity: '-1' }, 2011],
  [{ quantity: '0' }, 2011],
  [{ quantity: '0.004', strictValidate: false }, 2011],
  [{ price: '10.025' }, 2022],
  [{ price: undefined }, 2020],
  [{ price: '0' }, 2021],
  [{ type: 'stopLimit' as const }, 2020],
  [{ timeInForce: 'GTD' as const }, 10001],
  [{ quantity: '99999999999999999999' }, 2012],
])('%j is refused with %d', (change, code) => {
  expect(toOrderRequest({ ...limit, ...change }, plain, id)).toMatchObject({ ok: false, error: { code } });
});

test('on the grid or off it, a value is what exact decimals say', () => {
  const digits = fc.stringMatching(/^\d{1,18}$/);
  const texts = fc.oneof(
    fc.tuple(digits, fc.stringMatching(/^\d{1,6}$/)).map(([whole, fraction]) => `${whole}.${fraction}`),
    digits,
  );
  fc.assert(
    fc.property(texts, fc.constantFrom(plain, coarse), fc.boolean(), (text, instrument, strictValidate) => {
      const steps = (step: string) => new Decimal(text).dividedBy(step);
      const expected = (step: string) => {
        const exact = steps(step);
        const whole = exact.toDecimalPlaces(0, Decimal.ROUND_HALF_DOWN).toNumber();
        const refused = (strictValidate && !exact.isInteger()) || whole <= 0 || !Number.isSafeInteger(whole);
        return refused ? undefined : whole;
      };
      const { quantityIncrement, tickSize } = instrument.spec;
      const sized = toOrderRequest(
        { ...limit, quantity: text, price: tickSize, strictValidate },
        instrument,
        id,
      );
      expect(sized.ok ? sized.value.quantity : undefined).toBe(expected(quantityIncrement));
      const priced = toOrderRequest(
        { ...limit, quantity: quantityIncrement, price: text, strictValidate },
        instrument,
        id,
      );
      expect(priced.ok ? priced.value.price : undefined).toBe(expected(tickSize));
    }),
    { ...settings, numRuns: 2_000 },
  );
});

test('time in force follows the type, and prices the type does not have are dropped', () => {
  const market = toOrderRequest({ ...limit, type: 'market', stopPrice: '9.99' }, plain, id);
  expect(market).toMatchObject({
    ok: true,
    value: { timeInForce: 'FOK', price: undefined, stopPrice: undefined },
  });
  expect(toOrderRequest(limit, plain, id)).toMatchObject({
    ok: true,
    value: { timeInForce: 'GTC', price: 1002 },
  });
});

test('a replacement keeps the stop price unless one is given', () => {
  const params = {
    clientOrderId: id,
    newClientOrderId: undefined,
    quantity: '2.00',
    price: '10.03',
    stopPrice: undefined,
    strictValidate: true,
  };
  expect(toReplacement(params, plain, 'stopLimit')).toEqual({
    ok: true,
    value: { quantity: 200, price: 1003, stopPrice: undefined },
  });
  expect(toReplacement({ ...params, stopPrice: '10.05' }, plain, 'stopLimit')).toMatchObject({
    value: { stopPrice: 1005 },
  });
  expect(toReplacement({ ...params, price: undefined }, plain, 'limit')).toMatchObject({
    error: { code: 2020 },
  });
});

test('form fields and JSON members read alike', () => {
  const form = {
    symbol: 'AAABBB',
    side: 'buy',
    quantity: '0.0000001',
    price: '10.02',
    post_only: 'true',
    strict_validate: 'false',
    take_rate: '0.001',
  };
  const json = {
    symbol: 'AAABBB',
    side: 'buy',
    quantity: 1e-7,
    price: 10.02,
    post_only: true,
    strict_validate: false,
    take_rate: 0.001,
    client_order_id: null,
    unknown: {},
  };
  const fromForm = readRequestParams(v3OrderParams, form);
  expect(fromForm).toMatchObject({
    ok: true,
    params: { quantity: '0.0000001', price: '10.02', postOnly: true, type: 'limit' },
  });
  expect(readRequestParams(v3OrderParams, json)).toEqual(fromForm);
});

test.each([
  [
    { symbol: 'AAABBB', side: 'hold', quantity: '1' },
    'Bad request parameter [side]. Parameter must be sell or buy',
  ],
  [{ side: 'buy', quantity: '1' }, 'Bad request parameter [symbol]. Parameter is required'],
  [{ symbol: 'AAABBB', side: 'buy', client_order_id: 'short' }, 'Bad request parameter [client_order_id]'],
  [
    { symbol: 'AAABBB', side: 'buy', post_only: 'yes' },
    'Bad request parameter [post_only]. Parameter must be true or false',
  ],
  [
    { symbol: 'AAABBB', side: 'buy', expire_time: 'soon' },
    "Bad request parameter [expire_time]. Can't parse value from string: soon",
  ],
])('%j is a validation error that names the parameter', (raw, message) => {
  const read = readRequestParams(v3OrderParams, raw);
  expect(read).toMatchObject({ ok: false, error: { code: 10001 } });
  expect(read.ok ? '' : read.error.message).toContain(message);
});

test('an order list holds two or three orders', () => {
  const order = { symbol: 'AAABBB', side: 'buy', quantity: '1' };
  const list = (count: number) => ({
    contingency_type: 'oneCancelOther',
    orders: Array.from({ length: count }, () => order),
  });
  expect([1, 2, 3, 4].map((count) => readRequestParams(v3OrderListParams, list(count)).ok)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
