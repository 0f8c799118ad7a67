import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TroubleName } from '../../../src/exchange/chaos/index.ts';
import { beginTrouble, troubleNames, troubles } from '../../../src/exchange/chaos/index.ts';
import type { Bench, Json } from '../support/raw-client.ts';
import { newId, openBench, RawSocket, rest } from '../support/raw-client.ts';

// Each name as a plain client meets it, which shares no code with the exchange.

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
const key = () => bench.key('demo');
const place = (json: Json = order()) => rest(bench, 'POST /api/3/spot/order', { key: key(), json });
const get = async (path: string): Promise<Json> =>
  (await rest(bench, `GET /api/3/spot/${path}`, { key: key() })).body;
const activeIds = async (): Promise<string[]> =>
  (await get('order')).map((one: Json) => one.client_order_id as string);

async function trading(): Promise<RawSocket> {
  const socket = await RawSocket.open(bench, '/api/3/ws/trading');
  await socket.login(key());
  await socket.ask({ method: 'spot_subscribe', params: {}, id: 1 });
  return socket;
}

/** A socket that follows the book, and the sequence numbers that it has received. */
async function following(): Promise<{ readonly socket: RawSocket; readonly sequences: () => number[] }> {
  const socket = await RawSocket.open(bench, '/api/3/ws/public');
  await socket.ask({ method: 'subscribe', ch: 'orderbook/full', params: { symbols: ['ETHBTC'] }, id: 1 });
  const sequences = (): number[] =>
    socket.received.filter(({ ch }) => ch).map((frame) => (frame.snapshot ?? frame.update).ETHBTC.s);
  return { socket, sequences };
}

/** The book changes so many times, each of which is published by itself. */
async function change(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await place();
    bench.pass(100);
  }
}

const begin = (name: TroubleName, times = 1) =>
  beginTrouble(name, bench.server.troubled, { times, symbols: ['ETHBTC'] });

/** Reports on one order by the way they came. */
const reportsOf = (socket: RawSocket, id: string): string[] =>
  socket.received
    .filter(({ method, params }) => method === 'spot_order' && params.client_order_id === id)
    .map(({ params }) => params.report_type);

const seen: Readonly<Record<TroubleName, () => Promise<void>>> = {
  async 'frozen-feed'() {
    const { socket, sequences } = await following();
    await change(1);
    const end = begin('frozen-feed');
    await change(3);
    await socket.settle();
    expect(sequences()).toEqual([1, 2]);
    end();
    await change(1);
    await socket.settle();
    expect(sequences()).toEqual([1, 2, 3]);
    expect(socket.closed).toBeUndefined();
  },
  async gap() {
    const { socket, sequences } = await following();
    const end = begin('gap', 2);
    await change(3);
    await socket.settle();
    expect(sequences()).toEqual([1, 4]);
    begin('gap', 2);
    end();
    await change(1);
    await socket.settle();
    expect(sequences()).toEqual([1, 4, 5]);
  },
  async 'repeated-updates'() {
    const { socket, sequences } = await following();
    begin('repeated-updates');
    await change(2);
    await socket.settle();
    expect(sequences()).toEqual([1, 2, 2, 3]);
  },
  async 'new-sequence'() {
    const { socket, sequences } = await following();
    await change(2);
    begin('new-sequence');
    await change(2);
    await socket.settle();
    expect(sequences()).toEqual([1, 2, 3, 1, 2]);
  },
  async 'no-snapshot'() {
    begin('no-snapshot');
    const first = await following();
    await first.socket.settle();
    expect(first.sequences()).toEqual([]);
    const second = await following();
    await second.socket.until(({ snapshot }) => snapshot !== undefined);
  },
  async 'lost-acknowledgement'() {
    const socket = await trading();
    begin('lost-acknowledgement');
    expect((await socket.ask({ method: 'spot_get_orders', params: {}, id: 2 })).result).toEqual([]);
    const lost = order();
    socket.say({ method: 'spot_new_order', params: lost, id: 3 });
    await socket.until(({ method }) => method === 'spot_order');
    await socket.settle();
    expect(socket.received.filter(({ id }) => id === 3)).toEqual([]);
    expect(await activeIds()).toEqual([lost.client_order_id]);
    begin('lost-acknowledgement');
    const silent = place();
    await expect.poll(activeIds).toHaveLength(2);
    expect(await Promise.race([silent, get('order').then(() => 'no answer')])).toBe('no answer');
    await bench.close();
    await expect(silent).rejects.toThrow();
  },
  async 'lost-replies'() {
    const socket = await trading();
    begin('lost-replies');
    socket.say({ method: 'spot_get_orders', params: {}, id: 2 });
    expect((await socket.ask({ method: 'spot_get_orders', params: {}, id: 3 })).id).toBe(3);
    expect(socket.received.filter(({ id }) => id === 2)).toEqual([]);
  },
  async 'late-replies'() {
    const socket = await trading();
    const end = begin('late-replies');
    socket.say({ method: 'spot_new_order', params: order(), id: 2 });
    await socket.until(({ method }) => method === 'spot_order');
    expect(socket.received.some(({ id }) => id === 2)).toBe(false);
    end();
    // What is held by then comes when it is due.
    expect((await socket.ask({ method: 'spot_get_orders', params: {}, id: 3 })).result).toHaveLength(1);
    expect(socket.received.some(({ id }) => id === 2)).toBe(false);
    bench.pass(3_000);
    expect((await socket.until(({ id }) => id === 2)).result.report_type).toBe('new');
  },
  async 'timeout-accepted'() {
    const end = begin('timeout-accepted', 2);
    const one = order();
    expect((await place(one)).status).toBe(504);
    expect(await activeIds()).toEqual([one.client_order_id]);
    end();
    expect((await place()).status).toBe(200);
  },
  async 'timeout-refused'() {
    begin('timeout-refused');
    expect((await place()).status).toBe(504);
    expect(await activeIds()).toEqual([]);
    expect((await place()).status).toBe(200);
  },
  async 'late-order'() {
    begin('late-order');
    const late = order();
    expect((await place(late)).status).toBe(504);
    bench.pass(39_999);
    expect(await activeIds()).toEqual([]);
    bench.pass(1);
    expect(await activeIds()).toEqual([late.client_order_id]);
  },
  async 'not-found'() {
    begin('not-found');
    const [bid, ask] = [order(), { ...order(), side: 'sell' }];
    await place(bid);
    await place(ask);
    const { client_order_id: id } = bid;
    const { status, body } = await rest(bench, `GET /api/3/spot/order/${id}`, { key: key() });
    expect([status, body.error.code]).toEqual([400, 20_002]);
    expect(await get(`history/order?client_order_id=${id}`)).toEqual([]);
    expect(await get('history/trade')).toEqual([]);
    bench.pass(60_000);
    expect(await get(`history/order?client_order_id=${id}`)).toMatchObject([{ status: 'filled' }]);
  },
  async 'forgetful-history'() {
    const end = begin('forgetful-history');
    await place();
    await place({ ...order(), side: 'sell' });
    const live = order();
    await place(live);
    expect(await get('history/order')).toHaveLength(3);
    bench.pass(10_000);
    expect(await get('history/order')).toMatchObject([{ client_order_id: live.client_order_id }]);
    expect(await get('history/trade')).toHaveLength(2);
    end();
    expect(await get('history/order')).toHaveLength(3);
  },
  async 'repeated-reports'() {
    const socket = await trading();
    begin('repeated-reports');
    const one = order();
    await place(one);
    await rest(bench, `DELETE /api/3/spot/order/${one.client_order_id}`, { key: key() });
    await socket.settle();
    expect(reportsOf(socket, one.client_order_id)).toEqual(['new', 'new', 'canceled']);
  },
  async 'reordered-reports'() {
    const socket = await trading();
    begin('reordered-reports', 2);
    const [one, other] = [order(), order()];
    await place(one);
    await rest(bench, `DELETE /api/3/spot/order/${one.client_order_id}`, { key: key() });
    await place(other);
    await socket.settle();
    expect(reportsOf(socket, one.client_order_id)).toEqual(['canceled', 'new']);
    expect(reportsOf(socket, other.client_order_id)).toEqual([]);
    bench.pass(2_000);
    await socket.settle();
    expect(reportsOf(socket, other.client_order_id)).toEqual(['new']);
  },
  async 'rate-limited'() {
    const end = begin('rate-limited', 40);
    for (const path of ['public/symbol', 'public/ticker'])
      expect((await rest(bench, `GET /api/3/${path}`)).status).toBe(429);
    expect((await place()).status).toBe(429);
    end();
    expect(await activeIds()).toEqual([]);
  },
  async unavailable() {
    begin('unavailable');
    expect((await place()).status).toBe(503);
    expect(await activeIds()).toEqual([]);
  },
  async 'clock-off'() {
    const at = Math.floor(bench.clock.now() / 1_000);
    const end = begin('clock-off');
    const answer = await rest(bench, 'GET /api/3/spot/order', { key: key(), at });
    expect([answer.status, answer.body.error.code]).toEqual([401, 1_002]);
    expect(Date.parse(String(answer.headers['date']))).toBe(Math.floor((at + 70_000) / 1_000) * 1_000);
    const json = order();
    const { body } = await rest(bench, 'POST /api/3/spot/order', { key: key(), json, at: at + 70_000 });
    expect(Date.parse(body.created_at)).toBe(at + 70_000);
    end();
    expect((await place()).status).toBe(200);
  },
  async 'suspended-symbol'() {
    const status = async () => (await rest(bench, 'GET /api/3/public/symbol/ETHBTC')).body.status;
    const end = begin('suspended-symbol');
    expect(await status()).toBe('suspended');
    expect((await place()).body.error.code).toBe(20_010);
    end();
    expect(await status()).toBe('working');
    expect((await place()).status).toBe(200);
  },
  async 'kept-original'() {
    const original = order();
    await place(original);
    begin('kept-original');
    const fresh = newId();
    await rest(bench, `PATCH /api/3/spot/order/${original.client_order_id}`, {
      key: key(),
      json: { new_client_order_id: fresh, quantity: '2', price: '0.041' },
    });
    expect(await activeIds()).toEqual([original.client_order_id, fresh]);
  },
  async restart() {
    const one = order();
    await place(one);
    const socket = await trading();
    const end = begin('restart');
    expect(await socket.untilClosed()).toEqual({ code: 1_012, reason: 'restart' });
    expect((await rest(bench, 'GET /api/3/public/symbol')).status).toBe(503);
    await expect(RawSocket.open(bench, '/api/3/ws/trading')).rejects.toThrow('503');
    end();
    expect(await activeIds()).toEqual([one.client_order_id]);
    await trading();
  },
  async 'restart-without-orders'() {
    const one = order();
    await place(one);
    const socket = await trading();
    const end = begin('restart-without-orders');
    expect((await socket.untilClosed()).code).toBe(1_012);
    end();
    expect(await activeIds()).toEqual([]);
    expect(await get(`history/order?client_order_id=${one.client_order_id}`)).toMatchObject([
      { status: 'canceled' },
    ]);
  },
};

describe('a client meets', () => {
  for (const name of troubleNames) test(name, () => seen[name]());
});

test('troubles of symbols meet those with orders of accounts with keys, and none that has left trading', async () => {
  expect(bench.server.troubled.symbols().length).toBeGreaterThan(2);
  await place();
  expect(bench.server.troubled.symbols()).toEqual(['ETHBTC']);
  bench.server.troubled.setStatus('ETHBTC', 'suspended');
  expect(bench.server.troubled.symbols()).toEqual([]);
});

test('docs/chaos.md has every name with its sentence, and no other', () => {
  const page = readFileSync(new URL('../../../docs/chaos.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| ([^|]+) \|/gm)].map(([, name, says]) => [name, says]);
  expect(rows).toEqual(troubleNames.map((name) => [name, troubles[name].says]));
});
