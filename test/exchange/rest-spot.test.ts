import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAmount } from '../../src/core/base/amount.ts';
import type { Ask, Bench } from './support/raw-client.ts';
import { newId, openBench, rest } from './support/raw-client.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench({ limits: { enabled: false } });
});
afterAll(() => bench.close());

const spot = (line: string, ask: Ask = {}, account = 'demo') => {
  const [method, path] = line.split(' ') as [string, string];
  return rest(bench, `${method} /api/3/spot/${path}`, { key: bench.key(account), ...ask });
};
const order = (members: object, account = 'demo') =>
  spot(
    'POST order',
    { json: { client_order_id: newId(), symbol: 'ETHBTC', side: 'buy', quantity: '0.1000', ...members } },
    account,
  );

describe('authorization', () => {
  test('Basic and HS256 are both accepted as a login, with and without a window', async () => {
    const asks: Ask[] = [{}, { basic: true }, { windowMs: 5_000 }];
    for (const ask of asks) expect((await spot('GET balance/BTC', ask)).status).toBe(200);
  });

  test('a missing, unknown or wrong credential is a 401 with its code', async () => {
    const path = 'GET /api/3/spot/balance';
    const missing = await rest(bench, path);
    expect([missing.status, missing.body.error.code]).toEqual([401, 1002]);
    const unknown = await rest(bench, path, {
      headers: { authorization: `Basic ${Buffer.from('nobody:x').toString('base64')}` },
    });
    expect([unknown.status, unknown.body.error.code]).toEqual([401, 1002]);
    const bearer = await rest(bench, path, { headers: { authorization: 'Bearer abc' } });
    expect([bearer.status, bearer.body.error.code]).toEqual([401, 1004]);
    const late = await spot('GET balance', { at: Math.floor(bench.clock.now() / 1_000) - 10_001 });
    expect([late.status, late.body.error.code]).toEqual([401, 1002]);
    const inTime = await spot('GET balance', {
      at: Math.floor(bench.clock.now() / 1_000) - 20_000,
      windowMs: 20_001,
    });
    expect(inTime.status).toBe(200);
  });

  test('a key does what its rights allow and no more', async () => {
    const reader = bench.key('demo', 1);
    expect((await spot('GET balance', { key: reader })).status).toBe(200);
    const refused = await spot('POST order', {
      key: reader,
      json: { symbol: 'ETHBTC', side: 'buy', quantity: '1', price: '0.04' },
    });
    expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
      403,
      1003,
      'Action is forbidden for this API key',
    ]);
    expect((await spot('GET fee/ETHBTC', { key: reader })).body.error.code).toBe(1003);
  });
});

describe('spot orders over REST', () => {
  test('an order is placed, listed, replaced and canceled', async () => {
    const id = newId();
    const placed = await order({ client_order_id: id, price: '0.040000' });
    expect(placed.body).toEqual({
      id: expect.any(Number),
      client_order_id: id,
      symbol: 'ETHBTC',
      side: 'buy',
      status: 'new',
      type: 'limit',
      time_in_force: 'GTC',
      quantity: '0.1000',
      quantity_cumulative: '0',
      price_average: '0',
      price: '0.040000',
      post_only: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(placed.body.id).toBeGreaterThan(2 ** 40);
    expect((await spot('GET order')).body).toEqual([placed.body]);
    expect((await spot('GET order?symbol=LTCBTC')).body).toEqual([]);
    expect((await spot(`GET order/${id}`)).body).toEqual(placed.body);
    const next = newId();
    const replaced = await spot(`PATCH order/${id}`, {
      form: { new_client_order_id: next, quantity: '0.2', price: '0.041' },
    });
    expect(replaced.body).toMatchObject({
      client_order_id: next,
      original_client_order_id: id,
      quantity: '0.2000',
      price: '0.041000',
      status: 'new',
    });
    expect(
      (await spot(`PATCH order/${next}`, { json: { quantity: '0.2', price: '0.041' } })).body.error.code,
    ).toBe(20009);
    const canceled = await spot(`DELETE order/${next}`, { json: { client_order_id: next } });
    expect(canceled.body).toMatchObject({ client_order_id: next, status: 'canceled' });
    const again = await spot(`DELETE order/${next}`);
    expect([again.status, again.body.error]).toEqual([
      400,
      { code: 20002, message: 'Order not found', description: '' },
    ]);
    expect((await spot(`GET order/${next}`)).body.error.code).toBe(20002);
  });

  test('form, JSON and query carry the same parameters', async () => {
    const parameters = { symbol: 'ETHBTC', side: 'sell', quantity: '0.1', price: '0.9' };
    const byForm = await spot('POST order', { form: parameters });
    const byJson = await spot('POST order', {
      json: { ...parameters, quantity: 0.1, price: 0.9, post_only: false, unknown: 1, stop_price: null },
    });
    expect([byForm.status, byJson.status]).toEqual([200, 200]);
    expect(byForm.body.client_order_id).toMatch(/^[A-Za-z0-9_-]{32}$/);
    const byQuery = await spot(`PATCH order/${byForm.body.client_order_id}?quantity=0.3&price=0.9`);
    expect(byQuery.body).toMatchObject({
      quantity: '0.3000',
      original_client_order_id: byForm.body.client_order_id,
    });
    const all = await spot('DELETE order', { type: 'application/json', text: '{}' });
    expect(all.body.map((one: { status: string }) => one.status)).toEqual(['canceled', 'canceled']);
  });

  test('an execution shows in the replies, the balances and both histories', async () => {
    const before = (await spot('GET balance/BTC')).body;
    const maker = await order({ side: 'sell', price: '0.050000', quantity: '1.0000' }, 'demo-two');
    const taken = await order({ price: '0.050000', quantity: '0.4000' });
    expect(taken.body).toMatchObject({
      status: 'filled',
      quantity_cumulative: '0.4000',
      price_average: '0.05',
    });
    expect(taken.body.trades).toEqual([
      {
        id: expect.any(Number),
        quantity: '0.4000',
        price: '0.050000',
        fee: '0.000020000000',
        taker: true,
        timestamp: expect.any(String),
      },
    ]);
    const after = (await spot('GET balance/BTC')).body;
    expect(Number(before.available) - Number(after.available)).toBeCloseTo(0.02002, 12);
    expect(after).not.toHaveProperty('currency');
    const trade = (await spot('GET history/trade?limit=1')).body[0];
    expect(trade).toEqual({
      id: taken.body.trades[0].id,
      order_id: taken.body.id,
      client_order_id: taken.body.client_order_id,
      symbol: 'ETHBTC',
      side: 'buy',
      quantity: '0.4000',
      price: '0.050000',
      fee: '0.000020000000',
      timestamp: expect.any(String),
      taker: true,
    });
    const rebate = (await spot('GET history/trade?limit=1', {}, 'demo-two')).body[0];
    expect(rebate).toMatchObject({ fee: '-0.000002000000', taker: false });
    const row = (await spot(`GET history/order?client_order_id=${taken.body.client_order_id}&limit=0`)).body;
    expect(row.error?.code ?? row[0].status).toBeDefined();
    expect((await spot('GET history/order?limit=1')).body[0]).toMatchObject({
      id: taken.body.id,
      price_average: '0.05',
    });
    expect((await spot(`GET order/${maker.body.client_order_id}`, {}, 'demo-two')).body).toMatchObject({
      status: 'partiallyFilled',
      quantity_cumulative: '0.4000',
    });
    await spot('DELETE order', {}, 'demo-two');
  });

  test('market, immediate, fill-or-kill and post-only orders end as the documents say', async () => {
    await order({ side: 'sell', price: '0.050000', quantity: '0.5000' }, 'demo-two');
    const postOnly = await order({ price: '0.050000', post_only: true });
    expect(postOnly.body).toMatchObject({ status: 'expired', quantity_cumulative: '0' });
    const fok = await order({ price: '0.050000', quantity: '0.6000', time_in_force: 'FOK' });
    expect(fok.body).toMatchObject({ status: 'expired', quantity_cumulative: '0' });
    const ioc = await order({ price: '0.050000', quantity: '0.3000', time_in_force: 'IOC' });
    expect(ioc.body.status).toBe('filled');
    const market = await order({ type: 'market', quantity: '0.1000' });
    expect(market.body).toMatchObject({ status: 'filled', type: 'market', time_in_force: 'FOK' });
    expect(market.body).not.toHaveProperty('price');
    expect((await order({ type: 'market', quantity: '5.0000' })).body.status).toBe('expired');
    const rest = await order({ price: '0.050000', quantity: '0.3000', time_in_force: 'IOC' });
    expect(rest.body).toMatchObject({ status: 'expired', quantity_cumulative: '0.1000' });
    await spot('DELETE order', {}, 'demo-two');
  });

  test('a stop order is suspended, and GTD ends by the clock', async () => {
    const stop = await order({ type: 'stopLimit', price: '0.060000', stop_price: '0.059000' });
    expect(stop.body).toMatchObject({ status: 'suspended', stop_price: '0.059000' });
    const time = new Date(Math.floor(bench.clock.now() / 1_000) + 30_000).toISOString();
    const gtd = await order({ price: '0.03', time_in_force: 'GTD', expire_time: time });
    expect(gtd.body).toMatchObject({ status: 'new', time_in_force: 'GTD' });
    bench.pass(31_000);
    expect((await spot(`GET order/${gtd.body.client_order_id}`)).body.error.code).toBe(20002);
    const history = await spot(`GET history/order?client_order_id=${gtd.body.client_order_id}`);
    expect(history.body[0].status).toBe('expired');
    await spot('DELETE order');
  });

  test('prices and quantities are rounded half down, or refused when strict', async () => {
    const rounded = await order({ price: '0.0400005', quantity: '0.10006' });
    expect(rounded.body).toMatchObject({ price: '0.040000', quantity: '0.1001' });
    expect((await order({ price: '0.0400005', strict_validate: true })).body.error.code).toBe(2022);
    expect(
      (await order({ price: '0.04', quantity: '0.10005', strict_validate: 'true' })).body.error.code,
    ).toBe(2012);
    await spot('DELETE order');
  });

  test('each refusal has its documented code', async () => {
    const id = newId();
    await order({ client_order_id: id, price: '0.04' });
    const cases: readonly (readonly [object, number])[] = [
      [{ price: '0.04', quantity: '999999' }, 20001],
      [{ client_order_id: id, price: '0.04' }, 20008],
      [{ symbol: 'NOPE', price: '0.04' }, 2001],
      [{ price: 'abc' }, 2020],
      [{ price: '0' }, 2021],
      [{ price: '0.04', quantity: 'abc' }, 2010],
      [{ price: '0.04', quantity: '0' }, 2011],
      [{}, 2020],
      [{ price: '0.04', side: 'up' }, 10001],
      [{ price: '0.04', type: 'x' }, 10001],
      [{ price: '0.04', time_in_force: 'GTD' }, 10001],
      [{ price: '0.04', client_order_id: 'short' }, 10001],
      [{ type: 'market', time_in_force: 'GTC' }, 20048],
      [{ price: '0.04', expire_time: 'tomorrow' }, 10001],
    ];
    for (const [members, code] of cases) {
      const answer = await order(members);
      expect([members, answer.status, answer.body.error?.code]).toEqual([members, 400, code]);
    }
    await spot('DELETE order');
  });

  test('a suspended symbol takes no orders', async () => {
    const instrument = bench.server.instruments.get('LTCBTC').id;
    bench.server.core.handle({ kind: 'setStatus', instrument, status: 'suspended' });
    expect((await order({ symbol: 'LTCBTC', price: '0.001', quantity: '1' })).body.error.code).toBe(20010);
    expect((await rest(bench, 'GET /api/3/public/symbol/LTCBTC')).body.status).toBe('suspended');
  });

  test('fees are listed', async () => {
    expect((await spot('GET fee')).body).toContainEqual({
      symbol: 'ETHBTC',
      take_rate: '0.001',
      make_rate: '-0.0001',
    });
    expect((await spot('GET fee/ETHBTC')).body.take_rate).toBe('0.001');
    expect((await spot('GET fee/NOPE')).body.error.code).toBe(2001);
    expect((await spot('GET balance/NOPE')).body.error.code).toBe(2002);
  });

  test('a markup is a fraction of the volume: all of it at most, so that a sell never costs more than it brings', async () => {
    const dear = await order({ side: 'sell', price: '0.06', take_rate: '1.0001' });
    expect([dear.status, dear.body.error.code]).toEqual([400, 10001]);
    const available = async () =>
      parseAmount((await spot('GET balance/BTC', {}, 'demo-two')).body.available as string);
    await order({ price: '0.05', quantity: '1' });
    const before = await available();
    const sold = await order({ side: 'sell', price: '0.05', quantity: '1', take_rate: '1' }, 'demo-two');
    expect(sold.body.trades).toMatchObject([{ price: '0.050000', fee: '0.050000000000' }]);
    expect(await available()).toBe(before);
  });

  test('orders without executions leave the history after a day, executed ones stay', async () => {
    const gone = await order({ price: '0.04' });
    await spot(`DELETE order/${gone.body.client_order_id}`);
    await order({ side: 'sell', price: '0.050000' }, 'demo-two');
    const kept = await order({ price: '0.050000' });
    bench.pass(24 * 3_600_000 - 2_000);
    const find = async (id: string) => (await spot(`GET history/order?client_order_id=${id}`)).body.length;
    expect(await find(gone.body.client_order_id)).toBe(1);
    bench.pass(4_000);
    expect([await find(gone.body.client_order_id), await find(kept.body.client_order_id)]).toEqual([0, 1]);
  });

  test('broken bodies are refused by name and never break the server', async () => {
    const cases: readonly (readonly [Ask, string])[] = [
      [{ text: '{"symbol":', type: 'application/json' }, 'body'],
      [{ text: '[1,2]', type: 'application/json' }, 'body'],
      [{ text: `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`, type: 'application/json' }, 'nested'],
      [{ text: '{"__proto__":{"x":1}}', type: 'application/json' }, '__proto__'],
      [{ text: '__proto__=1&symbol=ETHBTC', type: 'application/x-www-form-urlencoded' }, '__proto__'],
      [{ text: 'symbol=ETHBTC&symbol=LTCBTC', type: 'application/x-www-form-urlencoded' }, 'symbol'],
      [{ json: { symbol: { a: 1 }, side: 'buy' } }, 'symbol'],
      [{ json: { symbol: 'ETHBTC', side: ['buy'], quantity: '1' } }, 'side'],
      [{ json: { symbol: 'ETHBTC', side: 'buy', quantity: { a: 1 }, price: '1' } }, 'quantity'],
    ];
    for (const [ask, name] of cases) {
      const answer = await spot('POST order', ask);
      expect([ask, answer.status, answer.body.error.code]).toEqual([ask, 400, 10001]);
      expect(JSON.stringify(answer.body.error)).toContain(name);
    }
    const huge = await spot('POST order', {
      text: `{"symbol":"${'x'.repeat(1_100_000)}"}`,
      type: 'application/json',
    });
    expect([huge.status, huge.body.error.code]).toEqual([400, 10001]);
    expect((await spot('GET order')).status).toBe(200);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});
