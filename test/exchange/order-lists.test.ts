import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Answer, Bench, Json } from './support/raw-client.ts';
import { newId, openBench, RawSocket, rest } from './support/raw-client.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false } });
});
afterEach(() => bench.close());

const spot = (line: string, json?: object, account = 'demo', index = 0): Promise<Answer> => {
  const [method, path] = line.split(' ') as [string, string];
  const key = bench.key(account, index);
  return rest(bench, `${method} /api/3/spot/${path}`, { key, ...(json !== undefined && { json }) });
};
const list = (contingency: string, orders: object[], more: object = {}, index = 0) =>
  spot('POST order/list', { contingency_type: contingency, orders, ...more }, 'demo', index);
const order = (members: object = {}) => ({
  client_order_id: newId(),
  symbol: 'ETHBTC',
  side: 'sell',
  type: 'limit',
  time_in_force: 'GTC',
  quantity: '1.0000',
  price: '0.060000',
  ...members,
});
const stop = (members: object = {}) =>
  order({ type: 'stopMarket', time_in_force: 'FOK', price: null, stop_price: '0.040000', ...members });
const reserved = async (currency: string) => (await spot(`GET balance/${currency}`)).body.reserved;
const codeOf = (answer: Answer) => [answer.status, answer.body.error?.code];

describe('order lists over REST', () => {
  test('an OCO list is accepted, reported with its list, and its sells share one reservation', async () => {
    const [high, low] = [order(), stop()];
    const placed = await list('oneCancelOther', [high, low]);
    expect(placed.status).toBe(200);
    expect(placed.body).toMatchObject([
      {
        client_order_id: high.client_order_id,
        order_list_id: high.client_order_id,
        contingency_type: 'oneCancelOther',
        status: 'new',
      },
      { client_order_id: low.client_order_id, order_list_id: high.client_order_id, status: 'suspended' },
    ]);
    for (const row of placed.body as Json[]) {
      expect(row).not.toHaveProperty('trades');
      expect(row).not.toHaveProperty('inactive');
    }
    expect(await reserved('ETH')).toBe('1');
    expect((await spot('GET order')).body).toHaveLength(2);
    await spot('POST order', order({ side: 'buy', quantity: '0.4' }), 'demo-two');
    const active = (await spot('GET order')).body as Json[];
    expect(active).toMatchObject([
      { status: 'partiallyFilled', quantity_cumulative: '0.4000', contingency_type: 'oneCancelOther' },
    ]);
    expect(await reserved('ETH')).toBe('0.6');
    const history = await spot(`GET history/order?client_order_id=${low.client_order_id}`);
    expect(history.body).toMatchObject([
      { status: 'canceled', order_list_id: high.client_order_id, contingency_type: 'oneCancelOther' },
    ]);
  });

  test('OTOCO secondaries are inactive until the primary is filled', async () => {
    const primary = order({ side: 'buy', price: '0.050000' });
    const placed = await list('oneTriggerOneCancelOther', [primary, order(), stop()]);
    expect(placed.body.map((row: Json) => [row.status, row.inactive])).toEqual([
      ['new', undefined],
      ['suspended', true],
      ['suspended', true],
    ]);
    const [, second] = placed.body;
    const read = await spot(`GET order/${second.client_order_id}`);
    expect(read.body).toMatchObject({ inactive: true, contingency_type: 'oneTriggerOneCancelOther' });
    expect(await reserved('ETH')).toBe('0');
    await spot('POST order', order({ price: '0.050000' }), 'demo-two');
    const woken = (await spot('GET order')).body as Json[];
    expect(woken.map((row) => [row.status, row.inactive])).toEqual([
      ['new', undefined],
      ['suspended', undefined],
    ]);
    expect(await reserved('ETH')).toBe('1');
  });

  test('canceling the primary of an OTO list cancels what waits for it', async () => {
    const primary = order({ side: 'buy', price: '0.050000' });
    await list('oneTriggerOther', [primary, order()]);
    await spot(`DELETE order/${primary.client_order_id}`);
    expect((await spot('GET order')).body).toEqual([]);
    expect(await reserved('BTC')).toBe('0');
  });

  test('an AON list fills wholly or expires wholly', async () => {
    await spot('POST order', order({ price: '0.050000' }), 'demo-two');
    const eth = order({ side: 'buy', price: '0.050000', time_in_force: 'FOK' });
    const ltc = order({ symbol: 'LTCBTC', side: 'buy', price: '0.0013000', time_in_force: 'FOK' });
    const first = await list('allOrNone', [eth, ltc]);
    expect(first.body.map((row: Json) => row.status)).toEqual(['expired', 'expired']);
    await spot('POST order', order({ symbol: 'LTCBTC', price: '0.0013000' }), 'demo-two');
    const ids = { client_order_id: undefined };
    const second = await list('allOrNone', [
      { ...eth, ...ids },
      { ...ltc, ...ids },
    ]);
    expect(second.body.map((row: Json) => row.status)).toEqual(['filled', 'filled']);
    expect(second.body[1].order_list_id).toBe(second.body[0].client_order_id);
    expect(second.body[0].client_order_id).toMatch(/^[A-Za-z0-9_-]{32}$/);
  });

  test('a given list id names the first order too, and must equal its id', async () => {
    const id = newId();
    const { client_order_id: _, ...nameless } = order();
    const placed = await list('oneCancelOther', [nameless, stop()], { order_list_id: id });
    expect(placed.body[0].client_order_id).toBe(id);
    const wrong = await list('oneCancelOther', [order(), stop()], { order_list_id: newId() });
    expect(codeOf(wrong)).toEqual([400, 10001]);
  });

  const fok = { time_in_force: 'FOK', side: 'buy' };
  const twin = order();
  test.each<[string, string, () => object[], number]>([
    ['one order', 'oneCancelOther', () => [order()], 10001],
    ['four orders', 'oneTriggerOther', () => [order(), order(), order(), order()], 10001],
    ['an OTOCO of two', 'oneTriggerOneCancelOther', () => [order(), order()], 10001],
    ['an unknown contingency', 'oneForAll', () => [order(), order()], 10001],
    [
      'an OTOCO of two symbols',
      'oneTriggerOneCancelOther',
      () => [order(), order(), order({ symbol: 'LTCBTC' })],
      10001,
    ],
    ['AON of one symbol', 'allOrNone', () => [order(fok), order(fok)], 10001],
    ['AON that is not FOK', 'allOrNone', () => [order(fok), order({ symbol: 'LTCBTC' })], 20048],
    [
      'AON without a time in force',
      'allOrNone',
      () => [order(fok), order({ symbol: 'LTCBTC', time_in_force: null })],
      10001,
    ],
    ['AON of a stop', 'allOrNone', () => [order(fok), stop({ symbol: 'LTCBTC' })], 20049],
    [
      'OCO of a market order',
      'oneCancelOther',
      () => [order(), order({ type: 'market', price: null, time_in_force: 'FOK' })],
      20049,
    ],
    ['OCO of an IOC limit', 'oneCancelOther', () => [order(), order({ time_in_force: 'IOC' })], 20048],
    ['one id twice', 'oneCancelOther', () => [twin, twin], 20008],
    ['an unknown symbol', 'oneCancelOther', () => [order(), order({ symbol: 'NOPE' })], 2001],
    ['a bad quantity', 'oneCancelOther', () => [order(), order({ quantity: '0' })], 2011],
    ['a missing price', 'oneCancelOther', () => [order(), order({ price: null })], 2020],
    [
      'off the grid when strict',
      'oneCancelOther',
      () => [order(), order({ price: '0.0600001', strict_validate: true })],
      2022,
    ],
    ['too little money', 'oneCancelOther', () => [order(), stop({ quantity: '400000' })], 20001],
  ])('%s is refused and leaves nothing behind', async (_what, contingency, orders, code) => {
    expect(codeOf(await list(contingency, orders()))).toEqual([400, code]);
    expect((await spot('GET order')).body).toEqual([]);
    expect(await reserved('ETH')).toBe('0');
  });

  test('a key that may only read may not place lists', async () => {
    expect(codeOf(await list('oneCancelOther', [order(), stop()], {}, 1))).toEqual([403, 1003]);
  });

  test('an order that others depend on cannot be replaced', async () => {
    const high = order();
    await list('oneCancelOther', [high, stop()]);
    const replaced = await spot(`PATCH order/${high.client_order_id}`, { quantity: '2', price: '0.07' });
    expect(codeOf(replaced)).toEqual([400, 600]);
  });
});

describe('order lists over the trading socket', () => {
  test('one reply per order, all with the id of the request and without a report type', async () => {
    const socket = await RawSocket.open(bench, '/api/3/ws/trading');
    await socket.login(bench.key('demo'));
    await socket.ask({ method: 'spot_subscribe', params: {}, id: 'subscribe' });
    const orders = [order(), stop()];
    socket.say({
      method: 'spot_new_order_list',
      params: { contingency_type: 'oneCancelOther', orders },
      id: 77,
    });
    await socket.settle();
    const replies = socket.received.filter((delivered) => delivered.id === 77);
    expect(replies.map(({ result }) => result.client_order_id)).toEqual(
      orders.map((one) => one.client_order_id),
    );
    for (const { result } of replies) {
      expect(result).not.toHaveProperty('report_type');
      expect(result.order_list_id).toBe(orders[0]?.client_order_id);
    }
    const received = socket.received.filter((delivered) => delivered.method === 'spot_order');
    expect(received.map(({ params }) => [params.report_type, params.contingency_type])).toEqual([
      ['new', 'oneCancelOther'],
      ['suspended', 'oneCancelOther'],
    ]);
    const refused = await socket.ask({
      method: 'spot_new_order_list',
      params: { contingency_type: 'oneCancelOther', orders },
      id: 78,
    });
    expect(refused.error.code).toBe(20008);
    socket.close();
  });
});
