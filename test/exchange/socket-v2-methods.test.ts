import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bench, Json } from './support/raw-client.ts';
import { newId, openBench, RawSocket, rest } from './support/raw-client.ts';

let bench: Bench;
let socket: RawSocket;

beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false } });
  socket = await RawSocket.open(bench, '/api/2/ws');
});
afterEach(async () => {
  socket.close();
  await bench.close();
});

let requests = 0;
const call = (method: string, params?: object, on = socket): Promise<Json> =>
  on.ask({ method, ...(params !== undefined && { params }), id: `request-${++requests}` });
const basic = (account = 'demo', index = 0) => {
  const { apiKey, secret } = bench.key(account, index);
  return { algo: 'BASIC', pKey: apiKey, sKey: secret.reveal() };
};
const place = (side: string, price: string, quantity: string, account = 'demo') =>
  rest(bench, 'POST /api/2/order', {
    key: bench.key(account),
    basic: true,
    json: { clientOrderId: newId(), symbol: 'ETHBTC', side, price, quantity },
  });

describe('reads of the market data socket', () => {
  test('currencies come one by one or as a list, extended when asked', async () => {
    const { result } = await call('getCurrency', { currency: 'usdt' });
    expect(result).toMatchObject({ id: 'USDT', fullName: 'Tether', precisionTransfer: 6 });
    expect(result).not.toHaveProperty('sign');
    const extended = (await call('getCurrency', { currency: 'USDT', extended: true })).result;
    expect(extended).toMatchObject({ ...result, sign: '₮', isInstrumentsStable: true });
    expect((await call('getCurrencies', {})).result).toHaveLength(5);
    expect((await call('getCurrencies')).result).toHaveLength(5);
    expect((await call('getCurrencies', { currency: 'BTC,eth,NOPE' })).result).toMatchObject([
      { id: 'BTC' },
      { id: 'ETH' },
    ]);
    expect((await call('getCurrency', { currency: 'NOPE' })).error).toEqual({
      code: 2002,
      message: 'Currency not found',
    });
    expect((await call('getCurrency', {})).error.code).toBe(10001);
  });

  test('symbols are spot symbols, compared without case', async () => {
    expect((await call('getSymbol', { symbol: 'ethbtc' })).result).toMatchObject({ id: 'ETHBTC' });
    expect((await call('getSymbols', {})).result).toHaveLength(6);
    expect((await call('getSymbols', { symbol: 'ethbtc,LTCBTC,NOPE' })).result).toMatchObject([
      { id: 'ETHBTC' },
      { id: 'LTCBTC' },
    ]);
    for (const symbol of ['NOPE', 'BTCUSDT_PERP']) {
      expect((await call('getSymbol', { symbol })).error.code).toBe(2001);
      expect((await call('subscribeTicker', { symbol })).error.code).toBe(2001);
    }
  });

  test('trades page as over REST, of one symbol or of all', async () => {
    await place('sell', '0.05', '2');
    await place('buy', '0.05', '0.5', 'demo-two');
    await place('buy', '0.05', '0.6', 'demo-two');
    const { result } = await call('getTrades', { symbol: 'ethbtc' });
    expect(result).toMatchObject({
      symbol: 'ETHBTC',
      data: [{ quantity: '0.6000' }, { quantity: '0.5000' }],
    });
    const [newest, oldest] = result.data;
    const page = async (params: object) =>
      (await call('getTrades', { symbol: 'ETHBTC', ...params })).result.data;
    expect(await page({ sort: 'ASC', limit: 1 })).toEqual([oldest]);
    expect(await page({ by: 'id', from: newest.id })).toEqual([newest]);
    expect(await page({ offset: 1 })).toEqual([oldest]);
    const all = (await call('getTrades', { limit: 1 })).result;
    expect(all).toHaveLength(6);
    expect(all).toContainEqual({ symbol: 'ETHBTC', data: [newest] });
    expect((await call('getTrades', { symbol: 'ETHBTC', limit: 1001 })).error).toMatchObject({
      code: 10001,
      message: 'Validation error',
      description: 'Bad request parameter [limit]. Parameter must be in [0, 1000]',
    });
  });

  test.each([
    ['Ticker', {}, 'ticker'],
    ['Orderbook', {}, 'updateOrderbook'],
    ['Trades', {}, 'updateTrades'],
    ['Candles', { period: 'M1' }, 'updateCandles'],
  ])('after unsubscribe%s nothing more comes', async (name, params, notice) => {
    expect((await call(`subscribe${name}`, { symbol: 'ETHBTC', ...params })).result).toBe(true);
    expect((await call(`unsubscribe${name}`, { symbol: 'ethbtc', ...params })).result).toBe(true);
    // Once more is no mistake, and neither is ending what never began.
    expect((await call(`unsubscribe${name}`, { symbol: 'ETHBTC', ...params })).result).toBe(true);
    expect((await call(`unsubscribe${name}`, { symbol: 'NOPE', ...params })).error.code).toBe(2001);
    const before = socket.received.length;
    await place('sell', '0.05', '2');
    await place('buy', '0.05', '0.5', 'demo-two');
    bench.pass(500);
    await socket.settle();
    expect(socket.received.slice(before).filter(({ method }: Json) => method === notice)).toEqual([]);
  });
});

describe('logins', () => {
  const jwt = (claims: object, secret = bench.key('demo').secret.reveal()) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const seconds = () => Math.floor(bench.clock.now() / 1_000_000);

  test('BASIC, HS256 and BEARER open the account; without an id the reply has none', async () => {
    const { apiKey, secret } = bench.key('demo');
    const nonce = 'N1g287gL8YOwDZr';
    const signature = createHmac('sha256', secret.reveal()).update(nonce).digest('hex');
    const token = jwt({ sub: apiKey, exp: seconds() + 60 });
    for (const params of [
      basic(),
      { algo: 'HS256', pKey: apiKey, nonce, signature },
      { algo: 'BEARER', pKey: apiKey, jwt: token },
    ]) {
      const own = await RawSocket.open(bench, '/api/2/ws/trading');
      expect((await call('getTradingBalance', {}, own)).error.code).toBe(1001);
      own.say({ method: 'login', params });
      expect(await own.until(() => true)).toEqual({ jsonrpc: '2.0', result: true });
      expect((await call('getTradingBalance', {}, own)).result).toContainEqual({
        currency: 'BTC',
        available: '20',
        reserved: '0',
      });
      own.close();
    }
    // A nonce counts once.
    expect((await call('login', { algo: 'HS256', pKey: apiKey, nonce, signature })).error.code).toBe(1002);
  });

  test('what does not fit is refused', async () => {
    const { apiKey } = bench.key('demo');
    for (const [params, code] of [
      [{ ...basic(), sKey: 'wrong' }, 1002],
      [{ algo: 'BASIC', pKey: apiKey }, 1002],
      [{ algo: 'HS256', pKey: apiKey, nonce: 'a', signature: '00' }, 1002],
      [{ algo: 'BEARER', pKey: apiKey, jwt: jwt({ sub: apiKey, exp: seconds() }) }, 1002],
      [{ algo: 'BEARER', pKey: apiKey, jwt: jwt({ sub: apiKey, exp: seconds() + 60 }, 'other') }, 1002],
      [{ algo: 'BEARER', pKey: apiKey, jwt: jwt({ sub: 'other', exp: seconds() + 60 }) }, 1002],
      [{ algo: 'BEARER', pKey: apiKey }, 1002],
      [{ algo: 'RS256', pKey: apiKey }, 1004],
      [{}, 1004],
    ] as const) {
      expect((await call('login', params)).error?.code, JSON.stringify(params)).toBe(code);
    }
    expect((await call('getOrders', {})).error.code).toBe(1001);
  });

  test('a key without the right is refused with 1003', async () => {
    await call('login', basic('demo', 1));
    expect((await call('getOrders', {})).result).toEqual([]);
    expect((await call('getTradingBalance', {})).result.length).toBeGreaterThan(0);
    for (const method of ['newOrder', 'cancelOrder', 'cancelReplaceOrder']) {
      expect((await call(method, {})).error.code, method).toBe(1003);
    }
  });
});

describe('orders', () => {
  beforeEach(async () => {
    await call('login', basic());
  });

  test('reports are subscribed to with empty params only', async () => {
    expect((await call('subscribeReports', { symbol: 'ETHBTC' })).error).toMatchObject({ code: 10001 });
    expect((await call('subscribeReports', {})).result).toBe(true);
    expect(await socket.until((received) => received.method === 'activeOrders')).toMatchObject({
      params: [],
    });
  });

  test('an order is placed, replaced and canceled, its reports before the replies', async () => {
    await call('subscribeReports', {});
    const params = { clientOrderId: 'one', symbol: 'ethbtc', side: 'buy', price: '0.04', quantity: '1' };
    const placed = (await call('newOrder', params)).result;
    expect(placed).toMatchObject({ clientOrderId: 'one', symbol: 'ETHBTC', reportType: 'new' });
    const seen = socket.received.findIndex(({ method }: Json) => method === 'report');
    expect(socket.received[seen].params).toEqual(placed);
    expect(socket.received.findIndex(({ result }: Json) => result?.reportType === 'new')).toBeGreaterThan(
      seen,
    );
    expect((await call('getOrders', {})).result).toEqual([{ ...placed, reportType: 'status' }]);
    const replaced = await call('cancelReplaceOrder', {
      clientOrderId: 'one',
      requestClientId: 'two',
      quantity: '1',
      price: '0.041',
    });
    expect(replaced.result).toMatchObject({
      clientOrderId: 'two',
      reportType: 'replaced',
      originalRequestClientOrderId: 'one',
    });
    expect((await call('cancelOrder', { clientOrderId: 'two' })).result).toMatchObject({
      status: 'canceled',
      reportType: 'canceled',
    });
    expect((await call('cancelOrder', { clientOrderId: 'two' })).error.code).toBe(20002);
    for (const symbol of ['NOPE', 'BTCUSDT_PERP']) {
      expect((await call('newOrder', { ...params, clientOrderId: 'three', symbol })).error).toEqual({
        code: 2001,
        message: 'Symbol not found',
        description: 'Try get /api/2/public/symbol, to get list of all available symbols.',
      });
    }
    expect((await call('newOrder', { ...params, clientOrderId: undefined })).error.code).toBe(10001);
  });
});

test.each([
  ['/api/2/ws/public', ['login', 'newOrder', 'getTradingBalance', 'subscribeReports']],
  ['/api/2/ws/trading', ['getSymbols', 'subscribeTicker', 'getCurrencies', 'getTrades']],
  ['/api/2/ws', ['spot_new_order', 'getEverything']],
])('at %s methods of other places are not found', async (location, methods) => {
  const own = await RawSocket.open(bench, location);
  for (const method of methods) {
    expect(await call(method, {}, own)).toEqual({
      jsonrpc: '2.0',
      error: { code: 404, message: 'Method not found' },
      id: expect.any(String),
    });
  }
  own.close();
});

test('orders over sockets and REST share three hundred requests a second, login and other reads have ten', async () => {
  const own = await openBench();
  const line = await RawSocket.open(own, '/api/2/ws');
  const { apiKey, secret } = own.key('demo');
  await line.ask({
    method: 'login',
    params: { algo: 'BASIC', pKey: apiKey, sKey: secret.reveal() },
    id: 'in',
  });
  const codes = async (count: number, method: string, params: object) => {
    const replies = await Promise.all(
      Array.from({ length: count }, () => line.ask({ method, params, id: `many-${++requests}` })),
    );
    return replies.filter(({ error }: Json) => error?.code === 429).length;
  };
  expect(await codes(12, 'getTradingBalance', {})).toBe(3);
  expect(await codes(299, 'cancelOrder', { clientOrderId: 'none' })).toBe(0);
  const ask = { key: own.key('demo'), basic: true };
  expect((await rest(own, 'GET /api/2/order', ask)).status).toBe(200);
  expect((await rest(own, 'GET /api/2/order', ask)).status).toBe(429);
  expect(await codes(1, 'cancelOrder', { clientOrderId: 'none' })).toBe(1);
  line.close();
  await own.close();
});
