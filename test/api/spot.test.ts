import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GodwitClient } from '../../src/venues/hitbtc/typed/index.ts';
import { formatAmount, parseAmount, subtract } from '../../src/venues/hitbtc/typed/index.ts';
import { failureOf, Stage } from './support.ts';

let stage: Stage;
let client: GodwitClient;

beforeAll(async () => {
  stage = await Stage.start({ flow: { enabled: false } });
  client = stage.client();
});
afterAll(async () => {
  await stage.close();
});

const limit = { symbol: 'ETHUSDT', side: 'buy', quantity: '0.5', price: '3000.01' } as const;

describe('spot orders of v3', () => {
  test('come back as they are: text in, exact amounts and times out, on the grid', async () => {
    const order = await client.v3.spot.createOrder({ ...limit, clientOrderId: 'api-spot-0001' });
    expect(order).toMatchObject({
      clientOrderId: 'api-spot-0001',
      symbol: 'ETHUSDT',
      side: 'buy',
      status: 'new',
      type: 'limit',
      timeInForce: 'GTC',
      postOnly: false,
    });
    expect([order.quantity, order.quantityCumulative, order.price]).toEqual(
      ['0.5', '0', '3000.01'].map(parseAmount),
    );
    expect(order.createdAt).toBeGreaterThan(1_700_000_000_000_000);
    const [listed] = await client.v3.spot.orders({ symbol: 'ETHUSDT' });
    expect(listed?.id).toBe(order.id);
    expect(await client.v3.spot.order({ clientOrderId: 'api-spot-0001' })).toMatchObject({ id: order.id });
  });

  test('hold what they may cost, to the last digit, until they are canceled', async () => {
    const before = await client.v3.spot.balance({ currency: 'USDT' });
    const order = await client.v3.spot.createOrder(limit);
    const after = await client.v3.spot.balance({ currency: 'USDT' });
    // Price times quantity, and the taker fee of 0.001 on it.
    expect(formatAmount(subtract(before.available, after.available))).toBe('1501.505005');
    const canceled = await client.v3.spot.cancelOrder({ clientOrderId: order.clientOrderId });
    expect(canceled.status).toBe('canceled');
    expect(await client.v3.spot.balance({ currency: 'USDT' })).toEqual(before);
  });

  test('are replaced under a new id that names the old one', async () => {
    const order = await client.v3.spot.createOrder({ ...limit, clientOrderId: 'api-spot-0002' });
    const next = await client.v3.spot.replaceOrder({
      clientOrderId: order.clientOrderId,
      newClientOrderId: 'api-spot-0003',
      quantity: order.quantity,
      price: '2999.99',
    });
    expect(next).toMatchObject({ clientOrderId: 'api-spot-0003', originalClientOrderId: 'api-spot-0002' });
    expect(next.price).toBe(parseAmount('2999.99'));
  });

  test('execute at once with their trades, and both histories have them', async () => {
    const maker = stage.client({}, 'demo-two');
    await maker.v3.spot.createOrder({ symbol: 'LTCUSDT', side: 'sell', quantity: '2', price: '84.123' });
    const order = await client.v3.spot.createOrder({
      symbol: 'LTCUSDT',
      side: 'buy',
      quantity: '2',
      type: 'market',
    });
    expect(order).toMatchObject({ status: 'filled', type: 'market', timeInForce: 'FOK' });
    expect(order.trades?.map(({ price, quantity, taker }) => [price, quantity, taker])).toEqual([
      [parseAmount('84.123'), parseAmount('2'), true],
    ]);
    expect(order.trades?.[0]?.fee).toBe(parseAmount('0.168246'));
    const [trade] = await client.v3.spot.tradeHistory({ symbol: ['LTCUSDT'], limit: 1 });
    expect(trade).toMatchObject({ orderId: order.id, clientOrderId: order.clientOrderId, side: 'buy' });
    const [row] = await client.v3.spot.orderHistory({ clientOrderId: order.clientOrderId });
    expect(row).toMatchObject({ id: order.id, status: 'filled', priceAverage: parseAmount('84.123') });
  });

  test('are canceled together, and come back', async () => {
    await client.v3.spot.cancelOrders();
    await client.v3.spot.createOrder(limit);
    await client.v3.spot.createOrder({ ...limit, symbol: 'ETHBTC', price: '0.01' });
    const canceled = await client.v3.spot.cancelOrders({ symbol: 'ETHBTC' });
    expect(canceled.map(({ symbol, status }) => [symbol, status])).toEqual([['ETHBTC', 'canceled']]);
    expect(await client.v3.spot.cancelOrders()).toHaveLength(1);
    expect(await client.v3.spot.orders()).toEqual([]);
  });

  test('go as lists, one order in the list for each that was given', async () => {
    const list = await client.v3.spot.createOrderList({
      contingencyType: 'oneTriggerOther',
      orders: [
        { ...limit, quantity: '0.1' },
        { ...limit, side: 'sell', quantity: '0.1', price: '4000' },
      ],
    });
    expect(list.map(({ side, contingencyType }) => [side, contingencyType])).toEqual([
      ['buy', 'oneTriggerOther'],
      ['sell', 'oneTriggerOther'],
    ]);
    await client.v3.spot.cancelOrders();
  });

  test('that the venue refuses say why, with its code', async () => {
    expect(await failureOf(client.v3.spot.createOrder({ ...limit, quantity: '100000' }))).toMatchObject({
      kind: 'refused',
      code: 20001,
      status: 400,
      outcome: 'known',
    });
    expect(await failureOf(client.v3.spot.cancelOrder({ clientOrderId: 'api-nobody' }))).toMatchObject({
      kind: 'refused',
      code: 20002,
    });
    expect(await failureOf(client.v3.spot.createOrder({ ...limit, symbol: 'NOPE' }))).toMatchObject({
      kind: 'refused',
      code: 2001,
    });
  });
});

describe('orders of v2', () => {
  test('are placed, replaced, read and canceled, signed the way of v2', async () => {
    const { trading } = client.v2;
    const order = await trading.createOrder({ ...limit, clientOrderId: 'v2order1' });
    expect(order).toMatchObject({ clientOrderId: 'v2order1', status: 'new', price: parseAmount('3000.01') });
    const next = await trading.replaceOrder({
      clientOrderId: 'v2order1',
      requestClientId: 'v2order2',
      quantity: '0.4',
      price: '3000',
    });
    expect(next).toMatchObject({ clientOrderId: 'v2order2', quantity: parseAmount('0.4') });
    expect((await trading.orders()).map(({ clientOrderId }) => clientOrderId)).toEqual(['v2order2']);
    expect(await trading.cancelOrder({ clientOrderId: 'v2order2' })).toMatchObject({ status: 'canceled' });
  });
});
