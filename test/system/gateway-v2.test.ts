import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import type { Json } from '../exchange/support/raw-client.ts';
import { RawSocket } from '../exchange/support/raw-client.ts';
import { Counterparty } from './support/counterparty.ts';
import type { GatewayStage } from './support/gateway-stage.ts';
import { openGateway } from './support/gateway-stage.ts';
import { until } from './support/until.ts';

// Programs of others trade by version 2, over sockets and on margin: the market is bought at 2,990.00 and sold at 3,010.00.

let on: GatewayStage | undefined;
const sockets: RawSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await on?.close();
  on = undefined;
});

async function open() {
  on = await openGateway(
    [
      { name: 'grid', symbols: ['ETHUSDT'], products: ['spot', 'margin'] },
      { name: 'sheet', symbols: ['ETHUSDT'] },
    ],
    { config: { orders: { marketOrders: true } } },
  );
  const { exchange, daemon } = on.stage;
  const spot = new Counterparty(exchange);
  const { view, instruments } = daemon.trader;
  await until('the book', () => view.book(instruments.get('ETHUSDT').id).bestAsk !== undefined);
  return { ...on, spot };
}

function keyOf({ keys }: GatewayStage, name: string) {
  const key = keys.read().get(name);
  if (key === undefined) throw new Error(`${name} has no key`);
  return { pKey: key.apiKey, sKey: key.secret.reveal() };
}

async function socketAt({ gateway }: GatewayStage, path: string): Promise<RawSocket> {
  const socket = await RawSocket.open({ server: gateway }, path);
  sockets.push(socket);
  return socket;
}

async function connect(to: GatewayStage, name: string, path = '/api/2/ws/trading'): Promise<RawSocket> {
  const socket = await socketAt(to, path);
  const params = { algo: 'BASIC', ...keyOf(to, name) };
  expect(await socket.ask({ method: 'login', params, id: 'login' })).toMatchObject({ result: true });
  return socket;
}

let requests = 0;
const call = (socket: RawSocket, method: string, params: object = {}): Promise<Json> =>
  socket.ask({ method, params, id: `request-${++requests}` });

const order = (id: string, more: object = {}) => ({
  clientOrderId: id,
  symbol: 'ethusdt',
  side: 'buy',
  price: '2900',
  quantity: '0.5',
  ...more,
});

const noticesOf = (socket: RawSocket, name: string): readonly Json[] =>
  socket.received.filter(({ method }) => method === name).map(({ params }) => params);

describe('the trading socket of version 2', () => {
  test('places, replaces and cancels, and reports each step to its program alone', async () => {
    const to = await open();
    const [grid, sheet] = [await connect(to, 'grid'), await connect(to, 'sheet')];
    for (const socket of [grid, sheet]) {
      expect((await call(socket, 'subscribeReports')).result).toBe(true);
      expect((await socket.until(({ method }) => method === 'activeOrders')).params).toEqual([]);
    }
    const placed = await call(grid, 'newOrder', order('one'));
    expect(placed.result).toMatchObject({
      clientOrderId: 'one',
      symbol: 'ETHUSDT',
      status: 'new',
      cumQuantity: '0',
      reportType: 'new',
    });
    expect((await call(grid, 'newOrder', order('one'))).error.code).toBe(20_008);
    const change = { clientOrderId: 'one', requestClientId: 'two', price: '2910', quantity: '0.4' };
    expect((await call(grid, 'cancelReplaceOrder', change)).result).toMatchObject({
      clientOrderId: 'two',
      originalRequestClientOrderId: 'one',
      reportType: 'replaced',
    });
    expect((await call(grid, 'getOrders')).result).toMatchObject([
      { clientOrderId: 'two', reportType: 'status' },
    ]);
    const canceled = await call(grid, 'cancelOrder', { clientOrderId: 'two' });
    expect(canceled.result).toMatchObject({ status: 'canceled', reportType: 'canceled' });
    const bought = await call(grid, 'newOrder', order('three', { price: '3010', quantity: '0.1' }));
    expect(bought.result).toMatchObject({ reportType: 'trade', status: 'filled', tradePrice: '3010.00' });
    await grid.settle();
    expect(noticesOf(grid, 'report').map((one) => [one.clientOrderId, one.reportType])).toEqual(
      expect.arrayContaining([
        ['one', 'new'],
        ['two', 'replaced'],
        ['two', 'canceled'],
        ['three', 'trade'],
      ]),
    );
    await sheet.settle();
    expect(noticesOf(sheet, 'report')).toEqual([]);
    const balances: Json[] = (await call(sheet, 'getTradingBalance')).result;
    expect(balances.map(({ currency }) => currency)).toContain('ETH');
  });

  test('logs in by signature, which counts once, and serves nothing before', async () => {
    const to = await open();
    const { pKey, sKey } = keyOf(to, 'grid');
    const nonce = 'nonce-1';
    const signature = createHmac('sha256', sKey).update(nonce).digest('hex');
    const login = { method: 'login', params: { algo: 'HS256', pKey, nonce, signature }, id: 'login' };
    const first = await socketAt(to, '/api/2/ws/trading');
    expect((await call(first, 'getOrders')).error.code).toBe(1_001);
    expect(await first.ask(login)).toMatchObject({ result: true });
    const second = await socketAt(to, '/api/2/ws/trading');
    expect((await second.ask(login)).error.code).toBe(1_002);
    const foreign = { ...login.params, pKey: keyOf(to, 'sheet').pKey, nonce: 'nonce-2' };
    expect((await second.ask({ ...login, params: foreign })).error.code).toBe(1_002);
  });

  test('a denial has our code and sentence', async () => {
    const to = await open();
    const grid = await connect(to, 'grid');
    const denied = await call(grid, 'newOrder', order('one', { price: '1000' }));
    expect(denied.error.description).toMatch(/^PRICE_COLLAR: /);
    const other = await call(grid, 'subscribeTransactions');
    expect(other.error.message).toBe('Method not found');
  });
});

test('the combined socket has market data of the venue and the orders of the program', async () => {
  const to = await open();
  const grid = await connect(to, 'grid', '/api/2/ws');
  expect((await call(grid, 'subscribeOrderbook', { symbol: 'ETHUSDT' })).result).toBe(true);
  await until('the book', () => noticesOf(grid, 'snapshotOrderbook').length > 0);
  expect((await call(grid, 'newOrder', order('one'))).result).toMatchObject({ clientOrderId: 'one' });
  expect((await call(grid, 'subscribeTransactions')).error.code).toBe(1_003);
  await until('the order in the book', () =>
    noticesOf(grid, 'updateOrderbook').some(({ bid }) =>
      bid.some(({ price }: { price: string }) => Number(price) === 2_900),
    ),
  );
});

describe('margin by version 2', () => {
  test('over HTTP: an account, an order, a position and its end', async () => {
    const { ask } = await open();
    const root = '/api/2/margin';
    const set = await ask('grid', 'PUT', `${root}/account/ethusdt`, { marginBalance: '1000' });
    expect(set.body).toMatchObject({ symbol: 'ETHUSDT' });
    expect(Number(set.body.marginBalance)).toBe(1_000);
    const form = { ...order('margin-1', { price: '3010' }) } as Record<string, string>;
    const placed = await ask('grid', 'POST', `${root}/order`, form);
    expect(placed.body).toMatchObject({ clientOrderId: 'margin-1', status: 'filled' });
    await until('the position', async () => (await ask('grid', 'GET', `${root}/position`)).body.length === 1);
    expect((await ask('grid', 'GET', `${root}/position/ETHUSDT`)).body).toMatchObject({ symbol: 'ETHUSDT' });
    expect((await ask('grid', 'GET', `${root}/account`)).body).toMatchObject([{ symbol: 'ETHUSDT' }]);
    await ask('grid', 'POST', `${root}/order`, { ...form, clientOrderId: 'margin-2', price: '2900' });
    expect((await ask('grid', 'GET', `${root}/order?symbol=ETHUSDT`)).body).toMatchObject([
      { clientOrderId: 'margin-2' },
    ]);
    expect((await ask('grid', 'GET', '/api/2/order')).body).toEqual([]);
    expect((await ask('grid', 'DELETE', `${root}/order/margin-2`)).body.status).toBe('canceled');
    const closed = await ask('grid', 'DELETE', `${root}/position/ETHUSDT`);
    expect(closed.body).toMatchObject([{ symbol: 'ETHUSDT', quantity: '0' }]);
    expect((await ask('sheet', 'GET', `${root}/order`)).body.error.description).toBe(
      'The program sheet does not trade margin (programs.products)',
    );
  });

  test('over the socket: reports on orders and accounts', async () => {
    const to = await open();
    const grid = await connect(to, 'grid');
    expect((await call(grid, 'marginSubscribe')).result).toBe(true);
    expect((await grid.until(({ method }) => method === 'marginAccounts')).params).toEqual([]);
    const set = await call(grid, 'marginAccountSet', { symbol: 'ETHUSDT', marginBalance: '1000' });
    expect(set.result).toMatchObject({ symbol: 'ETHUSDT' });
    const placed = await call(grid, 'marginOrderNew', order('margin-1', { price: '3010' }));
    expect(placed.result).toMatchObject({ reportType: 'trade', tradePositionId: expect.any(Number) });
    await until('the account with the position', () =>
      noticesOf(grid, 'marginAccountReport').some(
        ({ position }) => position !== undefined && position !== null,
      ),
    );
    expect((await call(grid, 'marginOrdersGet')).result).toEqual([]);
    const closed = await call(grid, 'marginPositionClose', { symbol: 'ETHUSDT' });
    expect(closed.result).toMatchObject({ symbol: 'ETHUSDT' });
    const ids = noticesOf(grid, 'marginOrderReport').map(({ clientOrderId }) => clientOrderId);
    expect(ids).toContain('margin-1');
    expect((await call(grid, 'marginAccountsGet')).result).toMatchObject([{ symbol: 'ETHUSDT' }]);
    expect((await call(grid, 'marginOrdersCancel')).result).toEqual([]);
  });
});
