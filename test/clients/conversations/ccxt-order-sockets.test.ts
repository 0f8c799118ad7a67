import assert from 'node:assert/strict';
import type { Ccxt } from '../support/ccxt-client.ts';
import { ccxt, ccxtClient } from '../support/ccxt-client.ts';
import { exact, plain, times } from '../support/decimals.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { until, within } from '../support/waiting.ts';

const symbol = 'ETH/USDT';

describe('ccxt trades over the trading socket', () => {
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

  /** What the next balance message brings, as the wire words it. */
  async function nextBalance(client: Ccxt, params: object): Promise<Map<string, string[]>> {
    const balance = await within('a balance', client.watchBalance(params));
    const rows = balance.info as { currency: string; available: string; reserved: string }[];
    return new Map(rows.map((row) => [row.currency, [row.available, row.reserved].map(short)]));
  }

  test('an order placed over the socket rests and is seen over REST', async () => {
    const order = await within(
      'the reply',
      alice.createOrderWs(symbol, 'limit', 'sell', 2.5, 3_200.01, { client_order_id: 'socket-sell-1' }),
    );
    assert.equal(order.clientOrderId, 'socket-sell-1');
    assert.equal(order.status, 'open');
    assert.equal(order.info.report_type, 'new');
    assert.equal(order.amount, 2.5);
    assert.deepEqual((await bob.fetchOrderBook(symbol)).asks, [[3_200.01, 2.5]]);
  });

  test('open orders over the socket are those over REST', async () => {
    const open = await within('the list', alice.fetchOpenOrdersWs(symbol));
    assert.deepEqual(
      open.map(({ clientOrderId, price, amount }) => [clientOrderId, price, amount]),
      [['socket-sell-1', 3_200.01, 2.5]],
    );
    assert.deepEqual(
      (await alice.fetchOpenOrders(symbol)).map(({ clientOrderId }) => clientOrderId),
      ['socket-sell-1'],
    );
    assert.deepEqual(await within('an empty list', bob.fetchOpenOrdersWs()), []);
  });

  test('watching orders brings the open ones first, then each change', async () => {
    const snapshot = await within('the open orders', alice.watchOrders());
    assert.deepEqual(
      snapshot.map(({ id, status }) => [id, status]),
      [['socket-sell-1', 'open']],
    );
    const change = alice.watchOrders();
    const bought = await within(
      'the reply',
      bob.createOrderWs(symbol, 'limit', 'buy', 1, 3_200.01, { timeInForce: 'IOC' }),
    );
    assert.equal(bought.status, 'closed');
    assert.equal(bought.info.report_type, 'trade');
    const received = (await within('the execution', change)).at(-1);
    assert.equal(received?.id, 'socket-sell-1');
    assert.equal(received?.filled, 1);
    assert.equal(received?.remaining, 1.5);
    assert.equal(received?.info.report_type, 'trade');
    assert.equal(received?.info.trade_fee, '-0.320001000000');
    assert.equal(received?.info.trade_price, '3200.01');
    assert.equal(received?.info.trade_taker, false);
    assert.equal(bought.info.trade_id, received?.info.trade_id);
  });

  test('a cancel over the socket is answered and reported', async () => {
    const change = alice.watchOrders();
    const canceled = await within('the reply', alice.cancelOrderWs('socket-sell-1', symbol));
    assert.equal(canceled.clientOrderId, 'socket-sell-1');
    assert.equal(canceled.status, 'canceled');
    const received = (await within('the report', change)).at(-1);
    assert.deepEqual([received?.id, received?.status], ['socket-sell-1', 'canceled']);
    assert.deepEqual((await bob.fetchOrderBook(symbol)).asks, []);
  });

  test('all orders are canceled at once', async () => {
    await within('the reply', alice.createOrderWs(symbol, 'limit', 'buy', 0.1, 3_000));
    await within('the reply', alice.createOrderWs(symbol, 'limit', 'buy', 0.1, 3_001));
    const canceled = await within('the list', alice.cancelAllOrdersWs());
    assert.equal(canceled.length, 2);
    assert.deepEqual(await alice.fetchOpenOrders(), []);
  });

  test('a refusal over the socket has the class of its code, and the socket lives on', async () => {
    await assert.rejects(
      within('a refusal', alice.createOrderWs(symbol, 'limit', 'sell', 1_000, 3_200)),
      ccxt.InsufficientFunds,
    );
    await assert.rejects(
      within('a refusal', alice.cancelOrderWs('nobody-knows-it', symbol)),
      ccxt.OrderNotFound,
    );
    assert.deepEqual(await within('an empty list', alice.fetchOpenOrdersWs()), []);
  });

  test('balances are pushed after every change, exact', async () => {
    const value = times('3200.01', '1');
    const held = exact('1000000') + value + times(plain(value), '0.0001');
    const first = await nextBalance(alice, { mode: 'updates' });
    assert.deepEqual(first.get('ETH'), ['399', '0']);
    assert.deepEqual(first.get('USDT'), [plain(held), '0']);
    const next = nextBalance(alice, { mode: 'updates' });
    await alice.createOrderWs(symbol, 'limit', 'sell', 9, 3_300);
    assert.deepEqual((await next).get('ETH'), ['390', '9']);
  });

  test('balances in batches come after a change, too', async () => {
    const pushed = (async () => {
      for (;;) {
        const row = (await nextBalance(bob, { mode: 'batches' })).get('ETH');
        if (row?.[1] === '7') return row;
      }
    })();
    await until('the subscription', async () =>
      (await bob.fetchOpenOrdersWs()).length === 0 ? true : undefined,
    );
    await bob.createOrderWs(symbol, 'limit', 'sell', 7, 3_400);
    assert.deepEqual(await within('a batch with the new order', pushed), ['394', '7']);
  });

  test('a false secret is refused as such', async () => {
    const { apiKey } = exchange.key('demo');
    const forged = await ccxtClient(exchange, { apiKey, secret: 'not-the-secret', rights: [] });
    await assert.rejects(within('a refusal', forged.fetchOpenOrdersWs()), ccxt.AuthenticationError);
    await forged.close();
  });
});

function short(text: string): string {
  return plain(exact(text));
}
