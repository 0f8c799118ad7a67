import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Bench, Json } from './support/raw-client.ts';
import { newId, openBench, RawSocket, rest } from './support/raw-client.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false } });
});
afterEach(() => bench.close());

const order = () => ({
  client_order_id: newId(),
  symbol: 'ETHBTC',
  side: 'buy',
  quantity: '1',
  price: '0.04',
});
const place = (json = order()) => rest(bench, 'POST /api/3/spot/order', { key: bench.key('demo'), json });
const trading = async () => {
  const socket = await RawSocket.open(bench, '/api/3/ws/trading');
  await socket.login(bench.key('demo'));
  return socket;
};

test('lost book updates use up their sequence numbers, repeated ones come twice', async () => {
  const socket = await RawSocket.open(bench, '/api/3/ws/public');
  await socket.ask({ method: 'subscribe', ch: 'orderbook/full', params: { symbols: ['ETHBTC'] }, id: 1 });
  bench.server.faults.dropUpdates('ETHBTC', 2);
  for (let i = 0; i < 3; i++) {
    await place();
    bench.pass(100);
  }
  bench.server.faults.repeatUpdates('ETHBTC', 1);
  await place();
  bench.pass(100);
  await socket.settle();
  const frames = socket.received
    .filter((received) => received.ch)
    .map((received: Json) => (received.snapshot ?? received.update).ETHBTC.s);
  expect(frames).toEqual([1, 4, 5, 5]);
  bench.server.faults.withholdSnapshots(1);
  await socket.ask({ method: 'subscribe', ch: 'orderbook/full', params: { symbols: ['BTCUSDT'] }, id: 2 });
  await socket.settle();
  expect(socket.received.filter((received) => received.snapshot?.BTCUSDT)).toEqual([]);
});

test('a 504 hides whether an order was accepted', async () => {
  bench.server.faults.answer504('afterAccept', 1);
  const accepted = order();
  expect((await place(accepted)).status).toBe(504);
  bench.server.faults.answer504('beforeAccept', 1);
  const lost = order();
  expect((await place(lost)).body.error.code).toBe(504);
  const active = (await rest(bench, 'GET /api/3/spot/order', { key: bench.key('demo') })).body;
  expect(active.map((one: Json) => one.client_order_id)).toEqual([accepted.client_order_id]);
  const socket = await trading();
  bench.server.faults.answer504('afterAccept', 1);
  expect((await socket.ask({ method: 'spot_new_order', params: order(), id: 1 })).error.code).toBe(504);
  expect((await socket.ask({ method: 'spot_get_orders', params: {}, id: 2 })).result).toHaveLength(2);
  socket.close();
});

test('held replies come late and in order, dropped ones never, while notifications pass', async () => {
  const socket = await trading();
  await socket.ask({ method: 'spot_subscribe', params: {}, id: 1 });
  bench.server.faults.holdReplies(500);
  socket.say({ method: 'spot_new_order', params: order(), id: 2 });
  socket.say({ method: 'spot_new_order', params: order(), id: 3 });
  await socket.until((received) => received.method === 'spot_order');
  await socket.until((received) => received.method === 'spot_order');
  expect(socket.received.some((received) => received.id === 2)).toBe(false);
  bench.pass(500);
  expect((await socket.until((received) => received.id !== undefined)).id).toBe(2);
  expect((await socket.until((received) => received.id !== undefined)).id).toBe(3);
  bench.server.faults.clear();
  bench.server.faults.dropReplies(1);
  socket.say({ method: 'spot_cancel_orders', params: {}, id: 4 });
  await socket.settle();
  expect(socket.received.some((received) => received.id === 4)).toBe(false);
  expect((await socket.ask({ method: 'spot_get_orders', params: {}, id: 5 })).result).toEqual([]);
  socket.close();
});

test('maintenance and limits can be pretended, and sockets closed with any code', async () => {
  bench.server.faults.answer503(1);
  expect((await rest(bench, 'GET /api/3/public/symbol')).status).toBe(503);
  bench.server.faults.answer429(1);
  expect((await rest(bench, 'GET /api/3/public/symbol')).status).toBe(429);
  expect((await rest(bench, 'GET /api/3/public/symbol')).status).toBe(200);
  const polite = await trading();
  bench.server.faults.closeSockets(1012, 'Service restart');
  expect(await polite.untilClosed()).toEqual({ code: 1012, reason: 'Service restart' });
  const cut = await trading();
  bench.server.faults.closeSockets(1006);
  expect((await cut.untilClosed()).code).toBe(1006);
});

test('an order can land late: 504 now, executed when the delay has passed', async () => {
  bench.server.faults.landLate(3_000, 1);
  const late = order();
  expect((await place(late)).status).toBe(504);
  const active = async () => (await rest(bench, 'GET /api/3/spot/order', { key: bench.key('demo') })).body;
  expect(await active()).toEqual([]);
  bench.pass(3_000);
  expect(await active()).toMatchObject([{ client_order_id: late.client_order_id, status: 'new' }]);
});

test('histories can lag: what is too young does not show', async () => {
  bench.server.faults.lagHistory(30_000);
  const one = order();
  await place(one);
  const history = async () =>
    (await rest(bench, 'GET /api/3/spot/history/order', { key: bench.key('demo') })).body as Json[];
  expect(await history()).toEqual([]);
  bench.pass(30_000);
  expect(await history()).toMatchObject([{ client_order_id: one.client_order_id }]);
  bench.server.faults.clear();
});

test('an execution can be reported that never was: no list, history or balance has it', async () => {
  const socket = await trading();
  await socket.ask({ method: 'spot_subscribe', params: {}, id: 2 });
  const get = async (path: string) =>
    (await rest(bench, `GET /api/3/spot/${path}`, { key: bench.key('demo') })).body;
  const before = await get('history/trade');
  bench.server.faults.inventFills(1);
  const [fleeting, one, other] = [{ ...order(), time_in_force: 'IOC' }, order(), order()];
  // What does not come to rest is none of them.
  await place(fleeting);
  await place(one);
  await place(other);
  await socket.settle();
  const noted = socket.received
    .filter(({ method }) => method === 'spot_order')
    .map(({ params }) => [params.client_order_id, params.report_type, params.status, params.trade_quantity]);
  expect(noted).toEqual([
    [fleeting.client_order_id, 'new', 'new', undefined],
    [fleeting.client_order_id, 'expired', 'expired', undefined],
    [one.client_order_id, 'new', 'new', undefined],
    [one.client_order_id, 'trade', 'filled', '1.0000'],
    [other.client_order_id, 'new', 'new', undefined],
  ]);
  expect(await get('history/trade')).toEqual(before);
  expect(await get('order')).toMatchObject([
    { client_order_id: one.client_order_id, quantity_cumulative: expect.stringMatching(/^0/) },
    { client_order_id: other.client_order_id },
  ]);
  socket.close();
});

test('a trade history can show other fees than the reports', async () => {
  await place();
  await place({ ...order(), side: 'sell' });
  const fees = async () =>
    ((await rest(bench, 'GET /api/3/spot/history/trade', { key: bench.key('demo') })).body as Json[]).map(
      ({ fee }) => Math.round(Number(fee) * 1e9),
    );
  const before = await fees();
  expect(before.length).toBeGreaterThan(0);
  bench.server.faults.multiplyFees(-10);
  expect(await fees()).toEqual(before.map((fee) => fee * -10));
  bench.server.faults.clear();
  expect(await fees()).toEqual(before);
});

test('a sequence can begin anew, with a change of the book', async () => {
  const socket = await RawSocket.open(bench, '/api/3/ws/public');
  await socket.ask({ method: 'subscribe', ch: 'orderbook/full', params: { symbols: ['ETHBTC'] }, id: 1 });
  for (let i = 0; i < 4; i++) {
    if (i === 2) bench.server.faults.resetSequence('ETHBTC');
    await place();
    bench.pass(100);
  }
  await socket.settle();
  const frames = socket.received
    .filter((received) => received.ch)
    .map((received: Json) => (received.snapshot ?? received.update).ETHBTC.s);
  expect(frames).toEqual([1, 2, 3, 1, 2]);
  socket.close();
});

test('orders can be refused with any code, and are not executed', async () => {
  bench.server.faults.refuseOrders(20_080, 1);
  const refused = await place();
  expect([refused.status, refused.body.error.code]).toEqual([400, 20_080]);
  expect((await rest(bench, 'GET /api/3/spot/order', { key: bench.key('demo') })).body).toEqual([]);
});

test('a replacement can leave its original alive, and say nothing of it', async () => {
  const socket = await trading();
  await socket.ask({ method: 'spot_subscribe', params: {}, id: 1 });
  const original = order();
  await place(original);
  const replace = async (id: string, price: string, ask: number) => {
    const fresh = newId();
    const params = { client_order_id: id, new_client_order_id: fresh, quantity: '2', price };
    const answer = await socket.ask({ method: 'spot_replace_order', params, id: ask });
    return { id: fresh, answer };
  };
  const active = async () =>
    (await rest(bench, 'GET /api/3/spot/order', { key: bench.key('demo') })).body.map(
      (one: Json) => one.client_order_id,
    );
  bench.server.faults.keepOriginals(1);
  const first = await replace(original.client_order_id, '0.041', 2);
  expect(first.answer.result).toMatchObject({
    report_type: 'replaced',
    original_client_order_id: original.client_order_id,
  });
  expect(await active()).toEqual([original.client_order_id, first.id]);
  expect(socket.received.filter((received) => received.params?.report_type === 'canceled')).toEqual([]);
  const second = await replace(first.id, '0.042', 3);
  expect(await active()).toEqual([original.client_order_id, second.id]);
  // Both are orders like any other, and what both hold comes back.
  await rest(bench, 'DELETE /api/3/spot/order', { key: bench.key('demo') });
  expect(await active()).toEqual([]);
  const { body } = await rest(bench, 'GET /api/3/spot/balance/BTC', { key: bench.key('demo') });
  expect(Number(body.reserved)).toBe(0);
  socket.close();
});
