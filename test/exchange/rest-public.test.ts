import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bench } from './support/raw-client.ts';
import { newId, openBench, rest } from './support/raw-client.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench({ limits: { enabled: false } });
  const maker = bench.key('demo');
  const taker = bench.key('demo-two');
  const place = async (
    key: typeof maker,
    side: string,
    price: string,
    quantity: string,
    symbol = 'ETHBTC',
  ) => {
    const answer = await rest(bench, 'POST /api/3/spot/order', {
      key,
      json: { client_order_id: newId(), symbol, side, price, quantity },
    });
    expect(answer.status).toBe(200);
  };
  await place(maker, 'sell', '0.050010', '1.5000');
  await place(maker, 'sell', '0.050020', '2.0000');
  await place(maker, 'buy', '0.050000', '1.0000');
  await place(maker, 'buy', '0.049990', '3.0000');
  await place(taker, 'buy', '0.050010', '0.5000');
  bench.pass(60_000);
  await place(taker, 'sell', '0.050000', '0.2500');
  await place(maker, 'sell', '64010.00', '0.10000', 'BTCUSDT');
  await place(maker, 'buy', '64000.00', '0.10000', 'BTCUSDT');
});
afterAll(() => bench.close());

const get = (path: string) => rest(bench, `GET /api/3/public/${path}`);

describe('public endpoints of v3', () => {
  test('every currency has the texts without which some clients cannot read it', async () => {
    const { body } = await get('currency');
    for (const currency of Object.values(body)) {
      expect(currency).toMatchObject({
        crypto_payment_id_name: expect.any(String),
        crypto_explorer: expect.any(String),
      });
    }
  });

  test('symbols and currencies come keyed by code, or one by one', async () => {
    const { body } = await get('symbol');
    expect(Object.keys(body)).toContain('ETHBTC');
    expect(body.ETHBTC).toEqual({
      type: 'spot',
      base_currency: 'ETH',
      quote_currency: 'BTC',
      status: 'working',
      quantity_increment: '0.0001',
      tick_size: '0.000001',
      take_rate: '0.001',
      make_rate: '-0.0001',
      fee_currency: 'BTC',
      margin_trading: false,
    });
    expect((await get('symbol/ETHBTC')).body).toEqual(body.ETHBTC);
    expect(Object.keys((await get('symbol?symbols=ETHBTC,NOPE')).body)).toEqual(['ETHBTC']);
    expect((await get('symbol?symbols=NOPE')).body).toEqual({});
    const currency = (await get('currency/BTC')).body;
    expect(currency).toMatchObject({ full_name: 'Bitcoin', crypto: true, delisted: false });
    expect((await get('currency?currencies=BTC')).body).toEqual({ BTC: currency });
  });

  test('tickers carry the best prices and the figures of 24 hours', async () => {
    const { body } = await get('ticker/ETHBTC');
    expect(body).toMatchObject({
      ask: '0.050010',
      bid: '0.050000',
      last: '0.050000',
      open: '0.050010',
      low: '0.050000',
      high: '0.050010',
      volume: '0.7500',
      volume_quote: '0.0375050000',
    });
    const all = (await get('ticker')).body;
    expect(all.ETHBTC).toEqual(body);
    expect(all.LTCBTC).toMatchObject({ ask: null, bid: null, last: null, open: null });
  });

  test('an order book has the depth asked for, or the levels that hold a volume', async () => {
    const full = (await get('orderbook/ETHBTC?depth=0')).body;
    expect(full).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      ask: [
        ['0.050010', '1.0000'],
        ['0.050020', '2.0000'],
      ],
      bid: [
        ['0.050000', '0.7500'],
        ['0.049990', '3.0000'],
      ],
    });
    expect((await get('orderbook/ETHBTC?depth=1')).body).toMatchObject({
      ask: [['0.050010', '1.0000']],
      bid: [['0.050000', '0.7500']],
    });
    expect((await get('orderbook/ETHBTC?volume=1.5')).body).toEqual(full);
    expect((await get('orderbook/ETHBTC?volume=0.75')).body.bid).toHaveLength(1);
    expect((await get('orderbook/?symbols=ETHBTC&depth=0')).body).toEqual({ ETHBTC: full });
    expect((await get('orderbook/ETHBTC?depth=-1')).body).toEqual(full);
  });

  test('trades come newest first unless asked otherwise, and page by id and by time', async () => {
    const rows = (await get('trades/ETHBTC')).body;
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual({
      id: expect.any(Number),
      price: '0.050000',
      qty: '0.2500',
      side: 'sell',
      timestamp: '2023-11-14T22:14:20.000Z',
    });
    expect((await get('trades/ETHBTC?sort=ASC')).body).toEqual([...rows].reverse());
    expect((await get('trades/ETHBTC?limit=1&offset=1')).body).toEqual([rows[1]]);
    expect((await get(`trades/ETHBTC?by=id&from=${rows[0].id}`)).body).toEqual([rows[0]]);
    expect((await get(`trades/ETHBTC?till=${Date.parse(rows[1].timestamp)}`)).body).toEqual([rows[1]]);
    expect((await get('trades/ETHBTC?from=2023-11-14T22:14:00Z')).body).toEqual([rows[0]]);
    expect((await get('trades?symbols=ETHBTC')).body).toEqual({ ETHBTC: rows });
  });

  test('candles hold the periods with trades', async () => {
    const rows = (await get('candles/ETHBTC?period=M1&sort=ASC')).body;
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual({
      timestamp: '2023-11-14T22:13:00.000Z',
      open: '0.050010',
      close: '0.050010',
      min: '0.050010',
      max: '0.050010',
      volume: '0.5000',
      volume_quote: '0.0250050000',
    });
    const { body } = await get('candles?symbols=ETHBTC&period=D1');
    expect(body.ETHBTC).toHaveLength(1);
    expect(body.ETHBTC[0]).toMatchObject({ open: '0.050010', close: '0.050000', volume: '0.7500' });
    expect((await get('candles/ETHBTC?period=M1&until=2023-11-14T22:13:30Z')).body).toEqual([rows[0]]);
  });

  test('rates go along the middle of the books, directly, inversely and over two symbols', async () => {
    expect((await get('price/rate?from=ETH&to=BTC')).body).toMatchObject({
      ETH: { currency: 'BTC', price: '0.050005' },
    });
    expect((await get('price/rate?from=ETH&to=USDT')).body.ETH.price).toBe('3200.570025');
    expect((await get('price/rate?from=USDT&to=BTC')).body.USDT.price).toMatch(/^0\.00001562/);
    expect((await get('price/rate?from=LTC&to=BTC')).body).toEqual({});
    const { body } = await get('price/history?from=ETH&to=BTC&period=M1&limit=2');
    expect(body.ETH.currency).toBe('BTC');
    expect(body.ETH.history[0]).toEqual({
      timestamp: '2023-11-14T22:14:00.000Z',
      open: '0.05',
      close: '0.05',
      min: '0.05',
      max: '0.05',
    });
    const converted = (await get('converted/candles/ETHBTC?target_currency=USDT&period=D1')).body;
    expect(converted.target_currency).toBe('USDT');
    expect(converted.data[0].open).toBe('3200.89005');
  });

  test('last prices are those of the last trade', async () => {
    expect((await get('price/ticker/ETHBTC')).body).toEqual({
      price: '0.050000',
      timestamp: '2023-11-14T22:14:20.000Z',
    });
    expect(Object.keys((await get('price/ticker')).body)).toEqual(['ETHBTC']);
  });

  test('unknown names and bad parameters are answered with the documented errors', async () => {
    const unknown = await get('symbol/X');
    expect(unknown.status).toBe(400);
    expect(unknown.headers['x-reason']).toBe('SYMBOL_NOT_FOUND');
    expect(unknown.headers['request-id']).toBe(unknown.body.requestId);
    expect(unknown.headers['content-type']).toBe('application/json; charset=UTF-8');
    expect(unknown.body).toEqual({
      timestamp: expect.any(String),
      error: {
        code: 2001,
        message: 'No such symbol: X',
        description: 'Try get /public/symbol, to get list of all available symbols.',
      },
      path: '/api/3/public/symbol/X',
      requestId: expect.any(String),
    });
    expect((await get('currency/XXX')).body.error.code).toBe(2002);
    for (const [path, parameter] of [
      ['trades?limit=0', 'limit'],
      ['trades?limit=1001', 'limit'],
      ['trades/ETHBTC?offset=100001', 'offset'],
      ['trades/ETHBTC?by=id&from=abc', 'from'],
      ['orderbook/ETHBTC?depth=abc', 'depth'],
      ['orderbook/ETHBTC?volume=abc', 'volume'],
      ['candles?period=M2', 'period'],
      ['trades?sort=UP', 'sort'],
      ['price/rate?from=ETH', 'to'],
      ['converted/candles', 'target_currency'],
      ['trades/ETHBTC?limit=1&limit=2', 'limit'],
    ] as const) {
      const answer = await get(path);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 400, 10001]);
      expect(JSON.stringify(answer.body.error)).toContain(parameter);
      expect(answer.headers['x-reason']).toBe('VALIDATION_ERROR');
    }
  });

  test('an unknown path is a 404 whose error is a text', async () => {
    const { status, body } = await get('nothing');
    expect(status).toBe(404);
    expect(body).toEqual({
      timestamp: expect.any(String),
      path: '/api/3/public/nothing',
      status: 404,
      error: 'Not Found',
      requestId: expect.any(String),
      message: 'No static resource api/3/public/nothing.',
    });
  });

  test('trailing slashes and credentials make no difference', async () => {
    const plain = (await get('symbol')).body;
    expect((await get('symbol/')).body).toEqual(plain);
    expect((await rest(bench, 'GET /api/3/public/symbol/', { key: bench.key('demo') })).body).toEqual(plain);
    expect(
      (await rest(bench, 'GET /api/3/public/symbol', { headers: { authorization: 'nonsense' } })).body,
    ).toEqual(plain);
    expect((await rest(bench, 'GET /api/3/public/symbol', { type: 'application/json' })).body).toEqual(plain);
  });
});
