import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatAmount } from '../../src/core/base/amount.ts';
import { Decimal } from '../../src/core/base/decimal.ts';
import { startExchange } from '../../src/exchange/index.ts';
import { GodwitClient } from '../../src/venues/hitbtc/typed/index.ts';
import type { Bench, Json } from './support/raw-client.ts';
import { newId, openBench, RawSocket, rest } from './support/raw-client.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false }, futures: { quarterly: true } });
});
afterEach(() => bench.close());

/** The contract of the quarter, at the time of the bench. */
const dated = 'BTCUSDT_231229';
const get = (path: string) => rest(bench, `GET /api/3/public/${path}`);
/** Quotes the spot market around a price, which becomes the index. */
async function quoteSpot(bid: string, ask: string, symbol = 'BTCUSDT'): Promise<void> {
  const key = bench.key('demo');
  await rest(bench, 'DELETE /api/3/spot/order', { key });
  for (const [side, price] of [
    ['buy', bid],
    ['sell', ask],
  ] as const) {
    const form = { client_order_id: newId(), symbol, side, price, quantity: '0.1' };
    const { status, body } = await rest(bench, 'POST /api/3/spot/order', { key, form });
    expect(status, JSON.stringify(body)).toBe(200);
  }
}

describe('contracts among the symbols', () => {
  test('one that expires is listed on demand alone', async () => {
    const asIs = await openBench();
    const { body } = await rest(asIs, 'GET /api/3/public/symbol');
    const contracts = Object.entries(body as Json).filter(
      ([, { type }]: [string, Json]) => type === 'futures',
    );
    expect(contracts.map(([name, { expiry }]: [string, Json]) => [name, expiry])).toEqual([
      ['BTCUSDT_PERP', null],
      ['ETHUSDT_PERP', null],
    ]);
    await asIs.close();
  });

  test('a contract is a symbol of type futures with a market of its own', async () => {
    const all = (await get('symbol')).body;
    expect(Object.keys(all).filter((name) => all[name].type === 'futures')).toEqual([
      'BTCUSDT_PERP',
      'ETHUSDT_PERP',
      dated,
    ]);
    expect((await get(`symbol/${dated}`)).body).toMatchObject({
      type: 'futures',
      contract_type: 'cash_settled',
      expiry: '2023-12-29T08:00:00.000Z',
      underlying: 'BTC',
      base_currency: null,
      status: 'working',
    });
    expect((await get('symbol/BTCUSDT_PERP')).body).toEqual({
      type: 'futures',
      contract_type: 'perpetual',
      expiry: null,
      underlying: 'BTC',
      base_currency: null,
      quote_currency: 'USDT',
      status: 'working',
      quantity_increment: '0.0001',
      tick_size: '0.01',
      take_rate: '0.0005',
      make_rate: '0.0002',
      fee_currency: 'USDT',
      margin_trading: true,
      max_initial_leverage: '100.00',
    });
    expect((await get('orderbook/BTCUSDT_PERP')).body).toMatchObject({ ask: [], bid: [] });
    expect((await get('ticker/BTCUSDT_PERP')).body).toMatchObject({ last: null });
  });

  test('it cannot be traded as a spot symbol', async () => {
    const key = bench.key('demo');
    const form = { symbol: 'BTCUSDT_PERP', side: 'buy', price: '64000', quantity: '0.01' };
    const { status, body } = await rest(bench, 'POST /api/3/spot/order', { key, form });
    expect([status, body.error.code, body.error.message]).toEqual([400, 10001, 'Is not spot:BTCUSDT_PERP']);
    expect((await rest(bench, 'GET /api/3/spot/fee/BTCUSDT_PERP', { key })).body.error.code).toBe(10001);
    expect((await rest(bench, 'GET /api/3/spot/fee', { key })).body).toHaveLength(6);
  });

  test('contracts are configured, and need a spot price for their index', async () => {
    const contract = { tickSize: '0.1', quantityIncrement: '1', quoteCurrency: 'USDT' };
    const own = await openBench({
      futures: { contracts: [{ ...contract, symbol: 'XRPUSDT_PERP', underlying: 'XRP' }] },
    });
    expect(Object.keys((await rest(own, 'GET /api/3/public/symbol')).body)).toContain('XRPUSDT_PERP');
    expect((await rest(own, 'GET /api/3/public/symbol/BTCUSDT_PERP')).status).toBe(400);
    await own.close();
    await expect(
      openBench({
        futures: { contracts: [{ ...contract, symbol: 'X_PERP', underlying: 'DOGE' }] },
      }),
    ).rejects.toThrow('contract X_PERP: expected spot symbols from DOGE to USDT, which give its index');
    // Without the underlying the default contracts are not there.
    const small = await openBench({
      symbols: [
        {
          symbol: 'ETHBTC',
          baseCurrency: 'ETH',
          quoteCurrency: 'BTC',
          tickSize: '0.1',
          quantityIncrement: '1',
        },
      ],
    });
    expect(Object.keys((await rest(small, 'GET /api/3/public/symbol')).body)).toEqual(['ETHBTC']);
    expect((await rest(small, 'GET /api/3/public/futures/info')).body).toEqual({});
    await small.close();
  });
});

describe('futures info', () => {
  test('comes once the underlying has a price, and can be computed from what is published', async () => {
    expect((await get('futures/info')).body).toEqual({});
    expect((await get('futures/info/BTCUSDT_PERP')).body.error).toMatchObject({ code: 2001 });
    await quoteSpot('63990.00', '64010.00');
    bench.pass(3_000);
    const { body } = await get('futures/info/BTCUSDT_PERP');
    expect(body).toEqual({
      contract_type: 'perpetual',
      mark_price: '64001.42',
      index_price: '64000.00',
      funding_rate: '0.0001',
      open_interest: '0',
      next_funding_time: '2023-11-15T00:00:00.000Z',
      indicative_funding_rate: '0.0001',
      premium_index: '0',
      avg_premium_index: '0',
      interest_rate: '0.0001',
      timestamp: '2023-11-14T22:13:23.000Z',
    });
    const all = (await get('futures/info')).body;
    expect(Object.keys(all)).toEqual(['BTCUSDT_PERP', dated]);
    expect(all.BTCUSDT_PERP).toEqual(body);
    expect(all[dated]).toEqual({
      contract_type: 'cash_settled',
      mark_price: '64000.00',
      index_price: '64000.00',
      funding_rate: '0',
      open_interest: '0',
      next_funding_time: '2023-12-29T08:00:00.000Z',
      indicative_funding_rate: '0',
      premium_index: '0',
      avg_premium_index: '0',
      interest_rate: '0',
      timestamp: '2023-11-14T22:13:23.000Z',
    });
    expect((await get('futures/info?symbols=BTCUSDT_PERP,BTCUSDT,NOPE')).body).toEqual({
      BTCUSDT_PERP: body,
    });
    await quoteSpot('63990.00', '64010.01');
    bench.pass(2_999);
    expect((await get('futures/info/BTCUSDT_PERP')).body).toEqual(body);
    bench.pass(1);
    const later = (await get('futures/info/BTCUSDT_PERP')).body;
    expect(later).toMatchObject({ index_price: '64000.01', timestamp: '2023-11-14T22:13:26.000Z' });
    const left = Date.parse(later.next_funding_time) - Date.parse(later.timestamp);
    const factor = new Decimal(later.funding_rate)
      .times(left)
      .dividedBy(8 * 3_600_000)
      .plus(1);
    expect(new Decimal(later.index_price).times(factor).toFixed(2, Decimal.ROUND_HALF_UP)).toBe(
      later.mark_price,
    );
  });

  test.each([
    'futures/info',
    'futures/history/funding',
    'futures/candles/index_price',
    'futures/candles/mark_price',
    'futures/candles/premium_index',
    'futures/candles/open_interest',
  ])('%s knows contracts only', async (path) => {
    const spot = await get(`${path}/BTCUSDT`);
    expect([spot.status, spot.body.error.code, spot.body.error.message]).toEqual([
      400,
      10001,
      'Is not futures:BTCUSDT',
    ]);
    expect((await get(`${path}/NOPE`)).body.error.code).toBe(2001);
    expect((await get(`${path}?symbols=NOPE,BTCUSDT`)).body).toEqual({});
  });
});

describe('history of contracts', () => {
  test('funding is settled at 00, 08 and 16 o’clock and pages by time', async () => {
    await quoteSpot('63990.00', '64010.00');
    expect((await get('futures/history/funding')).body).toEqual({
      BTCUSDT_PERP: [],
      ETHUSDT_PERP: [],
      [dated]: [],
    });
    bench.pass(24 * 3_600_000);
    const rows = (await get('futures/history/funding/BTCUSDT_PERP')).body;
    expect(rows.map(({ timestamp }: Json) => timestamp)).toEqual([
      '2023-11-15T16:00:00.000Z',
      '2023-11-15T08:00:00.000Z',
      '2023-11-15T00:00:00.000Z',
    ]);
    expect(rows[0]).toEqual({
      timestamp: '2023-11-15T16:00:00.000Z',
      funding_rate: '0.0001',
      avg_premium_index: '0',
      next_funding_time: '2023-11-16T00:00:00.000Z',
      interest_rate: '0.0001',
    });
    const page = async (query: string) => (await get(`futures/history/funding/BTCUSDT_PERP?${query}`)).body;
    expect(await page('sort=ASC')).toEqual(rows.toReversed());
    expect(await page('limit=1&offset=1')).toEqual([rows[1]]);
    expect(await page('from=2023-11-15T08:00:00Z&until=2023-11-15T15:00:00Z')).toEqual([rows[1]]);
    expect(await page(`till=${Date.parse('2023-11-15T07:00:00Z')}`)).toEqual([rows[2]]);
    expect((await get('futures/history/funding?symbols=BTCUSDT_PERP&limit=1')).body).toEqual({
      BTCUSDT_PERP: [rows[0]],
    });
    expect((await get('futures/history/funding?limit=0')).body.error.message).toBe(
      'Bad request parameter [limit]. Parameter must be in [1, 1000]',
    );
    expect((await get('futures/info/BTCUSDT_PERP')).body.next_funding_time).toBe('2023-11-16T00:00:00.000Z');
  });

  test('candles of index, mark, premium and open interest', async () => {
    await quoteSpot('63990.00', '64010.00');
    bench.pass(3_000);
    await quoteSpot('64090.00', '64110.00');
    bench.pass(60_000);
    const index = (await get('futures/candles/index_price/BTCUSDT_PERP?period=M1')).body;
    expect(index).toEqual([
      {
        timestamp: '2023-11-14T22:14:00.000Z',
        open: '64100.00',
        close: '64100.00',
        min: '64100.00',
        max: '64100.00',
      },
      {
        timestamp: '2023-11-14T22:13:00.000Z',
        open: '64000.00',
        close: '64100.00',
        min: '64000.00',
        max: '64100.00',
      },
    ]);
    const asked = 'futures/candles/index_price?period=M1&symbols=BTCUSDT_PERP';
    expect((await get(`${asked}&limit=1`)).body).toEqual({ BTCUSDT_PERP: [index[0]] });
    expect((await get(`${asked}&sort=ASC&till=2023-11-14T22:13:30Z`)).body).toEqual({
      BTCUSDT_PERP: [index[1]],
    });
    expect((await get('futures/candles/index_price/BTCUSDT_PERP?period=M1&offset=1')).body).toEqual([
      index[1],
    ]);
    const last = async (kind: string) =>
      (await get(`futures/candles/${kind}/BTCUSDT_PERP?period=1M&limit=1`)).body[0];
    const info = (await get('futures/info/BTCUSDT_PERP')).body;
    expect(await last('mark_price')).toMatchObject({ close: info.mark_price, open: '64001.42' });
    expect(await last('premium_index')).toMatchObject({ close: '0', timestamp: '2023-11-01T00:00:00.000Z' });
    expect(await last('open_interest')).toMatchObject({ close: '0' });
    for (const [query, name] of [
      ['period=M2', 'period'],
      ['limit=1001', 'limit'],
      ['offset=-1', 'offset'],
      ['from=now', 'from'],
    ] as const) {
      const { status, body } = await get(`futures/candles/mark_price/BTCUSDT_PERP?${query}`);
      expect([status, body.error.code]).toEqual([400, 10001]);
      expect(body.error.message).toContain(`Bad request parameter [${name}]`);
    }
  });
});

describe('the channel futures/info', () => {
  test('reports every contract asked for every three seconds', async () => {
    await quoteSpot('63990.00', '64010.00');
    bench.pass(3_000);
    const socket = await RawSocket.open(bench, '/api/3/ws/public');
    const ask = (symbols: string[], id: number, method = 'subscribe') =>
      socket.ask({ method, ch: 'futures/info', params: { symbols }, id });
    expect((await ask(['BTCUSDT_PERP', 'BTCUSDT', 'NOPE'], 1)).result).toEqual({
      ch: 'futures/info',
      subscriptions: ['BTCUSDT_PERP'],
    });
    const first = await socket.until(({ ch }) => ch === 'futures/info');
    expect(first).toEqual({
      ch: 'futures/info',
      data: {
        BTCUSDT_PERP: {
          c: 'perpetual',
          t: 1_700_000_003_000,
          m: '64001.42',
          i: '64000.00',
          p: '0',
          P: '0',
          o: '0',
          r: '0.0001',
          R: '0.0001',
          T: 1_700_006_400_000,
          I: '0.0001',
        },
      },
    });
    bench.pass(9_000);
    await socket.settle();
    const times = socket.received.filter(({ ch }: Json) => ch === 'futures/info');
    expect(times.map(({ data }: Json) => data.BTCUSDT_PERP.t - 1_700_000_000_000)).toEqual([
      3_000, 6_000, 9_000, 12_000,
    ]);
    expect((await ask(['*'], 2)).result.subscriptions).toEqual(['BTCUSDT_PERP', 'ETHUSDT_PERP', dated]);
    expect((await ask(['*'], 3, 'unsubscribe')).result.subscriptions).toEqual([]);
    socket.close();
  });
});

test('a funding period can be a minute: each row is a minute after the one before, with its part of the rate of eight hours', async () => {
  const living = await openBench({
    flow: { enabled: true, eventsPerSecond: 5 },
    futures: { fundingMinutes: 1 },
    limits: { enabled: false },
  });
  living.pass(180_000);
  const path = 'GET /api/3/public/futures/history/funding/BTCUSDT_PERP?sort=ASC';
  const rows = (await rest(living, path)).body;
  expect(rows.map(({ timestamp }: Json) => timestamp)).toEqual([
    '2023-11-14T22:14:00.000Z',
    '2023-11-14T22:15:00.000Z',
    '2023-11-14T22:16:00.000Z',
  ]);
  for (const { funding_rate, avg_premium_index, next_funding_time, timestamp } of rows) {
    expect(Date.parse(next_funding_time) - Date.parse(timestamp)).toBe(60_000);
    const pull = Decimal.max(-0.0005, Decimal.min(0.0005, new Decimal('0.0001').minus(avg_premium_index)));
    const rate = pull.plus(avg_premium_index).dividedBy(480).toFixed(18, Decimal.ROUND_DOWN);
    expect(new Decimal(funding_rate).toFixed(18)).toBe(rate);
  }
  await living.close();
});

test('contracts take nothing of the random numbers of spot symbols: their trades are the same without contracts', async () => {
  const trades = async (contracts: undefined | []) => {
    const living = await openBench({
      flow: { enabled: true, eventsPerSecond: 10 },
      ...(contracts && { futures: { contracts } }),
      limits: { enabled: false },
    });
    living.pass(30_000);
    const { body } = await rest(living, 'GET /api/3/public/trades/BTCUSDT?limit=1000&sort=ASC&by=timestamp');
    await living.close();
    return body.map(({ price, qty, side, timestamp }: Json) => ({ price, qty, side, timestamp }));
  };
  const alone = await trades([]);
  expect(alone.length).toBeGreaterThan(10);
  expect(await trades(undefined)).toEqual(alone);
});

test('the demo accounts have money to trade contracts with from the beginning', async () => {
  const exchange = await startExchange({ flow: { enabled: false }, futures: { quarterly: true } });
  const { apiKey, secretKey } = exchange.keyOf('demo');
  const credentials = { apiKey, secret: secretKey };
  const client = new GodwitClient({ baseUrl: exchange.restUrl, wsUrl: exchange.wsUrl, credentials });
  const balances = await client.v3.futures.balances();
  expect(balances.map(({ currency, available }) => [currency, formatAmount(available)])).toEqual([
    ['USDT', '200000'],
  ]);
  const symbols = await client.v3.marketData.symbols();
  const contracts = [...symbols.values()].filter(({ type }) => type === 'futures');
  const quarterly = contracts.find(({ contractType }) => contractType === 'cash_settled');
  expect(contracts.map(({ contractType }) => contractType)).toEqual([
    'perpetual',
    'perpetual',
    'cash_settled',
  ]);
  expect(contracts.map(({ expiry }) => typeof expiry)).toEqual(['object', 'object', 'number']);
  const name = quarterly?.symbol ?? '';
  expect(new Date((quarterly?.expiry ?? 0) / 1_000).toISOString().slice(2, 10)).toBe(
    name.slice(-6).replaceAll(/(..)(?=.)/g, '$1-'),
  );
  await client.close();
  await exchange.stop();
});

test('the seeded market trades contracts around their index, with open interest', async () => {
  const living = await openBench({
    flow: { enabled: true, eventsPerSecond: 20 },
    limits: { enabled: false },
  });
  living.pass(120_000);
  const info = (await rest(living, 'GET /api/3/public/futures/info/BTCUSDT_PERP')).body;
  expect(Math.abs(Number(info.premium_index))).toBeLessThan(0.01);
  expect(info.avg_premium_index).not.toBe('0');
  expect(Number(info.open_interest)).toBeGreaterThan(0);
  const book = (await rest(living, 'GET /api/3/public/orderbook/BTCUSDT_PERP?depth=1')).body;
  expect(Number(book.ask[0][0])).toBeGreaterThan(Number(book.bid[0][0]));
  const trades = (await rest(living, 'GET /api/3/public/trades/BTCUSDT_PERP?limit=5')).body;
  expect(trades).toHaveLength(5);
  await living.close();
});
