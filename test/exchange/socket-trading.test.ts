import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bench, Json } from './support/raw-client.ts';
import { newId, openBench, RawSocket } from './support/raw-client.ts';

let bench: Bench;
let socket: RawSocket;

beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false } });
  socket = await RawSocket.open(bench, '/api/3/ws/trading');
});
afterEach(async () => {
  socket.close();
  await bench.close();
});

const order = (members: object = {}) => ({
  client_order_id: newId(),
  symbol: 'ETHBTC',
  side: 'buy',
  quantity: '1.0000',
  price: '0.050000',
  ...members,
});
let requests = 0;
const call = (method: string, params: object = {}, on = socket): Promise<Json> =>
  on.ask({ method, params, id: `request-${++requests}` });
const other = async (): Promise<RawSocket> => {
  const opened = await RawSocket.open(bench, '/api/3/ws/trading');
  await opened.login(bench.key('demo-two'));
  return opened;
};

describe('login', () => {
  test('a signature over timestamp and window is accepted as a login; the id is echoed with its type', async () => {
    const { apiKey, secret } = bench.key('demo');
    const timestamp = Math.floor(bench.clock.now() / 1_000);
    const sign = (text: string) => createHmac('sha256', secret.reveal()).update(text).digest('hex');
    const windowless = { type: 'HS256', api_key: apiKey, timestamp, signature: sign(String(timestamp)) };
    expect(await socket.ask({ method: 'login', params: windowless, id: 1 })).toEqual({
      jsonrpc: '2.0',
      result: true,
      id: 1,
    });
    const windowed = { ...windowless, window: 5_000, signature: sign(`${timestamp}5000`) };
    expect((await socket.ask({ method: 'login', params: windowed, id: '2' })).id).toBe('2');
    const stale = {
      ...windowless,
      timestamp: timestamp - 20_000,
      signature: sign(String(timestamp - 20_000)),
    };
    expect((await socket.ask({ method: 'login', params: stale, id: 3 })).error.code).toBe(1002);
  });

  test('without an id the reply has none', async () => {
    const { apiKey, secret } = bench.key('demo');
    socket.say({ method: 'login', params: { type: 'basic', api_key: apiKey, secret_key: secret.reveal() } });
    await socket.settle();
    expect(socket.texts[0]).toBe('{"jsonrpc":"2.0","result":true}');
  });

  test('before it every other method is refused with 1002, and a bad one says so', async () => {
    expect(await call('spot_balances')).toMatchObject({ jsonrpc: '2.0', error: { code: 1002 } });
    const bad = await socket.ask({
      method: 'login',
      params: { type: 'HS256', api_key: 'x', timestamp: 1, signature: 'zz' },
      id: 1,
    });
    expect(bad.error).toMatchObject({ code: 1002, message: 'Authorization is required or has been failed' });
    expect((await socket.login(bench.key('demo'))).result).toBe(true);
  });

  test('a key without the right is refused with 1003', async () => {
    await socket.login(bench.key('demo', 1));
    expect((await call('spot_balances')).result).toBeDefined();
    expect((await call('spot_new_order', order())).error.code).toBe(1003);
  });
});

describe('orders on the trading socket', () => {
  beforeEach(() => socket.login(bench.key('demo')));

  test('subscribing is answered, then the active orders come, then every report before its reply', async () => {
    const first = order();
    await call('spot_new_order', first);
    const subscribed = await call('spot_subscribe');
    expect(subscribed.result).toBe(true);
    const standing = await socket.until((received) => received.method === 'spot_orders');
    expect(standing.params).toMatchObject([
      { client_order_id: first.client_order_id, report_type: 'status' },
    ]);
    const second = order();
    const from = socket.received.length;
    await call('spot_new_order', second);
    const [notice, reply] = socket.received.slice(from);
    expect(notice).toMatchObject({
      jsonrpc: '2.0',
      method: 'spot_order',
      params: { client_order_id: second.client_order_id },
    });
    expect(reply.result).toEqual(notice.params);
    expect(reply.result).toEqual({
      id: expect.any(Number),
      client_order_id: second.client_order_id,
      symbol: 'ETHBTC',
      side: 'buy',
      status: 'new',
      type: 'limit',
      time_in_force: 'GTC',
      quantity: '1.0000',
      quantity_cumulative: '0',
      price: '0.050000',
      post_only: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      report_type: 'new',
    });
    expect((await call('spot_get_orders')).result).toHaveLength(2);
    await call('spot_unsubscribe');
    const quietFrom = socket.received.length;
    const canceled = await call('spot_cancel_orders');
    expect(canceled.result.map((one: Json) => one.report_type)).toEqual(['canceled', 'canceled']);
    expect(socket.received.length).toBe(quietFrom + 1);
  });

  test('an execution reports new, then one trade per fill, to taker and maker', async () => {
    const maker = await other();
    await call('spot_subscribe', {}, maker);
    await call('spot_new_order', order({ side: 'sell', quantity: '0.4000' }), maker);
    await call('spot_new_order', order({ side: 'sell', quantity: '0.6000', price: '0.050001' }), maker);
    await call('spot_subscribe');
    const taking = order({ type: 'market', price: undefined });
    const reply = await call('spot_new_order', taking);
    const reports = socket.received
      .filter((received) => received.method === 'spot_order')
      .map((received) => received.params);
    expect(reports.map((one) => [one.report_type, one.status, one.quantity_cumulative])).toEqual([
      ['new', 'new', '0'],
      ['trade', 'partiallyFilled', '0.4000'],
      ['trade', 'filled', '1.0000'],
    ]);
    expect(reports[1]).toMatchObject({
      trade_id: expect.any(Number),
      trade_quantity: '0.4000',
      trade_price: '0.050000',
      trade_fee: '0.000020000000',
      trade_taker: true,
    });
    expect(reply.result).toEqual(reports[2]);
    const made = await maker.until(
      (received) => received.method === 'spot_order' && received.params.report_type === 'trade',
    );
    expect(made.params).toMatchObject({ status: 'filled', trade_fee: '-0.000002000000', trade_taker: false });
    maker.close();
  });

  test('post-only expires, a stop is suspended, and a replacement names its predecessor', async () => {
    const maker = await other();
    await call('spot_new_order', order({ side: 'sell' }), maker);
    const expired = (await call('spot_new_order', order({ post_only: true }))).result;
    expect(expired).toMatchObject({ report_type: 'expired', status: 'expired' });
    const stop = await call(
      'spot_new_order',
      order({ type: 'stopLimit', price: '0.07', stop_price: '0.06' }),
    );
    expect(stop.result).toMatchObject({
      report_type: 'suspended',
      status: 'suspended',
      stop_price: '0.060000',
    });
    const resting = order({ price: '0.040000' });
    await call('spot_new_order', resting);
    const replaced = await call('spot_replace_order', {
      client_order_id: resting.client_order_id,
      new_client_order_id: 'replacement-01',
      quantity: '2',
      price: '0.041',
    });
    expect(replaced.result).toMatchObject({
      report_type: 'replaced',
      client_order_id: 'replacement-01',
      original_client_order_id: resting.client_order_id,
      quantity: '2.0000',
      price: '0.041000',
    });
    const canceled = await call('spot_cancel_order', { client_order_id: 'replacement-01' });
    expect(canceled.result).toMatchObject({ report_type: 'canceled', status: 'canceled' });
    expect((await call('spot_cancel_order', { client_order_id: 'replacement-01' })).error).toEqual({
      code: 20002,
      message: 'Order not found',
      description: '',
    });
    maker.close();
  });

  test('refusals carry the documented codes and leave the socket open', async () => {
    expect((await call('spot_new_order', order({ quantity: '9999999' }))).error).toEqual({
      code: 20001,
      message: 'Insufficient funds',
      description: 'Check that the funds are sufficient, given commissions',
    });
    expect((await call('spot_new_order', order({ symbol: 'NOPE' }))).error.code).toBe(2001);
    expect((await call('spot_new_order', { symbol: 'ETHBTC' })).error.code).toBe(10001);
    expect((await call('spot_new_order', order({ price: '1e-5' }))).error.code).toBe(2020);
    expect((await call('nonsense')).error.code).toBe(404);
    socket.say('not json');
    socket.say('[]');
    socket.say(`{"method":"spot_new_order","params":${'['.repeat(100)}${']'.repeat(100)},"id":5}`);
    socket.say(Buffer.from([0, 1, 2]).toString());
    expect((await call('spot_balances')).result).toBeDefined();
  });

  test('another session of the same account hears the same reports', async () => {
    const twin = await RawSocket.open(bench, '/api/3/ws/trading');
    await twin.login(bench.key('demo', 2));
    await call('spot_subscribe', {}, twin);
    const mine = order();
    await call('spot_new_order', mine);
    const received = await twin.until((one) => one.method === 'spot_order');
    expect(received.params.client_order_id).toBe(mine.client_order_id);
    twin.close();
  });
});

describe('balances and fees on the trading socket', () => {
  beforeEach(() => socket.login(bench.key('demo')));

  test('balances are listed, one at a time, and fees too', async () => {
    const { result } = await call('spot_balances');
    const btc = {
      currency: 'BTC',
      available: '20',
      reserved: '0',
      reserved_margin: '0',
      cross_margin_reserved: '0',
    };
    expect(result).toContainEqual(btc);
    expect((await call('spot_balance', { currency: 'BTC' })).result).toEqual(btc);
    expect((await call('spot_balance', { currency: 'NOPE' })).error.code).toBe(2002);
    expect((await call('spot_fees')).result).toContainEqual({
      symbol: 'ETHBTC',
      take_rate: '0.001',
      make_rate: '-0.0001',
    });
    expect((await call('spot_fee', { symbol: 'ETHBTC' })).result.make_rate).toBe('-0.0001');
    expect((await call('spot_fee', { symbol: 'X' })).error.code).toBe(2001);
  });

  test('contracts have no spot fees', async () => {
    const symbols = bench.server.instruments.all.map(({ symbol }) => symbol);
    const listed = (await call('spot_fees')).result.map((fee: Json) => fee.symbol);
    expect(symbols.filter((symbol) => !listed.includes(symbol))).toEqual(
      bench.server.instruments.all.filter(({ spec }) => spec.type !== 'spot').map(({ symbol }) => symbol),
    );
    const contract = bench.server.instruments.all.find(({ spec }) => spec.type === 'futures');
    expect((await call('spot_fee', { symbol: contract?.symbol })).error).toMatchObject({
      code: 10001,
      message: `Is not spot:${contract?.symbol}`,
    });
  });

  test('mode updates reports every change with all balances that are not zero', async () => {
    expect((await call('spot_balance_subscribe', { mode: 'updates' })).result).toBe(true);
    await socket.until((received) => received.method === 'spot_balance');
    await call('spot_new_order', order());
    const notices = socket.received.filter((received) => received.method === 'spot_balance');
    expect(notices).toHaveLength(2);
    expect(notices[1].params).toHaveLength(5);
    expect(notices[1].params.find((one: Json) => one.currency === 'BTC')).toMatchObject({
      available: '19.94995',
      reserved: '0.05005',
    });
    await call('spot_balance_unsubscribe', { mode: 'updates' });
    const from = socket.received.length;
    await call('spot_cancel_orders');
    expect(socket.received.length).toBe(from + 1);
  });

  test('mode batches gathers the changes of an interval', async () => {
    await call('spot_balance_subscribe', { mode: 'batches' });
    await socket.until((received) => received.method === 'spot_balance');
    for (let i = 0; i < 3; i++) await call('spot_new_order', order());
    const notices = () => socket.received.filter((received) => received.method === 'spot_balance').length;
    expect(notices()).toBe(1);
    bench.pass(1_000);
    await socket.until((received) => received.method === 'spot_balance');
    bench.pass(5_000);
    await socket.settle();
    expect(notices()).toBe(2);
  });

  test.each(['spot', 'futures'])('a mode of %s balances that does not exist is refused', async (product) => {
    for (const method of ['balance_subscribe', 'balance_unsubscribe'])
      expect((await call(`${product}_${method}`, { mode: 'sometimes' })).error.code).toBe(10_001);
  });
});
