import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Bench } from './support/raw-client.ts';
import { openBench, RawSocket, rest } from './support/raw-client.ts';
import { signed } from './support/v2-client.ts';

// No document lets an order show a part of its quantity. One that asks for it is refused instead of being shown whole.

let bench: Bench;
const money = { USDT: '100000', BTC: '10' };
beforeAll(async () => {
  const keys = [{ apiKey: 'shown-quantity' }];
  const accounts = [{ name: 'own', keys, balances: money, derivatives: money }];
  bench = await openBench({ limits: { enabled: false }, accounts });
  for (const [path, form] of [
    ['/api/3/margin/account/isolated/BTCUSDT', { margin_balance: '10000' }],
    ['/api/3/futures/account/isolated/BTCUSDT_PERP', { margin_balance: '10000', leverage: '10' }],
  ] as const)
    expect((await rest(bench, `PUT ${path}`, { key: bench.key('own'), json: form })).status).toBe(200);
});
afterAll(() => bench.close());

let number = 0;
const newId = () => `shown-order-${String(++number).padStart(4, '0')}`;
const api = (line: string, json: object): Promise<Answer> =>
  rest(bench, line, { key: bench.key('own'), json });
const spot = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.1', price: '30000' };
const contract = { ...spot, symbol: 'BTCUSDT_PERP' };
const why = 'Parameter is not available: an order shows its whole quantity';
const refusal = { code: 10001, message: `Bad request parameter [display_quantity]. ${why}` };
/** v2 has one message for all of 10001. */
const v2Refusal = {
  code: 10001,
  message: 'Validation error',
  description: expect.stringContaining(why) as unknown,
};

describe('over REST', () => {
  test.each([
    ['POST /api/3/spot/order', spot],
    ['POST /api/3/margin/order', spot],
    ['POST /api/3/futures/order', contract],
  ])('%s refuses display_quantity, and so does the replacement', async (line, order) => {
    expect((await api(line, { ...order, display_quantity: '0.01' })).body.error).toMatchObject(refusal);
    // Null and empty members count as absent.
    const placed = await api(line, { ...order, display_quantity: null });
    expect(placed.body).toMatchObject({ status: 'new', quantity: expect.stringMatching(/^0\.1/) });
    const path = `${line.replace('POST', 'PATCH')}/${placed.body.client_order_id}`;
    const changed = await api(path, { quantity: '0.2', price: '30000', display_quantity: '0.01' });
    expect([changed.status, changed.body.error.code]).toEqual([400, 10001]);
    expect(placed.body).not.toHaveProperty('display_quantity');
  });

  test('a list refuses it in any of its orders', async () => {
    const own = (client_order_id: string, more: object) => ({
      ...spot,
      client_order_id,
      time_in_force: 'GTC',
      ...more,
    });
    const list = {
      contingency_type: 'oneTriggerOther',
      orders: [own(newId(), {}), own(newId(), { side: 'sell', price: '90000', display_quantity: '0.01' })],
    };
    const { body } = await api('POST /api/3/spot/order/list', list);
    expect(body.error.code).toBe(10001);
    expect(body.error.message).toContain('an order shows its whole quantity');
  });

  test.each(['POST /api/2/order', 'PUT /api/2/order/:id', 'POST /api/2/margin/order'])(
    '%s refuses displayQuantity',
    async (line) => {
      const json = { ...spot, displayQuantity: '0.01' };
      const answer = await signed(bench, bench.key('own'), line.replace(':id', newId()), { json });
      expect([answer.status, answer.body.error]).toMatchObject([400, v2Refusal]);
    },
  );
});

describe('over sockets', () => {
  test.each([
    ['/api/3/ws/trading', 'spot_new_order', { ...spot, display_quantity: '0.01' }],
    ['/api/3/ws/trading', 'margin_new_order', { ...spot, display_quantity: '0.01' }],
    ['/api/3/ws/trading', 'futures_new_order', { ...contract, display_quantity: '0.01' }],
    ['/api/2/ws/trading', 'newOrder', { ...spot, displayQuantity: '0.01' }],
    ['/api/2/ws/trading', 'marginOrderNew', { ...spot, displayQuantity: '0.01' }],
  ])('%s %s refuses it', async (path, method, params) => {
    const socket = await RawSocket.open(bench, path);
    const { apiKey, secret } = bench.key('own');
    const login = path.includes('/2/')
      ? { algo: 'BASIC', pKey: apiKey, sKey: secret.reveal() }
      : { type: 'BASIC', api_key: apiKey, secret_key: secret.reveal() };
    expect((await socket.ask({ method: 'login', params: login, id: 'in' })).result).toBe(true);
    const id = path.includes('/2/') ? { clientOrderId: newId() } : { client_order_id: newId() };
    const { error } = await socket.ask({ method, params: { ...id, ...params }, id: method });
    expect(error).toMatchObject(path.includes('/2/') ? v2Refusal : refusal);
    socket.close();
  });
});
