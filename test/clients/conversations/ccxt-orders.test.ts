import assert from 'node:assert/strict';
import type { Ccxt } from '../support/ccxt-client.ts';
import { ccxtClient } from '../support/ccxt-client.ts';
import { exact, plain, times } from '../support/decimals.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import { atExchange } from '../support/through.ts';
import { after, before, describe, test } from '../support/talk.ts';

const symbol = 'BTC/USDT';

type Raw = { readonly [name: string]: string };

describe('ccxt trades over REST', () => {
  let exchange: RunningExchange;
  let alice: Ccxt;
  let bob: Ccxt;

  before(async () => {
    exchange = await startExchange(still);
    alice = await ccxtClient(exchange, exchange.key('demo'));
    bob = await ccxtClient(exchange, exchange.key('demo-two'));
  });

  after(async () => {
    await alice?.close();
    await bob?.close();
    await exchange?.stop();
  });

  /** The account as the wire says it, to the last digit. */
  async function balance(client: Ccxt, currency: string): Promise<{ available: string; reserved: string }> {
    const rows = (await client.fetchBalance()).info as Raw[];
    const { available = '', reserved = '' } = rows.find((row) => row['currency'] === currency) ?? {};
    return { available: plain(exact(available)), reserved: plain(exact(reserved)) };
  }

  test('balances open as configured', async () => {
    const all = await alice.fetchBalance();
    assert.equal(all['USDT']?.free, 1_000_000);
    assert.equal(all['BTC']?.free, 20);
    assert.equal(all['BTC']?.used, 0);
    assert.equal(all['BTC']?.total, 20);
  });

  test('fee rates are those of the market', async () => {
    const fee = await alice.fetchTradingFee(symbol);
    assert.equal(fee.taker, 0.001);
    assert.equal(fee.maker, -0.0001);
    const fees = await alice.fetchTradingFees();
    assert.deepEqual(Object.keys(fees).sort(), [
      'BTC/USDT',
      'ETH/BTC',
      'ETH/USDT',
      'LTC/BTC',
      'LTC/USDT',
      'XRP/USDT',
    ]);
    assert.equal(fees['XRP/USDT']?.taker, 0.001);
  });

  test('a limit order rests, reserves and is seen in the book', async () => {
    const order = await alice.createOrder(symbol, 'limit', 'sell', 0.5, 64_000.01, {
      client_order_id: 'alice-sells-half',
    });
    assert.equal(order.id, 'alice-sells-half');
    assert.equal(order.status, 'open');
    assert.equal(order.price, 64_000.01);
    assert.equal(order.amount, 0.5);
    assert.equal(order.filled, 0);
    assert.equal(order.remaining, 0.5);
    assert.equal(order.timeInForce, 'GTC');
    assert.equal(order.postOnly, false);
    assert.deepEqual((await bob.fetchOrderBook(symbol)).asks, [[64_000.01, 0.5]]);
    assert.deepEqual(await balance(alice, 'BTC'), { available: '19.5', reserved: '0.5' });
  });

  test('a buy reserves its value and the worse of both fees', async () => {
    const order = await bob.createOrder(symbol, 'limit', 'buy', 0.1, 63_000);
    atExchange('an id made by a daemon is shorter', () =>
      assert.match(String(order.id), /^[A-Za-z0-9_-]{32}$/, 'the exchange made an id of 32 characters'),
    );
    const value = times('63000', '0.1') + times('6300', '0.001');
    assert.deepEqual(await balance(bob, 'USDT'), {
      available: plain(exact('1000000') - value),
      reserved: plain(value),
    });
    const canceled = await bob.cancelOrder(String(order.id), symbol);
    assert.equal(canceled.status, 'canceled');
    assert.deepEqual(await balance(bob, 'USDT'), { available: '1000000', reserved: '0' });
  });

  test('an execution moves base, quote and both fees to the last digit', async () => {
    const order = await bob.createOrder(symbol, 'limit', 'buy', 0.2, 64_000.01, { timeInForce: 'IOC' });
    assert.equal(order.status, 'closed');
    assert.equal(order.filled, 0.2);
    assert.equal(order.average, 64_000.01);
    const value = times('64000.01', '0.2');
    const taken = times(plain(value), '0.001');
    const rebate = times(plain(value), '0.0001');
    assert.deepEqual(await balance(bob, 'BTC'), { available: '20.2', reserved: '0' });
    assert.deepEqual(await balance(bob, 'USDT'), {
      available: plain(exact('1000000') - value - taken),
      reserved: '0',
    });
    assert.deepEqual(await balance(alice, 'BTC'), { available: '19.5', reserved: '0.3' });
    assert.deepEqual(await balance(alice, 'USDT'), {
      available: plain(exact('1000000') + value + rebate),
      reserved: '0',
    });
  });

  test('each side finds its own trade with its own fee', async () => {
    const [sold] = await alice.fetchMyTrades(symbol);
    const [bought] = await bob.fetchMyTrades(symbol);
    assert.equal(sold?.id, bought?.id);
    assert.equal(sold?.order, 'alice-sells-half');
    assert.equal(sold?.takerOrMaker, 'maker');
    assert.equal(sold?.side, 'sell');
    assert.equal(sold?.amount, 0.2);
    assert.equal(sold?.price, 64_000.01);
    assert.equal(sold?.info.fee, '-1.280000200000');
    assert.deepEqual([sold?.fee?.cost, sold?.fee?.currency], [-1.280_000_2, 'USDT']);
    assert.equal(bought?.takerOrMaker, 'taker');
    assert.equal(bought?.side, 'buy');
    assert.equal(bought?.info.fee, '12.800002000000');
    assert.equal(typeof bought?.info.order_id, 'number');
  });

  test('an order is found by its id, open or ended', async () => {
    const open = await alice.fetchOpenOrder('alice-sells-half');
    assert.equal(open.status, 'open');
    assert.equal(open.filled, 0.2);
    assert.equal(open.remaining, 0.3);
    assert.equal(open.info.status, 'partiallyFilled');
    const known = await alice.fetchOrder('alice-sells-half', symbol);
    assert.equal(known.filled, 0.2);
    const trades = await alice.fetchOrderTrades(String(open.info.id), symbol);
    assert.deepEqual(
      trades.map(({ amount, order }) => [amount, order]),
      [[0.2, 'alice-sells-half']],
    );
  });

  test('an edit replaces the order and keeps what was executed', async () => {
    const before = await alice.fetchOpenOrder('alice-sells-half');
    const edited = await alice.editOrder('alice-sells-half', symbol, 'limit', 'sell', 0.6, 64_100);
    assert.notEqual(edited.id, 'alice-sells-half');
    assert.equal(edited.info.original_client_order_id, 'alice-sells-half');
    assert.equal(edited.price, 64_100);
    assert.equal(edited.amount, 0.6);
    assert.equal(edited.filled, 0.2);
    atExchange('an order was created when the daemon took it', () =>
      assert.equal(edited.timestamp, before.timestamp),
    );
    assert.deepEqual((await bob.fetchOrderBook(symbol)).asks, [[64_100, 0.4]]);
    assert.deepEqual(await balance(alice, 'BTC'), { available: '19.4', reserved: '0.4' });
    assert.deepEqual(
      (await alice.fetchOpenOrders(symbol)).map(({ id }) => id),
      [edited.id],
    );
  });

  test('a market order takes the book at its prices', async () => {
    await alice.createOrder(symbol, 'limit', 'sell', 0.1, 64_050);
    const order = await bob.createOrder(symbol, 'market', 'buy', 0.3);
    assert.equal(order.status, 'closed');
    assert.equal(order.type, 'market');
    assert.equal(order.timeInForce, 'FOK');
    assert.equal(order.filled, 0.3);
    const value = times('64050', '0.1') + times('64100', '0.2');
    assert.equal(order.cost, Number(plain(value)));
    assert.deepEqual(
      order.trades.map(({ price, amount }) => [price, amount]),
      [
        [64_050, 0.1],
        [64_100, 0.2],
      ],
    );
    assert.deepEqual((await bob.fetchOrderBook(symbol)).asks, [[64_100, 0.2]]);
  });

  test('a market order that the book cannot fill expires whole', async () => {
    const before = await balance(bob, 'USDT');
    const order = await bob.createOrder(symbol, 'market', 'buy', 0.3);
    assert.equal(order.info.status, 'expired');
    assert.equal(order.filled, 0);
    assert.deepEqual(await balance(bob, 'USDT'), before);
    assert.deepEqual((await bob.fetchOrderBook(symbol)).asks, [[64_100, 0.2]]);
  });

  test('a post-only order that would take expires, and one that would not rests', async () => {
    const taking = await bob.createOrder(symbol, 'limit', 'buy', 0.1, 64_100, { postOnly: true });
    assert.equal(taking.info.status, 'expired');
    assert.equal(taking.postOnly, true);
    assert.deepEqual((await bob.fetchOrderBook(symbol)).asks, [[64_100, 0.2]]);
    const resting = await bob.createOrder(symbol, 'limit', 'buy', 0.1, 64_099.99, { postOnly: true });
    assert.equal(resting.status, 'open');
    assert.deepEqual((await bob.fetchOrderBook(symbol)).bids, [[64_099.99, 0.1]]);
    await bob.cancelOrder(String(resting.id));
  });

  test('a stop-limit order sleeps until the last price reaches it, then rests', async () => {
    await alice.cancelAllOrders();
    const stop = await bob.createOrder(symbol, 'limit', 'buy', 0.05, 64_000, { triggerPrice: 64_200 });
    assert.equal(stop.type, 'stopLimit');
    assert.equal(stop.info.status, 'suspended');
    assert.equal(stop.triggerPrice, 64_200);
    assert.equal(stop.info.stop_price, '64200.00');
    assert.deepEqual((await bob.fetchOrderBook(symbol)).bids, []);

    await alice.createOrder(symbol, 'limit', 'sell', 0.01, 64_200);
    const taker = await bob.createOrder(symbol, 'limit', 'buy', 0.01, 64_200, { timeInForce: 'IOC' });
    assert.equal(taker.filled, 0.01, 'the price 64200 was traded');

    const woken = await bob.fetchOpenOrder(String(stop.id));
    assert.equal(woken.info.status, 'new');
    assert.deepEqual((await bob.fetchOrderBook(symbol)).bids, [[64_000, 0.05]]);
  });

  test('all orders of one market are canceled at once', async () => {
    await bob.createOrder(symbol, 'limit', 'buy', 0.01, 50_000);
    const elsewhere = await bob.createOrder('ETH/USDT', 'limit', 'buy', 0.1, 2_000);
    const canceled = await bob.cancelAllOrders(symbol);
    assert.equal(canceled.length, 2);
    assert.ok(canceled.every(({ status }) => status === 'canceled'));
    assert.deepEqual(
      (await bob.fetchOpenOrders()).map(({ id }) => id),
      [elsewhere.id],
    );
    await bob.cancelAllOrders();
    assert.deepEqual(await bob.fetchOpenOrders(), []);
    const { reserved } = await balance(bob, 'USDT');
    assert.equal(reserved, '0');
  });

  test('the history reports ended orders, newest state included', async () => {
    const closed = await bob.fetchClosedOrders(symbol);
    assert.ok(closed.length >= 3);
    assert.ok(closed.every(({ status }) => status === 'closed' || status === 'canceled'));
    const market = closed.find(({ type }) => type === 'market');
    assert.equal(market?.filled, 0.3);
    assert.match(String(market?.info.price_average), /^64083\.3333/);
  });

  test('money is neither made nor lost but for the fees', async () => {
    await alice.cancelAllOrders();
    const trades = [...(await alice.fetchMyTrades(symbol)), ...(await bob.fetchMyTrades(symbol))];
    const fees = trades.reduce((sum, { info }) => sum + exact(String(info.fee)), 0n);
    const held = async (currency: string): Promise<bigint> => {
      const rows = [await balance(alice, currency), await balance(bob, currency)];
      return rows.reduce((sum, { available, reserved }) => sum + exact(available) + exact(reserved), 0n);
    };
    assert.equal(plain(await held('BTC')), '40');
    assert.equal(plain((await held('USDT')) + fees), '2000000');
  });
});
