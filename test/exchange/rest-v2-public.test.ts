import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bench } from './support/raw-client.ts';
import { newId, openBench, rest } from './support/raw-client.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench({ limits: { enabled: false } });
  const place = async (account: string, side: string, price: string, quantity: string) => {
    const answer = await rest(bench, 'POST /api/2/order', {
      key: bench.key(account),
      basic: true,
      form: { clientOrderId: newId(), symbol: 'ethbtc', side, price, quantity },
    });
    expect(answer.status).toBe(200);
  };
  await place('demo', 'sell', '0.050010', '1.5000');
  await place('demo', 'sell', '0.050020', '2.0000');
  await place('demo', 'buy', '0.050000', '1.0000');
  await place('demo', 'buy', '0.049990', '3.0000');
  await place('demo-two', 'buy', '0.050010', '0.5000');
  bench.pass(60_000);
  await place('demo-two', 'sell', '0.050000', '0.2500');
});
afterAll(() => bench.close());

const get = (path: string) => rest(bench, `GET /api/2/public/${path}`);

describe('market data of v2', () => {
  test('currencies are a list, or one; names are compared without case', async () => {
    const { body } = await get('currency');
    expect(body).toHaveLength(5);
    expect(body[0]).toEqual({
      id: 'BTC',
      fullName: 'Bitcoin',
      crypto: true,
      payinEnabled: true,
      payinPaymentId: false,
      payinConfirmations: expect.any(Number),
      payoutEnabled: true,
      payoutIsPaymentId: false,
      transferEnabled: true,
      delisted: false,
      payoutFee: expect.stringMatching(/^\d/),
      payoutMinimalAmount: expect.stringMatching(/^\d/),
      precisionPayout: 8,
      precisionTransfer: 8,
      lowProcessingTime: body[0].lowProcessingTime,
      highProcessingTime: body[0].highProcessingTime,
      avgProcessingTime: body[0].avgProcessingTime,
    });
    expect((await get('currency/btc')).body).toEqual(body[0]);
    expect((await get('currency?currencies=eth,NOPE,BTC')).body).toMatchObject([
      { id: 'ETH' },
      { id: 'BTC' },
    ]);
    const unknown = await get('currency/NOPE');
    expect([unknown.status, unknown.body]).toEqual([
      400,
      { error: { code: 2002, message: 'Currency not found' } },
    ]);
  });

  test('symbols are a list of spot symbols, or one', async () => {
    const { body } = await get('symbol');
    expect(body.map(({ id }: { id: string }) => id)).toEqual([
      'BTCUSDT',
      'ETHUSDT',
      'ETHBTC',
      'LTCUSDT',
      'LTCBTC',
      'XRPUSDT',
    ]);
    expect((await get('symbol/EthBtc')).body).toEqual({
      id: 'ETHBTC',
      baseCurrency: 'ETH',
      quoteCurrency: 'BTC',
      quantityIncrement: '0.0001',
      tickSize: '0.000001',
      takeLiquidityRate: '0.001',
      provideLiquidityRate: '-0.0001',
      feeCurrency: 'BTC',
    });
    expect((await get('symbol?symbols=ETHBTC,nope')).body).toMatchObject([{ id: 'ETHBTC' }]);
    for (const name of ['NOPE', 'BTCUSDT_PERP']) {
      const unknown = await get(`symbol/${name}`);
      expect([unknown.status, unknown.body]).toEqual([
        400,
        {
          error: {
            code: 2001,
            message: 'Symbol not found',
            description: 'Try get /api/2/public/symbol, to get list of all available symbols.',
          },
        },
      ]);
    }
  });

  test('tickers carry best prices and the figures of 24 hours, null without data', async () => {
    const { body } = await get('ticker/ethbtc');
    expect(body).toEqual({
      symbol: 'ETHBTC',
      ask: '0.050010',
      bid: '0.050000',
      last: '0.050000',
      open: '0.050010',
      low: '0.050000',
      high: '0.050010',
      volume: '0.7500',
      volumeQuote: '0.0375050000',
      timestamp: '2023-11-14T22:14:20.000Z',
    });
    const all = (await get('ticker')).body;
    expect(all).toHaveLength(6);
    expect(all).toContainEqual(body);
    expect((await get('ticker?symbols=LTCBTC')).body).toMatchObject([
      { symbol: 'LTCBTC', ask: null, bid: null, last: null, open: null, volume: '0' },
    ]);
    expect((await get('ticker/NOPE')).body.error.code).toBe(2001);
  });

  test('trades come newest first unless asked otherwise, and page by id and by time', async () => {
    const { body } = await get('trades/ethbtc');
    expect(body).toHaveLength(2);
    expect(body[0]).toEqual({
      id: expect.any(Number),
      price: '0.050000',
      quantity: '0.2500',
      side: 'sell',
      timestamp: '2023-11-14T22:14:20.000Z',
    });
    expect((await get('trades/ETHBTC?sort=ASC')).body).toEqual(body.toReversed());
    expect((await get(`trades/ETHBTC?by=id&till=${body[1].id}`)).body).toEqual([body[1]]);
    expect((await get('trades/ETHBTC?from=2023-11-14T22:14:00Z')).body).toEqual([body[0]]);
    expect((await get('trades/ETHBTC?limit=1&offset=1')).body).toEqual([body[1]]);
    expect((await get('trades/ETHBTC?limit=0')).body).toEqual([]);
    expect((await get('trades?symbols=ETHBTC,LTCBTC,NOPE')).body).toEqual({ ETHBTC: body, LTCBTC: [] });
    expect((await get('trades/NOPE')).body.error.code).toBe(2001);
  });

  test('a book has at most the levels asked for, and average prices for a volume', async () => {
    const full = (await get('orderbook/ETHBTC?limit=0')).body;
    expect(full).toEqual({
      symbol: 'ETHBTC',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
      ask: [
        { price: '0.050010', size: '1.0000' },
        { price: '0.050020', size: '2.0000' },
      ],
      bid: [
        { price: '0.050000', size: '0.7500' },
        { price: '0.049990', size: '3.0000' },
      ],
    });
    expect((await get('orderbook/ETHBTC')).body).toEqual(full);
    expect((await get('orderbook/ethbtc?limit=1')).body).toEqual({
      ...full,
      ask: full.ask.slice(0, 1),
      bid: full.bid.slice(0, 1),
    });
    expect((await get('orderbook?symbols=ETHBTC&limit=0')).body).toEqual({ ETHBTC: full });
    // 1.0 at 0.050010 and 0.6 at 0.050020; 0.75 at 0.05 and 0.85 at 0.04999.
    expect((await get('orderbook/ETHBTC?volume=1.6&limit=1')).body).toEqual({
      ...full,
      askAveragePrice: '0.05001375',
      bidAveragePrice: '0.0499946875',
    });
    expect((await get('orderbook/ETHBTC?volume=0.5')).body).toMatchObject({
      ask: full.ask.slice(0, 1),
      askAveragePrice: '0.05001',
      bidAveragePrice: '0.05',
    });
    // More than there is: what there is.
    expect((await get('orderbook/ETHBTC?volume=100')).body.askAveragePrice).toBe(
      '0.050016666666666666666666',
    );
    expect((await get('orderbook/LTCBTC?volume=1')).body).toMatchObject({
      ask: [],
      askAveragePrice: null,
      bidAveragePrice: null,
    });
    expect((await get('orderbook/NOPE')).body.error.code).toBe(2001);
  });

  test('candles come oldest first unless asked otherwise', async () => {
    const { body } = await get('candles/ETHBTC?period=M1');
    expect(body).toEqual([
      {
        timestamp: '2023-11-14T22:13:00.000Z',
        open: '0.050010',
        close: '0.050010',
        min: '0.050010',
        max: '0.050010',
        volume: '0.5000',
        volumeQuote: '0.0250050000',
      },
      expect.objectContaining({ timestamp: '2023-11-14T22:14:00.000Z', volume: '0.2500' }),
    ]);
    expect((await get('candles/ETHBTC?period=M1&sort=DESC')).body).toEqual(body.toReversed());
    expect((await get('candles/ETHBTC?period=M1&from=2023-11-14T22:14:00Z')).body).toEqual([body[1]]);
    expect((await get('candles/ETHBTC?period=M1&limit=1&offset=1')).body).toEqual([body[1]]);
    expect((await get('candles/ETHBTC')).body).toMatchObject([{ timestamp: '2023-11-14T22:00:00.000Z' }]);
    expect((await get('candles?symbols=ethbtc&period=M1')).body).toEqual({ ETHBTC: body });
    expect((await get('candles/NOPE')).body.error.code).toBe(2001);
  });

  test.each([
    ['trades/ETHBTC?limit=1001', 'limit', 'Parameter must be in [0, 1000]'],
    ['trades/ETHBTC?offset=100001', 'offset', 'Parameter must be in [0, 100000]'],
    ['trades/ETHBTC?sort=up', 'sort', 'Parameter must be ASC or DESC'],
    ['trades/ETHBTC?by=price', 'by', 'Parameter must be id or timestamp'],
    ['trades?from=yesterday', 'from', "Can't parse value from string: yesterday"],
    ['candles/ETHBTC?period=M2', 'period', 'Parameter must be one of'],
    ['candles?limit=-1', 'limit', 'Parameter must be in [0, 1000]'],
    ['orderbook/ETHBTC?limit=abc', 'limit', "Can't parse value from string: abc"],
    ['orderbook/ETHBTC?volume=much', 'volume', "Can't parse value from string: much"],
  ])('%s is refused, naming %s', async (path, name, problem) => {
    const { status, body } = await get(path);
    expect(status).toBe(400);
    expect(Object.keys(body)).toEqual(['error']);
    expect(body.error.code).toBe(10001);
    const text = `${body.error.message} ${body.error.description ?? ''}`;
    expect(text).toContain(`Bad request parameter [${name}]. ${problem}`);
  });

  test('an unknown path is a 404', async () => {
    expect((await get('nothing')).status).toBe(404);
  });
});

test('market data is limited to 100 requests a second per address', async () => {
  const own = await openBench();
  const answers = await Promise.all(
    Array.from({ length: 102 }, () => rest(own, 'GET /api/2/public/symbol/ETHBTC')),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
  expect(answers.find(({ status }) => status === 429)?.body).toEqual({
    error: { code: 429, message: 'Too many requests' },
  });
  own.pass(1_000);
  expect((await rest(own, 'GET /api/2/public/symbol/ETHBTC')).status).toBe(200);
  await own.close();
});
