import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bench, Json } from './support/raw-client.ts';
import { newId, openBench, RawSocket, rest } from './support/raw-client.ts';

let bench: Bench;
let socket: RawSocket;

beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false } });
  socket = await RawSocket.open(bench, '/api/3/ws/public');
});
afterEach(async () => {
  socket.close();
  await bench.close();
});

const place = async (side: string, price: string, quantity: string, account = 'demo') => {
  const json = { client_order_id: newId(), symbol: 'ETHBTC', side, price, quantity };
  const answer = await rest(bench, 'POST /api/3/spot/order', { key: bench.key(account), json });
  expect(answer.status).toBe(200);
  return json.client_order_id;
};
const cancelAll = () => rest(bench, 'DELETE /api/3/spot/order', { key: bench.key('demo') });
const subscribe = (ch: string, params: object, id: string | number = ch) =>
  socket.ask({ method: 'subscribe', ch, params, id });

describe('the v3 public socket', () => {
  test('a subscription is answered with every active symbol; unknown ones are dropped without a word', async () => {
    expect(await subscribe('trades', { symbols: ['ETHBTC', 'NOPE'], limit: 3 }, 7)).toEqual({
      result: { ch: 'trades', subscriptions: ['ETHBTC'] },
      id: 7,
    });
    const second = await subscribe('trades', { symbols: ['BTCUSDT'] }, 'eight');
    expect(second.id).toBe('eight');
    expect(second.result.subscriptions.sort()).toEqual(['BTCUSDT', 'ETHBTC']);
    const list = await socket.ask({ method: 'subscriptions', ch: 'trades', params: {}, id: 9 });
    expect(list.result.subscriptions).toHaveLength(2);
    const left = await socket.ask({
      method: 'unsubscribe',
      ch: 'trades',
      params: { symbols: ['ETHBTC'] },
      id: 10,
    });
    expect(left).toEqual({ result: { ch: 'trades', subscriptions: ['BTCUSDT'] }, id: 10 });
  });

  test('the full book is a snapshot and then updates, each with the next sequence', async () => {
    await place('sell', '0.050010', '1.0000');
    await place('buy', '0.050000', '2.0000');
    bench.pass(100);
    await subscribe('orderbook/full', { symbols: ['ETHBTC'] });
    const first = (await socket.until((received) => received.snapshot)) as Json;
    expect(first).toEqual({
      ch: 'orderbook/full',
      snapshot: {
        ETHBTC: {
          t: expect.any(Number),
          s: expect.any(Number),
          a: [['0.050010', '1.0000']],
          b: [['0.050000', '2.0000']],
        },
      },
    });
    const { s } = first.snapshot.ETHBTC;
    await place('sell', '0.050020', '3.0000');
    await place('sell', '0.050015', '1.5000');
    bench.pass(100);
    expect(await socket.until((received) => received.update)).toEqual({
      ch: 'orderbook/full',
      update: {
        ETHBTC: {
          t: expect.any(Number),
          s: s + 1,
          a: [
            ['0.050015', '1.5000'],
            ['0.050020', '3.0000'],
          ],
          b: [],
        },
      },
    });
    await cancelAll();
    bench.pass(100);
    const last = (await socket.until((received) => received.update)).update.ETHBTC;
    expect(last.s).toBe(s + 2);
    expect(last.a.map((level: string[]) => level[1])).toEqual(['0', '0', '0']);
    expect(last.b).toEqual([['0.050000', '0']]);
  });

  test('a second subscription sends no new snapshot, a new one after unsubscribing does', async () => {
    await place('buy', '0.050000', '2.0000');
    await subscribe('orderbook/full', { symbols: ['ETHBTC'] }, 1);
    await socket.until((received) => received.snapshot);
    await subscribe('orderbook/full', { symbols: ['ETHBTC'] }, 2);
    await socket.settle();
    expect(socket.received.filter((received) => received.snapshot)).toHaveLength(1);
    await socket.ask({ method: 'unsubscribe', ch: 'orderbook/full', params: { symbols: ['ETHBTC'] }, id: 3 });
    await subscribe('orderbook/full', { symbols: ['ETHBTC'] }, 4);
    await socket.until((received) => received.snapshot);
  });

  test('a symbol without a book gets one empty snapshot, and * is not for the full book', async () => {
    await subscribe('orderbook/full', { symbols: ['LTCBTC'] }, 1);
    const { snapshot } = await socket.until((received) => received.snapshot);
    expect(snapshot.LTCBTC).toMatchObject({ s: 1, a: [], b: [] });
    expect((await subscribe('orderbook/full', { symbols: ['*'] }, 2)).result.subscriptions).toEqual([
      'LTCBTC',
    ]);
  });

  test('partial books are whole, share the sequence and come only when the top changed', async () => {
    for (let i = 0; i < 7; i++) await place('buy', `0.04000${i}`, '1.0000');
    bench.pass(100);
    await subscribe('orderbook/D5/100ms', { symbols: ['ETHBTC'] });
    const first = (await socket.until((received) => received.data)).data.ETHBTC;
    expect(first.b.map((level: string[]) => level[0])).toEqual([
      '0.040006',
      '0.040005',
      '0.040004',
      '0.040003',
      '0.040002',
    ]);
    expect(first.a).toEqual([]);
    await place('buy', '0.030000', '1.0000');
    bench.pass(200);
    await place('buy', '0.041000', '1.0000');
    bench.pass(100);
    const second = (await socket.until((received) => received.data)).data.ETHBTC;
    expect(second.b[0]).toEqual(['0.041000', '1.0000']);
    expect(second.s).toBe(first.s + 2);
  });

  test('top, tickers, price tickers and rates are sent at once and then on change at their cadence', async () => {
    await place('sell', '0.050010', '1.0000');
    await place('buy', '0.050000', '1.0000');
    bench.pass(1_000);
    await subscribe('orderbook/top/100ms', { symbols: ['ETHBTC'] });
    expect(await socket.until((received) => received.data)).toEqual({
      ch: 'orderbook/top/100ms',
      data: { ETHBTC: { t: expect.any(Number), a: '0.050010', A: '1.0000', b: '0.050000', B: '1.0000' } },
    });
    await subscribe('price/rate/1s', { currencies: ['ETH'], target_currency: 'BTC' });
    expect(await socket.until((received) => received.data)).toEqual({
      ch: 'price/rate/1s',
      target_currency: 'BTC',
      data: { ETH: { t: expect.any(Number), r: '0.050005' } },
    });
    await subscribe('ticker/1s', { symbols: ['ETHBTC'] });
    const quiet = (await socket.until((received) => received.ch === 'ticker/1s')).data.ETHBTC;
    expect(quiet).not.toHaveProperty('c');
    await place('buy', '0.050010', '0.5000', 'demo-two');
    bench.pass(900);
    bench.pass(200);
    const traded = (await socket.until((received) => received.ch === 'ticker/1s')).data.ETHBTC;
    expect(traded).toEqual({
      t: expect.any(Number),
      a: '0.050010',
      A: '0.5000',
      b: '0.050000',
      B: '1.0000',
      o: '0.050010',
      c: '0.050010',
      h: '0.050010',
      l: '0.050010',
      v: '0.5000',
      q: '0.0250050000',
      p: '0',
      P: '0',
      L: expect.any(Number),
    });
    await subscribe('ticker/price/1s', { symbols: ['*'] });
    expect(
      (await socket.until((received) => received.ch === 'ticker/price/1s' && received.data.ETHBTC)).data
        .ETHBTC.c,
    ).toBe('0.050010');
    const before = socket.received.length;
    bench.pass(5_000);
    await socket.settle();
    expect(socket.received.slice(before).filter((received) => received.ch)).toEqual([]);
  });

  test('batch channels carry several symbols in one frame', async () => {
    await place('buy', '0.050000', '1.0000');
    bench.pass(1_000);
    await subscribe('ticker/1s/batch', { symbols: ['*'] });
    const { data } = await socket.until((received) => received.ch === 'ticker/1s/batch');
    expect(Object.keys(data)).toContain('ETHBTC');
    expect(Object.keys(data).length).toBeGreaterThan(3);
  });

  test('trades and candles send history when asked, then what happens', async () => {
    await place('sell', '0.050000', '5.0000');
    await place('buy', '0.050000', '1.0000', 'demo-two');
    bench.pass(100);
    await subscribe('trades', { symbols: ['ETHBTC'], limit: 5 });
    const history = (await socket.until((received) => received.snapshot)).snapshot.ETHBTC;
    expect(history).toEqual([
      { t: expect.any(Number), i: expect.any(Number), p: '0.050000', q: '1.0000', s: 'buy' },
    ]);
    await subscribe('candles/M1', { symbols: ['ETHBTC'], limit: 5 });
    expect((await socket.until((received) => received.snapshot)).snapshot.ETHBTC).toHaveLength(1);
    await subscribe('converted/candles/M1', { symbols: ['ETHBTC'], target_currency: 'BTC' });
    await place('buy', '0.050000', '2.0000', 'demo-two');
    bench.pass(100);
    const trades = await socket.until((received) => received.ch === 'trades' && received.update);
    expect(trades.update.ETHBTC).toMatchObject([{ i: history[0].i + 1, q: '2.0000' }]);
    const candles = await socket.until((received) => received.ch === 'candles/M1' && received.update);
    expect(candles.update.ETHBTC).toMatchObject([{ v: '3.0000', o: '0.050000' }]);
    const converted = await socket.until((received) => received.ch === 'converted/candles/M1');
    expect(converted).toMatchObject({ target_currency: 'BTC', update: { ETHBTC: [{ v: '3' }] } });
    // In halves, so that the client can answer the ping in between.
    bench.pass(30_000);
    await socket.settle();
    await socket.settle();
    bench.pass(29_900);
    await place('buy', '0.050000', '0.5000', 'demo-two');
    bench.pass(100);
    const next = await socket.until((received) => received.ch === 'candles/M1' && received.update);
    expect(next.update.ETHBTC).toMatchObject([{ v: '0.5000' }]);
    expect(next.update.ETHBTC[0].t % 60_000).toBe(0);
  });

  test('errors have exactly the shapes of the service', async () => {
    socket.say({ method: 'subscribe', ch: 'orderbook/D7/100ms', params: { symbols: ['ETHBTC'] }, id: 16 });
    socket.say({ method: 'abc', id: 20 });
    socket.say('{"method":');
    await socket.settle();
    expect(socket.texts.slice(0, 3)).toEqual([
      '{"error":{"code":2003,"message":"Unknown channel","description":"Channel is not supported: orderbook/D7/100ms"},"id":16}',
      '{"error":{"code":404,"message":"Unsupported API method","description":"Method is not supported: abc"},"id":20}',
      '{"error":{"code":1,"message":"Invalid json","description":"JSON request is corrupted."}}',
    ]);
    expect((await subscribe('price/rate/1s', { currencies: ['ETH'] })).error.code).toBe(10001);
    expect((await subscribe('trades', { symbols: ['ETHBTC'], limit: 1_001 })).error.code).toBe(10001);
    expect((await subscribe('trades', { symbols: ['ETHBTC'] })).result.subscriptions).toEqual(['ETHBTC']);
  });

  test('two sockets and REST agree on a book rebuilt from its updates', async () => {
    const other = await RawSocket.open(bench, '/api/3/ws/public');
    await subscribe('orderbook/full', { symbols: ['ETHBTC'] });
    for (let i = 0; i < 60; i++) {
      const price = (0.05 + (((i * 7) % 23) - 11) / 1_000_000).toFixed(6);
      await place(
        i % 2 === 0 ? 'buy' : 'sell',
        price,
        `${1 + (i % 5)}.0000`,
        i % 3 === 0 ? 'demo' : 'demo-two',
      );
      if (i === 30)
        other.say({ method: 'subscribe', ch: 'orderbook/full', params: { symbols: ['ETHBTC'] }, id: 1 });
      if (i % 4 === 0) bench.pass(100);
    }
    await other.settle();
    bench.pass(100);
    await Promise.all([socket.settle(), other.settle()]);
    const { body } = await rest(bench, 'GET /api/3/public/orderbook/ETHBTC?depth=0');
    expect(rebuilt(socket.received)).toEqual({ ask: body.ask, bid: body.bid });
    expect(rebuilt(other.received)).toEqual({ ask: body.ask, bid: body.bid });
    other.close();
  });

  test('a ping leaves every 30 s, and who does not answer is closed with 4002', async () => {
    const mute = await RawSocket.open(bench, '/api/3/ws/public', { autoPong: false });
    let pings = 0;
    socket.ws.on('ping', () => (pings += 1));
    const pinged = new Promise((resolve) => mute.ws.once('ping', resolve));
    await socket.settle();
    bench.pass(30_000);
    await pinged;
    await socket.settle();
    expect(pings).toBe(1);
    await socket.settle();
    bench.pass(30_000);
    expect(await mute.untilClosed()).toEqual({ code: 4002, reason: 'Ping pong timeout.' });
    await socket.settle();
    expect(pings).toBe(2);
    expect(socket.closed).toBeUndefined();
  });

  test('a client ping is answered', async () => {
    const ponged = new Promise((resolve) => socket.ws.once('pong', resolve));
    socket.ws.ping();
    await ponged;
  });
});

/** A book from the frames a client received; fails when the sequence breaks. */
function rebuilt(received: readonly Json[]): { ask: string[][]; bid: string[][] } {
  const sides = { a: new Map<string, string>(), b: new Map<string, string>() };
  let sequence = 0;
  for (const frame of received) {
    if (frame.ch !== 'orderbook/full') continue;
    const book = (frame.snapshot ?? frame.update).ETHBTC;
    if (frame.update) expect(book.s).toBe(sequence + 1);
    sequence = book.s;
    for (const side of ['a', 'b'] as const) {
      for (const [price, size] of book[side]) {
        if (size === '0') expect(sides[side].delete(price)).toBe(true);
        else sides[side].set(price, size);
      }
    }
  }
  const sorted = (levels: Map<string, string>, direction: number) =>
    [...levels].sort((one, two) => direction * (Number(one[0]) - Number(two[0])));
  return { ask: sorted(sides.a, 1), bid: sorted(sides.b, -1) };
}
