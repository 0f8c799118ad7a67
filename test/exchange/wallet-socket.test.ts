import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseAmount } from '../../src/core/base/amount.ts';
import type { Bench, Json } from './support/raw-client.ts';
import { openBench, RawSocket, rest } from './support/raw-client.ts';
import { walletCurrencies, walletOptions } from './support/wallet-bench.ts';

let bench: Bench;
const sockets: RawSocket[] = [];

beforeAll(async () => {
  bench = await openBench({ currencies: walletCurrencies, wallet: walletOptions });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
  bench.pass(1_000);
});
afterAll(() => bench.close());

async function open(path: string): Promise<RawSocket> {
  const socket = await RawSocket.open(bench, path);
  sockets.push(socket);
  return socket;
}
async function v3(account = 'demo'): Promise<RawSocket> {
  const socket = await open('/api/3/ws/wallet');
  expect(await socket.login(bench.key(account))).toEqual({ jsonrpc: '2.0', result: true, id: 'login' });
  return socket;
}
async function v2(path = '/api/2/ws/account'): Promise<RawSocket> {
  const socket = await open(path);
  const key = bench.key('demo');
  const params = { algo: 'BASIC', pKey: key.apiKey, sKey: key.secret.reveal() };
  expect((await socket.ask({ method: 'login', params, id: 'login' })).result).toBe(true);
  return socket;
}
const transfer = (members: object = {}) =>
  rest(bench, 'POST /api/3/wallet/transfer', {
    key: bench.key('demo'),
    json: { currency: 'USDT', amount: '1', source: 'wallet', destination: 'spot', ...members },
  });
const hears = (socket: RawSocket, method: string) => socket.until((delivered) => delivered.method === method);

describe('the v3 wallet socket', () => {
  test('asks for a login, the right, and a method it knows', async () => {
    const socket = await open('/api/3/ws/wallet');
    expect(await socket.ask({ method: 'wallet_balances', id: 1 })).toMatchObject({
      error: { code: 1002 },
    });
    expect((await socket.login({ ...bench.key('demo'), apiKey: 'nobody' })).error.code).toBe(1002);
    await socket.login(bench.key('demo', 1));
    const methods = [
      'subscribe_transactions',
      'unsubscribe_transactions',
      'subscribe_wallet_balances',
      'unsubscribe_wallet_balances',
      'wallet_balances',
      'wallet_balance',
      'transactions',
      'get_transactions',
    ];
    for (const method of methods) {
      expect((await socket.ask({ method, params: {}, id: method })).error.code).toBe(1003);
    }
    expect((await socket.ask({ method: 'spot_balances', id: 9 })).error).toEqual({
      code: 404,
      message: 'Unsupported API method',
      description: 'Method is not supported: spot_balances',
    });
  });

  test('answers balances and transactions', async () => {
    const socket = await v3();
    const all = await socket.ask({ method: 'wallet_balances', id: 1 });
    expect(all.result).toContainEqual({ currency: 'BTC', available: '2', reserved: '0' });
    const one = await socket.ask({ method: 'wallet_balance', params: { currency: 'BTC' }, id: 2 });
    expect(one.result).toEqual({ available: '2', reserved: '0' });
    const unknown = await socket.ask({ method: 'wallet_balance', params: { currency: 'NOPE' }, id: 3 });
    expect(unknown.error.code).toBe(2002);
    expect((await socket.ask({ method: 'wallet_balance', params: {}, id: 4 })).error.code).toBe(10001);
    const params = { currencies: ['BTC'], types: 'DEPOSIT', limit: 1 };
    const list = await socket.ask({ method: 'get_transactions', params, id: 5 });
    expect(list.result).toEqual([expect.objectContaining({ type: 'DEPOSIT', status: 'SUCCESS' })]);
    expect((await socket.ask({ method: 'transactions', params, id: 6 })).result).toEqual(list.result);
    const wrong = await socket.ask({ method: 'transactions', params: { limit: 1001 }, id: 7 });
    expect(wrong.error).toMatchObject({ code: 10001, message: expect.stringContaining('[limit]') });
  });

  test('reports every change of a transaction until it is asked to stop', async () => {
    const socket = await v3();
    const other = await v3('demo-two');
    expect((await socket.ask({ method: 'subscribe_transactions', id: 1 })).result).toBe(true);
    await other.ask({ method: 'subscribe_transactions', id: 1 });
    const { body } = await rest(bench, 'POST /api/3/wallet/crypto/withdraw', {
      key: bench.key('demo'),
      json: { currency: 'BTC', amount: '0.1', address: 'bc1qqqqqqqqqqqqqqqqq' },
    });
    bench.pass(17_000);
    const received: Json[] = [];
    while (received.length < 3) received.push((await hears(socket, 'transaction_update')).params);
    expect(received.map(({ status }) => status)).toEqual(['CREATED', 'PENDING', 'SUCCESS']);
    expect(received.every(({ native }) => native.tx_id === body.id)).toBe(true);
    expect((await socket.ask({ method: 'unsubscribe_transactions', id: 2 })).result).toBe(true);
    await transfer();
    await Promise.all([socket.settle(), other.settle()]);
    expect(socket.received.filter(({ method }) => method === 'transaction_update')).toHaveLength(3);
    expect(other.received.filter(({ method }) => method === 'transaction_update')).toHaveLength(0);
  });

  test('sends all balances after the subscription, then each that changes, also to zero', async () => {
    const socket = await v3();
    expect((await socket.ask({ method: 'subscribe_wallet_balances', id: 1 })).result).toBe(true);
    const all = (await hears(socket, 'wallet_balances')).params as Json[];
    const xrp = all.find(({ currency }) => currency === 'XRP');
    expect(xrp).toEqual({ currency: 'XRP', available: '500', reserved: '0' });
    await transfer({ currency: 'XRP', amount: '500' });
    expect((await hears(socket, 'wallet_balance_update')).params).toEqual({ ...xrp, available: '0' });
    await transfer({ currency: 'XRP', amount: '500', source: 'spot', destination: 'wallet' });
    expect((await hears(socket, 'wallet_balance_update')).params).toEqual(xrp);
    expect((await socket.ask({ method: 'unsubscribe_wallet_balances', id: 2 })).result).toBe(true);
    await transfer();
    await socket.settle();
    expect(socket.received.filter(({ method }) => method === 'wallet_balance_update')).toHaveLength(2);
  });

  test('limits its methods per account: 15 in a second, and 12 logins', async () => {
    const socket = await v3();
    const codes: unknown[] = [];
    for (let i = 0; i < 16; i++) {
      codes.push((await socket.ask({ method: 'wallet_balances', id: i })).error?.code);
    }
    expect(codes.filter((code) => code === undefined)).toHaveLength(15);
    expect(codes.at(-1)).toBe(429);
    bench.pass(1_000);
    const logins: unknown[] = [];
    for (let i = 0; i < 13; i++) logins.push((await socket.login(bench.key('demo'), `l${i}`)).error?.code);
    expect(logins).toEqual([...Array.from({ length: 12 }), 429]);
  });
});

describe('the v2 account socket', () => {
  test('asks for a login and the right', async () => {
    const socket = await open('/api/2/ws/account');
    expect((await socket.ask({ method: 'getBalance', id: 1 })).error.code).toBe(1001);
    expect((await socket.ask({ method: 'newOrder', id: 2 })).error.code).toBe(404);
    const key = bench.key('demo', 1);
    const params = { algo: 'BASIC', pKey: key.apiKey, sKey: key.secret.reveal() };
    await socket.ask({ method: 'login', params, id: 3 });
    const methods = [
      'subscribeTransactions',
      'unsubscribeTransactions',
      'subscribeBalance',
      'unsubscribeBalance',
      'getBalance',
      'findTransactions',
      'loadTransactions',
    ];
    for (const [index, method] of methods.entries()) {
      if (index === 4) bench.pass(1_000);
      expect((await socket.ask({ method, params: {}, id: method })).error.code).toBe(1003);
    }
  });

  test('answers balances and transactions, also at the combined location', async () => {
    for (const path of ['/api/2/ws/account', '/api/2/ws']) {
      const socket = await v2(path);
      const balances = await socket.ask({ method: 'getBalance', params: {}, id: 1 });
      expect(balances.result).toContainEqual({ currency: 'XRP', available: '500', reserved: '0' });
      for (const method of ['findTransactions', 'loadTransactions']) {
        const found = await socket.ask({ method, params: { currency: 'XRP', limit: 1 }, id: method });
        expect(found.result).toEqual([expect.objectContaining({ currency: 'XRP', status: 'success' })]);
        const wrong = await socket.ask({ method, params: { by: 'size' }, id: `${method} again` });
        expect(wrong.error.code).toBe(10001);
        bench.pass(1_000);
      }
    }
  });

  test('reports transactions and balances until it is asked to stop', async () => {
    const socket = await v2();
    const holds = await socket.ask({ method: 'subscribeTransactions', params: { a: 1 }, id: 0 });
    expect(holds.error.code).toBe(10001);
    expect((await socket.ask({ method: 'subscribeTransactions', params: {}, id: 1 })).result).toBe(true);
    expect((await socket.ask({ method: 'subscribeBalance', params: {}, id: 2 })).result).toBe(true);
    const first = (await hears(socket, 'balance')).params as Json[];
    expect(first.map(({ currency }) => currency)).toEqual(expect.arrayContaining(['BTC', 'USDT', 'XRP']));
    await transfer({ currency: 'XRP', amount: '5' });
    expect((await hears(socket, 'updateTransaction')).params).toMatchObject({
      type: 'bankToExchange',
      status: 'success',
      currency: 'XRP',
      amount: '5',
      index: expect.any(Number),
    });
    expect((await hears(socket, 'balance')).params).toEqual([
      { currency: 'XRP', available: '495', reserved: '0' },
    ]);
    bench.server.deposit({
      account: bench.server.accounts.get('demo').id,
      currency: 'LTC',
      amount: parseAmount('1'),
    });
    expect((await hears(socket, 'updateTransaction')).params).toMatchObject({
      type: 'payin',
      status: 'pending',
      confirmations: 0,
      commitRisk: { score: 100 },
    });
    bench.pass(1_000);
    expect((await socket.ask({ method: 'unsubscribeTransactions', params: {}, id: 3 })).result).toBe(true);
    expect((await socket.ask({ method: 'unsubscribeBalance', params: {}, id: 4 })).result).toBe(true);
    const count = socket.received.length;
    await transfer();
    await socket.settle();
    expect(socket.received.slice(count).filter(({ method }) => method !== undefined)).toEqual([]);
  });
});
