import { afterEach, expect, test } from 'vitest';
import { marginSymbol } from './support/margin-symbol.ts';
import type { Answer, Bench } from './support/raw-client.ts';
import { openBench, rest } from './support/raw-client.ts';

// A user trades spot, on margin and futures: limits of orders and client order ids are of all three together.

let bench: Bench;
const contract = 'ETHUSDT_PERP';

afterEach(() => bench.close());

const open = async (orders: { perSymbolMax?: number; perAccountMax?: number } = {}) => {
  bench = await openBench({ limits: { enabled: false }, symbols: [marginSymbol], orders });
  for (const account of ['demo', 'demo-two'])
    await api(
      'POST wallet/transfer',
      { currency: 'USDT', amount: '5000', source: 'spot', destination: 'derivatives' },
      account,
    );
  await api('PUT margin/account/isolated/ETHUSDT', { margin_balance: '1000' });
};
const api = (line: string, json?: object, account = 'demo'): Promise<Answer> => {
  const [method, path] = line.split(' ') as [string, string];
  return rest(bench, `${method} /api/3/${path}`, { key: bench.key(account), json });
};
const order = { symbol: 'ETHUSDT', side: 'buy', quantity: '0.1', price: '100' };
const spot = (id?: string, account = 'demo') =>
  api('POST spot/order', { ...order, client_order_id: id }, account);
const margin = (id?: string) => api('POST margin/order', { ...order, client_order_id: id });
const futures = (id?: string) =>
  api('POST futures/order', { ...order, symbol: contract, margin_mode: 'cross', client_order_id: id });
const answers = async (calls: readonly (() => Promise<Answer>)[]): Promise<unknown[]> => {
  const codes: unknown[] = [];
  for (const call of calls) {
    const { status, body } = await call();
    codes.push(status === 200 ? 'placed' : body.error.code);
  }
  return codes;
};

test('orders of a symbol count on spot and margin together, those of a contract apart', async () => {
  await open({ perSymbolMax: 3 });
  expect(await answers([spot, margin, spot, margin, spot])).toEqual(['placed', 'placed', 'placed', 600, 600]);
  expect(await answers([futures, () => spot(undefined, 'demo-two')])).toEqual(['placed', 'placed']);
  expect((await api('DELETE margin/order')).body).toHaveLength(1);
  expect(await answers([spot, margin])).toEqual(['placed', 600]);
});

test('orders of a user count over spot, margin and futures together', async () => {
  await open({ perAccountMax: 3 });
  expect(await answers([spot, margin, futures, spot, margin, futures])).toEqual([
    'placed',
    'placed',
    'placed',
    600,
    600,
    600,
  ]);
  const list = {
    contingency_type: 'oneCancelOther',
    orders: [order, { ...order, type: 'stopLimit', stop_price: '90' }],
  };
  expect((await api('POST spot/order/list', list)).body.error.code).toBe(600);
  expect(await answers([() => spot(undefined, 'demo-two')])).toEqual(['placed']);
  expect((await api('DELETE futures/order')).body).toHaveLength(1);
  expect(await answers([margin, spot])).toEqual(['placed', 600]);
});

test('a client order id is unique over spot, margin and futures, also for a while after its order ended', async () => {
  await open();
  const id = 'once-for-all';
  const all = [() => spot(id), () => margin(id), () => futures(id)];
  expect(await answers([() => margin(id), ...all])).toEqual(['placed', 20008, 20008, 20008]);
  expect((await api(`DELETE spot/order/${id}`)).body.error.code).toBe(20002);
  expect((await api(`GET spot/order/${id}`)).body.error.code).toBe(20002);
  expect((await api(`DELETE margin/order/${id}`)).body.status).toBe('canceled');
  expect(await answers([...all, () => spot(id, 'demo-two')])).toEqual([20008, 20008, 20008, 'placed']);
  bench.pass(60_000);
  expect(await answers(all)).toEqual(['placed', 20008, 20008]);
  const moved = { new_client_order_id: id, quantity: '0.2', price: '100' };
  await futures('another-one');
  expect((await api('PATCH futures/order/another-one', moved)).body.error.code).toBe(20008);
});
