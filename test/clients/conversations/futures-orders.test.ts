import assert from 'node:assert/strict';
import type { Ccxt } from '../support/ccxt-client.ts';
import { ccxt, ccxtClient } from '../support/ccxt-client.ts';
import { exact, plain, times } from '../support/decimals.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { pause, until, within } from '../support/waiting.ts';

const isolated = { marginMode: 'isolated' };
/** Without it ccxt takes every market for a spot market here. */
const swap = { type: 'swap' };

describe('ccxt trades a perpetual contract', () => {
  let exchange: RunningExchange;
  let alice: Ccxt;
  let bob: Ccxt;
  let symbol = '';
  let settle = '';
  let price = 0;
  let amount = 0;

  before(async () => {
    exchange = await startExchange(still);
    alice = await ccxtClient(exchange, exchange.key('demo'));
    bob = await ccxtClient(exchange, exchange.key('demo-two'));
    const market = Object.values(alice.markets ?? {}).find((each) => each?.swap === true);
    assert.ok(market !== undefined);
    symbol = String(market.symbol);
    settle = String(market.settle);
    // The index is the price of the spot market, so there must be one.
    const spot = `${market.base}/${market.quote}`;
    await alice.createOrder(spot, 'limit', 'sell', 0.1, 64_000);
    await bob.createOrder(spot, 'limit', 'buy', 0.1, 64_000);
    const { markPrice } = await until('a mark price', async () => {
      await pause(100);
      return alice.fetchFundingRate(symbol).catch(() => undefined);
    });
    price = Number(alice.priceToPrecision(symbol, Number(markPrice)));
    amount = Number(alice.amountToPrecision(symbol, 500 / price));
    for (const account of ['demo', 'demo-two']) {
      const owner = await ccxtClient(exchange, exchange.ownKey(account));
      await owner.transfer(settle, 10_000, 'spot', 'funding');
      await owner.transfer(settle, 10_000, 'funding', 'swap');
      await owner.close();
    }
  });

  after(async () => {
    await alice?.close();
    await bob?.close();
    await exchange?.stop();
  });

  const free = async (client: Ccxt): Promise<string> => {
    const rows = (await client.fetchBalance({ type: 'swap' })).info as Record<string, string>[];
    return plain(exact(rows.find(({ currency }) => currency === settle)?.['available'] ?? '0'));
  };

  test('the money for derivatives is a balance of its own', async () => {
    // What it opened with, and what was moved to it.
    assert.equal(await free(alice), '210000');
    const fee = await alice.fetchTradingFee(symbol);
    assert.ok(Number(fee.taker) > 0);
  });

  test('margin and leverage are set for the contract', async () => {
    for (const client of [alice, bob]) {
      const added = await client.addMargin(symbol, 1_000, { leverage: '5' });
      assert.deepEqual([added.code, added.amount], [settle, 1_000]);
    }
    assert.equal(await free(alice), '209000');
    assert.equal((await alice.fetchLeverage(symbol)).longLeverage, 5);
    const [account] = await alice.fetchPositions([symbol]);
    assert.deepEqual([account?.collateral, account?.marginMode, account?.leverage], [1_000, 'isolated', 5]);
  });

  test('two accounts take both sides of the contract', async () => {
    const order = await alice.createOrder(symbol, 'limit', 'sell', amount, price, isolated);
    assert.equal(order.status, 'open');
    assert.equal(order.info.margin_mode.toLowerCase(), 'isolated');
    assert.deepEqual((await bob.fetchOrderBook(symbol)).asks, [[price, amount]]);
    assert.equal((await alice.fetchOpenOrders(symbol)).length, 1);
    const taken = await bob.createOrder(symbol, 'market', 'buy', amount, undefined, isolated);
    assert.equal(taken.status, 'closed');
    const position = async (client: Ccxt): Promise<unknown[]> => {
      const { contracts, entryPrice } = await client.fetchPosition(symbol, swap);
      return [Math.abs(Number(contracts)), entryPrice];
    };
    assert.deepEqual(await position(alice), [amount, price]);
    assert.deepEqual(await position(bob), [amount, price]);
    const [trade] = await bob.fetchMyTrades(symbol);
    assert.deepEqual([trade?.amount, trade?.price, trade?.takerOrMaker], [amount, price, 'taker']);
    assert.equal(typeof trade?.info.position_id, 'number');
  });

  test('the socket reports orders of the contract', async () => {
    const open = await within('the open orders', alice.fetchOpenOrdersWs(symbol));
    assert.deepEqual(open, []);
    const order = await within(
      'the reply',
      alice.createOrderWs(
        symbol,
        'limit',
        'buy',
        amount,
        Number(alice.priceToPrecision(symbol, price * 0.9)),
        isolated,
      ),
    );
    const watched = await within(
      'the orders',
      alice.watchOrders(undefined, undefined, undefined, { type: 'swap' }),
    );
    assert.ok(watched.some(({ id }) => id === order.clientOrderId));
    const canceled = await within('the reply', alice.cancelOrderWs(String(order.clientOrderId), symbol));
    assert.equal(canceled.status, 'canceled');
  });

  test('positions are closed at the market and the margin comes back', async () => {
    await alice.createOrder(symbol, 'limit', 'buy', amount, price, isolated);
    await bob.closePosition(symbol, undefined, isolated);
    for (const client of [alice, bob]) {
      const { contracts } = await client.fetchPosition(symbol, swap);
      assert.ok(contracts === undefined || contracts === 0);
      await client.reduceMargin(symbol, 0, { leverage: '5' });
    }
    // Both traded twice at one price: what is missing are the fees, of the maker (0.0002) and of the taker (0.0005).
    const volume = plain(times(String(amount), String(price)));
    assert.equal(await free(alice), plain(exact('210000') - times(volume, '0.0004')));
    assert.equal(await free(bob), plain(exact('210000') - times(volume, '0.001')));
    await assert.rejects(
      alice.createOrder(symbol, 'limit', 'buy', amount, price, isolated),
      (error: Error) => error instanceof ccxt.ExchangeError && error.message.includes('20032'),
    );
  });

  test('a plain order is on cross margin and draws on the money for derivatives', async () => {
    const before = await free(alice);
    const order = await alice.createOrder(symbol, 'limit', 'buy', amount, price);
    assert.deepEqual([order.status, order.info.margin_mode], ['open', 'Cross']);
    assert.notEqual(await free(alice), before);
    await alice.cancelOrder(String(order.id), symbol, swap);
    assert.equal(await free(alice), before);
  });
});
