import { afterEach, describe, expect, test } from 'vitest';
import { Counterparty } from './support/counterparty.ts';
import type { GatewayStage } from './support/gateway-stage.ts';
import { openGateway } from './support/gateway-stage.ts';
import { contract } from './support/margin-scene.ts';
import { expectReplays } from './support/replayed.ts';
import type { StageParts } from './support/stage.ts';
import { until } from './support/until.ts';

// Programs of others trade on margin and contracts: the market is bought at 2,990.00 and sold at 3,010.00.

let on: GatewayStage | undefined;
afterEach(async () => {
  await on?.close();
  on = undefined;
});

const symbols = ['ETHUSDT', contract];
const grid = { name: 'grid', symbols, products: ['spot', 'margin', 'futures'] };
const sheet = { name: 'sheet', symbols: ['ETHUSDT'] };
const hedge = { name: 'hedge', symbols, products: ['margin', 'futures'] };

async function open(parts: Partial<StageParts> = {}) {
  on = await openGateway([grid, sheet, hedge], {
    config: { orders: { marketOrders: true } },
    ...parts,
  });
  const { exchange, daemon } = on.stage;
  const spot = new Counterparty(exchange);
  const perpetual = new Counterparty(exchange, contract, 'fund');
  const { view, instruments } = daemon.trader;
  for (const symbol of symbols)
    await until(`the book of ${symbol}`, () => view.book(instruments.get(symbol).id).bestAsk !== undefined);
  return { ...on, spot, perpetual };
}

const order = (id: string, more: object = {}): Record<string, string> => ({
  client_order_id: id,
  symbol: 'ETHUSDT',
  side: 'buy',
  price: '3010',
  quantity: '0.5',
  ...more,
});

describe('on margin', () => {
  test('an order opens an account, shows in it, and closes what the program holds', async () => {
    const { ask, stage } = await open();
    const root = '/api/3/margin';
    const early = await ask('grid', 'POST', `${root}/order`, order('grid-order-0'));
    expect(early.body.error.code).toBe(20_032);
    const account = await ask('grid', 'PUT', `${root}/account/isolated/ETHUSDT`, { margin_balance: '1000' });
    expect(account).toMatchObject({
      status: 200,
      body: { symbol: 'ETHUSDT', type: 'isolated', currencies: [{ code: 'USDT' }], positions: null },
    });
    expect(Number(account.body.currencies[0].margin_balance)).toBe(1_000);
    expect(stage.all('marginPending')).toMatchObject([{ command: { strategy: 'grid' } }]);
    const held = async (program: string) =>
      (await ask(program, 'GET', '/api/3/spot/balance/USDT')).body.reserved_margin;
    expect([await held('grid'), await held('sheet')]).toEqual(['1000', '0']);
    const placed = await ask('grid', 'POST', `${root}/order`, order('grid-order-1'));
    expect(placed.body).toMatchObject({
      client_order_id: 'grid-order-1',
      status: 'filled',
      margin_mode: 'isolated',
      reduce_only: false,
      close_position: false,
      trades: [{ price: '3010.00', quantity: '0.5000', position_id: expect.any(Number) }],
    });
    await until('the position', async () => {
      const { body } = await ask('grid', 'GET', `${root}/account/isolated/ETHUSDT`);
      return body.positions?.length === 1 && Number(body.positions[0].quantity) === 0.5;
    });
    const closed = await ask('grid', 'DELETE', `${root}/position/isolated/ETHUSDT`);
    expect(closed.body).toMatchObject({ symbol: 'ETHUSDT', quantity: '0', margin_mode: 'isolated' });
    // 0.5 × (2,990 − 3,010).
    expect(Number(closed.body.pnl)).toBe(-10);
    const gone = await ask('grid', 'DELETE', `${root}/position/isolated/ETHUSDT`);
    expect(gone.body.error.code).toBe(20_032);
    await until('the end of the position', async () => {
      const { body } = await ask('grid', 'GET', `${root}/account`);
      return body[0].positions === null;
    });
    const shut = await ask('grid', 'PUT', `${root}/account/isolated/ETHUSDT`, { margin_balance: '0' });
    expect(Number(shut.body.currencies[0].margin_balance)).toBe(0);
    expect((await ask('grid', 'GET', `${root}/account`)).body).toEqual([]);
  });

  test('orders are those of margin alone, and of the program alone', async () => {
    const { ask } = await open();
    await ask('grid', 'PUT', '/api/3/margin/account/isolated/ETHUSDT', { margin_balance: '5000' });
    await ask('grid', 'POST', '/api/3/margin/order', order('grid-order-1', { price: '2900' }));
    await ask('grid', 'POST', '/api/3/spot/order', order('grid-order-2', { price: '2910' }));
    await ask('hedge', 'POST', '/api/3/margin/order', order('grid-order-1', { price: '2920' }));
    const listed = async (program: string, product: string) =>
      (await ask(program, 'GET', `/api/3/${product}/order`)).body.map(
        (one: Record<string, string>) => one['price'],
      );
    expect(await listed('grid', 'margin')).toEqual(['2900.00']);
    expect(await listed('grid', 'spot')).toEqual(['2910.00']);
    expect(await listed('hedge', 'margin')).toEqual(['2920.00']);
    expect((await ask('grid', 'GET', '/api/3/spot/order/grid-order-1')).body.error.code).toBe(20_002);
    expect((await ask('grid', 'POST', '/api/3/spot/order', order('grid-order-1'))).body.error.code).toBe(
      20_008,
    );
    const change = { new_client_order_id: 'grid-order-3', price: '2890', quantity: '0.4' };
    const replaced = await ask('grid', 'PATCH', '/api/3/margin/order/grid-order-1', change);
    expect(replaced.body).toMatchObject({ price: '2890.00', margin_mode: 'isolated' });
    expect((await ask('grid', 'DELETE', '/api/3/margin/order')).body).toMatchObject([
      { client_order_id: 'grid-order-3', status: 'canceled' },
    ]);
    expect(await listed('grid', 'spot')).toEqual(['2910.00']);
    expect(await listed('hedge', 'margin')).toEqual(['2920.00']);
    const history = await ask('grid', 'GET', '/api/3/margin/history/order');
    expect(history.body).toMatchObject([
      { client_order_id: 'grid-order-3', original_client_order_id: 'grid-order-1', status: 'canceled' },
      { client_order_id: 'grid-order-1', status: 'canceled' },
    ]);
  });

  test('a program closes its own part of a position, and leaves that of another', async () => {
    const { ask, stage } = await open();
    await ask('grid', 'PUT', '/api/3/margin/account/isolated/ETHUSDT', { margin_balance: '5000' });
    await ask('grid', 'POST', '/api/3/margin/order', order('grid-order-1'));
    await ask('hedge', 'POST', '/api/3/margin/order', order('hedge-order-1', { quantity: '0.3' }));
    const { view, instruments } = stage.daemon.trader;
    const { id } = instruments.get('ETHUSDT');
    await until('both positions', () => view.netPosition(id, 'isolated') === 8_000);
    const closed = await ask('grid', 'DELETE', '/api/3/margin/position');
    expect(closed.body).toHaveLength(1);
    expect(Number(closed.body[0].quantity)).toBe(0.3);
    expect(view.position(id, 'grid', 'isolated').quantity).toBe(0);
    expect(view.position(id, 'hedge', 'isolated').quantity).toBe(3_000);
  });

  test('a position is not closed at market where market orders are off, and at a price it is', async () => {
    const { ask, spot } = await open({ config: {} });
    await ask('grid', 'PUT', '/api/3/margin/account/isolated/ETHUSDT', { margin_balance: '5000' });
    await ask('grid', 'POST', '/api/3/margin/order', order('grid-order-1'));
    const off = await ask('grid', 'DELETE', '/api/3/margin/position');
    expect(off.body.error.description).toMatch(/^MARKET_ORDERS_OFF: /);
    const path = '/api/3/margin/position/isolated/ETHUSDT';
    const resting = await ask('grid', 'DELETE', path, { price: '3005' });
    expect(Number(resting.body.quantity)).toBe(0.5);
    const [left] = (await ask('grid', 'GET', '/api/3/margin/order')).body;
    expect(left).toMatchObject({ side: 'sell', price: '3005.00', quantity: '0.5000', reduce_only: true });
    spot.take('buy', 300_500, 5_000);
    await until('the end of the order', async () => {
      const { body } = await ask('grid', 'GET', '/api/3/margin/order');
      return body.length === 0;
    });
  });

  test('a list rests as one', async () => {
    const { ask, post } = await open();
    await ask('grid', 'PUT', '/api/3/margin/account/isolated/ETHUSDT', { margin_balance: '5000' });
    const one = (id: string, price: string) => ({
      ...order(id, { price }),
      type: 'limit',
      time_in_force: 'GTC',
    });
    const { body } = await post('grid', '/api/3/margin/order/list', {
      contingency_type: 'oneCancelOther',
      orders: [one('grid-order-1', '2900'), one('grid-order-2', '2890')],
    });
    expect(body).toMatchObject([
      { client_order_id: 'grid-order-1', order_list_id: 'grid-order-1', margin_mode: 'isolated' },
      { client_order_id: 'grid-order-2', order_list_id: 'grid-order-1', margin_mode: 'isolated' },
    ]);
  });

  test('a change that the controls deny is refused with their reason', async () => {
    const { ask, stage } = await open();
    const put = (margin_balance: string) =>
      ask('grid', 'PUT', '/api/3/margin/account/isolated/ETHUSDT', { margin_balance });
    const poor = await put('100000000');
    expect(poor.status).toBe(400);
    expect(poor.body.error.description).toMatch(/^MARGIN_FUNDS: |^FUNDS: /);
    expect(stage.all('marginPending')).toEqual([]);
  });
});

describe('with contracts', () => {
  test('an order on cross margin trades, shows its position, and is closed', async () => {
    const { ask } = await open();
    const root = '/api/3/futures';
    const placed = await ask(
      'hedge',
      'POST',
      `${root}/order`,
      order('hedge-order-1', { symbol: contract, margin_mode: 'cross' }),
    );
    expect(placed.body).toMatchObject({ status: 'filled', margin_mode: 'Cross', symbol: contract });
    const [account] = await until('the account', async () => {
      const { body } = await ask('hedge', 'GET', `${root}/account`);
      return body[0]?.positions?.length === 1 ? body : undefined;
    });
    expect(account).toMatchObject({ type: 'cross', positions: [{ symbol: contract, margin_mode: 'Cross' }] });
    expect((await ask('hedge', 'GET', `${root}/account/cross/USDT`)).body).toEqual(account);
    const closed = await ask('hedge', 'DELETE', `${root}/position/cross/${contract}`);
    expect(closed.body).toMatchObject({ symbol: contract, quantity: '0' });
    const trades = await ask('hedge', 'GET', `${root}/history/trade`);
    expect(trades.body).toHaveLength(2);
    expect((await ask('grid', 'GET', `${root}/history/trade`)).body).toEqual([]);
  });

  test('balances, fees and rules are those of contracts', async () => {
    const { ask } = await open();
    const balances = (await ask('hedge', 'GET', '/api/3/futures/balance')).body;
    expect(balances).toMatchObject([{ currency: 'USDT', available: '200000' }]);
    expect((await ask('hedge', 'GET', '/api/3/futures/balance/USDT')).body.available).toBe('200000');
    expect((await ask('hedge', 'GET', `/api/3/futures/fee/${contract}`)).body.symbol).toBe(contract);
    expect((await ask('hedge', 'GET', '/api/3/futures/fee/ETHUSDT')).body.error.message).toBe(
      'Is not futures:ETHUSDT',
    );
    const { config } = (await ask('hedge', 'GET', '/api/3/futures/config')).body;
    expect(config.map(({ symbol }: { symbol: string }) => symbol)).toContain(contract);
    const leverage = { margin_balance: '500', leverage: '20' };
    const set = await ask('hedge', 'PUT', `/api/3/futures/account/isolated/${contract}`, leverage);
    expect(set.body).toMatchObject({ type: 'isolated', leverage: '20.00' });
  });
});

test('a program that does not trade a product neither trades nor sees it', async () => {
  const { ask, stage } = await open();
  const refused = 'The program sheet does not trade margin (programs.products)';
  const asked = [
    ['GET', '/api/3/margin/account'],
    ['GET', '/api/3/margin/order'],
    ['GET', '/api/3/margin/config'],
    ['DELETE', '/api/3/margin/position'],
  ] as const;
  for (const [method, path] of asked)
    expect((await ask('sheet', method, path)).body.error).toMatchObject({ code: 600, description: refused });
  const placed = await ask('sheet', 'POST', '/api/3/margin/order', order('sheet-order-1'));
  expect(placed.body.error.description).toBe(refused);
  const spot = await ask('hedge', 'POST', '/api/3/spot/order', order('hedge-order-1'));
  expect(spot.body.error.description).toBe('The program hedge does not trade spot (programs.products)');
  expect(stage.all('intent')).toEqual([]);
});

test('a symbol that none of its products trades ends the start', async () => {
  const started = openGateway([{ name: 'grid', symbols: [contract] }]);
  await expect(started).rejects.toThrow(`program grid: expected symbols that spot trades, found ${contract}`);
});

test('a recorded run with margin and contracts replays to the same digest', async () => {
  const { ask, stage } = await open({ record: true });
  await ask('grid', 'PUT', '/api/3/margin/account/isolated/ETHUSDT', { margin_balance: '5000' });
  await ask('grid', 'POST', '/api/3/margin/order', order('grid-order-1'));
  await ask(
    'hedge',
    'POST',
    '/api/3/futures/order',
    order('hedge-order-1', { symbol: contract, margin_mode: 'cross' }),
  );
  await ask('grid', 'DELETE', '/api/3/margin/position');
  await expectReplays(stage);
});
