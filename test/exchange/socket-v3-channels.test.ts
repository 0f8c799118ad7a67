import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bench, Json } from './support/raw-client.ts';
import { newId, openBench, RawSocket, rest } from './support/raw-client.ts';

let bench: Bench;

const place = async (account: string, form: Record<string, string>): Promise<void> => {
  const { status } = await rest(bench, 'POST /api/3/spot/order', {
    key: bench.key(account),
    form: { client_order_id: newId(), ...form },
  });
  expect(status).toBe(200);
};

/** Two symbols with books and trades; the last price of ETHBTC moves on request. */
beforeAll(async () => {
  bench = await openBench({ limits: { enabled: false } });
  for (const [symbol, bid, ask, quantity] of [
    ['ETHBTC', '0.050000', '0.050010', '50'],
    ['BTCUSDT', '63990.00', '64010.00', '0.5'],
  ] as const) {
    await place('demo', { symbol, side: 'buy', price: bid, quantity });
    await place('demo', { symbol, side: 'sell', price: ask, quantity });
    await place('demo-two', { symbol, side: 'buy', price: ask, quantity: '0.01' });
  }
  bench.pass(3_000);
});
afterAll(() => bench.close());

let turn = 0;
async function moveEverything(): Promise<void> {
  for (const [symbol, bid, ask] of [
    ['ETHBTC', '0.050000', '0.050010'],
    ['BTCUSDT', '63990.00', '64010.00'],
  ] as const) {
    const side = turn % 2 === 0 ? 'sell' : 'buy';
    await place('demo-two', { symbol, side, price: side === 'sell' ? bid : ask, quantity: '0.01' });
    // A new best price, so that what follows the middle of the book moves too.
    const price = symbol === 'ETHBTC' ? `0.05000${1 + turn}` : `6399${1 + turn}.00`;
    await place('demo', { symbol, side: 'buy', price, quantity: '0.01' });
  }
  turn += 1;
}

const level = ['0.050010', expect.stringMatching(/^\d+\.\d{4}$/)];
const book = { t: expect.any(Number), s: expect.any(Number), a: [level], b: expect.any(Array) };
const top = {
  t: expect.any(Number),
  a: '0.050010',
  A: expect.any(String),
  b: expect.any(String),
  B: expect.any(String),
};
const day = {
  t: expect.any(Number),
  o: '0.050010',
  c: expect.stringMatching(/^0\.05\d{4}$/),
  h: '0.050010',
  l: expect.any(String),
  v: expect.stringMatching(/^0\.\d{4}$/),
  q: expect.stringMatching(/^0\.\d{10}$/),
};
const ticker = { ...top, ...day, p: expect.any(String), P: expect.any(String), L: expect.any(Number) };
const payloads: Readonly<Record<string, unknown>> = {
  ticker,
  'ticker/price': day,
  'orderbook/top': top,
  'orderbook/D5': book,
  'orderbook/D10': book,
  'orderbook/D20': book,
};
const speeds = { ticker: ['1s', '3s'], 'ticker/price': ['1s', '3s'] } as Readonly<Record<string, string[]>>;
const channels = Object.keys(payloads).flatMap((prefix) =>
  (speeds[prefix] ?? ['100ms', '500ms', '1000ms']).map((speed) => [prefix, speed] as const),
);

describe('channels of whole values', () => {
  test.each(channels)(
    '%s/%s tells of one symbol a frame, its batch form of several',
    async (prefix, speed) => {
      const single = await RawSocket.open(bench, '/api/3/ws/public');
      const batch = await RawSocket.open(bench, '/api/3/ws/public');
      const params = { symbols: ['ETHBTC', 'BTCUSDT'] };
      const ch = `${prefix}/${speed}`;
      await single.ask({ method: 'subscribe', ch, params, id: 1 });
      await batch.ask({ method: 'subscribe', ch: `${ch}/batch`, params, id: 1 });
      const first = await single.until((received) => received.ch === ch);
      expect(first).toEqual({ ch, data: { ETHBTC: payloads[prefix] } });
      expect(await single.until((received) => received.ch === ch)).toEqual({
        ch,
        data: { BTCUSDT: expect.any(Object) },
      });
      expect(await batch.until((received) => received.ch === `${ch}/batch`)).toEqual({
        ch: `${ch}/batch`,
        data: { ETHBTC: payloads[prefix], BTCUSDT: expect.any(Object) },
      });
      await moveEverything();
      bench.pass(3_000);
      await Promise.all([single.settle(), batch.settle()]);
      expect(single.received.filter((received) => received.data?.ETHBTC).length).toBeGreaterThan(1);
      const second = batch.received.filter((received) => received.data)[1];
      expect(Object.keys(second.data)).toEqual(['ETHBTC', 'BTCUSDT']);
      single.close();
      batch.close();
    },
  );

  test.each(['1s', '1s/batch', '1s/batches', '3s', '3s/batch', '3s/batches'])(
    'price/rate/%s is keyed by currency and names its target',
    async (form) => {
      const socket = await RawSocket.open(bench, '/api/3/ws/public');
      const ch = `price/rate/${form}`;
      const params = { currencies: ['ETH', 'BTC', 'NOPE', 'XRP'], target_currency: 'USDT' };
      const { result } = await socket.ask({ method: 'subscribe', ch, params, id: 1 });
      expect(result).toEqual({ ch, subscriptions: ['ETH', 'BTC', 'XRP'] });
      const first = await socket.until((received) => received.ch === ch);
      const rate = { t: expect.any(Number), r: expect.stringMatching(/^\d+(\.\d+)?$/) };
      expect(first).toEqual({
        ch,
        target_currency: 'USDT',
        data: form.includes('batch') ? { ETH: rate, BTC: rate } : { ETH: rate },
      });
      const open = await socket.ask({
        method: 'subscribe',
        ch,
        params: { currencies: ['ETH'] },
        id: 2,
      });
      expect(open.error.message).toBe('Bad request parameter [target_currency]. Parameter is required');
      socket.close();
    },
  );
});

describe('channels with a history', () => {
  test.each(['M1', 'M3', 'M5', 'M15', 'M30', 'H1', 'H4', 'D1', 'D7', '1M'])(
    'candles and converted candles of %s: a snapshot when asked, then what changes',
    async (period) => {
      const socket = await RawSocket.open(bench, '/api/3/ws/public');
      const candle = { ...day, v: expect.any(String), q: expect.any(String), h: expect.any(String) };
      const any = Object.fromEntries(Object.keys(candle).map((key) => [key, expect.anything()]));
      const subscribe = (ch: string, more: object) =>
        socket.ask({ method: 'subscribe', ch, params: { symbols: ['ETHBTC'], ...more }, id: ch });
      await subscribe(`candles/${period}`, { limit: 3 });
      expect((await socket.until(({ snapshot }) => snapshot)).snapshot.ETHBTC.at(-1)).toEqual(any);
      const ch = `converted/candles/${period}`;
      await subscribe(ch, { limit: 3, target_currency: 'USDT' });
      const snapshot = await socket.until((received) => received.snapshot);
      expect(snapshot).toEqual({
        ch,
        target_currency: 'USDT',
        snapshot: { ETHBTC: expect.arrayContaining([any]) },
      });
      expect(Number(snapshot.snapshot.ETHBTC[0].o)).toBeGreaterThan(3_000);
      await moveEverything();
      bench.pass(100);
      const update = (name: string) => (received: Json) =>
        received.ch === name && received.update !== undefined;
      expect((await socket.until(update(`candles/${period}`))).update.ETHBTC).toEqual([any]);
      expect(await socket.until(update(ch))).toEqual({
        ch,
        target_currency: 'USDT',
        update: { ETHBTC: [any] },
      });
      socket.close();
    },
  );
});
