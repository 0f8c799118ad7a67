import { afterEach, describe, expect, test } from 'vitest';
import type { Json } from '../exchange/support/raw-client.ts';
import { RawSocket } from '../exchange/support/raw-client.ts';
import { Counterparty } from './support/counterparty.ts';
import type { GatewayStage } from './support/gateway-stage.ts';
import { openGateway } from './support/gateway-stage.ts';
import { contract } from './support/margin-scene.ts';
import { until } from './support/until.ts';

// Programs of others trade on margin and contracts by socket: the market is bought at 2,990.00 and sold at 3,010.00.

let on: GatewayStage | undefined;
const sockets: RawSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await on?.close();
  on = undefined;
});

const symbols = ['ETHUSDT', contract];
const all = ['spot', 'margin', 'futures'];

async function open() {
  on = await openGateway(
    [
      { name: 'grid', symbols, products: all },
      { name: 'hedge', symbols, products: all },
      { name: 'sheet', symbols: ['ETHUSDT'] },
    ],
    { config: { orders: { marketOrders: true } } },
  );
  const { exchange, daemon } = on.stage;
  const spot = new Counterparty(exchange);
  const perpetual = new Counterparty(exchange, contract, 'fund');
  const { view, instruments } = daemon.trader;
  for (const symbol of symbols)
    await until(`the book of ${symbol}`, () => view.book(instruments.get(symbol).id).bestAsk !== undefined);
  return { ...on, spot, perpetual };
}

async function connect({ gateway, keys }: GatewayStage, name: string): Promise<RawSocket> {
  const socket = await RawSocket.open({ server: gateway }, '/api/3/ws/trading');
  sockets.push(socket);
  const key = keys.read().get(name);
  if (key === undefined) throw new Error(`${name} has no key`);
  expect(await socket.login(key)).toMatchObject({ result: true });
  return socket;
}

let requests = 0;
const call = (socket: RawSocket, method: string, params: object = {}): Promise<Json> =>
  socket.ask({ method, params, id: `request-${++requests}` });

const order = (id: string, more: object = {}) => ({
  client_order_id: id,
  symbol: 'ETHUSDT',
  side: 'buy',
  price: '3010',
  quantity: '0.5',
  ...more,
});

const noticesOf = (socket: RawSocket, name: string): readonly Json[] =>
  socket.received.filter(({ method }) => method === name).map(({ params }) => params);

describe('margin by socket', () => {
  test('an account is set, an order trades, the position is closed, and each step is reported', async () => {
    const to = await open();
    const grid = await connect(to, 'grid');
    expect((await call(grid, 'margin_subscribe')).result).toBe(true);
    expect((await grid.until(({ method }) => method === 'margin_orders')).params).toEqual([]);
    expect((await grid.until(({ method }) => method === 'margin_accounts')).params).toEqual([]);
    const set = await call(grid, 'margin_set_account', { symbol: 'ETHUSDT', margin_balance: '1000' });
    expect(set.result).toMatchObject({
      symbol: 'ETHUSDT',
      type: 'isolated',
      report_type: expect.stringMatching(/^(?:created|updated)$/),
    });
    const placed = await call(grid, 'margin_new_order', order('grid-order-1'));
    expect(placed.result).toMatchObject({
      status: 'filled',
      report_type: 'trade',
      margin_mode: 'isolated',
      reduce_only: false,
      trade_position_id: expect.any(Number),
    });
    await until('the account of the position', () =>
      noticesOf(grid, 'margin_account').some(({ report_reason }) => report_reason === 'openTrade'),
    );
    const closed = await call(grid, 'margin_close_position', { symbol: 'ETHUSDT' });
    expect(closed.result).toMatchObject({ symbol: 'ETHUSDT', positions: [{ symbol: 'ETHUSDT' }] });
    await until('the end of the position', () => {
      const last = noticesOf(grid, 'margin_account').at(-1);
      return last?.positions === null;
    });
    const orders = noticesOf(grid, 'margin_order');
    expect(orders.filter(({ report_type }) => report_type === 'trade')).toHaveLength(2);
    expect((await call(grid, 'margin_get_accounts')).result).toMatchObject([{ report_type: 'status' }]);
  });

  test('reports are those of the product and of the program alone', async () => {
    const to = await open();
    const [grid, hedge] = [await connect(to, 'grid'), await connect(to, 'hedge')];
    for (const socket of [grid, hedge])
      for (const product of all) expect((await call(socket, `${product}_subscribe`)).result).toBe(true);
    await call(grid, 'margin_set_account', { symbol: 'ETHUSDT', margin_balance: '5000' });
    await call(grid, 'margin_new_order', order('grid-order-1', { price: '2900' }));
    await call(grid, 'spot_new_order', order('grid-order-2', { price: '2910' }));
    await call(
      grid,
      'futures_new_order',
      order('grid-order-3', { symbol: contract, price: '2920', margin_mode: 'cross' }),
    );
    const idsOf = (product: string) =>
      noticesOf(grid, `${product}_order`).map(({ client_order_id }) => client_order_id);
    for (const [product, id] of [
      ['margin', 'grid-order-1'],
      ['spot', 'grid-order-2'],
      ['futures', 'grid-order-3'],
    ] as const) {
      await until(`the report of ${product}`, () => idsOf(product).length > 0);
      expect(new Set(idsOf(product))).toEqual(new Set([id]));
      expect((await call(grid, `${product}_get_orders`)).result).toMatchObject([
        { client_order_id: id, report_type: 'status' },
      ]);
    }
    const change = { client_order_id: 'grid-order-1', new_client_order_id: 'grid-order-4' };
    const replaced = await call(grid, 'margin_replace_order', { ...change, price: '2890', quantity: '0.4' });
    expect(replaced.result).toMatchObject({ report_type: 'replaced', margin_mode: 'isolated' });
    expect((await call(grid, 'spot_cancel_order', { client_order_id: 'grid-order-4' })).error.code).toBe(
      20_002,
    );
    expect((await call(grid, 'margin_cancel_orders')).result).toMatchObject([
      { client_order_id: 'grid-order-4', status: 'canceled' },
    ]);
    await hedge.settle();
    for (const product of all) expect(noticesOf(hedge, `${product}_order`)).toEqual([]);
  });

  test('a program that does not trade it is refused', async () => {
    const to = await open();
    const sheet = await connect(to, 'sheet');
    for (const method of [
      'margin_subscribe',
      'margin_get_orders',
      'futures_balances',
      'futures_get_accounts',
    ])
      expect((await call(sheet, method)).error).toMatchObject({ code: 600 });
    const placed = await call(sheet, 'margin_new_order', order('sheet-order-1'));
    expect(placed.error.description).toBe('The program sheet does not trade margin (programs.products)');
  });
});

describe('contracts by socket', () => {
  test('cross margin has notices of its own, and balances are fed', async () => {
    const to = await open();
    const grid = await connect(to, 'grid');
    await call(grid, 'futures_subscribe');
    expect((await call(grid, 'futures_balance_subscribe', { mode: 'updates' })).result).toBe(true);
    const first = await grid.until(({ method }) => method === 'futures_balance');
    expect(first.params).toMatchObject([{ currency: 'USDT', available: '200000' }]);
    const placed = await call(
      grid,
      'futures_new_order',
      order('grid-order-1', { symbol: contract, margin_mode: 'cross' }),
    );
    expect(placed.result).toMatchObject({ status: 'filled', margin_mode: 'Cross' });
    await until('the notice of the position', () => noticesOf(grid, 'futures_position_cross').length > 0);
    expect(noticesOf(grid, 'futures_position_cross')[0]).toMatchObject({
      symbol: contract,
      margin_mode: 'Cross',
      report_type: 'created',
    });
    expect(noticesOf(grid, 'futures_account_cross').length).toBeGreaterThan(0);
    const account = { symbol: contract, margin_balance: '500', leverage: '20' };
    expect((await call(grid, 'futures_set_account', account)).result).toMatchObject({ leverage: '20.00' });
    const leverage = await call(grid, 'futures_set_leverage', { symbol: contract, leverage: '10' });
    expect(leverage.result).toMatchObject({ leverage: '10.00' });
    expect((await call(grid, 'futures_balance', { currency: 'USDT' })).result.currency).toBe('USDT');
    expect((await call(grid, 'futures_fee', { symbol: contract })).result.symbol).toBe(contract);
  });
});
