import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bench } from './support/raw-client.ts';
import { newId, openBench, RawSocket, rest } from './support/raw-client.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench({ limits: { enabled: false } });
});
afterAll(() => bench.close());

const ask = (line: string, json?: unknown) => rest(bench, line, { key: bench.key('demo'), json });
const time = () => new Date(bench.clock.now() / 1_000).toISOString();

describe('a symbol without a trade', () => {
  test('has a lowest and a highest price, unlike the values that may be null', async () => {
    const prices = { ask: null, bid: null, last: null, open: null, low: '0.000000', high: '0.000000' };
    expect((await ask('GET /api/3/public/ticker/ETHBTC')).body).toMatchObject(prices);
    expect((await ask('GET /api/2/public/ticker/ETHBTC')).body).toMatchObject(prices);
    const socket = await RawSocket.open(bench, '/api/3/ws/public');
    await socket.ask({ method: 'subscribe', ch: 'ticker/1s', params: { symbols: ['ETHBTC'] }, id: 1 });
    const { data } = await socket.until((received) => 'data' in received);
    expect(data.ETHBTC).toMatchObject({ h: '0.000000', l: '0.000000', v: '0', q: '0' });
    expect(data.ETHBTC).not.toHaveProperty('o');
    socket.close();
  });
});

describe('what a currency is worth in itself', () => {
  test('is reported with the time of now, over REST and on the socket', async () => {
    const { body } = await ask('GET /api/3/public/price/rate?from=BTC&to=BTC');
    expect(body).toEqual({ BTC: { currency: 'BTC', price: '1', timestamp: time() } });
    const socket = await RawSocket.open(bench, '/api/3/ws/public');
    const params = { currencies: ['BTC'], target_currency: 'BTC' };
    await socket.ask({ method: 'subscribe', ch: 'price/rate/1s', params, id: 1 });
    expect((await socket.until((received) => 'data' in received)).data).toEqual({
      BTC: { t: bench.clock.now() / 1_000, r: '1' },
    });
    socket.close();
  });
});

describe('the history of one client order id', () => {
  test.each([
    ['GET /api/3/spot/history/order?client_order_id=ID', 'client_order_id'],
    ['GET /api/2/history/order?clientOrderId=ID', 'clientOrderId'],
  ])('%s ignores everything else, however it looks', async (line, member) => {
    const id = newId();
    const order = { symbol: 'ETHBTC', side: 'buy', price: '0.04', quantity: '1', client_order_id: id };
    expect((await ask('POST /api/3/spot/order', order)).status).toBe(200);
    const others = '&limit=5000&offset=-1&sort=up&by=price&from=never&symbol=NOPE';
    const answer = await rest(bench, line.replace('ID', id) + others, {
      key: bench.key('demo'),
      basic: true,
    });
    expect(answer.body).toMatchObject([{ [member]: id }]);
  });

  test('of margin, too', async () => {
    const { body } = await ask('GET /api/3/margin/history/order?client_order_id=none&limit=5000');
    expect(body).toEqual([]);
  });
});

test('the number of an order is a number', async () => {
  for (const product of ['spot', 'margin', 'futures']) {
    const { body } = await ask(`GET /api/3/${product}/history/trade?order_id=abc`);
    expect(body.error).toEqual({
      code: 10001,
      message: "Bad request parameter [order_id]. Can't parse value from string: abc",
    });
  }
});

describe('margin settings', () => {
  test.each([
    [{ margin_mode: 'isolated', currency: 'USDT' }, 'symbol'],
    [{ margin_mode: 'cross', symbol: 'BTCUSDT_PERP' }, 'currency'],
  ])('of %j lack what they are for', async (meant, name) => {
    const { body } = await ask('PUT /api/3/futures/margin-settings/amr', { ...meant, amr: true });
    expect(body.error).toEqual({
      code: 10001,
      message: `Bad request parameter [${name}]. Parameter is required`,
    });
  });

  test.each([
    [{ margin_mode: 'isolated', symbol: 'BTCUSDT', currency: 'USDT' }, 'currency'],
    [{ margin_mode: 'cross', symbol: 'BTCUSDT', currency: 'USDT' }, 'symbol'],
  ])('of %j name what the other mode is for', async (meant, name) => {
    for (const what of ['margin-settings/amm', 'margin/margin-settings/amr']) {
      const { status, body } = await ask(`PUT /api/3/${what}`, { ...meant, amr: true, amm: true });
      expect([status, body.error]).toEqual([
        400,
        {
          code: 10001,
          message: `Bad request parameter [${name}]. Must be omitted when margin_mode is ${meant.margin_mode}`,
        },
      ]);
    }
  });
});

test('a margin balance may be in exponential form, but not with strict validation', async () => {
  const put = (json: object) => ask('PUT /api/3/margin/account/isolated/BTCUSDT', json);
  const lenient = await put({ margin_balance: '1.5e2' });
  expect(lenient.body.currencies[0].margin_balance).toBe('150.000000000000');
  const strict = await put({ margin_balance: '1e2', strict_validate: true });
  expect(strict.body.error.message).toBe('Bad request parameter [margin_balance]. Expected a plain decimal');
  for (const text of ['1e999', '-1e2', 'e2', '1e', '0x10'])
    expect((await put({ margin_balance: text })).body.error.code).toBe(10001);
});
