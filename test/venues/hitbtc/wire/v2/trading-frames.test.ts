import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BadInput } from '../../../../../src/core/base/errors.ts';
import { Secret } from '../../../../../src/core/base/secret.ts';
import { report as reports } from '../../../../../src/venues/hitbtc/wire/resources/order.ts';
import { decodeReport, encodeReports } from '../../../../../src/venues/hitbtc/wire/resources/order-model.ts';
import { v2LoginParams, verifyV2Login } from '../../../../../src/venues/hitbtc/wire/socket-auth.ts';
import { v2Methods } from '../../../../../src/venues/hitbtc/wire/v2/socket-methods.ts';
import { abcInstruments, balance, v2Report as report } from '../arbitrary.ts';
import { settings } from '../seed.ts';
import { readRequest } from '../read-request.ts';
import { walletBalance } from '../../../../../src/venues/hitbtc/wire/resources/account.ts';

const instruments = abcInstruments;

/** v2 has no order lists; that it does not say who was taker is tested with the orders. */
const quiet = report.map((given) => ({
  ...given,
  reportType: 'status' as const,
  order: { ...given.order, orderListId: undefined },
  fill: undefined,
}));

test('any list a server sends is what a client reads', () => {
  fc.assert(
    fc.property(fc.array(quiet, { maxLength: 3 }), fc.array(balance, { maxLength: 3 }), (many, balances) => {
      const rows = encodeReports('v2', many, instruments);
      expect(reports.v2.readList(rows).map(({ id }) => id)).toEqual(
        many.map(({ order }) => order.venueOrderId),
      );
      expect(rows.map((row) => decodeReport('v2', row, instruments))).toEqual(many);
      expect(walletBalance.v3.decodeList(balances.map((one) => walletBalance.v2.write(one)))).toEqual(
        balances,
      );
    }),
    { ...settings, numRuns: 100 },
  );
});

test('what a client asks is what a server reads', () => {
  const ask = (method: string, params: object, id: number) =>
    readRequest(v2Methods, JSON.stringify({ method, params, id }));
  expect(ask('subscribeReports', {}, 1)).toEqual({
    ok: true,
    request: { method: 'subscribeReports', id: 1, params: {} },
  });
  expect(ask('cancelOrder', { clientOrderId: 'ord-00000042' }, 3)).toMatchObject({
    request: { method: 'cancelOrder', params: { clientOrderId: 'ord-00000042' } },
  });
  const replacement = {
    clientOrderId: 'ord-00000042',
    requestClientId: 'ord-00000043',
    quantity: '2.00',
    price: '10.03',
    strictValidate: true,
  };
  expect(ask('cancelReplaceOrder', replacement, 4)).toMatchObject({
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
  const login = ask('login', v2LoginParams({ apiKey: 'K', secret }, 'nonce-1'), 1);
  if (!login.ok) throw new Error('expected a login');
  const now = 0 as Parameters<typeof verifyV2Login>[0]['now'];
  expect(verifyV2Login({ params: login.request.params, lookup: () => secret, now })).toMatchObject({
    ok: true,
    apiKey: 'K',
  });
});

test('subscribing to reports with parameters, or placing without an id, is refused', () => {
  expect(
    readRequest(v2Methods, '{"method":"subscribeReports","params":{"symbol":"AAABBB"},"id":1}'),
  ).toMatchObject({
    ok: false,
    id: 1,
    error: { code: 10001 },
  });
  expect(
    readRequest(
      v2Methods,
      '{"method":"newOrder","params":{"symbol":"AAABBB","side":"buy","quantity":"1"},"id":1}',
    ),
  ).toMatchObject({
    error: { code: 10001, message: 'Bad request parameter [clientOrderId]. Parameter is required' },
  });
});

test('a malformed report is refused', () => {
  expect(() => reports.v2.read({ id: 1 })).toThrow(BadInput);
  expect(() => reports.v2.readList('text')).toThrow(BadInput);
});
