import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Bench, Json } from './support/raw-client.ts';
import { openBench, RawSocket } from './support/raw-client.ts';

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

let requests = 0;
const ask = (method: string, ch: string, params: object): Promise<Json> =>
  socket.ask({ method, ch, params, id: ++requests });
const ch = 'price/rate/1s';
const listed = async (method: string, params: object): Promise<readonly string[]> =>
  (await ask(method, ch, params)).result.subscriptions;

describe('subscriptions of a channel that converts', () => {
  test('are listed together, whatever the target', async () => {
    expect(await listed('subscribe', { currencies: ['ETH'], target_currency: 'BTC' })).toEqual(['ETH']);
    const usdt = { currencies: ['ETH', 'LTC'], target_currency: 'USDT' };
    expect(await listed('subscribe', usdt)).toEqual(['ETH', 'LTC']);
    expect(await listed('subscriptions', {})).toEqual(['ETH', 'LTC']);
    expect(await listed('unsubscribe', usdt)).toEqual(['ETH']);
    expect(await listed('subscriptions', { target_currency: 'USDT' })).toEqual(['ETH']);
    expect(await listed('unsubscribe', { currencies: ['ETH'], target_currency: 'BTC' })).toEqual([]);
  });

  test('stay as they are when the target does not exist', async () => {
    await listed('subscribe', { currencies: ['ETH'], target_currency: 'BTC' });
    expect(await listed('subscribe', { currencies: ['LTC'], target_currency: 'NOPE' })).toEqual(['ETH']);
  });

  test('need currencies, and the refusal says so', async () => {
    const { error } = await ask('subscribe', ch, { target_currency: 'BTC' });
    expect(error.message).toBe('Bad request parameter [currencies]. Parameter is required');
  });
});

test('a target is no parameter of a channel that does not convert', async () => {
  const params = { symbols: ['ETHBTC'], target_currency: 'NOPE' };
  expect((await ask('subscribe', 'ticker/1s', params)).result.subscriptions).toEqual(['ETHBTC']);
});
