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
const call = (method: string, params: object = {}): Promise<Json> =>
  socket.ask({ method, params, id: `request-${++requests}` });
const place = (side: string, price: string, quantity: string, account = 'demo') =>
  rest(bench, 'POST /api/3/spot/order', {
    key: bench.key(account),
    json: { client_order_id: newId(), symbol: 'ETHBTC', side, price, quantity },
  });

describe('market data of v2', () => {
  test('a book is acknowledged, sent whole, then updated with consecutive sequences', async () => {
    await place('sell', '0.050010', '1.0000');
    bench.pass(100);
    expect(await call('subscribeOrderbook', { symbol: 'ethbtc' })).toEqual({
      jsonrpc: '2.0',
      result: true,
      id: expect.any(String),
    });
    const { params } = await socket.until((received) => received.method === 'snapshotOrderbook');
    expect(params).toEqual({
      ask: [{ price: '0.050010', size: '1.0000' }],
      bid: [],
      symbol: 'ETHBTC',
      sequence: expect.any(Number),
      timestamp: expect.stringMatching(/\.\d{3}Z$/),
    });
    await place('buy', '0.050010', '1.0000', 'demo-two');
    bench.pass(100);
    const update = (await socket.until((received) => received.method === 'updateOrderbook')).params;
    expect(update).toMatchObject({
      ask: [{ price: '0.050010', size: '0' }],
      bid: [],
      sequence: params.sequence + 1,
    });
    expect((await call('unsubscribeOrderbook', { symbol: 'ETHBTC' })).result).toBe(true);
  });

  test('ticker, trades and candles come with their history', async () => {
    await place('sell', '0.050000', '2.0000');
    await place('buy', '0.050000', '1.0000', 'demo-two');
    bench.pass(100);
    await call('subscribeTicker', { symbol: 'ETHBTC' });
    const ticker = (await socket.until((received) => received.method === 'ticker')).params;
    expect(ticker).toMatchObject({
      symbol: 'ETHBTC',
      ask: '0.050000',
      bid: null,
      last: '0.050000',
      volume: '1.0000',
    });
    await call('subscribeTrades', { symbol: 'ETHBTC', limit: 10 });
    const trades = (await socket.until((received) => received.method === 'snapshotTrades')).params;
    expect(trades).toMatchObject({
      symbol: 'ETHBTC',
      data: [{ price: '0.050000', quantity: '1.0000', side: 'buy' }],
    });
    await call('subscribeCandles', { symbol: 'ETHBTC', period: 'M1', limit: 10 });
    const candles = (await socket.until((received) => received.method === 'snapshotCandles')).params;
    expect(candles).toMatchObject({
      symbol: 'ETHBTC',
      period: 'M1',
      data: [{ open: '0.050000', volumeQuote: '0.0500000000' }],
    });
    await place('buy', '0.050000', '0.5000', 'demo-two');
    bench.pass(100);
    expect((await socket.until((received) => received.method === 'updateTrades')).params.data).toHaveLength(
      1,
    );
    expect(
      (await socket.until((received) => received.method === 'updateCandles')).params.data[0].volume,
    ).toBe('1.5000');
    expect((await call('getSymbol', { symbol: 'ETHBTC' })).result).toMatchObject({
      id: 'ETHBTC',
      tickSize: '0.000001',
    });
    expect((await call('getSymbols', {})).result).toHaveLength(6);
    const page = (await call('getTrades', { symbol: 'ETHBTC', limit: 1 })).result;
    expect(page).toMatchObject({ symbol: 'ETHBTC', data: [{ quantity: '0.5000' }] });
  });

  test('an unknown symbol is error 2001, and trading is not served at the public location', async () => {
    expect((await call('subscribeTicker', { symbol: 'NOPE' })).error).toEqual({
      code: 2001,
      message: 'Symbol not found',
      description: 'Try get /api/2/public/symbol, to get list of all available symbols.',
    });
    const open = await RawSocket.open(bench, '/api/2/ws/public');
    const refused = await open.ask({ method: 'newOrder', params: {}, id: 1 });
    expect(refused.error).toMatchObject({ code: 404, message: 'Method not found' });
    open.close();
  });
});

describe('trading over v2', () => {
  const login = () => {
    const { apiKey, secret } = bench.key('demo');
    const nonce = 'N1g287gL8YOwDZr';
    const signature = createHmac('sha256', secret.reveal()).update(nonce).digest('hex');
    return { algo: 'HS256', pKey: apiKey, nonce, signature };
  };

  test('login by signed nonce, which counts once', async () => {
    expect((await call('getOrders')).error.code).toBe(1001);
    expect((await call('login', login())).result).toBe(true);
    expect((await call('login', login())).error.code).toBe(1002);
    expect((await call('getOrders')).result).toEqual([]);
  });

  test('reports arrive before the reply, and orders are placed, replaced and canceled', async () => {
    await call('login', login());
    expect((await call('subscribeReports')).result).toBe(true);
    expect((await socket.until((received) => received.method === 'activeOrders')).params).toEqual([]);
    const from = socket.received.length;
    const order = { clientOrderId: newId(), symbol: 'ETHBTC', side: 'buy', quantity: '1', price: '0.04' };
    const placed = await call('newOrder', order);
    expect(socket.received[from]).toMatchObject({
      method: 'report',
      params: { reportType: 'new', cumQuantity: expect.any(String) },
    });
    expect(placed.result).toMatchObject({
      clientOrderId: order.clientOrderId,
      status: 'new',
      reportType: 'new',
    });
    const replaced = await call('cancelReplaceOrder', {
      clientOrderId: order.clientOrderId,
      requestClientId: 'replacement-02',
      quantity: '2',
      price: '0.041',
    });
    expect(replaced.result).toMatchObject({
      reportType: 'replaced',
      clientOrderId: 'replacement-02',
      originalRequestClientOrderId: order.clientOrderId,
    });
    expect((await call('getOrders')).result).toHaveLength(1);
    expect((await call('getTradingBalance')).result).toContainEqual({
      currency: 'BTC',
      available: '19.917918',
      reserved: '0.082082',
    });
    const canceled = await call('cancelOrder', { clientOrderId: 'replacement-02' });
    expect(canceled.result).toMatchObject({ status: 'canceled', reportType: 'canceled' });
  });
});
