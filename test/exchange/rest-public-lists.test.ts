import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bench, Json } from './support/raw-client.ts';
import { newId, openBench, rest } from './support/raw-client.ts';

let bench: Bench;

/** Twelve minutes with a trade each in two symbols. */
beforeAll(async () => {
  bench = await openBench({ limits: { enabled: false } });
  const place = async (account: string, form: Record<string, string>) => {
    const { status } = await rest(bench, 'POST /api/3/spot/order', {
      key: bench.key(account),
      form: { client_order_id: newId(), ...form },
    });
    expect(status).toBe(200);
  };
  await place('demo', { symbol: 'BTCUSDT', side: 'buy', price: '63990', quantity: '1' });
  await place('demo', { symbol: 'BTCUSDT', side: 'sell', price: '64010', quantity: '1' });
  await place('demo', { symbol: 'ETHBTC', side: 'sell', price: '0.05', quantity: '100' });
  await place('demo', { symbol: 'ETHBTC', side: 'buy', price: '0.0498', quantity: '100' });
  for (let i = 0; i < 12; i++) {
    await place('demo-two', { symbol: 'ETHBTC', side: 'buy', price: '0.05', quantity: '0.1' });
    await place('demo-two', { symbol: 'BTCUSDT', side: 'buy', price: '64010', quantity: '0.01' });
    bench.pass(60_000);
  }
});
afterAll(() => bench.close());

const get = async (path: string): Promise<Json> => (await rest(bench, `GET /api/3/public/${path}`)).body;

describe('lists keyed by symbol are shorter than those of one symbol', () => {
  test('trades: 10 and 100 by default', async () => {
    const all = await get('trades');
    expect(all.ETHBTC).toHaveLength(10);
    expect(Object.keys(all)).toContain('BTCUSDT_PERP');
    expect(await get('trades/ETHBTC')).toHaveLength(12);
    expect(await get('trades?symbols=ETHBTC&limit=3&sort=ASC')).toEqual({
      ETHBTC: (await get('trades/ETHBTC?sort=ASC')).slice(0, 3),
    });
  });

  test('candles and converted candles: 10 and 100 by default', async () => {
    expect((await get('candles?symbols=ETHBTC&period=M1')).ETHBTC).toHaveLength(10);
    expect(await get('candles/ETHBTC?period=M1')).toHaveLength(12);
    const converted = await get(
      'converted/candles?symbols=ETHBTC,BTCUSDT,NOPE&period=M1&target_currency=USDT',
    );
    expect(converted.target_currency).toBe('USDT');
    expect(Object.keys(converted.data)).toEqual(['ETHBTC', 'BTCUSDT']);
    expect(converted.data.ETHBTC).toHaveLength(10);
    expect(converted.data.BTCUSDT[0]).toMatchObject({ open: '64010', volume: '0.01', volume_quote: '640.1' });
    const one = await get('converted/candles/ETHBTC?period=M1&target_currency=USDT');
    expect(one.data).toHaveLength(12);
    // The middle of the BTCUSDT book is 64000.
    expect(one.data[0]).toMatchObject({ open: '3200', close: '3200', volume: '0.1', volume_quote: '320' });
    const page = await get(
      'converted/candles/ETHBTC?period=M1&target_currency=USDT&sort=ASC&limit=2&offset=1',
    );
    expect(page.data).toEqual(one.data.toReversed().slice(1, 3));
    const since = one.data[3].timestamp;
    const till = one.data[2].timestamp;
    expect(
      (await get(`converted/candles/ETHBTC?period=M1&target_currency=USDT&from=${since}&till=${till}`)).data,
    ).toEqual([one.data[2], one.data[3]]);
    for (const path of ['converted/candles', 'converted/candles/ETHBTC']) {
      expect((await get(`${path}?target_currency=NOPE`)).error.code).toBe(2002);
      expect((await get(`${path}?period=M1`)).error.code).toBe(10001);
    }
    expect((await get('converted/candles/NOPE?target_currency=USDT')).error.code).toBe(2001);
  });
});

describe('prices of currencies', () => {
  test('rates: of all currencies, or of those named', async () => {
    const all = await get('price/rate?to=USDT');
    expect(Object.keys(all)).toEqual(['BTC', 'ETH', 'USDT']);
    expect(all.BTC).toEqual({ currency: 'USDT', price: '64000', timestamp: expect.any(String) });
    expect(await get('price/rate?from=BTC,NOPE&to=USDT')).toEqual({ BTC: all.BTC });
    expect((await get('price/rate?to=NOPE')).error.code).toBe(2002);
  });

  test('history: one entry by default, at most 1000, between since and until', async () => {
    const one = (await get('price/history?from=ETH&to=BTC&period=M1')).ETH;
    expect(one).toEqual({
      currency: 'BTC',
      history: [{ timestamp: expect.any(String), open: '0.05', close: '0.05', min: '0.05', max: '0.05' }],
    });
    const all = (await get('price/history?from=ETH&to=BTC&period=M1&limit=1000&sort=ASC')).ETH.history;
    expect(all).toHaveLength(12);
    expect(all.at(-1)).toEqual(one.history[0]);
    const part = `since=${all[2].timestamp}&until=${all[4].timestamp}`;
    expect((await get(`price/history?from=ETH&to=BTC&period=M1&limit=9&${part}`)).ETH.history).toEqual(
      all.slice(2, 5).toReversed(),
    );
    expect((await get('price/history?from=ETH&to=USDT&period=M1')).ETH.history[0].open).toBe('3200.5');
    for (const [query, name] of [
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['period=M2', 'period'],
      ['since=then', 'since'],
      ['sort=UP', 'sort'],
    ] as const) {
      const { error } = await get(`price/history?from=ETH&to=BTC&${query}`);
      expect([error.code, error.message]).toEqual([10001, expect.stringContaining(`[${name}]`)]);
    }
    expect((await get('price/history?to=NOPE')).error.code).toBe(2002);
  });

  test('last prices: of all symbols, or of those named', async () => {
    const all = await get('price/ticker');
    expect(Object.keys(all).toSorted()).toEqual(['BTCUSDT', 'ETHBTC']);
    expect(await get('price/ticker?symbols=ETHBTC,NOPE')).toEqual({ ETHBTC: all.ETHBTC });
    expect(await get('price/ticker/ETHBTC')).toEqual({ price: '0.050000', timestamp: all.ETHBTC.timestamp });
    expect((await get('price/ticker/LTCBTC')).error.code).toBe(2001);
  });
});

test('a list is written with commas, or by naming it again; what is no parameter may be there twice', async () => {
  for (const query of [
    'symbols=ETHBTC,LTCBTC',
    'symbols=ETHBTC&symbols=LTCBTC',
    'symbols=ETHBTC&symbols=LTCBTC,ETHBTC&a=1&a=2',
  ]) {
    const { status, body } = await rest(bench, `GET /api/3/public/symbol?${query}`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['ETHBTC', 'LTCBTC']);
  }
});
