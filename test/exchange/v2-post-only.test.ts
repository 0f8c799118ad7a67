import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bench, Json } from './support/raw-client.ts';
import { openBench, RawSocket, rest } from './support/raw-client.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false } });
  const bid = { symbol: 'ETHBTC', side: 'buy', price: '0.05', quantity: '1' };
  await rest(bench, 'POST /api/3/spot/order', { key: bench.key('demo-two'), json: bid });
});
afterEach(() => bench.close());

const ask = { symbol: 'ETHBTC', side: 'sell', price: '0.05', quantity: '1', postOnly: true };
const v2 = async (line: string, json?: object): Promise<Json> =>
  (await rest(bench, line, { key: bench.key('demo'), basic: true, json })).body;
const expireTime = () => new Date(bench.clock.now() / 1_000 + 60_000).toISOString();

describe('a post-only order that would take', () => {
  test.each([{}, { timeInForce: 'Day' }, { timeInForce: 'GTD' }])(
    'is canceled in version 2: %j',
    async (terms) => {
      const order = { ...ask, ...terms, expireTime: expireTime(), clientOrderId: 'mine' };
      expect(await v2('POST /api/2/order', order)).toMatchObject({ status: 'canceled', cumQuantity: '0' });
      expect(await v2('GET /api/2/order/mine?wait=1')).toMatchObject({ status: 'canceled' });
      expect(await v2('GET /api/2/history/order?clientOrderId=mine')).toMatchObject([{ status: 'canceled' }]);
    },
  );

  test('is canceled on its sockets, too', async () => {
    const socket = await RawSocket.open(bench, '/api/2/ws/trading');
    const { apiKey, secret } = bench.key('demo');
    const login = { algo: 'BASIC', pKey: apiKey, sKey: secret.reveal() };
    await socket.ask({ method: 'login', params: login, id: 1 });
    await socket.ask({ method: 'subscribeReports', params: {}, id: 2 });
    const ended = { status: 'canceled', reportType: 'canceled' };
    const params = { ...ask, clientOrderId: 'mine' };
    expect((await socket.ask({ method: 'newOrder', params, id: 3 })).result).toMatchObject(ended);
    expect(socket.received.find(({ method }: Json) => method === 'report').params).toMatchObject(ended);
    socket.close();
  });

  test('is expired in version 3', async () => {
    const { postOnly, ...order } = ask;
    const { body } = await rest(bench, 'POST /api/3/spot/order', {
      key: bench.key('demo'),
      json: { ...order, post_only: postOnly },
    });
    expect(body.status).toBe('expired');
  });
});

test('what ends with its time is expired in both versions', async () => {
  const resting = {
    ...ask,
    price: '0.06',
    timeInForce: 'GTD',
    expireTime: expireTime(),
    clientOrderId: 'late',
  };
  expect(await v2('POST /api/2/order', resting)).toMatchObject({ status: 'new' });
  expect(
    await v2('POST /api/2/order', { ...resting, timeInForce: 'Day', clientOrderId: 'today' }),
  ).toMatchObject({
    status: 'new',
  });
  expect(
    await v2('POST /api/2/order', { ...resting, timeInForce: 'FOK', clientOrderId: 'now' }),
  ).toMatchObject({
    status: 'expired',
  });
  bench.pass(86_400_000);
  for (const id of ['late', 'today'])
    expect(await v2(`GET /api/2/history/order?clientOrderId=${id}`)).toMatchObject([{ status: 'expired' }]);
});
