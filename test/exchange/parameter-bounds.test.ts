import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { marginSymbol } from './support/margin-symbol.ts';
import type { Bench } from './support/raw-client.ts';
import { openBench, rest } from './support/raw-client.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench({ limits: { enabled: false }, symbols: [marginSymbol] });
  await ask('POST 3/spot/order', { symbol: 'ETHUSDT', side: 'buy', price: '100', quantity: '1' });
  await ask('POST 3/wallet/transfer', {
    currency: 'USDT',
    amount: '1',
    source: 'spot',
    destination: 'wallet',
  });
});
afterAll(() => bench.close());

const ask = async (line: string, json?: object) => {
  const [method, path] = line.split(' ') as [string, string];
  const answer = await rest(bench, `${method} /api/${path}`, { key: bench.key('demo'), json, basic: true });
  return { code: answer.body.error?.code as number | undefined, body: answer.body };
};

/** Everything that is whole and not negative, such as numbers beyond 2^53 and 2^63. */
const huge = ['1000000000000001', '9007199254740993', '9300000000000000000'];

describe('a bound that is an id or an index may be any whole number from 0', () => {
  test.each([
    '3/wallet/transactions?order_by=id',
    '2/account/transactions?by=index',
    '3/spot/history/trade?by=id',
    '3/spot/history/order?by=id',
    '3/public/trades/ETHUSDT?by=id',
    '2/history/trades?by=id',
    '2/public/trades/ETHUSDT?by=id',
  ])('%s', async (path) => {
    const all = (await ask(`GET ${path}`)).body;
    for (const number of huge) {
      expect((await ask(`GET ${path}&till=${number}`)).body).toEqual(all);
      expect((await ask(`GET ${path}&from=${number}`)).body).toEqual([]);
    }
    expect((await ask(`GET ${path}&from=-1`)).code).toBe(10001);
    expect((await ask(`GET ${path}&till=1.5`)).code).toBe(10001);
  });

  test('id_from and id_till', async () => {
    const all = (await ask('GET 3/wallet/transactions')).body;
    expect(all.length).toBeGreaterThan(0);
    for (const number of huge) {
      expect((await ask(`GET 3/wallet/transactions?id_till=${number}`)).body).toEqual(all);
      expect((await ask(`GET 3/wallet/transactions?id_from=${number}`)).body).toEqual([]);
    }
    expect((await ask('GET 3/wallet/transactions?id_till=-1')).code).toBe(10001);
  });

  test('numbers of orders, positions and providers that are nowhere find nothing', async () => {
    for (const number of huge) {
      expect((await ask(`GET 3/spot/history/trade?order_id=${number}`)).body).toEqual([]);
      expect((await ask(`GET 3/margin/history/trade?position_id=${number}`)).body).toEqual([]);
      expect((await ask(`GET 3/buy-crypto/provider?provider_id=${number}`)).body).toEqual([]);
      expect((await ask(`GET 2/history/order/${number}/trades`)).code).toBe(20002);
    }
  });
});

describe('a book', () => {
  test.each(['3/public/orderbook/ETHUSDT', '2/public/orderbook/ETHUSDT'])(
    '%s is not cut at a negative volume, and at any other',
    async (path) => {
      for (const volume of ['-1', '-0.001']) {
        const refused = await ask(`GET ${path}?volume=${volume}`);
        expect(refused.code).toBe(10001);
        expect(JSON.stringify(refused.body)).toContain('[volume]');
      }
      for (const volume of ['0.5', '1', ...huge]) {
        expect((await ask(`GET ${path}?volume=${volume}`)).body.bid).toHaveLength(1);
      }
    },
  );

  test('has as many levels as there are where more are asked for', async () => {
    expect((await ask('GET 3/public/orderbook/ETHUSDT?depth=5000000')).body.bid).toHaveLength(1);
    expect((await ask('GET 2/public/orderbook/ETHUSDT?limit=5000000')).body.bid).toHaveLength(1);
    expect((await ask('GET 3/public/orderbook/ETHUSDT?depth=-2')).code).toBe(10001);
  });
});
