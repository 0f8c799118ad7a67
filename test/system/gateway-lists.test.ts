import { afterEach, describe, expect, test } from 'vitest';
import { RawSocket } from '../exchange/support/raw-client.ts';
import type { GatewayStage } from './support/gateway-stage.ts';
import { askAs, openWithMarket } from './support/gateway-stage.ts';
import { expectReplays } from './support/replayed.ts';
import type { StageParts } from './support/stage.ts';
import { until } from './support/until.ts';

// Programs of others place orders that depend on each other, and wait for the end of an order.

const spot = '/api/3/spot/order';
const lists = `${spot}/list`;

let on: GatewayStage | undefined;
afterEach(async () => {
  await on?.close();
  on = undefined;
});

async function open(parts: Partial<StageParts> = {}): Promise<GatewayStage> {
  on = await openWithMarket(
    [
      { name: 'grid', symbols: ['BTCUSDT', 'ETHUSDT'] },
      { name: 'sheet', symbols: ['BTCUSDT'] },
    ],
    parts,
  );
  return on;
}

/** Another account sells at the exchange itself. */
async function sellAt({ exchange }: GatewayStage['stage'], price: string, quantity: string): Promise<void> {
  const seller = exchange.accounts.get('demo-two').keys[0];
  const form = { symbol: 'BTCUSDT', side: 'sell', price, quantity };
  const pair = `${seller?.apiKey}:${seller?.secret.reveal()}`;
  await askAs(exchange.restUrl, pair, { method: 'POST', path: spot, form });
}

const one = (id: string, price: string, more: object = {}) => ({
  client_order_id: id,
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  time_in_force: 'GTC',
  price,
  quantity: '0.01',
  ...more,
});

const exclusive = (first = 'list-order-1') => ({
  order_list_id: first,
  contingency_type: 'oneCancelOther',
  orders: [one(first, '63000'), one('list-order-2', '62000')],
});

describe('a list of orders', () => {
  test('rests as one under ids of ours, and shows under those of the program', async () => {
    const { post, ask, stage } = await open();
    const placed = await post('grid', lists, exclusive());
    expect(placed).toMatchObject({
      status: 200,
      body: [
        {
          client_order_id: 'list-order-1',
          order_list_id: 'list-order-1',
          contingency_type: 'oneCancelOther',
          status: 'new',
        },
        { client_order_id: 'list-order-2', order_list_id: 'list-order-1', status: 'new' },
      ],
    });
    const own = stage.daemon.trader.view.openOrders('grid');
    expect(own.map(({ alias }) => alias)).toEqual(['list-order-1', 'list-order-2']);
    for (const { clientOrderId } of own) expect(clientOrderId).toMatch(/^gw-\w+-grid-/);
    expect((await ask('grid', 'GET', spot)).body).toEqual(placed.body);
    expect((await ask('sheet', 'GET', spot)).body).toEqual([]);
  });

  test('whose first order executes has the others canceled', async () => {
    const { post, ask } = await open();
    const list = exclusive();
    const { body } = await post('grid', lists, {
      ...list,
      orders: [one('list-order-1', '65000'), one('list-order-2', '62000')],
    });
    expect(body).toMatchObject([{ status: 'filled' }, { status: 'canceled' }]);
    expect(body[0]).not.toHaveProperty('trades');
    expect((await ask('grid', 'GET', spot)).body).toEqual([]);
  });

  test('that waits for its first order shows the others inactive until that is filled', async () => {
    const { post, ask, stage } = await open();
    const { body } = await post('grid', lists, {
      contingency_type: 'oneTriggerOther',
      orders: [one('list-order-1', '63000'), one('list-order-2', '66000', { side: 'sell' })],
    });
    expect(body).toMatchObject([
      { status: 'new' },
      { status: 'suspended', inactive: true, order_list_id: 'list-order-1' },
    ]);
    // Another account takes what rests before it, and the first order with that.
    await sellAt(stage, '63000', '1.01');
    await until(
      'the second order',
      () => stage.daemon.trader.view.orderNamed('grid', 'list-order-2')?.state === 'new',
    );
    const [left] = (await ask('grid', 'GET', spot)).body;
    expect(left).toMatchObject({ client_order_id: 'list-order-2', status: 'new' });
    expect(left).not.toHaveProperty('inactive');
  });

  test('of which one order is denied sends none, and the program gets the reason', async () => {
    const { post, stage } = await open();
    const list = { ...exclusive(), orders: [one('list-order-1', '63000'), one('list-order-2', '10000')] };
    const denied = await post('grid', lists, list);
    expect(denied).toMatchObject({ status: 400, body: { error: { code: 20_045 } } });
    expect(denied.body.error.description).toMatch(/^PRICE_COLLAR: /);
    expect(stage.all('orderPending')).toEqual([]);
    // No byte of it left: its ids are free.
    expect((await post('grid', lists, exclusive())).status).toBe(200);
  });

  test('with an id that is in use, twice the same, or not that of its first order is refused', async () => {
    const { post, stage } = await open();
    await post('grid', lists, exclusive());
    const again = await post('grid', lists, exclusive('list-order-3'));
    expect(again.body.error.code).toBe(20_008);
    const twice = {
      ...exclusive('list-order-4'),
      orders: [one('list-order-4', '63000'), one('list-order-4', '62000')],
    };
    expect((await post('grid', lists, twice)).body.error.code).toBe(20_008);
    const other = { ...exclusive('list-order-5'), order_list_id: 'list-order-6' };
    expect((await post('grid', lists, other)).body.error.description).toBe(
      'the list must have the client order id of its first order',
    );
    expect(stage.all('orderPending')).toHaveLength(2);
  });

  test('without an answer of the venue is answered with 504, and its ids stay in use', async () => {
    const { post, ask, stage } = await open();
    stage.exchange.faults.answer504('afterAccept', 1);
    expect((await post('grid', lists, exclusive())).status).toBe(504);
    const listed = await until('the list', async () => {
      const { status, body } = await ask('grid', 'GET', spot);
      return status === 200 && body.length === 2 ? body : undefined;
    });
    expect(listed).toMatchObject([{ order_list_id: 'list-order-1' }, { order_list_id: 'list-order-1' }]);
    expect((await post('grid', lists, exclusive())).body.error.code).toBe(20_008);
  });

  test('shows as one after the daemon was started again', async () => {
    const { post, ask, stage } = await open({ config: { orders: { onStop: 'keep', onStart: 'keep' } } });
    const { body } = await post('grid', lists, exclusive());
    await stage.stop();
    await stage.start();
    await until('the next start', () => stage.daemon.trader.started);
    expect((await ask('grid', 'GET', spot)).body).toEqual(body);
  });

  test('is answered over the socket once for each order, and reported with its list', async () => {
    const { gateway, keys } = await open();
    const key = keys.read().get('grid');
    if (key === undefined) throw new Error('grid has no key');
    const socket = await RawSocket.open({ server: gateway }, '/api/3/ws/trading');
    await socket.login(key);
    await socket.ask({ method: 'spot_subscribe', params: {}, id: 1 });
    socket.say({ method: 'spot_new_order_list', params: exclusive(), id: 'the-list' });
    const replies = [
      await socket.until(({ id }) => id === 'the-list'),
      await socket.until(({ id }) => id === 'the-list'),
    ];
    expect(replies).toMatchObject([
      { result: { client_order_id: 'list-order-1', order_list_id: 'list-order-1', status: 'new' } },
      { result: { client_order_id: 'list-order-2', contingency_type: 'oneCancelOther' } },
    ]);
    const report = socket.received.find(({ method }) => method === 'spot_order');
    expect(report.params).toMatchObject({ report_type: 'new', order_list_id: 'list-order-1' });
    socket.close();
  });

  test('replays to the same digest without the program', async () => {
    const { post, stage } = await open({ record: true });
    await post('grid', lists, exclusive());
    await expectReplays(stage);
  });
});

test('a replacement of an order that was executed in part is reported as one', async () => {
  const { ask, gateway, keys, stage } = await open();
  const key = keys.read().get('grid');
  if (key === undefined) throw new Error('grid has no key');
  const socket = await RawSocket.open({ server: gateway }, '/api/3/ws/trading');
  await socket.login(key);
  await ask(
    'grid',
    'POST',
    spot,
    one('grid-order-1', '63500', { quantity: '0.5' }) as Record<string, string>,
  );
  await sellAt(stage, '63500', '0.2');
  await until(
    'the execution',
    () => stage.daemon.trader.view.orderNamed('grid', 'grid-order-1')?.state === 'partiallyFilled',
  );
  const change = { client_order_id: 'grid-order-1', new_client_order_id: 'grid-order-2' };
  const params = { ...change, price: '63400', quantity: '0.4' };
  const { result } = await socket.ask({ method: 'spot_replace_order', params, id: 1 });
  expect(result).toMatchObject({
    status: 'partiallyFilled',
    report_type: 'replaced',
    original_client_order_id: 'grid-order-1',
  });
  socket.close();
});

describe('a read that waits for the end of an order', () => {
  test('is answered when the order ends, and at once when it has ended', async () => {
    const { ask, stage } = await open();
    const form = {
      clientOrderId: 'grid-order-1',
      symbol: 'BTCUSDT',
      side: 'buy',
      price: '63000',
      quantity: '0.01',
    };
    await ask('grid', 'POST', '/api/2/order', form);
    const waiting = ask('grid', 'GET', '/api/2/order/grid-order-1?wait=60000');
    await ask('grid', 'DELETE', '/api/2/order/grid-order-1');
    expect((await waiting).body).toMatchObject({ clientOrderId: 'grid-order-1', status: 'canceled' });
    expect((await ask('grid', 'GET', '/api/2/order/grid-order-1?wait=60000')).body.status).toBe('canceled');
    expect((await ask('sheet', 'GET', '/api/2/order/grid-order-1?wait=60000')).body.error.code).toBe(20_002);
    expect(stage.daemon.trader.view.openCountBy('grid')).toBe(0);
  });

  test('is answered with the order as it is once its time is over', async () => {
    const { ask } = await open();
    const form = {
      clientOrderId: 'grid-order-1',
      symbol: 'BTCUSDT',
      side: 'buy',
      price: '63000',
      quantity: '0.01',
    };
    await ask('grid', 'POST', '/api/2/order', form);
    expect((await ask('grid', 'GET', '/api/2/order/grid-order-1?wait=20')).body.status).toBe('new');
  });
});
