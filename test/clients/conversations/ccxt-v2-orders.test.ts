import assert from 'node:assert/strict';
import type { CcxtV2 } from '../support/ccxt-v2-client.ts';
import { ccxtV2, ccxtV2Client } from '../support/ccxt-v2-client.ts';
import { exact, plain, times } from '../support/decimals.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import { after, before, describe, test } from '../support/talk.ts';

const symbol = 'BTC/USDT';

describe('ccxt of API v2 trades over REST', () => {
  let exchange: RunningExchange;
  let alice: CcxtV2;
  let bob: CcxtV2;

  before(async () => {
    exchange = await startExchange(still);
    alice = ccxtV2Client(exchange, exchange.key('demo'));
    bob = ccxtV2Client(exchange, exchange.key('demo-two'));
    await alice.loadMarkets();
    await bob.loadMarkets();
  });

  after(async () => {
    await alice?.close();
    await bob?.close();
    await exchange?.stop();
  });

  test('balances and fees', async () => {
    const all = await alice.fetchBalance();
    assert.deepEqual([all['USDT']?.free, all['BTC']?.free, all['BTC']?.used], [1_000_000, 20, 0]);
    const fee = await alice.fetchTradingFee(symbol);
    assert.deepEqual([fee.taker, fee.maker], [0.001, -0.0001]);
  });

  test('a limit order rests, is executed in part and keeps both books of money right', async () => {
    const order = await alice.createOrder(symbol, 'limit', 'sell', 0.5, 64_000.01);
    assert.match(order.id, /^[0-9a-f]{32}$/, 'the id the class made');
    assert.deepEqual(
      [order.status, order.type, order.price, order.amount, order.filled],
      ['open', 'limit', 64_000.01, 0.5, 0],
    );
    assert.deepEqual((await bob.fetchOrderBook(symbol)).asks, [[64_000.01, 0.5]]);
    const taken = await bob.createOrder(symbol, 'market', 'buy', 0.2);
    assert.deepEqual([taken.status, taken.filled], ['closed', 0.2]);
    const [report] = taken.info['tradesReport'] as Record<string, unknown>[];
    assert.deepEqual(
      [report?.['price'], report?.['quantity'], report?.['fee']],
      ['64000.01', '0.20000', '12.800002000000'],
    );
    const value = times('64000.01', '0.2');
    const balances = await bob.fetchBalance();
    assert.equal(balances['BTC']?.free, 20.2);
    const left = exact('1000000') - value - times(plain(value), '0.001');
    assert.equal(balances['USDT']?.total, Number(plain(left)));
    const open = await alice.fetchOpenOrder(order.id, symbol);
    assert.deepEqual([open.filled, open.remaining, open.info['status']], [0.2, 0.3, 'partiallyFilled']);
    assert.equal((await alice.fetchBalance())['BTC']?.used, 0.3);
  });

  test('each side finds its trade', async () => {
    const [sold] = await alice.fetchMyTrades(symbol);
    const [bought] = await bob.fetchMyTrades(symbol);
    assert.equal(sold?.id, bought?.id);
    assert.deepEqual([sold?.fee?.cost, bought?.fee?.cost], [-1.280_000_2, 12.800_002]);
    assert.deepEqual([sold?.side, bought?.side], ['sell', 'buy']);
    const [open] = await alice.fetchOpenOrders(symbol);
    const trades = await alice.fetchOrderTrades(String(open?.info['id']), symbol);
    assert.deepEqual(
      trades.map(({ id, amount }) => [id, amount]),
      [[sold?.id, 0.2]],
    );
  });

  test('an edit replaces the order', async () => {
    const [open] = await alice.fetchOpenOrders(symbol);
    assert.ok(open !== undefined);
    const edited = await alice.editOrder(open.id, symbol, 'limit', 'sell', 0.6, 64_100);
    assert.notEqual(edited.id, open.id);
    assert.deepEqual([edited.price, edited.amount, edited.filled], [64_100, 0.6, 0.2]);
    assert.deepEqual((await bob.fetchOrderBook(symbol)).asks, [[64_100, 0.4]]);
    const canceled = await alice.cancelOrder(edited.id, symbol);
    assert.equal(canceled.status, 'canceled');
    assert.deepEqual(await alice.fetchOpenOrders(symbol), []);
  });

  test('the history reports ended orders', async () => {
    const closed = await bob.fetchClosedOrders(symbol);
    assert.deepEqual(
      closed.map(({ type, status, filled }) => [type, status, filled]),
      [['market', 'closed', 0.2]],
    );
    const one = await bob.fetchOrder(String(closed[0]?.id));
    assert.equal(one.filled, 0.2);
  });

  test('refusals have the class of their code', async () => {
    const refused = (call: Promise<unknown>, name: string): Promise<void> =>
      assert.rejects(call, (error: Error) => error.constructor === ccxtV2[name]);
    await refused(alice.createOrder(symbol, 'limit', 'buy', 100, 64_000), 'InsufficientFunds');
    await refused(alice.cancelOrder('00000000000000000000000000000000'), 'OrderNotFound');
    const { apiKey } = exchange.key('demo');
    const forged = ccxtV2Client(exchange, { apiKey, secret: 'not-the-secret' });
    await refused(forged.fetchBalance(), 'AuthenticationError');
    const reader = ccxtV2Client(exchange, exchange.key('demo', 'R1'));
    assert.equal((await reader.fetchBalance())['BTC']?.free, 19.8);
    await refused(reader.createOrder(symbol, 'limit', 'buy', 0.1, 60_000), 'PermissionDenied');
    await forged.close();
    await reader.close();
  });
});
