import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bench, Json } from './support/raw-client.ts';
import { openBench, RawSocket, rest } from './support/raw-client.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench({ limits: { enabled: false } });
});
afterAll(() => bench.close());

/** The error of a request with a key of the account `demo`. */
async function errorOf(line: string, json?: unknown): Promise<Json> {
  const answer = await rest(bench, line, { key: bench.key('demo'), json });
  expect(answer.status).toBe(400);
  return answer.body.error;
}

describe('version 3 names what is wrong with a parameter in the message', () => {
  test.each([
    [
      'GET /api/3/public/orderbook/ETHBTC?volume=abc',
      undefined,
      'volume',
      "Can't parse value from string: abc",
    ],
    [
      'GET /api/3/public/orderbook/ETHBTC?depth=abc',
      undefined,
      'depth',
      "Can't parse value from string: abc",
    ],
    [
      'GET /api/3/public/orderbook/ETHBTC?depth=1&depth=2',
      undefined,
      'depth',
      'Parameter is not as expected',
    ],
    ['GET /api/3/spot/order?symbol=ETHBTC&symbol=LTCBTC', undefined, 'symbol', 'Parameter must be a text'],
    [
      'POST /api/3/spot/order',
      { symbol: 'ETHBTC', side: 'buy', quantity: '1', price: '0.01', time_in_force: 'GTD' },
      'expire_time',
      'Parameter is required for GTD',
    ],
    ['POST /api/3/spot/order', { symbol: 'ETHBTC' }, 'side', 'Parameter is required'],
    ['POST /api/3/spot/order', { symbol: ['ETHBTC'] }, 'symbol', 'Parameter must be a text'],
    [
      'POST /api/3/buy-crypto/provider/1/order',
      { target: 'BTC', source: 'USD', source_amount: '100' },
      'payment_method_id',
      'Parameter is required',
    ],
    [
      'PUT /api/3/margin/account/isolated/BTCUSDT',
      { margin_balance: 'abc' },
      'margin_balance',
      'Expected a plain decimal',
    ],
    [
      'GET /api/3/public/currency/' + 'A'.repeat(201),
      undefined,
      'currency',
      'Parameter must have at most 200 characters',
    ],
  ] as const)('%s with %j: [%s]', async (line, json, name, why) => {
    expect(await errorOf(line, json)).toEqual({
      code: 10001,
      message: `Bad request parameter [${name}]. ${why}`,
    });
  });

  test('and so on its sockets', async () => {
    const socket = await RawSocket.open(bench, '/api/3/ws/trading');
    const { apiKey, secret } = bench.key('demo');
    const login = { type: 'BASIC', api_key: apiKey, secret_key: secret.reveal() };
    expect((await socket.ask({ method: 'login', params: login, id: 1 })).result).toBe(true);
    const { error } = await socket.ask({
      method: 'spot_balance_subscribe',
      params: { mode: 'often' },
      id: 2,
    });
    expect(error).toEqual({
      code: 10001,
      message: 'Bad request parameter [mode]. Parameter must be one of updates, batches',
    });
    socket.close();
  });
});

describe('version 2 says it in the description, with its own spelling', () => {
  const words = (description: string) => ({ code: 10001, message: 'Validation error', description });

  test.each([
    [
      'GET /api/2/public/orderbook/ETHBTC?volume=abc',
      "Bad request parameter [volume]. Can't parse value from string: abc",
    ],
    [
      'PUT /api/2/margin/account/BTCUSDT?marginBalance=abc',
      'Bad request parameter [marginBalance]. Expected a plain decimal',
    ],
    ['PUT /api/2/margin/account/BTCUSDT', "Param 'marginBalance' required"],
  ])('%s', async (line, description) => {
    expect((await rest(bench, line, { key: bench.key('demo'), basic: true })).body.error).toEqual(
      words(description),
    );
  });

  test('an unknown symbol is worded alike everywhere', async () => {
    for (const path of ['public/ticker/NOPE', 'order?symbol=NOPE', 'margin/account/NOPE']) {
      const { body } = await rest(bench, `GET /api/2/${path}`, { key: bench.key('demo'), basic: true });
      expect(body.error).toEqual({
        code: 2001,
        message: 'Symbol not found',
        description: 'Try get /api/2/public/symbol, to get list of all available symbols.',
      });
    }
  });

  test('and so on its sockets', async () => {
    const socket = await RawSocket.open(bench, '/api/2/ws');
    const period = { method: 'subscribeCandles', params: { symbol: 'ETHBTC', period: 'M2' }, id: 1 };
    expect((await socket.ask(period)).error).toEqual(
      words(
        'Bad request parameter [period]. Parameter must be one of M1, M3, M5, M15, M30, H1, H4, D1, D7, 1M',
      ),
    );
    const { apiKey, secret } = bench.key('demo');
    const login = { algo: 'BASIC', pKey: apiKey, sKey: secret.reveal() };
    expect((await socket.ask({ method: 'login', params: login, id: 2 })).result).toBe(true);
    const full = { method: 'subscribeReports', params: { a: 1 }, id: 3 };
    expect((await socket.ask(full)).error).toEqual(
      words('Bad request parameter []. Parameters must be empty'),
    );
    socket.close();
  });
});

test.each([
  ['POST /api/3/spot/order?symbol=ETHBTC&side=buy&quantity=1&price=0.04', 'symbol'],
  ['POST /api/3/margin/order?symbol=ETHBTC&side=buy&quantity=1&price=0.04', 'symbol'],
  ['POST /api/3/futures/order?symbol=BTCUSDT_PERP&side=buy&quantity=1&price=4', 'symbol'],
  ['POST /api/3/wallet/transfer?currency=BTC&amount=1&source=wallet&destination=spot', 'currency'],
  ['POST /api/3/wallet/convert?from_currency=BTC&to_currency=ETH&amount=1', 'from_currency'],
])('what stands in the query of a POST is not carried out: %s', async (line, missing) => {
  const error = await errorOf(line);
  expect([error.code, error.message]).toEqual([10001, expect.stringContaining(`[${missing}]`)]);
  expect((await rest(bench, 'GET /api/3/spot/order', { key: bench.key('demo') })).body).toEqual([]);
});

test('neither does version 2, nor one whose query contradicts its body', async () => {
  const line = 'POST /api/2/order?symbol=ETHBTC&side=buy&quantity=1&price=0.04';
  const refused = await rest(bench, line, { key: bench.key('demo'), basic: true });
  expect(refused.body.error.code).toBe(10001);
  const form = { symbol: 'ETHBTC', side: 'buy', quantity: '1', price: '0.04' };
  const placed = await rest(bench, 'POST /api/3/spot/order?price=0.05&post_only=true', {
    key: bench.key('demo'),
    form,
  });
  expect(placed.body).toMatchObject({ price: '0.040000', post_only: false });
});

test('the public comment of a withdrawal has up to 255 characters', async () => {
  const withdraw = (length: number) => ({
    currency: 'BTC',
    amount: '0.1',
    address: 'nowhere',
    public_comment: 'x'.repeat(length),
  });
  expect((await errorOf('POST /api/3/wallet/crypto/withdraw', withdraw(255))).code).toBe(20011);
  expect(await errorOf('POST /api/3/wallet/crypto/withdraw', withdraw(256))).toEqual({
    code: 10001,
    message: 'Bad request parameter [public_comment]. Parameter must have at most 255 characters',
  });
});
