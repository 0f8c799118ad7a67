import { afterEach, describe, expect, test } from 'vitest';
import type { GatewayStage } from './support/gateway-stage.ts';
import { askAs, openWithMarket } from './support/gateway-stage.ts';
import { expectReplays } from './support/replayed.ts';
import type { StageParts } from './support/stage.ts';
import { until } from './support/until.ts';

// Programs of others trade over HTTP through a daemon, at an exchange of its own that has no orders but these.

const spot = '/api/3/spot/order';
const grid = { name: 'grid', symbols: ['BTCUSDT', 'ETHUSDT'] };
const sheet = { name: 'sheet', symbols: ['BTCUSDT'] };

let on: GatewayStage | undefined;
afterEach(async () => {
  await on?.close();
  on = undefined;
});

async function open(parts: Partial<StageParts> = {}, programs = [grid, sheet]): Promise<GatewayStage> {
  on = await openWithMarket(programs, parts);
  return on;
}

const buy = (id: string, price = '63000', quantity = '0.01'): Record<string, string> => ({
  client_order_id: id,
  symbol: 'BTCUSDT',
  side: 'buy',
  price,
  quantity,
});

describe('an order of a program', () => {
  test('rests at the venue under an id of ours, and is known to the program under its own', async () => {
    const { ask, stage } = await open();
    const placed = await ask('grid', 'POST', spot, buy('grid-order-1'));
    expect(placed).toMatchObject({
      status: 200,
      body: { client_order_id: 'grid-order-1', status: 'new', price: '63000.00', quantity: '0.01000' },
    });
    const [live] = stage.daemon.trader.view.openOrders('grid');
    expect(live?.clientOrderId).toMatch(/^gw-\w+-grid-/);
    expect(String(placed.body.id)).toBe(live?.venueOrderId);
    const listed = await ask('grid', 'GET', spot);
    expect(listed.body).toEqual([placed.body]);
    expect((await ask('grid', 'GET', `${spot}/grid-order-1`)).body).toEqual(placed.body);
    const canceled = await ask('grid', 'DELETE', `${spot}/grid-order-1`);
    expect(canceled.body).toMatchObject({ client_order_id: 'grid-order-1', status: 'canceled' });
    expect((await ask('grid', 'GET', spot)).body).toEqual([]);
  });

  test('is answered with its executions when it takes what rests', async () => {
    const { ask } = await open();
    const { body } = await ask('grid', 'POST', spot, buy('grid-order-1', '65000', '0.02'));
    expect(body).toMatchObject({ status: 'filled', quantity_cumulative: '0.02000', price_average: '65000' });
    expect(body.trades).toMatchObject([{ price: '65000.00', quantity: '0.02000', taker: true }]);
  });

  test('is replaced under an id of the program', async () => {
    const { ask } = await open();
    await ask('grid', 'POST', spot, buy('grid-order-1'));
    const change = { new_client_order_id: 'grid-order-2', price: '62000', quantity: '0.03' };
    const { body } = await ask('grid', 'PATCH', `${spot}/grid-order-1`, change);
    expect(body).toMatchObject({
      client_order_id: 'grid-order-2',
      original_client_order_id: 'grid-order-1',
      price: '62000.00',
      quantity: '0.03000',
    });
    expect((await ask('grid', 'GET', spot)).body).toHaveLength(1);
    expect((await ask('grid', 'DELETE', `${spot}/grid-order-1`)).body.error.code).toBe(20_002);
    const unchanged = await ask('grid', 'PATCH', `${spot}/grid-order-2`, {
      ...change,
      new_client_order_id: 'grid-order-3',
    });
    expect(unchanged.body.error.code).toBe(20_009);
  });

  test('keeps its id where a replacement of it is denied', async () => {
    const { ask } = await open();
    await ask('grid', 'POST', spot, buy('grid-order-1'));
    const change = { new_client_order_id: 'grid-order-2', price: '6200', quantity: '0.03' };
    const denied = await ask('grid', 'PATCH', `${spot}/grid-order-1`, change);
    expect(denied.body.error.description).toMatch(/^PRICE_COLLAR: /);
    expect((await ask('grid', 'GET', `${spot}/grid-order-1`)).body).toMatchObject({ status: 'new' });
    expect((await ask('grid', 'POST', spot, buy('grid-order-1'))).body.error.code).toBe(20_008);
    expect((await ask('grid', 'DELETE', `${spot}/grid-order-1`)).body.status).toBe('canceled');
    // Equal orders within a second are another matter.
    expect((await ask('grid', 'POST', spot, buy('grid-order-2', '62900'))).status).toBe(200);
  });

  test('may have the id of an order of another program, which neither sees nor cancels it', async () => {
    const { ask, stage } = await open();
    await ask('grid', 'POST', spot, buy('same-id-0001'));
    const other = await ask('sheet', 'POST', spot, buy('same-id-0001', '62500'));
    expect(other.body).toMatchObject({ client_order_id: 'same-id-0001', price: '62500.00' });
    expect((await ask('sheet', 'GET', spot)).body).toHaveLength(1);
    expect((await ask('sheet', 'DELETE', spot)).body).toMatchObject([{ price: '62500.00' }]);
    expect(stage.daemon.trader.view.openCountBy('grid')).toBe(1);
    const own = stage.daemon.trader.view.openOrders('grid')[0]?.clientOrderId ?? '';
    expect((await ask('sheet', 'DELETE', `${spot}/${own}`)).body.error.code).toBe(20_002);
    expect((await ask('grid', 'GET', `${spot}/${own}`)).body.error.code).toBe(20_002);
  });

  test('without an id has one of ours, by which the program may ask for it', async () => {
    const { ask } = await open();
    const { client_order_id: _id, ...form } = buy('');
    const { body } = await ask('grid', 'POST', spot, form);
    expect(body.client_order_id).toMatch(/^gw-\w+-grid-/);
    const canceled = await ask('grid', 'DELETE', `${spot}/${body.client_order_id}`);
    expect(canceled.body.status).toBe('canceled');
  });
});

describe('a second order with an id', () => {
  test('is refused while the first lives and once it has ended, and when both come at once', async () => {
    const { ask, stage } = await open();
    const answers = await Promise.all([1, 2, 3].map(() => ask('grid', 'POST', spot, buy('grid-order-1'))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused.map(({ body }) => body.error.code)).toEqual([20_008, 20_008]);
    await ask('grid', 'DELETE', `${spot}/grid-order-1`);
    expect((await ask('grid', 'POST', spot, buy('grid-order-1'))).body.error.code).toBe(20_008);
    expect(stage.all('orderPending')).toHaveLength(1);
  });

  test('is refused after the daemon was started again', async () => {
    const { ask, stage } = await open({ config: { orders: { onStop: 'keep', onStart: 'keep' } } });
    const first = await ask('grid', 'POST', spot, buy('grid-order-1'));
    await stage.stop();
    await stage.start();
    await until('the next start', () => stage.daemon.trader.started);
    expect((await ask('grid', 'POST', spot, buy('grid-order-1'))).body.error.code).toBe(20_008);
    expect((await ask('grid', 'GET', spot)).body).toMatchObject([
      { id: first.body.id, client_order_id: 'grid-order-1' },
    ]);
    expect((await ask('grid', 'DELETE', `${spot}/grid-order-1`)).body.status).toBe('canceled');
  });

  test('is taken when the first was denied: it never left', async () => {
    const { ask } = await open();
    const denied = await ask('grid', 'POST', spot, buy('grid-order-1', '10000'));
    expect(denied).toMatchObject({
      status: 400,
      body: { error: { code: 20_045, message: 'Fat finger limit exceeded' } },
    });
    expect(denied.body.error.description).toMatch(/^PRICE_COLLAR: expected a price within /);
    expect((await ask('grid', 'POST', spot, buy('grid-order-1'))).status).toBe(200);
  });
});

describe('an order without an answer of the venue', () => {
  test('is answered with 504, and its id is in use although the venue never had it', async () => {
    const { ask, stage } = await open();
    stage.exchange.faults.answer504('beforeAccept', 1);
    const silent = await ask('grid', 'POST', spot, buy('grid-order-1'));
    expect(silent).toMatchObject({ status: 504, body: { error: { code: 504 } } });
    const listed = await ask('grid', 'GET', spot);
    if (listed.status !== 200)
      expect(listed.body.error).toMatchObject({
        code: 504,
        description: 'The result of grid-order-1 is unknown, check it later',
      });
    expect((await ask('grid', 'POST', spot, buy('grid-order-1'))).body.error.code).toBe(20_008);
    await stage.next('orderProvenAbsent');
    expect((await ask('grid', 'GET', spot)).body).toEqual([]);
    // It was sent, and what was sent may land later than anybody waits for it.
    expect((await ask('grid', 'POST', spot, buy('grid-order-1'))).body.error.code).toBe(20_008);
    expect(stage.all('orderPending')).toHaveLength(1);
  });

  test('that the venue did take is found, and shows under the id of the program', async () => {
    const { ask, stage } = await open();
    stage.exchange.faults.answer504('afterAccept', 1);
    const silent = await ask('grid', 'POST', spot, buy('grid-order-1'));
    expect(silent.status).toBe(504);
    const [live] = await until('the order in the list', async () => {
      const { status, body } = await ask('grid', 'GET', spot);
      return status === 200 && body.length > 0 ? body : undefined;
    });
    expect(live).toMatchObject({ client_order_id: 'grid-order-1', status: 'new' });
    expect((await ask('grid', 'POST', spot, buy('grid-order-1'))).body.error.code).toBe(20_008);
    expect(stage.all('orderPending')).toHaveLength(1);
  });
});

describe('a key', () => {
  test('of another program, or with another secret, opens nothing', async () => {
    const { gateway, keys } = await open();
    const [one, two] = [keys.read().get('grid'), keys.read().get('sheet')];
    const ask = (pair: string) => askAs(gateway.restUrl, pair, { method: 'GET', path: spot });
    const mixed = await ask(`${one?.apiKey}:${two?.secret.reveal()}`);
    expect(mixed).toMatchObject({ status: 401, body: { error: { code: 1_002 } } });
    expect((await ask('nobody:nothing')).status).toBe(401);
  });

  test('that is rotated or revoked serves no request from then on', async () => {
    const { gateway, keys, ask } = await open();
    const pairOf = (name: string) => {
      const key = keys.read().get(name);
      return `${key?.apiKey}:${key?.secret.reveal()}`;
    };
    const former = pairOf('grid');
    keys.make('grid', 1);
    expect((await askAs(gateway.restUrl, former, { method: 'GET', path: spot })).status).toBe(401);
    expect((await ask('grid', 'GET', spot)).status).toBe(200);
    const latest = pairOf('grid');
    keys.remove('grid');
    expect((await askAs(gateway.restUrl, latest, { method: 'GET', path: spot })).status).toBe(401);
    expect((await ask('sheet', 'GET', spot)).status).toBe(200);
  });

  test('that may only read places and cancels nothing, and no key may use the wallet', async () => {
    const { ask } = await open({}, [grid, { ...sheet, rights: ['R1'] } as typeof sheet]);
    expect((await ask('sheet', 'POST', spot, buy('sheet-order-1'))).body.error.code).toBe(1_003);
    expect((await ask('sheet', 'GET', spot)).status).toBe(200);
    expect((await ask('grid', 'GET', '/api/3/wallet/balance')).body.error.code).toBe(1_003);
  });
});

describe('an operator', () => {
  test('pauses, resumes and stops a program as a strategy, and the program gets the reason', async () => {
    const { ask, stage } = await open();
    const { daemon } = stage;
    daemon.act({ act: 'pause', strategy: 'grid' }, 'ann', 'lunch');
    const paused = await ask('grid', 'POST', spot, buy('grid-order-1'));
    expect(paused.body.error.description).toMatch(/^PAUSED: .*lunch/);
    expect((await ask('sheet', 'POST', spot, buy('sheet-order-1'))).status).toBe(200);
    daemon.act({ act: 'resume', strategy: 'grid' }, 'ann', '');
    expect((await ask('grid', 'POST', spot, buy('grid-order-1'))).status).toBe(200);
    daemon.strategyActs.stop('grid', 'ann', 'over');
    await until('its end', () => daemon.trader.view.stopped('grid') !== undefined);
    const stopped = await ask('grid', 'POST', spot, buy('grid-order-2'));
    expect(stopped.body.error.description).toBe(
      'STRATEGY_STOPPED: the program grid was stopped: over, by ann',
    );
    await daemon.strategyActs.start('grid', 'ann', '');
    await until('its start', () => daemon.trader.view.stopped('grid') === undefined);
    expect((await ask('grid', 'POST', spot, buy('grid-order-3', '62000'))).status).toBe(200);
  });

  test('has limits for each program', async () => {
    const { ask } = await open({}, [
      { ...grid, limits: { positionMax: { BTCUSDT: '0.015' } } } as typeof grid,
      sheet,
    ]);
    expect((await ask('grid', 'POST', spot, buy('grid-order-1'))).status).toBe(200);
    const above = await ask('grid', 'POST', spot, buy('grid-order-2', '62900'));
    expect(above.body.error.description).toMatch(/^POSITION_MAX: /);
    expect((await ask('sheet', 'POST', spot, buy('sheet-order-1'))).status).toBe(200);
    const foreign = await ask('sheet', 'POST', spot, { ...buy('sheet-order-2'), symbol: 'ETHUSDT' });
    expect(foreign.body.error.description).toMatch(/^SYMBOL_NOT_ALLOWED: /);
  });
});

test('a program has a share of the balance, which it sees as the balance', async () => {
  const { ask, stage } = await open({}, [
    { ...grid, limits: { funds: { USDT: '1000' } } } as typeof grid,
    { ...sheet, limits: { funds: { USDT: '50000', BTC: '0.5' } } } as typeof grid,
  ]);
  const balances = async (program: string): Promise<readonly (readonly string[])[]> => {
    const { body } = await ask(program, 'GET', '/api/3/spot/balance');
    const rows = (body as Record<string, string>[]).map(({ currency, available, reserved }) => [
      String(currency),
      String(available),
      String(reserved),
    ]);
    return rows.toSorted(([one = ''], [other = '']) => one.localeCompare(other));
  };
  expect(await balances('grid')).toEqual([['USDT', '1000', '0']]);
  expect(await balances('sheet')).toEqual([
    ['BTC', '0.5', '0'],
    ['USDT', '50000', '0'],
  ]);
  // 63,000 x 0.01 and the worst fee of 0.1 %.
  expect((await ask('grid', 'POST', spot, buy('grid-order-1'))).status).toBe(200);
  expect(await balances('grid')).toEqual([['USDT', '369.37', '630.63']]);
  const above = await ask('grid', 'POST', spot, buy('grid-order-2', '62000'));
  expect(above).toMatchObject({ status: 400, body: { error: { code: 20_001 } } });
  expect(above.body.error.description).toMatch(
    /^FUNDS_STRATEGY: expected at least 620\.62 USDT free of what grid may use, found 369\.37$/,
  );
  expect(stage.all('orderPending')).toHaveLength(1);
  expect((await ask('grid', 'DELETE', `${spot}/grid-order-1`)).body.status).toBe('canceled');
  // Bought at 65,000: 650 and the fee of a taker, 0.65.
  expect((await ask('grid', 'POST', spot, buy('grid-order-3', '65000'))).body.status).toBe('filled');
  expect(await balances('grid')).toEqual([
    ['BTC', '0.01', '0'],
    ['USDT', '349.35', '0'],
  ]);
  const v2 = (await ask('grid', 'GET', '/api/2/trading/balance')).body as Record<string, string>[];
  expect(new Map(v2.map(({ currency, available }) => [currency, available]))).toEqual(
    new Map([
      ['BTC', '0.01'],
      ['USDT', '349.35'],
    ]),
  );
  const { body } = await ask('grid', 'GET', '/api/3/spot/balance/USDT');
  expect(body).toMatchObject({ available: '349.35', reserved: '0' });
});

test('reads of the market are passed on, and what is not served is refused in one sentence', async () => {
  const { ask, stage } = await open();
  const own = await fetch(`${stage.exchange.restUrl}/api/3/public/symbol/BTCUSDT`);
  expect((await ask('grid', 'GET', '/api/3/public/symbol/BTCUSDT')).body).toEqual(await own.json());
  const unknown = await ask('grid', 'GET', '/api/3/public/ticker/NOSUCH');
  expect(unknown).toMatchObject({ status: 400, body: { error: { code: 2_001 } } });
  expect((await ask('grid', 'GET', '/api/3/margin/history/positions')).body.error).toMatchObject({
    code: 600,
    description: 'The gateway does not serve GET /api/3/margin/history/positions',
  });
  expect((await ask('grid', 'GET', '/api/2/margin/account')).body.error.code).toBe(600);
});

test('histories have the orders and trades of the program alone, under its ids', async () => {
  const { ask } = await open();
  await ask('grid', 'POST', spot, buy('grid-order-1', '65000', '0.02'));
  await ask('sheet', 'POST', spot, buy('sheet-order-1', '65000', '0.03'));
  await ask('grid', 'POST', spot, buy('grid-order-2'));
  await ask('grid', 'DELETE', `${spot}/grid-order-2`);
  const orders = await ask('grid', 'GET', '/api/3/spot/history/order');
  expect(orders.body).toMatchObject([
    { client_order_id: 'grid-order-2', status: 'canceled' },
    { client_order_id: 'grid-order-1', status: 'filled' },
  ]);
  const one = await ask('sheet', 'GET', '/api/3/spot/history/order?client_order_id=sheet-order-1');
  expect(one.body).toMatchObject([{ client_order_id: 'sheet-order-1', quantity: '0.03000' }]);
  const foreign = await ask('sheet', 'GET', '/api/3/spot/history/order?client_order_id=grid-order-1');
  expect(foreign.body).toEqual([]);
  const trades = await ask('sheet', 'GET', '/api/3/spot/history/trade?symbol=BTCUSDT');
  expect(trades.body).toMatchObject([
    { client_order_id: 'sheet-order-1', price: '65000.00', quantity: '0.03000' },
  ]);
});

test('version 2 serves the same orders, histories and balances, in its words', async () => {
  const { ask } = await open();
  const form = {
    clientOrderId: 'grid-order-1',
    symbol: 'btcusdt',
    side: 'buy',
    price: '63000',
    quantity: '0.01',
  };
  const placed = await ask('grid', 'POST', '/api/2/order', form);
  expect(placed.body).toMatchObject({ clientOrderId: 'grid-order-1', status: 'new', cumQuantity: '0' });
  expect((await ask('grid', 'POST', '/api/2/order', form)).body.error.code).toBe(20_008);
  expect((await ask('grid', 'GET', spot)).body).toMatchObject([{ client_order_id: 'grid-order-1' }]);
  expect((await ask('sheet', 'GET', '/api/2/order')).body).toEqual([]);
  expect((await ask('grid', 'GET', '/api/2/order?symbol=BTCUSDT')).body).toHaveLength(1);
  const change = { requestClientId: 'grid-order-2', price: '62000', quantity: '0.02' };
  const replaced = await ask('grid', 'PATCH', '/api/2/order/grid-order-1', change);
  expect(replaced.body).toMatchObject({ clientOrderId: 'grid-order-2', price: '62000.00' });
  const canceled = await ask('grid', 'DELETE', '/api/2/order/grid-order-2');
  expect(canceled.body).toMatchObject({ clientOrderId: 'grid-order-2', status: 'canceled' });
  await ask('grid', 'PUT', '/api/2/order/grid-order-3', { ...form, price: '65000' });
  const trades = await ask('grid', 'GET', '/api/2/history/trades');
  expect(trades.body).toMatchObject([{ clientOrderId: 'grid-order-3', price: '65000.00' }]);
  const byOrder = await ask('grid', 'GET', `/api/2/history/order/${trades.body[0].orderId}/trades`);
  expect(byOrder.body).toEqual(trades.body);
  const foreign = await ask('sheet', 'GET', `/api/2/history/order/${trades.body[0].orderId}/trades`);
  expect(foreign.body).toEqual([]);
  const one = await ask('grid', 'GET', '/api/2/history/order?clientOrderId=grid-order-2');
  expect(one.body).toMatchObject([{ clientOrderId: 'grid-order-2', status: 'canceled' }]);
  const balances = await ask('sheet', 'GET', '/api/2/trading/balance');
  expect(balances.body).toContainEqual({ currency: 'BTC', available: '20.01', reserved: '0' });
  expect((await ask('sheet', 'GET', '/api/2/trading/fee/btcusdt')).body).toEqual({
    takeLiquidityRate: '0.001',
    provideLiquidityRate: '-0.0001',
  });
  expect((await ask('sheet', 'GET', '/api/2/public/symbol/BTCUSDT')).body.id).toBe('BTCUSDT');
  const denied = await ask('grid', 'POST', '/api/2/order', {
    ...form,
    clientOrderId: 'grid-order-4',
    price: '10000',
  });
  expect(denied.body.error.description).toMatch(/^PRICE_COLLAR: /);
});

test('balances and fees are those of the account', async () => {
  const { ask } = await open();
  const balances = (await ask('grid', 'GET', '/api/3/spot/balance')).body;
  expect(balances).toContainEqual({
    currency: 'USDT',
    available: '1000000',
    reserved: '0',
    reserved_margin: '0',
    cross_margin_reserved: '0',
  });
  expect((await ask('grid', 'GET', '/api/3/spot/fee/BTCUSDT')).body).toMatchObject({ take_rate: '0.001' });
  expect((await ask('grid', 'GET', '/api/3/spot/balance/XXX')).body.error.code).toBe(2_002);
});

test('a port that is taken ends the start before anything is sent', async () => {
  const first = await open();
  const port = Number(new URL(first.gateway.restUrl).port);
  const started = openWithMarket([grid], { config: { gateway: { port } } });
  await expect(started).rejects.toThrow(
    `gateway.port: expected a port that is free, found ${port} taken; 0 takes a free one`,
  );
});

test('a recorded run of a gateway replays to the same digest without any program', async () => {
  const { ask, stage } = await open({ record: true });
  await ask('grid', 'POST', spot, buy('grid-order-1', '65000', '0.02'));
  await ask('grid', 'POST', spot, buy('grid-order-2'));
  await ask('sheet', 'POST', spot, buy('sheet-order-1', '10000'));
  await ask('grid', 'DELETE', spot);
  await expectReplays(stage);
});
