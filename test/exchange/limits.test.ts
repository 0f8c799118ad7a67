import { WebSocket } from 'ws';
import { describe, expect, test } from 'vitest';
import type { Answer } from './support/raw-client.ts';
import { newId, openBench, RawSocket, rest } from './support/raw-client.ts';

// The clock is virtual: everything below happens within one second unless it is moved.

const statuses = (answers: readonly Answer[]) => ({
  passed: answers.filter((answer) => answer.status !== 429).length,
  limited: answers.filter((answer) => answer.status === 429).length,
});

test('public calls pass up to rate plus burst in a second; the next one is a 429', async () => {
  const bench = await openBench();
  const ask = () => rest(bench, 'GET /api/3/public/symbol/ETHBTC');
  const answers: Answer[] = [];
  for (let i = 0; i < 80; i++) answers.push(await ask());
  expect(statuses(answers)).toEqual({ passed: 80, limited: 0 });
  const limited = await ask();
  expect([limited.status, limited.body.error]).toEqual([429, { code: 429, message: 'Too many requests' }]);
  bench.pass(999);
  expect((await ask()).status).toBe(429);
  bench.pass(1);
  const later: Answer[] = [];
  for (let i = 0; i < 81; i++) later.push(await ask());
  expect(statuses(later)).toEqual({ passed: 80, limited: 1 });
  await bench.close();
});

test('rows of the table count apart: a spent public budget leaves orders alone', async () => {
  const bench = await openBench();
  for (let i = 0; i < 81; i++) await rest(bench, 'GET /api/3/public/symbol/ETHBTC');
  const orders: Answer[] = [];
  for (let i = 0; i < 760; i++)
    orders.push(await rest(bench, 'GET /api/3/spot/order', { key: bench.key('demo'), basic: true }));
  expect(statuses(orders)).toEqual({ passed: 750, limited: 10 });
  const balances: Answer[] = [];
  for (let i = 0; i < 52; i++)
    balances.push(await rest(bench, 'GET /api/3/spot/balance', { key: bench.key('demo'), basic: true }));
  expect(statuses(balances)).toEqual({ passed: 50, limited: 2 });
  await bench.close();
});

test('orders over sockets count per account, whatever the session or key', async () => {
  const bench = await openBench();
  const one = await RawSocket.open(bench, '/api/3/ws/trading');
  const two = await RawSocket.open(bench, '/api/3/ws/trading');
  await one.login(bench.key('demo'));
  await two.login(bench.key('demo', 2));
  const params = () => ({
    client_order_id: newId(),
    symbol: 'ETHBTC',
    side: 'buy',
    quantity: '0.0001',
    price: '0.01',
  });
  for (let i = 0; i < 510; i++)
    (i % 2 === 0 ? one : two).say({ method: 'spot_new_order', params: params(), id: i });
  await Promise.all([one.settle(), two.settle()]);
  const replies = [...one.received, ...two.received].filter((received) => typeof received.id === 'number');
  expect(replies.filter((received) => received.result !== undefined)).toHaveLength(500);
  expect(replies.filter((received) => received.error?.code === 429)).toHaveLength(10);
  bench.pass(1_000);
  expect((await one.ask({ method: 'spot_new_order', params: params(), id: 'later' })).result).toBeDefined();
  one.close();
  two.close();
  await bench.close();
});

test('logins and subscriptions of an account pass five times a second', async () => {
  const bench = await openBench();
  const socket = await RawSocket.open(bench, '/api/3/ws/trading');
  const logins: boolean[] = [];
  for (let i = 0; i < 6; i++) logins.push((await socket.login(bench.key('demo'), i)).result === true);
  expect(logins).toEqual([true, true, true, true, true, false]);
  const subscribed: unknown[] = [];
  for (let i = 0; i < 6; i++)
    subscribed.push((await socket.ask({ method: 'spot_subscribe', params: {}, id: `s${i}` })).error?.code);
  expect(subscribed).toEqual([undefined, undefined, undefined, undefined, undefined, 429]);
  socket.close();
  await bench.close();
});

test('openings of sockets pass twenty times a second and location, at most as many as allowed stay open', async () => {
  const bench = await openBench({ limits: { connectionsPerAddress: 22 } });
  const open = async (path: string): Promise<WebSocket | string> =>
    new Promise((resolve) => {
      const ws = new WebSocket(bench.server.wsUrl + path);
      ws.once('open', () => resolve(ws));
      ws.once('error', (error) => resolve(error.message));
    });
  const first: (WebSocket | string)[] = [];
  for (let i = 0; i < 21; i++) first.push(await open('/api/3/ws/trading'));
  expect(first.filter((one) => typeof one !== 'string')).toHaveLength(20);
  expect(first.at(-1)).toContain('429');
  expect(typeof (await open('/api/3/ws/wallet'))).toBe('object');
  expect(typeof (await open('/api/2/ws'))).toBe('object');
  expect(await open('/api/2/ws')).toContain('429');
  expect(await open('/api/3/ws/nowhere')).toContain('404');
  expect(bench.server.socketCount).toBe(22);
  await bench.close();
});

const spotOrders = { method: 'spot_get_orders' };

test.each([
  ['/api/3/ws/public', '/api/3/ws/wallet'],
  ['/api/3/ws/wallet', '/api/3/ws/public'],
])(
  'messages on %s pass twenty times a second, on whatever connection; those on %s count apart',
  async (path, other) => {
    const bench = await openBench();
    const sockets = await Promise.all(Array.from({ length: 24 }, () => RawSocket.open(bench, path)));
    const codes: unknown[] = [];
    for (const [index, socket] of sockets.entries()) {
      const text = '{"method":"subscriptions","ch":"trades","params":{},"id":1}';
      socket.say(index % 2 === 0 ? text : text.slice(1));
      const reply = await socket.until(() => true);
      codes.push(reply.error?.code);
    }
    expect(codes.slice(0, 20)).not.toContain(429);
    expect(codes.slice(20)).toEqual([429, 429, 429, 429]);
    const apart = await RawSocket.open(bench, other);
    const reply = await apart.ask({ method: 'subscriptions', ch: 'trades', params: {}, id: 1 });
    expect(reply.error?.code).not.toBe(429);
    for (const socket of [...sockets, apart]) socket.close();
    await bench.close();
  },
);

test('logins that fail count: for the account of the key, or for the address when there is no such key', async () => {
  const bench = await openBench();
  const key = bench.key('demo');
  const socket = await RawSocket.open(bench, '/api/3/ws/trading');
  const codes: unknown[] = [];
  for (let i = 0; i < 4; i++) {
    const wrong = { type: 'BASIC', api_key: key.apiKey, secret_key: 'wrong' };
    codes.push((await socket.ask({ method: 'login', params: wrong, id: i })).error.code);
  }
  expect(codes).toEqual([1002, 1002, 1002, 1002]);
  expect((await socket.login(key)).result).toBe(true);
  expect((await socket.login(bench.key('demo', 2))).error.code).toBe(429);
  expect((await socket.login(bench.key('demo-two'))).result).toBe(true);
  const unknown: unknown[] = [];
  for (let i = 0; i < 21; i++)
    unknown.push((await socket.login({ ...key, apiKey: 'nobody' }, `n${i}`)).error.code);
  // The connection counts, too.
  expect(unknown).toEqual([...Array.from({ length: 19 }).fill(1002), 429, 429]);
  const v2 = await RawSocket.open(bench, '/api/2/ws');
  const late: unknown[] = [];
  for (let i = 0; i < 11; i++) late.push((await v2.loginV2({ ...key, apiKey: 'nobody' })).error.code);
  expect(late).toEqual([...Array.from({ length: 10 }).fill(1002), 429]);
  socket.close();
  v2.close();
  await bench.close();
});

test.each([
  ['connections', '/api/3/ws/public', undefined],
  ['messagesButOrders', '/api/3/ws/trading', undefined],
  ['messages', '/api/3/ws/trading', 429],
] as const)('counting %s, the 21st message on %s is answered with %s', async (socketsCount, path, code) => {
  const bench = await openBench({ limits: { socketsCount } });
  const socket = await RawSocket.open(bench, path);
  if (path !== '/api/3/ws/public') await socket.login(bench.key('demo'));
  const codes: unknown[] = [];
  for (let i = 0; i < 21; i++) {
    const asked = path === '/api/3/ws/public' ? { method: 'subscriptions', ch: 'trades' } : spotOrders;
    codes.push((await socket.ask({ ...asked, params: {}, id: i })).error?.code);
  }
  expect(codes.at(-1)).toBe(code);
  socket.close();
  await bench.close();
});

test('counted messages pass again a second later', async () => {
  const bench = await openBench({ limits: { socketsCount: 'messages' } });
  const socket = await RawSocket.open(bench, '/api/3/ws/public');
  const codes: unknown[] = [];
  for (let i = 0; i < 22; i++) {
    const reply = await socket.ask({ method: 'subscriptions', ch: 'trades', params: {}, id: i });
    codes.push(reply.error?.code);
  }
  expect(codes.filter((code) => code === 429)).toHaveLength(2);
  bench.pass(1_000);
  expect(
    (await socket.ask({ method: 'subscriptions', ch: 'trades', params: {}, id: 'x' })).result,
  ).toBeDefined();
  socket.close();
  await bench.close();
});

test('a client that does not read is cut off', async () => {
  const bench = await openBench({ limits: { enabled: false, bufferedBytesMax: 65_536 } });
  const slow = await RawSocket.open(bench, '/api/3/ws/trading');
  await slow.login(bench.key('demo'));
  for (let i = 0; i < 500; i++) {
    const json = {
      client_order_id: newId(),
      symbol: 'ETHBTC',
      side: 'buy',
      quantity: '0.0001',
      price: '0.01',
    };
    await rest(bench, 'POST /api/3/spot/order', { key: bench.key('demo'), json, basic: true });
  }
  slow.ws.pause();
  for (let i = 0; i < 400; i++) slow.ws.send(`{"method":"spot_get_orders","id":${i}}`);
  const fast = await RawSocket.open(bench, '/api/3/ws/trading');
  while (bench.server.socketCount > 1) await fast.settle();
  slow.ws.resume();
  await slow.untilClosed();
  expect(fast.closed).toBeUndefined();
  fast.close();
  await bench.close();
});

test('a message above the limit closes the socket with 1009', async () => {
  const bench = await openBench({ limits: { messageBytesMax: 2_048 } });
  const socket = await RawSocket.open(bench, '/api/3/ws/public');
  socket.say('x'.repeat(3_000));
  expect((await socket.untilClosed()).code).toBe(1009);
  await bench.close();
});

/** Codes of the errors in the answers to `count` requests, each with the next of `requests`. */
async function codesOn(socket: RawSocket, count: number, ...requests: readonly object[]): Promise<unknown[]> {
  for (let i = 0; i < count; i++) socket.say({ ...requests[i % requests.length], id: `n${i}` });
  await socket.settle();
  const replies = socket.received.filter(({ id }) => typeof id === 'string' && id.startsWith('n'));
  return replies.slice(-count).map(({ error }) => error?.code);
}
const limited = (codes: readonly unknown[]) => codes.filter((code) => code === 429).length;

describe('version 2 on sockets', () => {
  test('trading passes 300 times a second and user: orders, margin, and the same over REST', async () => {
    const bench = await openBench();
    const socket = await RawSocket.open(bench, '/api/2/ws/trading');
    await socket.loginV2(bench.key('demo'));
    const names = ['newOrder', 'cancelOrder', 'cancelReplaceOrder', 'getOrders', 'marginAccountsGet'];
    names.push('marginAccountSet', 'marginPositionClose', 'marginOrdersGet', 'marginOrdersCancel');
    names.push('marginOrderNew', 'marginOrderCancel', 'marginOrderCancelReplace');
    const trades = names.map((method) => ({ method, params: {} }));
    const codes = await codesOn(socket, 306, ...trades);
    expect(codes.slice(0, 300)).not.toContain(429);
    expect(codes.slice(300)).toEqual(Array.from({ length: 6 }).fill(429));
    const key = bench.key('demo', 2);
    expect((await rest(bench, 'GET /api/2/order', { key, basic: true })).status).toBe(429);
    expect((await rest(bench, 'GET /api/2/order', { key: bench.key('demo-two'), basic: true })).status).toBe(
      200,
    );
    socket.close();
    await bench.close();
  });

  test('everything else passes ten times a second and user, logins and unknown methods included', async () => {
    const bench = await openBench();
    const socket = await RawSocket.open(bench, '/api/2/ws');
    await socket.loginV2(bench.key('demo'));
    const others = ['getBalance', 'getTradingBalance', 'findTransactions', 'loadTransactions', 'getNothing'];
    others.push('subscribeReports', 'marginSubscribe', 'subscribeBalance', 'unsubscribeTransactions');
    const codes = await codesOn(socket, 12, ...others.map((method) => ({ method, params: {} })));
    expect(codes.slice(0, 9)).not.toContain(429);
    expect(codes.slice(9)).toEqual([429, 429, 429]);
    expect((await socket.loginV2(bench.key('demo'))).error.code).toBe(429);
    expect(await codesOn(socket, 1, { method: 'getOrders' })).toEqual([undefined]);
    const key = bench.key('demo');
    expect((await rest(bench, 'GET /api/2/trading/balance', { key, basic: true })).status).toBe(429);
    bench.pass(1_000);
    expect(limited(await codesOn(socket, 11, { method: 'getBalance', params: {} }))).toBe(1);
    socket.close();
    await bench.close();
  });

  test('market data passes a hundred times a second and address, logged in or not, and the same over REST', async () => {
    const bench = await openBench();
    const one = await RawSocket.open(bench, '/api/2/ws/public');
    const two = await RawSocket.open(bench, '/api/2/ws');
    await two.loginV2(bench.key('demo'));
    const asks = ['getSymbol', 'subscribeTicker', 'unsubscribeTicker', 'getTrades'];
    const requests = asks.map((method) => ({ method, params: { symbol: 'ETHBTC' } }));
    expect(limited(await codesOn(one, 60, ...requests))).toBe(0);
    expect(limited(await codesOn(two, 45, ...requests))).toBe(5);
    expect((await rest(bench, 'GET /api/2/public/symbol')).status).toBe(429);
    expect((await rest(bench, 'GET /api/3/public/symbol')).status).toBe(200);
    one.close();
    two.close();
    await bench.close();
  });
});
