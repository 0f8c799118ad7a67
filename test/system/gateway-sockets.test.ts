import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { signV3 } from '../../src/venues/hitbtc/wire/index.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import type { Json } from '../exchange/support/raw-client.ts';
import { RawSocket } from '../exchange/support/raw-client.ts';
import type { GatewayStage } from './support/gateway-stage.ts';
import { openWithMarket } from './support/gateway-stage.ts';
import type { StageParts } from './support/stage.ts';
import { until } from './support/until.ts';

// Programs of others trade over the trading socket of a gateway.

let on: GatewayStage | undefined;
const sockets: RawSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await on?.close();
  on = undefined;
});

const programs = [
  { name: 'grid', symbols: ['BTCUSDT'] },
  { name: 'sheet', symbols: ['BTCUSDT'] },
];

async function open(
  parts: Partial<StageParts> = {},
  listed: readonly object[] = programs,
): Promise<GatewayStage> {
  on = await openWithMarket(listed as typeof programs, parts);
  return on;
}

function keyOf({ keys }: GatewayStage, name: string) {
  const key = keys.read().get(name);
  if (key === undefined) throw new Error(`${name} has no key`);
  return key;
}

async function connect(to: GatewayStage, name: string): Promise<RawSocket> {
  const socket = await RawSocket.open({ server: to.gateway }, '/api/3/ws/trading');
  sockets.push(socket);
  expect(await socket.login(keyOf(to, name))).toMatchObject({ result: true });
  return socket;
}

interface Asked {
  readonly port: string;
  readonly path: string;
  readonly host: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Status of the answer to a request that names a host. */
async function statusOf({ port, path, host, headers }: Asked): Promise<number | undefined> {
  const asked = request({ port, path, host: '127.0.0.1', headers: { ...headers, host } });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

let requests = 0;
const call = (socket: RawSocket, method: string, params: object = {}): Promise<Json> =>
  socket.ask({ method, params, id: `request-${++requests}` });

const buy = (id: string, price = '63000', quantity = '0.01') => ({
  client_order_id: id,
  symbol: 'BTCUSDT',
  side: 'buy',
  price,
  quantity,
});

describe('an order over the socket', () => {
  test('is placed, replaced and canceled, and each step is reported to its program alone', async () => {
    const to = await open();
    const grid = await connect(to, 'grid');
    const sheet = await connect(to, 'sheet');
    for (const socket of [grid, sheet]) {
      expect((await call(socket, 'spot_subscribe')).result).toBe(true);
      expect((await socket.until(({ method }) => method === 'spot_orders')).params).toEqual([]);
    }
    const placed = await call(grid, 'spot_new_order', buy('grid-order-1'));
    expect(placed.result).toMatchObject({
      client_order_id: 'grid-order-1',
      status: 'new',
      report_type: 'new',
    });
    const change = { client_order_id: 'grid-order-1', new_client_order_id: 'grid-order-2' };
    const replaced = await call(grid, 'spot_replace_order', { ...change, price: '62000', quantity: '0.02' });
    expect(replaced.result).toMatchObject({
      client_order_id: 'grid-order-2',
      original_client_order_id: 'grid-order-1',
      report_type: 'replaced',
    });
    const ended = await call(grid, 'spot_cancel_order', { client_order_id: 'grid-order-2' });
    expect(ended.result).toMatchObject({ status: 'canceled', report_type: 'canceled' });
    const reports = grid.received.filter(({ method }) => method === 'spot_order').map(({ params }) => params);
    // Each once: a cancel on its way is no news.
    expect(reports.map((one) => [one.client_order_id, one.report_type])).toEqual([
      ['grid-order-1', 'new'],
      ['grid-order-2', 'replaced'],
      ['grid-order-2', 'canceled'],
    ]);
    await sheet.settle();
    expect(sheet.received.filter(({ method }) => method === 'spot_order')).toEqual([]);
  });

  test('is reported with each execution once', async () => {
    const to = await open();
    const grid = await connect(to, 'grid');
    await call(grid, 'spot_subscribe');
    const { result } = await call(grid, 'spot_new_order', buy('grid-order-1', '65000', '0.02'));
    expect(result).toMatchObject({ status: 'filled', report_type: 'trade', trade_price: '65000.00' });
    await grid.settle();
    const trades = grid.received.filter(({ params }) => params?.report_type === 'trade');
    expect(trades.map(({ params }) => params.trade_id)).toEqual([result.trade_id]);
  });

  test('that was placed over HTTP is reported, too, and one that is denied is none', async () => {
    const to = await open();
    const grid = await connect(to, 'grid');
    await call(grid, 'spot_subscribe');
    await to.ask('grid', 'POST', '/api/3/spot/order', buy('grid-order-1'));
    const report = await grid.until(({ method }) => method === 'spot_order');
    expect(report.params).toMatchObject({ client_order_id: 'grid-order-1', report_type: 'new' });
    const denied = await call(grid, 'spot_new_order', buy('grid-order-2', '10000'));
    expect(denied.error).toMatchObject({ code: 20_045, message: 'Fat finger limit exceeded' });
    expect(denied.error.description).toMatch(/^PRICE_COLLAR: /);
    const again = await call(grid, 'spot_new_order', buy('grid-order-1', '62000'));
    expect(again.error.code).toBe(20_008);
    const listed = await call(grid, 'spot_get_orders');
    expect(listed.result).toMatchObject([{ client_order_id: 'grid-order-1', report_type: 'status' }]);
    expect((await call(grid, 'spot_cancel_orders')).result).toMatchObject([{ status: 'canceled' }]);
  });

  test('without an answer is 504, and its report follows when it is found', async () => {
    const to = await open();
    const grid = await connect(to, 'grid');
    await call(grid, 'spot_subscribe');
    to.stage.exchange.faults.answer504('afterAccept', 1);
    const silent = await call(grid, 'spot_new_order', buy('grid-order-1'));
    expect(silent.error.code).toBe(504);
    const found =
      grid.received.find(({ method }) => method === 'spot_order') ??
      (await grid.until(({ method }) => method === 'spot_order'));
    expect(found.params).toMatchObject({ client_order_id: 'grid-order-1', status: 'new' });
  });
});

describe('a program that is gone', () => {
  test('has its orders cancelled with its last socket where that is set, and others keep theirs', async () => {
    const to = await open({}, [{ ...programs[0], onSilence: { cancelAfterMs: 0 } }, programs[1] ?? {}]);
    const grid = await connect(to, 'grid');
    const second = await connect(to, 'grid');
    const sheet = await connect(to, 'sheet');
    for (const [socket, id] of [
      [grid, 'grid-order-1'],
      [sheet, 'sheet-order-1'],
    ] as const)
      expect((await call(socket, 'spot_new_order', buy(id))).result).toMatchObject({ status: 'new' });
    grid.close();
    await grid.untilClosed();
    expect((await call(second, 'spot_get_orders')).result).toHaveLength(1);
    second.close();
    sheet.close();
    const { view } = to.stage.daemon.trader;
    await until('no order of it', () => view.openCountBy('grid') === 0);
    expect(view.openCountBy('sheet')).toBe(1);
    expect(to.stage.notes).toEqual([
      'its last socket has closed: its orders are cancelled (programs.onSilence)',
    ]);
  });

  test('has them cancelled when it asks for nothing, over HTTP, too', async () => {
    const to = await open({}, [{ ...programs[0], onSilence: { cancelAfterMs: 400 } }]);
    await to.ask('grid', 'POST', '/api/3/spot/order', buy('grid-order-1'));
    const { view } = to.stage.daemon.trader;
    expect(view.openCountBy('grid')).toBe(1);
    await until('no order of it', () => view.openCountBy('grid') === 0);
    expect(to.stage.notes).toEqual([
      'it asks for nothing, for 0.4 s: its orders are cancelled (programs.onSilence)',
    ]);
  });
});

test('balances are reported as they change, and methods that are not served are refused in one sentence', async () => {
  const to = await open();
  const grid = await connect(to, 'grid');
  expect((await call(grid, 'spot_balance', { currency: 'BTC' })).result.available).toBe('20');
  await call(grid, 'spot_balance_subscribe', { mode: 'updates' });
  await call(grid, 'spot_new_order', buy('grid-order-1', '65000', '0.02'));
  const bought = (row: { currency: string; available: string }): boolean =>
    row.currency === 'BTC' && Number(row.available) > 20;
  await grid.until(({ method, params }) => method === 'spot_balance' && params.some(bought));
  const refused = await call(grid, 'futures_balances');
  expect(refused.error).toMatchObject({
    code: 600,
    description: 'The program grid does not trade futures (programs.products)',
  });
  expect((await call(grid, 'no_such_method')).error.code).toBe(404);
});

describe('market data by socket', () => {
  const market = async (to: GatewayStage): Promise<RawSocket> => {
    const socket = await RawSocket.open({ server: to.gateway }, '/api/3/ws/public');
    sockets.push(socket);
    return socket;
  };
  const subscribe = (socket: RawSocket, ch: string, symbol: string, limit?: number): Promise<Json> =>
    socket.ask({ method: 'subscribe', ch, params: { symbols: [symbol], limit }, id: ++requests });

  test('of a symbol that the daemon follows come from its state, with a snapshot for each reader and no gap', async () => {
    const to = await open();
    const early = await market(to);
    const subscribed = await subscribe(early, 'orderbook/full', 'BTCUSDT');
    expect(subscribed.result).toMatchObject({ ch: 'orderbook/full', subscriptions: ['BTCUSDT'] });
    const { snapshot } = await early.until((message) => message.snapshot !== undefined);
    expect(snapshot.BTCUSDT.a).toEqual([['65000.00', '1.00000']]);
    await to.ask('grid', 'POST', '/api/3/spot/order', buy('grid-order-1', '64000'));
    const changed = await early.until(({ update }) => update?.BTCUSDT.b.length > 0);
    expect(changed.update.BTCUSDT).toMatchObject({ b: [['64000.00', '0.01000']], s: snapshot.BTCUSDT.s + 1 });
    const late = await market(to);
    await subscribe(late, 'orderbook/full', 'BTCUSDT');
    const joined = (await late.until((message) => message.snapshot !== undefined)).snapshot.BTCUSDT;
    expect(joined).toMatchObject({
      s: changed.update.BTCUSDT.s,
      b: [['64000.00', '0.01000'], expect.anything()],
    });
    await to.ask('grid', 'DELETE', '/api/3/spot/order/grid-order-1');
    for (const reader of [early, late]) {
      const { update } = await reader.until((message) => message.update?.BTCUSDT.s === joined.s + 1);
      expect(update.BTCUSDT.b).toEqual([['64000.00', '0']]);
    }
    expect(to.passedOn()).toBe(0);
  });

  test('has trades, the top of the book and reads of it from there, too', async () => {
    const to = await open();
    const socket = await market(to);
    await subscribe(socket, 'trades', 'BTCUSDT');
    await subscribe(socket, 'orderbook/top/100ms', 'BTCUSDT');
    const top = await socket.until(({ data }) => data !== undefined);
    expect(top.data.BTCUSDT).toMatchObject({ a: '65000.00', A: '1.00000', b: '63000.00', B: '1.00000' });
    await to.ask('grid', 'POST', '/api/3/spot/order', buy('grid-order-1', '65000', '0.02'));
    const { update } = await socket.until((message) => message.update?.BTCUSDT?.[0]?.p !== undefined);
    expect(update.BTCUSDT).toMatchObject([{ p: '65000.00', q: '0.02000', s: 'buy' }]);
    const read = await to.ask('grid', 'GET', '/api/3/public/orderbook/BTCUSDT');
    expect(read.body).toMatchObject({ ask: [['65000.00', '0.98000']], bid: [['63000.00', '1.00000']] });
    expect(to.passedOn()).toBe(0);
    // The daemon has two trades at most: a longer history is the venue's.
    await subscribe(socket, 'trades', 'BTCUSDT', 100);
    await until('a connection to the venue', () => to.passedOn() === 1);
  });

  test('of other symbols and channels are passed on as the venue sends them', async () => {
    const to = await open();
    const socket = await market(to);
    const subscribed = await subscribe(socket, 'orderbook/full', 'ETHUSDT');
    expect(subscribed.result).toMatchObject({ ch: 'orderbook/full', subscriptions: ['ETHUSDT'] });
    await socket.until(({ snapshot }) => snapshot?.ETHUSDT !== undefined);
    await subscribe(socket, 'ticker/1s', 'BTCUSDT');
    await socket.until(({ data }) => data?.BTCUSDT?.a === '65000.00');
  });

  test('end where the book is stale or the connection to the venue ends, so that the program subscribes anew', async () => {
    const to = await open();
    const [own, passed] = [await market(to), await market(to)];
    await subscribe(own, 'orderbook/full', 'BTCUSDT');
    await subscribe(passed, 'orderbook/full', 'ETHUSDT');
    to.stage.exchange.faults.closeSockets(1_001);
    expect(await own.untilClosed()).toMatchObject({
      code: 1_012,
      reason: expect.stringContaining('BTCUSDT'),
    });
    expect(await passed.untilClosed()).toMatchObject({ code: 1_012 });
    const again = await market(to);
    await until('the book', async () => {
      const { result } = await subscribe(again, 'orderbook/full', 'BTCUSDT');
      return result !== undefined;
    });
    await again.until(({ snapshot }) => snapshot?.BTCUSDT !== undefined);
  });

  test('are passed on to a bounded number of sockets', async () => {
    const to = await open();
    const isFull = ({ closed }: RawSocket): boolean => closed?.code === 1_013;
    // The documents bound how many connect in a second, too.
    await until('the end of one', async () => {
      const opened = await RawSocket.open({ server: to.gateway }, '/api/3/ws/public').catch(() => undefined);
      if (opened !== undefined) {
        sockets.push(opened);
        void subscribe(opened, 'ticker/1s', 'BTCUSDT').catch(() => {});
      }
      return sockets.some(isFull);
    });
    const count = (): number => sockets.filter((one) => one.closed === undefined).length;
    await until('the end of the last ones', () => count() <= 20);
    await to.ask('grid', 'GET', '/api/3/spot/order');
    expect(count()).toBeLessThanOrEqual(20);
  });
});

describe('an attack', () => {
  test('a session ends with its key', async () => {
    const to = await open();
    const grid = await connect(to, 'grid');
    const sheet = await connect(to, 'sheet');
    to.keys.make('grid', 1);
    expect(await grid.untilClosed()).toMatchObject({ code: 4_001 });
    expect((await call(sheet, 'spot_get_orders')).result).toEqual([]);
  });

  test('a request and a socket under another host name are refused', async () => {
    const to = await open();
    const { port } = new URL(to.gateway.restUrl);
    const status = await statusOf({ port, path: '/api/3/public/symbol/BTCUSDT', host: 'evil.example' });
    expect(status).toBe(400);
    expect(await statusOf({ port, path: '/api/3/public/symbol/BTCUSDT', host: `localhost:${port}` })).toBe(
      200,
    );
    const socket = { upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-version': '13' };
    const headers = { ...socket, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    expect(await statusOf({ port, path: '/api/3/ws/trading', host: 'evil.example', headers })).toBe(421);
  });

  test('a thousand connections on which nothing comes hold up no program that is there', async () => {
    const to = await open();
    const grid = await connect(to, 'grid');
    const { port } = new URL(to.gateway.restUrl);
    const idle = Array.from({ length: 1_000 }, () => {
      const one = createConnection(Number(port), '127.0.0.1');
      one.on('error', () => {});
      return one;
    });
    try {
      await until('the end of those that are too many', () => idle.filter((one) => one.closed).length >= 400);
      expect(idle.filter((one) => !one.closed).length).toBeGreaterThan(400);
      expect((await call(grid, 'spot_new_order', buy('grid-order-1'))).result.status).toBe('new');
      expect((await call(grid, 'spot_cancel_orders')).result).toHaveLength(1);
    } finally {
      for (const one of idle) one.destroy();
    }
  });

  test('a request without a login, and a login that was seen before, are refused', async () => {
    const to = await open();
    const socket = await RawSocket.open({ server: to.gateway }, '/api/3/ws/trading');
    sockets.push(socket);
    expect((await call(socket, 'spot_get_orders')).error.code).toBe(1_002);
    const { apiKey, secret } = keyOf(to, 'grid');
    const timestamp = Date.now();
    const signature = createHmac('sha256', secret.reveal()).update(String(timestamp)).digest('hex');
    const login = { type: 'HS256', api_key: apiKey, timestamp, signature };
    expect((await call(socket, 'login', login)).result).toBe(true);
    expect((await call(socket, 'login', login)).error).toMatchObject({ code: 1_002 });
  });

  test('a signed order that is sent a second time is refused, and so is one whose text was changed', async () => {
    const to = await open();
    const { apiKey, secret } = keyOf(to, 'grid');
    const { client_order_id: _id, ...order } = buy('');
    const body = new URLSearchParams(order).toString();
    const signed = { method: 'POST', path: '/api/3/spot/order', query: '', body };
    const now = (Date.now() * 1_000) as Micros;
    const authorization = signV3({ apiKey, secret }, signed, { now, windowMs: 10_000 });
    const send = (text: string) =>
      fetch(`${to.gateway.restUrl}${signed.path}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body: text,
      });
    expect((await send(body.replace('0.01', '0.02'))).status).toBe(401);
    expect((await send(body)).status).toBe(200);
    expect((await send(body)).status).toBe(401);
    expect(to.stage.all('orderPending')).toHaveLength(1);
  });
});
