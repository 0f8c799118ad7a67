import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GodwitClient, unreadableRows } from '../../src/venues/hitbtc/typed/index.ts';
import { answer, StubHttpServer } from '../venues/hitbtc/client/support/stub-http-server.ts';

let server: StubHttpServer;
let client: GodwitClient;

beforeEach(async () => {
  server = await StubHttpServer.start();
  client = new GodwitClient({
    baseUrl: server.url,
    credentials: { apiKey: 'key-0001', secret: 'very-secret' },
  });
  client.unreadable$.subscribe();
});
afterEach(async () => {
  await client.close();
  await server.close();
});

function answers(body: object): void {
  server.handler = (_seen, response) => answer(response, 200, body);
}

const iso = '2024-01-02T03:04:05.678Z';
const millis = Date.parse(iso);
const stamps = { created_at: iso, updated_at: iso };
const order = {
  id: 1,
  client_order_id: 'order-1-abcdef',
  symbol: 'ETHBTC',
  side: 'buy',
  status: 'new',
  type: 'limit',
  time_in_force: 'GTC',
  quantity: '0.1000',
  quantity_cumulative: '0',
  post_only: false,
  ...stamps,
};
const transaction = {
  id: 1,
  status: 'SUCCESS',
  type: 'DEPOSIT',
  subtype: 'BLOCKCHAIN',
  ...stamps,
  native: { tx_id: 'a', index: 1, currency: 'BTC', amount: '1' },
};
const account = {
  symbol: 'ETHBTC',
  type: 'isolated',
  ...stamps,
  currencies: [],
  positions: [],
};
const buyOrder = {
  id: 1,
  provider_id: 1,
  source_code: 'EUR',
  target_code: 'BTC',
  wallet_address: 'a',
  checkout_url: 'b',
  order_type: 'buy',
  status: 'initial',
  created_at: iso,
};
const airdrop = { id: 1, currency: 'BTC', amount: '1', created_at: iso };
const v2Order = {
  id: 1,
  clientOrderId: 'order-1-abcdef',
  symbol: 'ETHBTC',
  side: 'buy',
  status: 'new',
  type: 'limit',
  timeInForce: 'GTC',
  quantity: '0.1',
  cumQuantity: '0',
  createdAt: iso,
  updatedAt: iso,
};
const v2Transaction = {
  id: 'a',
  index: 1,
  currency: 'BTC',
  amount: '1',
  type: 'payin',
  status: 'success',
  createdAt: iso,
  updatedAt: iso,
};

describe('a word that the documents do not have comes as it is', () => {
  test.each<[string, object, () => Promise<readonly unknown[]>, object]>([
    [
      'status of an order',
      { ...order, status: 'parked' },
      () => client.v3.spot.orders(),
      { status: 'parked' },
    ],
    ['type of an order', { ...order, type: 'pegged' }, () => client.v3.spot.orders(), { type: 'pegged' }],
    [
      'time in force of an order on margin',
      { ...order, time_in_force: 'GTX' },
      () => client.v3.margin.orders(),
      { timeInForce: 'GTX' },
    ],
    [
      'status of an order of v2',
      { ...v2Order, status: 'parked' },
      () => client.v2.trading.orders(),
      { status: 'parked' },
    ],
    [
      'type of a margin account',
      { ...account, type: 'Portfolio' },
      () => client.v3.margin.accounts(),
      { type: 'portfolio' },
    ],
    [
      'status of a transaction',
      { ...transaction, status: 'ON_HOLD' },
      () => client.v3.wallet.transactions(),
      { status: 'ON_HOLD' },
    ],
    [
      'type of a transaction',
      { ...transaction, type: 'LOAN' },
      () => client.v3.wallet.transactions(),
      { type: 'LOAN' },
    ],
    [
      'type and status of a transaction of v2',
      { ...v2Transaction, type: 'loan', status: 'held' },
      () => client.v2.account.transactions(),
      { type: 'loan', status: 'held' },
    ],
    [
      'status of an airdrop',
      { ...airdrop, status: 'late' },
      () => client.v3.wallet.airdrops(),
      { status: 'late' },
    ],
    [
      'status of a sub-account',
      { sub_account_id: 'ab', email: 'a@b.c', status: 'resting' },
      () => client.v3.subAccounts.list(),
      { status: 'resting' },
    ],
    [
      'type and status of a purchase',
      { ...buyOrder, order_type: 'sell', status: 'disputed' },
      () => client.v3.buyCrypto.orders({ providerId: '1' }),
      { orderType: 'sell', status: 'disputed' },
    ],
    [
      'right of a key',
      { api_key: 'key-0001', access_rights: ['R1', 'R9'] },
      () => client.v3.user.apiKeys(),
      { rights: ['R1', 'R9'] },
    ],
  ])('%s', async (_, row, call, expected) => {
    answers([row]);
    const rows = await call();
    expect(rows).toMatchObject([expected]);
    expect(unreadableRows(rows)).toEqual([]);
  });
});

test('what else a transaction says of itself is kept', async () => {
  const meta = { note: 'rent', parts: [1, { of: 2 }] };
  answers([{ ...transaction, meta }, transaction]);
  const [noted, silent] = await client.v3.wallet.transactions();
  expect(noted?.meta).toEqual(meta);
  expect(silent).not.toHaveProperty('meta');
});

describe('times are ISO text or milliseconds', () => {
  test.each([iso, millis, String(millis)])('%s', async (time) => {
    const at = millis * 1_000;
    answers([{ ...order, created_at: time, updated_at: time, expire_time: time }]);
    expect(await client.v3.spot.orders()).toMatchObject([{ createdAt: at, updatedAt: at, expireTime: at }]);
    answers([{ ...v2Transaction, createdAt: time, updatedAt: time }]);
    expect(await client.v2.account.transactions()).toMatchObject([{ createdAt: at, updatedAt: at }]);
    answers({ ETHBTC: [{ id: 1, price: '1', qty: '1', side: 'sell', timestamp: time }] });
    const trades = await client.v3.marketData.trades();
    expect(trades.get('ETHBTC')).toMatchObject([{ timestamp: at }]);
    answers({ timestamp: time, ask: [], bid: [] });
    expect(await client.v3.marketData.orderBook({ symbol: 'ETHBTC' })).toMatchObject({ timestamp: at });
  });

  test.each(['soon', '', -1, 1.5, '20240102', 9e15])('%j is none', async (time) => {
    answers([order, { ...order, updated_at: time }]);
    const rows = await client.v3.spot.orders();
    expect(rows).toHaveLength(1);
    expect(unreadableRows(rows)).toMatchObject([
      { row: '1', why: expect.stringContaining('expected a UTC time') },
    ]);
  });
});
