import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bench } from './support/raw-client.ts';
import { openBench, rest } from './support/raw-client.ts';

let bench: Bench;

/** A trade, a transfer and a purchase at a moment between two milliseconds. */
beforeAll(async () => {
  bench = await openBench({ limits: { enabled: false } });
  bench.pass(0.456);
  const order = { symbol: 'ETHBTC', price: '0.05', quantity: '1' };
  await ask('POST /api/3/spot/order', { ...order, side: 'buy' });
  await ask('POST /api/3/spot/order', { ...order, side: 'sell' });
  const transfer = { currency: 'BTC', amount: '1', source: 'spot', destination: 'wallet' };
  await ask('POST /api/3/wallet/transfer', transfer);
});
afterAll(() => bench.close());

const ask = async (line: string, json?: unknown) => {
  const answer = await rest(bench, line, { key: bench.key('demo'), json, basic: true });
  expect(answer.status).toBe(200);
  return answer.body;
};
const moment = '2023-11-14T22:13:20.000Z';
const millis = Date.parse(moment);

describe('an interval that ends with the newest time holds the row of that time', () => {
  test.each([
    ['3/public/trades/ETHBTC', 'timestamp'],
    ['3/spot/history/order', 'created_at'],
    ['3/spot/history/trade', 'timestamp'],
    ['2/public/trades/ETHBTC', 'timestamp'],
    ['2/history/order', 'createdAt'],
    ['2/history/trades', 'timestamp'],
  ])('%s', async (path, stamp) => {
    const all = await ask(`GET /api/${path}`);
    expect(all.length).toBeGreaterThan(0);
    expect(Date.parse(all[0][stamp])).toBe(millis);
    for (const end of [moment, millis]) {
      expect(await ask(`GET /api/${path}?by=timestamp&from=${end}&till=${end}`)).toEqual(all);
      expect(await ask(`GET /api/${path}?by=timestamp&till=${millis - 1}`)).toEqual([]);
      expect(await ask(`GET /api/${path}?by=timestamp&from=${millis + 1}`)).toEqual([]);
    }
  });

  test.each(['3/wallet/transactions', '2/account/transactions'])('%s', async (path) => {
    const within = await ask(`GET /api/${path}?from=${moment}&till=${moment}&limit=1`);
    expect(within).toHaveLength(1);
    expect(await ask(`GET /api/${path}?from=2023-11-14T22:13:20.001Z`)).toEqual([]);
  });
});

test('a preferred network is the default one of the currencies that have it', async () => {
  const defaults = async (query: string) => {
    const body = await ask(`GET /api/3/public/currency?currencies=USDT,BTC${query}`);
    const chosen = (code: string) =>
      body[code].networks
        .filter((one: { default: boolean }) => one.default)
        .map((one: { network: string }) => one.network);
    return [chosen('USDT'), chosen('BTC')];
  };
  expect(await defaults('')).toEqual([['ETH'], ['BTC']]);
  expect(await defaults('&preferred_network=TRX')).toEqual([['TRX'], ['BTC']]);
  expect(await defaults('&preferred_network=NOPE')).toEqual([['ETH'], ['BTC']]);
});
