import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { marginSymbol } from './support/margin-symbol.ts';
import type { Bench, Json } from './support/raw-client.ts';
import { openBench, rest } from './support/raw-client.ts';

let bench: Bench;
const contract = 'ETHUSDT_PERP';
/** Milliseconds of the days from 2010 to 2100: numbers that a history without `by` takes for a time. */
const [firstDay, lastDay] = [1_262_304_000_000, 4_102_444_800_000];

/** Three trades of spot, of margin and of a contract, a second apart. */
beforeAll(async () => {
  bench = await openBench({ limits: { enabled: false }, symbols: [marginSymbol] });
  const transfer = { currency: 'USDT', amount: '1000', source: 'spot', destination: 'derivatives' };
  for (const account of ['demo', 'demo-two']) {
    await ask('PUT 3/margin/account/isolated/ETHUSDT', { margin_balance: '1000' }, account);
    await ask('POST 3/wallet/transfer', transfer, account);
    const leverage = { margin_balance: '500', leverage: '10' };
    await ask(`PUT 3/futures/account/isolated/${contract}`, leverage, account);
  }
  for (let round = 0; round < 3; round++) {
    for (const product of ['spot', 'margin', 'futures']) {
      const symbol = product === 'futures' ? contract : 'ETHUSDT';
      const order = { symbol, price: '100', quantity: '0.1' };
      await ask(`POST 3/${product}/order`, { ...order, side: 'sell' }, 'demo-two');
      await ask(`POST 3/${product}/order`, { ...order, side: 'buy' });
    }
    bench.pass(1_000);
  }
});
afterAll(() => bench.close());

const ask = async (line: string, json?: object, account = 'demo'): Promise<Json> => {
  const [method, path] = line.split(' ') as [string, string];
  const answer = await rest(bench, `${method} /api/${path}`, { key: bench.key(account), json, basic: true });
  expect(answer.status).toBe(200);
  return answer.body;
};
const idsOf = (rows: Json): number[] => rows.map(({ id }: { id: number }) => id);

describe('bounds of a history that is cut by id unless asked otherwise', () => {
  test.each([
    '3/spot/history/trade',
    '3/spot/history/order',
    '3/margin/history/trade',
    '3/margin/history/order',
    '3/futures/history/trade',
    '3/futures/history/order',
    '2/history/trades',
  ])('%s: ids are ids, and milliseconds and ISO texts are times', async (path) => {
    const all: Json[] = await ask(`GET ${path}`);
    const ids = idsOf(all);
    expect(ids.length).toBeGreaterThanOrEqual(3);
    for (const id of ids) expect(id < firstDay || id > lastDay).toBe(true);
    const middle = ids[1] as number;
    const cut = async (query: string) => idsOf(await ask(`GET ${path}?${query}`));
    expect(await cut(`from=${middle}`)).toEqual(ids.filter((id) => id >= middle));
    expect(await cut(`till=${middle}`)).toEqual(ids.filter((id) => id <= middle));
    expect(await cut(`from=${middle}&till=${middle}`)).toEqual([middle]);
    expect(await cut(`from=${middle}`)).toEqual(await cut(`from=${middle}&by=id`));
    expect(await cut('till=1')).toEqual([]);
    const time = Date.parse(all[1].timestamp ?? all[1].created_at);
    const since = ids.filter((_, index) => Date.parse(all[index].timestamp ?? all[index].created_at) >= time);
    expect(since.length).toBeLessThan(ids.length);
    expect(await cut(`from=${time}`)).toEqual(since);
    expect(await cut(`from=${new Date(time).toISOString()}`)).toEqual(since);
  });

  test('a position of the history is found by its own id', async () => {
    const [row] = await ask('GET 3/margin/history/positions');
    expect(await ask(`GET 3/margin/history/positions?from=${row.id}&till=${row.id}&limit=1`)).toEqual([row]);
    expect(await ask(`GET 3/margin/history/positions?from=${row.id + 1}`)).toEqual([]);
  });
});
