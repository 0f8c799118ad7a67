import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BadInput } from '../../../../../src/core/base/errors.ts';
import { Secret } from '../../../../../src/core/base/secret.ts';
import { encodeSocketError } from '../../../../../src/venues/hitbtc/wire/error-bodies.ts';
import { wireError } from '../../../../../src/venues/hitbtc/wire/errors.ts';
import { verifyV3Login } from '../../../../../src/venues/hitbtc/wire/socket-auth.ts';
import { decodeReply, readTradingFrame } from '../../../../../src/venues/hitbtc/client/account/frames.ts';
import { OwnRows } from '../../../../../src/venues/hitbtc/client/account/own-rows.ts';
import { encodeReports } from '../../../../../src/venues/hitbtc/wire/resources/order-model.ts';
import { encodeRpcNotification } from '../../../../../src/venues/hitbtc/wire/socket-request.ts';
import { encodeReplacement } from '../../../../../src/venues/hitbtc/wire/resources/order-request.ts';
import { v3OrderNoticeText, v3ReportText } from '../../../../../src/venues/hitbtc/wire/v3/report-text.ts';
import {
  encodeV3BalanceSubscribe,
  encodeV3Login,
  encodeV3Request,
} from '../../../../../src/venues/hitbtc/wire/v3/order-requests.ts';
import { v3Methods } from '../../../../../src/venues/hitbtc/wire/v3/socket-methods.ts';
import { readV3PublicRequest } from '../../../../../src/venues/hitbtc/wire/v3/public-requests.ts';
import {
  encodeV3Subscribe,
  encodeV3SubscribeReply,
} from '../../../../../src/venues/hitbtc/wire/v3/public-requests.ts';
import { channels } from '../../../../../src/venues/hitbtc/wire/v3/channels.ts';
import { abcInstruments, balance, report } from '../arbitrary.ts';
import { settings } from '../seed.ts';
import { readRequest } from '../read-request.ts';
import { spotBalance, withMargin } from '../../../../../src/venues/hitbtc/wire/resources/account.ts';

const instruments = abcInstruments;
const now = 1_700_000_000_000_000 as Parameters<typeof verifyV3Login>[0]['now'];

/** As the client hears it. */
function received(text: string): ReturnType<typeof readTradingFrame> {
  return readTradingFrame(Buffer.from(text), new OwnRows({ instruments }));
}

test('any notification a server sends is what a client reads', () => {
  fc.assert(
    fc.property(
      report,
      fc.array(report, { maxLength: 3 }),
      fc.array(balance, { maxLength: 3 }),
      (one, many, balances) => {
        const text = v3ReportText(one, instruments.at(one.order.instrument));
        expect(received(v3OrderNoticeText(text))).toEqual({ kind: 'reports', reports: [one], foreign: 0 });
        const objects = encodeReports('v3', many, instruments);
        expect(received(encodeRpcNotification('spot_orders', objects))).toEqual({
          kind: 'reports',
          reports: many,
          foreign: 0,
        });
        expect(
          received(
            encodeRpcNotification(
              'spot_balance',
              balances.map((one) => spotBalance.v3.write(withMargin(one))),
            ),
          ),
        ).toEqual({
          kind: 'balances',
          balances,
        });
        expect(received(`{"jsonrpc":"2.0","result":${text},"id":"x"}`)).toMatchObject({
          kind: 'reply',
          id: 'x',
        });
        expect(decodeReply(JSON.parse(text), instruments)).toEqual(one);
      },
    ),
    { ...settings, numRuns: 100 },
  );
});

test('a reply without an id has none, and an error is an error', () => {
  expect(received('{"jsonrpc":"2.0","result":true}')).toEqual({
    kind: 'reply',
    id: undefined,
    answer: { kind: 'result', result: true },
  });
  const error = wireError(20001);
  expect(received(encodeSocketError(error, '1700000000123', true))).toEqual({
    kind: 'reply',
    id: '1700000000123',
    answer: { kind: 'error', error },
  });
});

test('cancel, replace and the plain requests carry what the server expects', () => {
  const instrument = instruments.get('AAABBB');
  expect(
    readRequest(
      v3Methods,
      '{"method":"spot_cancel_order","params":{"client_order_id":"ord-00000042"},"id":3}',
    ),
  ).toEqual({
    ok: true,
    request: { method: 'spot_cancel_order', id: 3, params: { clientOrderId: 'ord-00000042' } },
  });
  const replacement = {
    clientOrderId: 'ord-00000042',
    newClientOrderId: 'ord-00000043',
    quantity: 200 as never,
    price: 1003 as never,
    stopPrice: undefined,
  };
  const params = encodeReplacement('v3', replacement, instrument);
  const replace = encodeV3Request('spot_replace_order', params, 4);
  expect(readRequest(v3Methods, replace)).toMatchObject({
    ok: true,
    request: {
      method: 'spot_replace_order',
      params: {
        clientOrderId: 'ord-00000042',
        newClientOrderId: 'ord-00000043',
        quantity: '2.00',
        price: '10.03',
        strictValidate: true,
      },
    },
  });
  expect(readRequest(v3Methods, encodeV3BalanceSubscribe('spot', 'batches', 6))).toMatchObject({
    request: { params: { mode: 'batches' } },
  });
  const credentials = { apiKey: 'K', secret: new Secret('S') };
  const login = readRequest(v3Methods, encodeV3Login(credentials, { now, windowMs: 10_000 }, 1));
  if (!login.ok) throw new Error('expected a login');
  const verdict = verifyV3Login({ params: login.request.params, lookup: () => credentials.secret, now });
  expect(verdict).toMatchObject({ ok: true, apiKey: 'K' });
});

test('broken requests are refused with their code and id', () => {
  expect(readRequest(v3Methods, 'nonsense')).toMatchObject({
    ok: false,
    id: undefined,
    error: { code: 1 },
  });
  expect(readRequest(v3Methods, '{"method":"abc","id":20}')).toEqual({
    ok: false,
    id: 20,
    error: { code: 404, message: 'Unsupported API method', description: 'Method is not supported: abc' },
  });
  expect(readRequest(v3Methods, '{"method":"toString","id":20}')).toMatchObject({
    error: { code: 404 },
  });
  expect(readRequest(v3Methods, '{"method":"spot_cancel_order","params":{},"id":"a"}')).toMatchObject({
    id: 'a',
    error: { code: 10001 },
  });
  expect(Object.keys(v3Methods)).toContain('spot_new_order_list');
});

test('a notification of no product is passed over, a malformed one is refused', () => {
  for (const method of ['wallet_balance', 'margin_balance', 'spot_account', 'spot_position'])
    expect(received(`{"jsonrpc":"2.0","method":"${method}","params":{}}`)).toEqual({ kind: 'unknown' });
  expect(() => received('{"jsonrpc":"2.0","method":"margin_account","params":{}}')).toThrow(BadInput);
  expect(() => received('{"jsonrpc":"2.0","method":"futures_accounts","params":{}}')).toThrow(BadInput);
  expect(() => received('{"jsonrpc":"2.0","method":"spot_orders","params":{}}')).toThrow(BadInput);
  expect(() => received('[]')).toThrow(BadInput);
  expect(() => received('{"id":1}')).toThrow(BadInput);
});

test('every channel of the public socket can be asked for, and no other', () => {
  for (const name of channels.keys()) {
    const text = encodeV3Subscribe('subscribe', name, { symbols: ['AAABBB'], target_currency: 'BBB' }, 7);
    expect(readV3PublicRequest(text)).toMatchObject({
      ok: true,
      request: { channel: { name }, keys: ['AAABBB'], limit: 0 },
    });
  }
  expect(readV3PublicRequest('{"method":"subscribe","ch":"orderbook/D7/100ms","params":{},"id":16}')).toEqual(
    {
      ok: false,
      id: 16,
      error: {
        code: 2003,
        message: 'Unknown channel',
        description: 'Channel is not supported: orderbook/D7/100ms',
      },
    },
  );
  expect(
    readV3PublicRequest('{"method":"subscribe","ch":"price/rate/1s","params":{"currencies":["AAA"]},"id":1}'),
  ).toMatchObject({
    error: { code: 10001, message: 'Bad request parameter [target_currency]. Parameter is required' },
  });
  expect(encodeV3SubscribeReply('trades', ['AAABBB'], 7)).toBe(
    '{"result":{"ch":"trades","subscriptions":["AAABBB"]},"id":7}',
  );
});
