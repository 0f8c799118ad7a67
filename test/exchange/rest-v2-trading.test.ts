import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Answer, Ask, Bench, Json } from './support/raw-client.ts';
import { newId, openBench, rest } from './support/raw-client.ts';
import { signed, v2Header } from './support/v2-client.ts';

let bench: Bench;

beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false } });
});
afterEach(() => bench.close());

const call = (line: string, ask: Ask = {}, account = 'demo', index = 0): Promise<Answer> =>
  signed(bench, bench.key(account, index), line.replace(' /', ' /api/2/'), ask);
const order = (side: string, price: string, quantity: string, more: object = {}) => ({
  symbol: 'ETHBTC',
  side,
  price,
  quantity,
  ...more,
});
const place = async (form: Record<string, string>, account = 'demo'): Promise<Json> => {
  const { status, body } = await call('POST /order', { form }, account);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const code = (answer: Answer): [number, number] => [answer.status, answer.body.error.code];

describe('orders of v2', () => {
  test('a new order is answered whole, and is read back until it ends', async () => {
    const placed = await place(order('buy', '0.046', '0.063', { clientOrderId: 'mine' }) as never);
    expect(placed).toEqual({
      id: expect.any(Number),
      clientOrderId: 'mine',
      symbol: 'ETHBTC',
      side: 'buy',
      status: 'new',
      type: 'limit',
      timeInForce: 'GTC',
      quantity: '0.0630',
      price: '0.046000',
      cumQuantity: '0',
      postOnly: false,
      createdAt: '2023-11-14T22:13:20.000Z',
      updatedAt: '2023-11-14T22:13:20.000Z',
    });
    expect((await call('GET /order/mine')).body).toEqual(placed);
    expect((await call('GET /order')).body).toEqual([placed]);
    expect((await call('GET /order?symbol=ethbtc')).body).toEqual([placed]);
    expect((await call('GET /order?symbol=LTCBTC')).body).toEqual([]);
    const canceled = (await call('DELETE /order/mine')).body;
    expect(canceled).toEqual({ ...placed, status: 'canceled', updatedAt: expect.any(String) });
    for (const line of ['GET /order/mine', 'DELETE /order/mine']) {
      const gone = await call(line);
      expect([gone.status, gone.body]).toEqual([
        400,
        { error: { code: 20002, message: 'Order not found', description: '' } },
      ]);
    }
    expect(code(await call('GET /order?symbol=NOPE'))).toEqual([400, 2001]);
  });

  test('what executes in a request stands in its answer only', async () => {
    await place(order('sell', '0.05', '1', { clientOrderId: 'maker' }) as never);
    await place(order('sell', '0.0501', '1') as never);
    const taken = await place(order('buy', '0.0502', '1.5') as never, 'demo-two');
    expect(taken).toMatchObject({ status: 'filled', cumQuantity: '1.5000' });
    expect(taken.clientOrderId).toMatch(/^[a-z0-9]{32}$/);
    expect(taken.tradesReport).toEqual([
      {
        id: expect.any(Number),
        quantity: '1.0000',
        price: '0.050000',
        fee: '0.000050000000',
        timestamp: '2023-11-14T22:13:20.000Z',
      },
      expect.objectContaining({ quantity: '0.5000', price: '0.050100', fee: '0.000025050000' }),
    ]);
    const [resting] = (await call('GET /order')).body;
    expect(resting).toMatchObject({ status: 'partiallyFilled', cumQuantity: '0.5000' });
    expect(resting).not.toHaveProperty('tradesReport');
    const moved = await call(`PATCH /order/${resting.clientOrderId}`, {
      form: { quantity: '1', price: '0.0503', requestClientId: 'moved' },
    });
    expect(moved.body).toMatchObject({
      clientOrderId: 'moved',
      originalRequestClientOrderId: resting.clientOrderId,
      cumQuantity: '0.5000',
      price: '0.050300',
      status: 'partiallyFilled',
    });
    expect(moved.body).not.toHaveProperty('tradesReport');
  });

  test('PUT takes the id from the path, and an id in use is refused', async () => {
    const put = await call('PUT /order/by-path', { json: order('buy', '0.04', '1') });
    expect([put.status, put.body.clientOrderId]).toEqual([200, 'by-path']);
    const again = await call('PUT /order/by-path', { json: order('buy', '0.04', '1') });
    expect(code(again)).toEqual([400, 20008]);
    expect(code(await call(`PUT /order/${'x'.repeat(33)}`, { json: order('buy', '0.04', '1') }))).toEqual([
      400, 10001,
    ]);
  });

  test('PATCH answers the new order; without change or order it is refused', async () => {
    await place(order('buy', '0.04', '1', { clientOrderId: 'old' }) as never);
    const same = { quantity: '1', price: '0.04', requestClientId: 'new' };
    expect(code(await call('PATCH /order/old', { form: same }))).toEqual([400, 20009]);
    expect(code(await call('PATCH /order/none', { form: same }))).toEqual([400, 20002]);
    expect(code(await call('PATCH /order/old', { form: { quantity: '1', price: '0.04' } }))).toEqual([
      400, 10001,
    ]);
    const { body } = await call('PATCH /order/old', { json: { ...same, price: '0.041' } });
    expect(body).toMatchObject({ clientOrderId: 'new', originalRequestClientOrderId: 'old', status: 'new' });
    // What cannot be placed anew ends the old order.
    const poor = await call('PATCH /order/new', {
      form: { ...same, quantity: '100000', requestClientId: 'n2' },
    });
    expect(poor.body).toMatchObject({ clientOrderId: 'new', status: 'canceled' });
  });

  test('DELETE ends all orders, or those of a symbol, with its parameter in a body or a query', async () => {
    for (const symbol of ['ETHBTC', 'ETHBTC', 'LTCBTC']) {
      await place({ symbol, side: 'buy', price: '0.0001', quantity: '1' });
    }
    expect((await call('DELETE /order', { form: { symbol: 'ltcbtc' } })).body).toMatchObject([
      { symbol: 'LTCBTC', status: 'canceled' },
    ]);
    expect((await call('DELETE /order?symbol=LTCBTC')).body).toEqual([]);
    expect((await call('DELETE /order')).body).toHaveLength(2);
    expect((await call('GET /order')).body).toEqual([]);
    expect(code(await call('DELETE /order?symbol=NOPE'))).toEqual([400, 2001]);
  });

  test('stop orders wait, IOC and FOK orders end at once', async () => {
    const stop = await place({
      ...(order('sell', '0.04', '1') as never as Record<string, string>),
      type: 'stopLimit',
      stopPrice: '0.041',
    });
    expect(stop).toMatchObject({ status: 'suspended', type: 'stopLimit', stopPrice: '0.041000' });
    const ioc = await place(order('buy', '0.03', '1', { timeInForce: 'IOC' }) as never);
    expect(ioc).toMatchObject({ status: 'expired', timeInForce: 'IOC' });
    const day = await place(
      order('buy', '0.03', '1', { timeInForce: 'GTD', expireTime: '2023-11-15T00:00:00Z' }) as never,
    );
    expect(day.expireTime).toBe('2023-11-15T00:00:00.000Z');
  });

  test.each([
    [{ symbol: 'NOPE' }, 2001],
    [{ symbol: 'BTCUSDT_PERP' }, 2001],
    [{ symbol: '' }, 10001],
    [{ side: 'hold' }, 10001],
    [{ type: 'takeProfitLimit', stopPrice: '1' }, 10001],
    [{ timeInForce: 'FOREVER' }, 10001],
    [{ timeInForce: 'GTD' }, 10001],
    [{ clientOrderId: 'a b' }, 10001],
    [{ quantity: '' }, 2010],
    [{ quantity: '0' }, 2011],
    [{ quantity: '1.00001', strictValidate: 'true' }, 2012],
    [{ price: 'x' }, 2020],
    [{ price: '0' }, 2021],
    [{ price: '0.0400001', strictValidate: 'true' }, 2022],
    [{ quantity: '100000' }, 20001],
    [{ type: 'market', timeInForce: 'GTC' }, 20048],
  ])('an order with %j is refused with %i', async (fault, expected) => {
    const answer = await call('POST /order', { form: { ...order('buy', '0.04', '1'), ...fault } as never });
    expect(code(answer)).toEqual([400, expected]);
    expect(Object.keys(answer.body)).toEqual(['error']);
    expect((await call('GET /order')).body).toEqual([]);
  });
});

describe('a read that waits', () => {
  test('is answered when the order ends, at once when it has, and as it is when time is up', async () => {
    await place(order('sell', '0.05', '1', { clientOrderId: 'waited' }) as never);
    const waiting = await begun(() => call('GET /order/waited?wait=60000'));
    await place(order('buy', '0.05', '0.4') as never, 'demo-two');
    await place(order('buy', '0.05', '0.6') as never, 'demo-two');
    expect((await waiting.answer).body).toMatchObject({ status: 'filled', cumQuantity: '1.0000' });
    expect((await call('GET /order/waited?wait=1000')).body).toMatchObject({ status: 'filled' });
    await place(order('sell', '0.05', '1', { clientOrderId: 'second' }) as never);
    const late = await begun(() => call('GET /order/second?wait=2000'));
    bench.pass(2_000);
    expect((await late.answer).body).toMatchObject({ clientOrderId: 'second', status: 'new' });
    expect((await call('GET /order/second?wait=0')).body).toMatchObject({ status: 'new' });
  });

  test('ends with a cancel and with a replacement', async () => {
    await place(order('sell', '0.05', '1', { clientOrderId: 'first' }) as never);
    const replaced = await begun(() => call('GET /order/first?wait=60000'));
    await call('PATCH /order/first', {
      form: { quantity: '1', price: '0.051', requestClientId: 'next' },
    });
    expect((await replaced.answer).body).toMatchObject({ clientOrderId: 'first', status: 'canceled' });
    const canceled = await begun(() => call('GET /order/next?wait=60000'));
    await call('DELETE /order/next');
    expect((await canceled.answer).body).toMatchObject({ clientOrderId: 'next', status: 'canceled' });
  });

  test('is refused for an order that never was and beyond a minute, and leaves nothing behind', async () => {
    expect(code(await call('GET /order/nobody?wait=10'))).toEqual([400, 20002]);
    expect(code(await call('GET /order/nobody?wait=60001'))).toEqual([400, 10001]);
    await place(order('sell', '0.05', '1', { clientOrderId: 'open' }) as never);
    const hanging = await begun(() => call('GET /order/open?wait=60000').catch(() => undefined));
    await bench.close();
    await hanging.answer;
    await until(() => bench.clock.pending === 0);
  });

  /** A call that waits is known by its timer. The result is wrapped, or it would be waited for here. */
  async function begun<Result>(ask: () => Promise<Result>): Promise<{ readonly answer: Promise<Result> }> {
    const before = bench.clock.pending;
    const answer = ask();
    await until(() => bench.clock.pending === before + 1);
    return { answer };
  }

  async function until(isSo: () => boolean): Promise<void> {
    for (let i = 0; i < 100_000 && !isSo(); i++) await new Promise((resolve) => setImmediate(resolve));
    expect(isSo(), `${bench.clock.pending} timers`).toBe(true);
  }
});

describe('balances, fees and history of v2', () => {
  test('balances and fees', async () => {
    await place(order('buy', '0.04', '1') as never);
    expect((await call('GET /trading/balance')).body).toContainEqual({
      currency: 'BTC',
      available: '19.95996',
      reserved: '0.04004',
    });
    expect((await call('GET /trading/fee/ethbtc')).body).toEqual({
      takeLiquidityRate: '0.001',
      provideLiquidityRate: '-0.0001',
    });
    const all = (await call('GET /trading/fee/all')).body;
    expect(all).toHaveLength(6);
    expect(all).toContainEqual({
      symbol: 'ETHBTC',
      takeLiquidityRate: '0.001',
      provideLiquidityRate: '-0.0001',
    });
    expect(code(await call('GET /trading/fee/NOPE'))).toEqual([400, 2001]);
  });

  test('order history: newest first, by id, symbol, time; average price of what executed', async () => {
    await place(order('sell', '0.05', '1', { clientOrderId: 'known' }) as never);
    await place(order('sell', '0.0502', '1') as never);
    bench.pass(1_000);
    await place(order('buy', '0.0502', '1.6') as never, 'demo-two');
    await place(order('buy', '0.03', '1') as never);
    await call('POST /order', { form: { symbol: 'LTCBTC', side: 'buy', price: '0.0001', quantity: '1' } });
    const rows = (await call('GET /history/order')).body;
    expect(rows).toHaveLength(4);
    expect(rows.map(({ symbol }: Json) => symbol)).toEqual(['LTCBTC', 'ETHBTC', 'ETHBTC', 'ETHBTC']);
    expect(rows[3]).toMatchObject({ status: 'filled', avgPrice: '0.05' });
    expect(rows[1]).not.toHaveProperty('avgPrice');
    expect((await call('GET /history/order', {}, 'demo-two')).body).toMatchObject([{ avgPrice: '0.050075' }]);
    expect((await call('GET /history/order?clientOrderId=known&limit=0&symbol=LTCBTC')).body).toEqual([
      rows[3],
    ]);
    expect((await call('GET /history/order?symbol=ltcbtc')).body).toEqual([rows[0]]);
    expect((await call('GET /history/order?from=2023-11-14T22:13:21Z')).body).toEqual(rows.slice(0, 2));
    expect((await call('GET /history/order?till=2023-11-14T22:13:20Z&sort=ASC')).body).toEqual([
      rows[3],
      rows[2],
    ]);
    expect((await call('GET /history/order?limit=1&offset=1')).body).toEqual([rows[1]]);
    expect((await call('GET /history/order?limit=0')).body).toEqual([]);
    expect(code(await call('GET /history/order?limit=1001'))).toEqual([400, 10001]);
    expect(code(await call('GET /history/order?symbol=NOPE'))).toEqual([400, 2001]);
  });

  test('trade history and the trades of one order', async () => {
    const maker = await place(order('sell', '0.05', '1', { clientOrderId: 'maker' }) as never);
    await place(order('buy', '0.05', '0.4') as never, 'demo-two');
    bench.pass(1_000);
    await place(order('buy', '0.05', '0.6') as never, 'demo-two');
    const rows = (await call('GET /history/trades')).body;
    expect(rows).toHaveLength(2);
    expect(rows[1]).toEqual({
      id: expect.any(Number),
      orderId: maker.id,
      clientOrderId: 'maker',
      symbol: 'ETHBTC',
      side: 'sell',
      quantity: '0.4000',
      price: '0.050000',
      fee: '-0.000002000000',
      timestamp: '2023-11-14T22:13:20.000Z',
      taker: false,
    });
    expect((await call(`GET /history/order/${maker.id}/trades`)).body).toEqual(rows.toReversed());
    expect((await call('GET /history/trades?symbol=ethbtc&limit=1')).body).toEqual([rows[0]]);
    expect((await call('GET /history/trades?symbol=LTCBTC')).body).toEqual([]);
    expect((await call(`GET /history/trades?by=id&till=${rows[1].id}`)).body).toEqual([rows[1]]);
    expect((await call('GET /history/trades?by=timestamp&from=2023-11-14T22:13:21Z')).body).toEqual([
      rows[0],
    ]);
    expect((await call('GET /history/trades?margin=only')).body).toEqual([]);
    expect((await call('GET /history/trades?margin=ignore&sort=ASC')).body).toEqual(rows.toReversed());
    for (const [query, expected] of [
      ['margin=some', 10001],
      ['by=price', 10001],
      ['limit=-1', 10001],
      ['symbol=NOPE', 2001],
    ] as const) {
      expect(code(await call(`GET /history/trades?${query}`)), query).toEqual([400, expected]);
    }
    expect(code(await call('GET /history/order/1/trades'))).toEqual([400, 20002]);
    expect(code(await call('GET /history/order/x/trades'))).toEqual([400, 10001]);
    // Another account has not had that order.
    expect(code(await call(`GET /history/order/${maker.id}/trades`, {}, 'demo-two'))).toEqual([400, 20002]);
  });
});

describe('who may ask', () => {
  test('HS256 of seconds and Basic are taken, everything else is refused', async () => {
    const key = bench.key('demo');
    const line = 'GET /api/2/trading/balance?x=1';
    const ask = (authorization: string) => rest(bench, line, { headers: { authorization } });
    expect((await ask(v2Header(bench, key, { line }))).status).toBe(200);
    expect((await rest(bench, line, { key, basic: true })).status).toBe(200);
    const now = Math.floor(bench.clock.now() / 1_000_000);
    expect(code(await ask(v2Header(bench, key, { line, seconds: now - 12 })))).toEqual([401, 1002]);
    expect(code(await ask(v2Header(bench, key, { line: `${line}2` })))).toEqual([401, 1002]);
    // A v3 signature does not count here.
    expect(code(await rest(bench, line, { key }))).toEqual([401, 1002]);
    expect(code(await rest(bench, line))).toEqual([401, 1001]);
    expect(code(await ask('Bearer abc'))).toEqual([401, 1004]);
    const wrong = await ask(v2Header(bench, { ...key, apiKey: 'nobody-at-all' }, { line }));
    expect([wrong.status, Object.keys(wrong.body)]).toEqual([401, ['error']]);
  });

  test.each([
    ['GET /trading/balance', 'R1'],
    ['GET /history/order', 'R1'],
    ['GET /history/trades', 'R1'],
    ['GET /history/order/1/trades', 'R1'],
    ['GET /order', 'R2'],
    ['GET /order/x', 'R2'],
    ['POST /order', 'R2'],
    ['PUT /order/x', 'R2'],
    ['PATCH /order/x', 'R2'],
    ['DELETE /order', 'R2'],
    ['DELETE /order/x', 'R2'],
    ['GET /trading/fee/all', 'R2'],
    ['GET /trading/fee/ETHBTC', 'R2'],
  ])('%s needs %s', async (line, right) => {
    await bench.close();
    bench = await openBench({
      limits: { enabled: false },
      accounts: [{ name: 'demo', keys: [{ rights: ['R1'] }, { rights: ['R2'] }, { rights: ['R3', 'R4'] }] }],
    });
    const codes = await Promise.all(
      [0, 1, 2].map(async (index) => (await call(line, {}, 'demo', index)).body.error?.code ?? 200),
    );
    expect(codes.map((found) => found !== 1003)).toEqual([right === 'R1', right === 'R2', false]);
  });
});

test('reads of the history pass ten times a second, orders three hundred times', async () => {
  const own = await openBench();
  const key = own.key('demo');
  const times = async (count: number, line: string) => {
    const answers = await Promise.all(Array.from({ length: count }, () => signed(own, key, line)));
    return answers.filter(({ status }) => status !== 429).length;
  };
  expect(await times(12, 'GET /api/2/history/order')).toBe(10);
  expect(await times(1, 'GET /api/2/trading/balance')).toBe(0);
  expect(await times(302, `DELETE /api/2/order/${newId()}`)).toBe(300);
  own.pass(1_000);
  expect(await times(1, 'GET /api/2/trading/balance')).toBe(1);
  await own.close();
});
