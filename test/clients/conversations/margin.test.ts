import assert from 'node:assert/strict';
import type { Ccxt } from '../support/ccxt-client.ts';
import { ccxt, ccxtClient } from '../support/ccxt-client.ts';
import { exact, plain, times } from '../support/decimals.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { within } from '../support/waiting.ts';

const symbol = 'BTC/USDT';
const isolated = { marginMode: 'isolated' };
const marginSymbol = {
  symbol: 'BTCUSDT',
  baseCurrency: 'BTC',
  quoteCurrency: 'USDT',
  tickSize: '0.01',
  quantityIncrement: '0.00001',
  marginTrading: true,
  maxInitialLeverage: '10',
};

type Raw = Record<string, (params?: object) => Promise<unknown>>;
interface Account {
  readonly leverage: string;
  readonly currencies: readonly {
    readonly code: string;
    readonly margin_balance: string;
    readonly reserved_orders: string;
    readonly reserved_positions: string;
  }[];
  readonly positions: readonly { readonly quantity: string; readonly price_entry: string }[] | null;
}

describe('ccxt trades on isolated margin', () => {
  let exchange: RunningExchange;
  let alice: Ccxt;
  let bob: Ccxt;

  before(async () => {
    exchange = await startExchange({ ...still, symbols: [marginSymbol] });
    alice = await ccxtClient(exchange, exchange.key('demo'));
    bob = await ccxtClient(exchange, exchange.key('demo-two'));
  });

  after(async () => {
    await alice?.close();
    await bob?.close();
    await exchange?.stop();
  });

  const raw = (): Raw => alice as unknown as Raw;
  const account = async (): Promise<Account> =>
    (await raw()['privateGetMarginAccountIsolatedSymbol']?.({ symbol: 'BTCUSDT' })) as Account;

  async function spotUsdt(): Promise<{ available: string; reserved_margin: string }> {
    const rows = (await alice.fetchBalance()).info as Record<string, string>[];
    const { available = '', reserved_margin = '' } = rows.find(({ currency }) => currency === 'USDT') ?? {};
    return { available: plain(exact(available)), reserved_margin: plain(exact(reserved_margin)) };
  }

  test('the market lends, and the configuration says how', async () => {
    assert.equal(alice.market(symbol).margin, true);
    assert.equal(alice.market(symbol).limits.leverage?.max, 10);
    const modes = await alice.fetchMarginModes([symbol], { type: 'margin' });
    assert.equal(modes[symbol]?.marginMode, 'isolated');
  });

  test('without an account an order is refused', async () => {
    await assert.rejects(
      alice.createOrder(symbol, 'limit', 'sell', 0.01, 64_000, isolated),
      (error: Error) => error instanceof ccxt.ExchangeError && error.message.includes('20032'),
    );
  });

  test('margin is put aside from the trading balance', async () => {
    const added = await alice.addMargin(symbol, 1_000);
    assert.deepEqual([added.code, added.amount, added.symbol], ['USDT', 1_000, symbol]);
    assert.deepEqual(await spotUsdt(), { available: '999000', reserved_margin: '1000' });
    const position = await alice.fetchPosition(symbol, { type: 'margin' });
    assert.deepEqual([position.collateral, position.leverage, position.marginMode], [1_000, 10, 'isolated']);
    assert.equal(position.contracts, undefined);
    const leverage = await alice.fetchLeverage(symbol);
    assert.equal(leverage.longLeverage, 10);
  });

  test('an order reserves its part of the margin', async () => {
    const order = await alice.createOrder(symbol, 'limit', 'sell', 0.01, 64_000, isolated);
    assert.equal(order.status, 'open');
    assert.equal(order.info.margin_mode?.toLowerCase(), 'isolated');
    const [currency] = (await account()).currencies;
    // V × ((1 + f) / L + 2f) with V = 640, f = 0.001, L = 10.
    assert.equal(plain(exact(currency?.reserved_orders ?? '')), '65.344');
    assert.deepEqual(
      (await alice.fetchOpenOrders(symbol, undefined, undefined, isolated)).map(({ id }) => id),
      [order.id],
    );
    assert.deepEqual(await alice.fetchOpenOrders(symbol), [], 'spot orders are others');
    assert.deepEqual((await bob.fetchOrderBook(symbol)).asks, [[64_000, 0.01]]);
  });

  test('an execution makes a position', async () => {
    await bob.createOrder(symbol, 'limit', 'buy', 0.01, 64_000, { timeInForce: 'IOC' });
    const state = await account();
    assert.deepEqual(
      state.positions?.map(({ quantity, price_entry }) => [quantity, Number(price_entry)]),
      [['-0.01000', 64_000]],
    );
    const [currency] = state.currencies;
    assert.equal(plain(exact(currency?.margin_balance ?? '')), plain(exact('1000') + times('640', '0.0001')));
    assert.equal(Number(currency?.reserved_orders), 0);
    const [trade] = await alice.fetchMyTrades(symbol, undefined, undefined, isolated);
    assert.deepEqual([trade?.amount, trade?.price, trade?.takerOrMaker], [0.01, 64_000, 'maker']);
    assert.equal(typeof trade?.info.position_id, 'number');
    // V × ((1 + f) / L + f) with V = 640, f = 0.001, L = 10.
    assert.equal(plain(exact(currency?.reserved_positions ?? '')), '64.704');
    const position = await alice.fetchPosition(symbol, { type: 'margin' });
    assert.equal(position.entryPrice, 64_000);
    const reply = await raw()['privateGetMarginConfig']?.();
    const { config } = reply as { config: Record<string, string>[] };
    const multiplier = Number(
      config.find((row) => row['symbol'] === 'BTCUSDT')?.['liquidation_leverage_mul'],
    );
    // The price at which what is left covers |quantity| × price × (1 / (L × multiplier) + f), and nothing more.
    const expected = (1_000.064 / 0.01 + 64_000) / (1 + 1 / (10 * multiplier) + 0.001);
    assert.ok(Math.abs(Number(position.liquidationPrice) - expected) <= 0.01, `expected ${expected}`);
  });

  test('orders over the socket are margin orders too', async () => {
    const order = await within(
      'the reply',
      alice.createOrderWs(symbol, 'limit', 'sell', 0.01, 70_000, isolated),
    );
    assert.equal(order.status, 'open');
    const open = await within('the list', alice.fetchOpenOrdersWs(symbol, undefined, undefined, isolated));
    assert.equal(open.length, 1);
    const canceled = await within(
      'the reply',
      alice.cancelOrderWs(String(order.clientOrderId), symbol, isolated),
    );
    assert.equal(canceled.status, 'canceled');
  });

  test('a position is closed at the market, and all margin comes back', async () => {
    await bob.createOrder(symbol, 'limit', 'sell', 0.01, 65_000);
    await raw()['privateDeleteMarginPositionIsolatedSymbol']?.({ symbol: 'BTCUSDT' });
    const state = await account();
    assert.ok(state.positions === null || state.positions.length === 0);
    const removed = await alice.reduceMargin(symbol, 0);
    assert.equal(removed.amount, 0);
    // Sold at 64000 as maker, bought back at 65000 as taker.
    const left = exact('1000000') + times('640', '0.0001') - exact('10') - times('650', '0.001');
    assert.deepEqual(await spotUsdt(), { available: plain(left), reserved_margin: '0' });
    assert.equal((await alice.fetchBalance())['BTC']?.total, 20, 'no base was ever lent out');
  });
});
