import assert from 'node:assert/strict';
import type { Ccxt } from '../support/ccxt-client.ts';
import { ccxt, ccxtClient } from '../support/ccxt-client.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import type { RunningGateway } from '../support/gateway.ts';
import { startGateway } from '../support/gateway.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { until, within } from '../support/waiting.ts';

const symbol = 'BTC/USDT';
const programs = [
  { name: 'grid', symbols: ['BTCUSDT'] },
  { name: 'sheet', symbols: ['BTCUSDT'], limits: { positionMax: { BTCUSDT: '0.05' } } },
];
// Nothing was traded before, and orders of the last run stay.
const orders = { lastTradeNeeded: false, onStart: 'keep', onStop: 'keep' };

describe('ccxt, unchanged but for its address, trades through a gateway', () => {
  let exchange: RunningExchange;
  let gateway: RunningGateway;
  let grid: Ccxt;
  let sheet: Ccxt;
  /** Another account, at the exchange itself. */
  let other: Ccxt;

  before(async () => {
    exchange = await startExchange(still);
    other = await ccxtClient(exchange, exchange.key('demo-two'));
    gateway = await startGateway(exchange, programs, { orders });
    grid = await ccxtClient(gateway, gateway.key('grid'));
    sheet = await ccxtClient(gateway, gateway.key('sheet'));
    await other.createOrder(symbol, 'limit', 'sell', 1, 64_000);
    await other.createOrder(symbol, 'limit', 'buy', 1, 63_000);
    await until('the book in the gateway', async () => {
      try {
        const probe = await grid.createOrder(symbol, 'limit', 'buy', 0.001, 62_900);
        await grid.cancelOrder(String(probe.id), symbol);
        return true;
      } catch (error) {
        if (error instanceof ccxt.PermissionDenied) return undefined;
        throw error;
      }
    });
  });

  after(async () => {
    await Promise.all([grid?.close(), sheet?.close(), other?.close()]);
    await gateway?.stop();
    await exchange?.stop();
  });

  test('markets and books are those of the venue', async () => {
    assert.deepEqual((await grid.fetchOrderBook(symbol)).asks, [[64_000, 1]]);
    assert.equal((await grid.fetchTradingFee(symbol)).taker, 0.001);
    assert.equal((await grid.fetchBalance())['BTC']?.free, 20);
  });

  test('an order rests at the venue, under an id of the daemon there and of the program here', async () => {
    const order = await grid.createOrder(symbol, 'limit', 'buy', 0.02, 63_100, {
      client_order_id: 'grid-first',
    });
    assert.equal(order.id, 'grid-first');
    assert.equal(order.status, 'open');
    assert.deepEqual((await other.fetchOrderBook(symbol)).bids[0], [63_100, 0.02]);
    assert.deepEqual(
      (await grid.fetchOpenOrders(symbol)).map(({ id }) => id),
      ['grid-first'],
    );
    assert.deepEqual(await sheet.fetchOpenOrders(symbol), []);
    await assert.rejects(sheet.cancelOrder('grid-first', symbol), ccxt.OrderNotFound);
    await assert.rejects(
      grid.createOrder(symbol, 'limit', 'buy', 0.01, 63_200, { client_order_id: 'grid-first' }),
      ccxt.InvalidOrder,
    );
  });

  test('an edit replaces it, an execution is in the answer, in the order and in the trades', async () => {
    const edited = await grid.editOrder('grid-first', symbol, 'limit', 'buy', 0.03, 63_150);
    assert.equal(edited.info.original_client_order_id, 'grid-first');
    assert.equal(edited.amount, 0.03);
    const bought = await grid.createOrder(symbol, 'limit', 'buy', 0.01, 64_000, {
      client_order_id: 'grid-taker',
    });
    assert.equal(bought.status, 'closed');
    assert.equal(bought.average, 64_000);
    assert.equal((await grid.fetchOrder('grid-taker', symbol)).filled, 0.01);
    const [trade] = await grid.fetchMyTrades(symbol);
    assert.equal(trade?.order, 'grid-taker');
    assert.equal(trade?.price, 64_000);
    assert.deepEqual(await sheet.fetchMyTrades(symbol), []);
    const canceled = await grid.cancelOrder(String(edited.id), symbol);
    assert.equal(canceled.status, 'canceled');
  });

  test('a denial is an exception with our code and sentence, and nothing reaches the venue', async () => {
    const before = (await other.fetchOrderBook(symbol)).bids.length;
    await assert.rejects(grid.createOrder(symbol, 'limit', 'buy', 0.01, 30_000), (error: Error) => {
      assert.ok(error instanceof ccxt.InvalidOrder, error.name);
      assert.match(error.message, /PRICE_COLLAR: expected a price within 5 % of the mid, found 30000\.00/);
      return true;
    });
    await assert.rejects(sheet.createOrder(symbol, 'limit', 'buy', 0.06, 63_000), /POSITION_MAX: /);
    assert.equal((await other.fetchOrderBook(symbol)).bids.length, before);
  });

  test('an order over the trading socket is answered and watched', async () => {
    const placed = await within(
      'the reply',
      grid.createOrderWs(symbol, 'limit', 'buy', 0.02, 63_300, { client_order_id: 'grid-socket' }),
    );
    assert.equal(placed.clientOrderId, 'grid-socket');
    assert.equal(placed.status, 'open');
    const snapshot = await within('the open orders', grid.watchOrders());
    assert.deepEqual(
      snapshot.map(({ id, status }) => [id, status]),
      [['grid-socket', 'open']],
    );
    const open = await within('the list', grid.fetchOpenOrdersWs(symbol));
    assert.deepEqual(
      open.map(({ clientOrderId }) => clientOrderId),
      ['grid-socket'],
    );
    const change = grid.watchOrders();
    const canceled = await within('the cancel', grid.cancelOrderWs('grid-socket', symbol));
    assert.equal(canceled.status, 'canceled');
    const received = (await within('the report', change)).at(-1);
    assert.deepEqual([received?.id, received?.status], ['grid-socket', 'canceled']);
  });

  test('a gateway that was killed knows each order again, and none was sent twice', async () => {
    const ids = Array.from({ length: 5 }, (_, at) => `grid-kill-${at}`);
    for (const [at, id] of ids.entries())
      await grid.createOrder(symbol, 'limit', 'buy', 0.001 * (at + 1), 63_001 + at, { client_order_id: id });
    await gateway.killAndStart();
    const open = await until('the orders of before', async () => {
      const found = await grid.fetchOpenOrders(symbol);
      return found.length === ids.length ? found : undefined;
    });
    assert.deepEqual(new Set(open.map(({ id }) => id)), new Set(ids));
    for (const [at, id] of ids.entries())
      await assert.rejects(
        grid.createOrder(symbol, 'limit', 'buy', 0.001 * (at + 1), 63_001 + at, { client_order_id: id }),
        ccxt.InvalidOrder,
      );
    const bids = (await other.fetchOrderBook(symbol)).bids.filter(([price = 0]) => price > 63_000);
    assert.equal(bids.length, ids.length);
    assert.equal((await grid.cancelAllOrders(symbol)).length, ids.length);
  });
});
