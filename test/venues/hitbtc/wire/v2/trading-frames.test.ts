import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BadInput } from '../../../../../src/core/base/errors.ts';
import { Secret } from '../../../../../src/core/base/secret.ts';
import { decodeBalances, encodeV2Balance } from '../../../../../src/venues/hitbtc/wire/balances.ts';
import { verifyV2Login } from '../../../../../src/venues/hitbtc/wire/socket-auth.ts';
import { encodeRpcReply } from '../../../../../src/venues/hitbtc/wire/socket-request.ts';
import {
  encodeV2CancelOrder,
  encodeV2ReplaceOrder,
} from '../../../../../src/venues/hitbtc/wire/v2/order-requests.ts';
import { decodeV2Reports } from '../../../../../src/venues/hitbtc/wire/v2/orders.ts';
import {
  decodeV2Trading,
  encodeV2GetBalances,
  encodeV2GetOrders,
} from '../../../../../src/venues/hitbtc/wire/v2/trading-frames.ts';
import {
  encodeV2Login,
  encodeV2SubscribeReports,
} from '../../../../../src/venues/hitbtc/wire/v2/trading-frames.ts';
import { v2TradingMethods } from '../../../../../src/venues/hitbtc/wire/v2/trading-methods.ts';
import {
  encodeV2ActiveOrders,
  encodeV2ReportNotice,
  v2ReportObjects,
} from '../../../../../src/venues/hitbtc/wire/v2/trading-notices.ts';
import { abcInstruments, balance, v2Report as report } from '../arbitrary.ts';
import { settings } from '../seed.ts';
import { readRequest } from '../read-request.ts';

const instruments = abcInstruments;

/** v2 has no order lists; that it does not say who was taker is tested with the orders. */
const quiet = report.map((given) => ({
  ...given,
  reportType: 'status' as const,
  order: { ...given.order, orderListId: undefined },
  fill: undefined,
}));

test('any notification and reply a server sends is what a client reads', () => {
  fc.assert(
    fc.property(
      quiet,
      fc.array(quiet, { maxLength: 3 }),
      fc.array(balance, { maxLength: 3 }),
      (one, many, balances) => {
        expect(decodeV2Trading(encodeV2ReportNotice(one, instruments), instruments)).toEqual({
          kind: 'order',
          report: one,
        });
        const active = Buffer.from(encodeV2ActiveOrders(many, instruments));
        expect(decodeV2Trading(active, instruments)).toEqual({ kind: 'orders', reports: many });
        const orders = decodeV2Trading(encodeRpcReply(v2ReportObjects(many, instruments), 5), instruments);
        if (orders.kind !== 'reply') throw new Error('expected a reply');
        expect(decodeV2Reports(orders.result, instruments)).toEqual(many);
        const held = decodeV2Trading(encodeRpcReply(balances.map(encodeV2Balance), 6), instruments);
        if (held.kind !== 'reply') throw new Error('expected a reply');
        expect(held.id).toBe(6);
        expect(decodeBalances(held.result)).toEqual(balances);
      },
    ),
    { ...settings, numRuns: 100 },
  );
});

test('what a client asks is what a server reads', () => {
  expect(readRequest(v2TradingMethods, encodeV2SubscribeReports(1))).toEqual({
    ok: true,
    request: { method: 'subscribeReports', id: 1, params: {} },
  });
  expect(readRequest(v2TradingMethods, encodeV2GetOrders(2))).toMatchObject({
    request: { method: 'getOrders' },
  });
  expect(readRequest(v2TradingMethods, encodeV2GetBalances('b'))).toMatchObject({
    request: { method: 'getTradingBalance', id: 'b' },
  });
  expect(readRequest(v2TradingMethods, encodeV2CancelOrder('ord-00000042', 3))).toMatchObject({
    request: { method: 'cancelOrder', params: { clientOrderId: 'ord-00000042' } },
  });
  const replace = encodeV2ReplaceOrder(
    {
      clientOrderId: 'ord-00000042',
      newClientOrderId: 'ord-00000043',
      quantity: 200 as never,
      price: 1003 as never,
    },
    instruments.get('AAABBB'),
    4,
  );
  expect(readRequest(v2TradingMethods, replace)).toMatchObject({
    request: {
      params: {
        clientOrderId: 'ord-00000042',
        newClientOrderId: 'ord-00000043',
        quantity: '2.00',
        price: '10.03',
      },
    },
  });
  const secret = new Secret('S');
  const login = readRequest(v2TradingMethods, encodeV2Login({ apiKey: 'K', secret }, 'nonce-1', 1));
  if (!login.ok) throw new Error('expected a login');
  const now = 0 as Parameters<typeof verifyV2Login>[0]['now'];
  expect(verifyV2Login({ params: login.request.params, lookup: () => secret, now })).toMatchObject({
    ok: true,
    apiKey: 'K',
  });
});

test('subscribing to reports with parameters, or placing without an id, is refused', () => {
  expect(
    readRequest(v2TradingMethods, '{"method":"subscribeReports","params":{"symbol":"AAABBB"},"id":1}'),
  ).toMatchObject({
    ok: false,
    id: 1,
    error: { code: 10001 },
  });
  expect(
    readRequest(
      v2TradingMethods,
      '{"method":"newOrder","params":{"symbol":"AAABBB","side":"buy","quantity":"1"},"id":1}',
    ),
  ).toMatchObject({
    error: { code: 10001, message: 'Bad request parameter [clientOrderId]. Parameter is required' },
  });
});

test('a malformed report is refused, a margin notification is told by its method', () => {
  expect(() => decodeV2Trading('{"jsonrpc":"2.0","method":"report","params":{"id":1}}', instruments)).toThrow(
    BadInput,
  );
  expect(() => decodeV2Trading('"text"', instruments)).toThrow(BadInput);
  expect(decodeV2Trading('{"jsonrpc":"2.0","method":"marginOrders","params":[]}', instruments)).toEqual({
    kind: 'other',
    method: 'marginOrders',
  });
});
