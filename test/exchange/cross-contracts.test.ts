import { afterEach, beforeEach, expect, test } from 'vitest';
import { marginSymbol } from './support/margin-symbol.ts';
import type { Answer, Bench, Json } from './support/raw-client.ts';
import { openBench, RawSocket, rest } from './support/raw-client.ts';

let bench: Bench;
const contract = 'ETHUSDT_PERP';

/** An index at 100, and 500 USDT for derivatives on both accounts; no margin is set aside. */
beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false }, symbols: [marginSymbol] });
  for (const account of ['demo', 'demo-two']) {
    const transfer = { currency: 'USDT', amount: '500', source: 'spot', destination: 'derivatives' };
    await api('POST wallet/transfer', transfer, account);
  }
  await spot('sell', '100.01');
  await spot('buy', '99.99');
});
afterEach(() => bench.close());

const api = (line: string, json?: object, account = 'demo'): Promise<Answer> => {
  const [method, path] = line.split(' ') as [string, string];
  return rest(bench, `${method} /api/3/${path}`, { key: bench.key(account), json });
};
const spot = (side: string, price: string) =>
  api('POST spot/order', { symbol: 'ETHUSDT', side, price, quantity: '1' }, 'demo-two');
const order = (members: object, account = 'demo') =>
  api(
    'POST futures/order',
    { symbol: contract, side: 'buy', quantity: '1', price: '100', margin_mode: 'cross', ...members },
    account,
  );
const free = async (account = 'demo'): Promise<number> =>
  Number((await api('GET futures/balance/USDT', undefined, account)).body.available);

test('a cross order of a contract draws on the derivatives balance and gives it back', async () => {
  const placed = await order({});
  expect([placed.status, placed.body.status, placed.body.margin_mode]).toEqual([200, 'new', 'Cross']);
  expect(await free()).toBeLessThan(500);
  expect((await api(`DELETE futures/order/${placed.body.client_order_id}`)).status).toBe(200);
  expect(await free()).toBe(500);
  expect((await api('GET futures/account')).body).toEqual([]);
});

test('a cross order beyond the derivatives balance is refused for funds, and on margin for the account', async () => {
  expect((await order({ quantity: '1000' })).body.error.code).toBe(20001);
  const onMargin = { symbol: 'ETHUSDT', side: 'buy', quantity: '1', price: '90', margin_mode: 'cross' };
  expect((await api('POST margin/order', onMargin)).body.error.code).toBe(20032);
  expect((await order({ margin_mode: 'isolated' })).body.error.code).toBe(20032);
  expect((await order({ reduce_only: true })).body.error.code).toBe(20032);
});

test('a cross position draws its losses too, and its margin comes home when it is closed', async () => {
  await order({ side: 'sell' }, 'demo-two');
  await order({});
  const [opened] = (await api('GET futures/account')).body as Json[];
  expect(opened).toMatchObject({ type: 'cross', positions: [{ symbol: contract, quantity: '1.000' }] });
  const before = await free();
  await order({ side: 'sell', quantity: '0.1', price: '70' }, 'demo-two');
  await order({ quantity: '0.1', price: '70' });
  for (const price of ['70.01', '69.99']) await spot(price === '70.01' ? 'sell' : 'buy', price);
  bench.pass(3_000);
  const [open] = (await api('GET futures/account')).body as Json[];
  expect(open.positions).toHaveLength(1);
  expect(await free()).toBeLessThan(before);
  await order({ side: 'buy', quantity: '2', price: '70' }, 'demo-two');
  expect((await api(`DELETE futures/position/cross/${contract}`)).status).toBe(200);
  expect((await api('GET futures/account')).body).toEqual([]);
  expect(await free()).toBeGreaterThan(500 - 1.1 * 30 - 1);
});

test('the trading socket takes it alike', async () => {
  const socket = await RawSocket.open(bench, '/api/3/ws/trading');
  await socket.login(bench.key('demo'));
  const params = { symbol: contract, side: 'buy', quantity: '1', price: '100', margin_mode: 'cross' };
  const { result } = await socket.ask({ method: 'futures_new_order', params, id: 9 });
  expect(result).toMatchObject({ status: 'new', margin_mode: 'Cross' });
  socket.close();
});
