import assert from 'node:assert/strict';
import type { Client } from 'cryptomarket';
import { constants } from 'cryptomarket';
import { restClient } from '../support/cryptomarket-client.ts';
import { exact, plain, times } from '../support/decimals.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { startExchange, still } from '../support/exchange.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { pause, until } from '../support/waiting.ts';

const { SIDE, ORDER_TYPE, TIME_IN_FORCE, SORT, SORT_BY } = constants;
const symbol = 'LTCUSDT';

describe('cryptomarket trades over REST', () => {
  let exchange: RunningExchange;
  let alice: Client;
  let bob: Client;

  before(async () => {
    exchange = await startExchange(still);
    alice = restClient(exchange, exchange.key('demo'));
    bob = restClient(exchange, exchange.key('demo-two'));
  });

  after(() => exchange?.stop());

  async function held(client: Client, currency: string): Promise<[string, string]> {
    const { available, reserved } = await client.getSpotTradingBalance(currency);
    return [plain(exact(available)), plain(exact(reserved))];
  }

  test('balances, all and one', async () => {
    const all = await alice.getSpotTradingBalances();
    assert.deepEqual(
      new Map(all.map(({ currency, available }) => [currency, Number(available)])),
      new Map([
        ['USDT', 1_000_000],
        ['BTC', 20],
        ['ETH', 400],
        ['LTC', 5_000],
        ['XRP', 500_000],
      ]),
    );
    assert.deepEqual(await held(alice, 'LTC'), ['5000', '0']);
    await assert.rejects(alice.getSpotTradingBalance('NOSUCH'), /code=2002/);
  });

  test('commissions, all and one', async () => {
    assert.deepEqual(
      (await alice.getAllTradingCommissions()).map((fee) => fee.symbol).sort(),
      ['BTCUSDT', 'ETHBTC', 'ETHUSDT', 'LTCBTC', 'LTCUSDT', 'XRPUSDT'],
      'one of each spot symbol',
    );
    const { takeRate, makeRate } = await alice.getTradingCommission(symbol);
    assert.deepEqual([takeRate, makeRate], ['0.001', '-0.0001']);
  });

  test('an order rests and is found alone, among all and in the book', async () => {
    const order = await alice.createNewSpotOrder({
      symbol,
      side: SIDE.SELL,
      quantity: '3',
      price: '84.005',
      clientOrderId: 'alice_ltc_sell_01',
      strictValidate: true,
    });
    assert.equal(typeof order.id, 'number');
    assert.deepEqual(
      [order.clientOrderId, order.status, order.type, order.timeInForce, order.quantity, order.price],
      ['alice_ltc_sell_01', 'new', 'limit', 'GTC', '3.000', '84.005'],
    );
    assert.equal(order.quantityCumulative, '0');
    assert.deepEqual(await alice.getActiveSpotOrder('alice_ltc_sell_01'), order);
    assert.deepEqual(await alice.getAllActiveSpotOrders(symbol), [order]);
    assert.deepEqual(await alice.getAllActiveSpotOrders('ETHBTC'), []);
    assert.deepEqual((await bob.getOrderBook(symbol)).ask, [['84.005', '3.000']]);
    assert.deepEqual(await held(alice, 'LTC'), ['4997', '3']);
  });

  test('a part is executed with exact fees on both sides', async () => {
    const taken = await bob.createNewSpotOrder({
      symbol,
      side: SIDE.BUY,
      quantity: '1.234',
      price: '85',
      timeInForce: TIME_IN_FORCE.IOC,
    });
    assert.equal(taken.status, 'filled');
    const [trade] = taken.trades as unknown as Record<string, unknown>[];
    const value = times('84.005', '1.234');
    assert.deepEqual(
      [trade?.['price'], trade?.['quantity'], trade?.['taker'], trade?.['fee']],
      ['84.005', '1.234', true, twelve(times(plain(value), '0.001'))],
    );
    assert.deepEqual(await held(bob, 'LTC'), ['5001.234', '0']);
    assert.deepEqual(await held(bob, 'USDT'), [
      plain(exact('1000000') - value - times(plain(value), '0.001')),
      '0',
    ]);
    assert.deepEqual(await held(alice, 'USDT'), [
      plain(exact('1000000') + value + times(plain(value), '0.0001')),
      '0',
    ]);
    const rest = await alice.getActiveSpotOrder('alice_ltc_sell_01');
    assert.deepEqual([rest.status, rest.quantityCumulative], ['partiallyFilled', '1.234']);
  });

  test('a replacement has the new id and names the old one', async () => {
    const replaced = await alice.replaceSpotOrder('alice_ltc_sell_01', {
      newClientOrderId: 'alice_ltc_sell_02',
      quantity: '4',
      price: '84.5',
      strictValidate: true,
    });
    assert.deepEqual(
      [replaced.clientOrderId, replaced.originalClientOrderId, replaced.status, replaced.quantityCumulative],
      ['alice_ltc_sell_02', 'alice_ltc_sell_01', 'partiallyFilled', '1.234'],
    );
    assert.deepEqual((await bob.getOrderBook(symbol)).ask, [['84.500', '2.766']]);
    await assert.rejects(alice.getActiveSpotOrder('alice_ltc_sell_01'), /code=20002/);
  });

  test('cancels, one and all', async () => {
    const canceled = await alice.cancelSpotOrder('alice_ltc_sell_02');
    assert.equal(canceled.status, 'canceled');
    assert.deepEqual(await held(alice, 'LTC'), ['4998.766', '0']);
    for (const price of ['70', '71', '72']) {
      await alice.createNewSpotOrder({ symbol, side: SIDE.BUY, quantity: '1', price });
    }
    assert.equal((await alice.cancelAllSpotOrders()).length, 3);
    assert.deepEqual(await alice.getAllActiveSpotOrders(), []);
    assert.deepEqual(await alice.cancelAllSpotOrders(), []);
  });

  test('every type and time in force of the documents', async () => {
    const place = alice.createNewSpotOrder.bind(alice);
    const base = { symbol, side: SIDE.BUY, quantity: '1' };
    const stopLimit = await place({ ...base, type: ORDER_TYPE.STOP_LIMIT, price: '90', stopPrice: '89' });
    const stopMarket = await place({ ...base, type: ORDER_TYPE.STOP_MARKET, stopPrice: '95' });
    const profitLimit = await place({
      ...base,
      type: ORDER_TYPE.TAKE_PROFIT_LIMIT,
      price: '70',
      stopPrice: '71',
    });
    const profitMarket = await place({ ...base, type: ORDER_TYPE.TAKE_PROFIT_MARKET, stopPrice: '60' });
    assert.deepEqual(
      [stopLimit, stopMarket, profitLimit, profitMarket].map(({ type, status, timeInForce, stopPrice }) => [
        type,
        status,
        timeInForce,
        stopPrice,
      ]),
      [
        ['stopLimit', 'suspended', 'GTC', '89.000'],
        ['stopMarket', 'suspended', 'FOK', '95.000'],
        ['takeProfitLimit', 'suspended', 'GTC', '71.000'],
        ['takeProfitMarket', 'suspended', 'FOK', '60.000'],
      ],
    );
    const day = await place({ ...base, price: '50', timeInForce: TIME_IN_FORCE.DAY });
    assert.equal(day.timeInForce, 'Day');
    const expireTime = new Date(Date.now() + 3_600_000).toISOString();
    const dated = await place({ ...base, price: '50', timeInForce: TIME_IN_FORCE.GTD, expireTime });
    assert.equal(Date.parse(dated.expireTime), Date.parse(expireTime));
    const killed = await place({ ...base, price: '50', timeInForce: TIME_IN_FORCE.FOK });
    assert.equal(killed.status, 'expired');
    const market = await place({ ...base, type: ORDER_TYPE.MARKET });
    assert.deepEqual([market.status, market.timeInForce, market.price], ['expired', 'FOK', undefined]);
    assert.equal((await alice.cancelAllSpotOrders()).length, 6);
  });

  test('a dated order expires by itself', async () => {
    const expireTime = new Date(Date.now() + 1_500).toISOString();
    await alice.createNewSpotOrder({
      symbol,
      side: SIDE.BUY,
      quantity: '1',
      price: '50',
      clientOrderId: 'alice_for_a_moment',
      timeInForce: TIME_IN_FORCE.GTD,
      expireTime,
    });
    await until('the order to expire', async () => {
      await pause(150);
      return (await alice.getAllActiveSpotOrders()).length === 0 ? true : undefined;
    });
    assert.ok(Date.now() >= Date.parse(expireTime), 'not before its time');
    const [row] = await alice.getSpotOrdersHistory({ symbol, limit: 1 });
    assert.deepEqual([row?.clientOrderId, row?.status], ['alice_for_a_moment', 'expired']);
    assert.deepEqual((await held(alice, 'USDT'))[1], '0');
  });

  test('a markup raises the fee', async () => {
    await alice.createNewSpotOrder({ symbol, side: SIDE.SELL, quantity: '1', price: '80' });
    const order = await bob.createNewSpotOrder({
      symbol,
      side: SIDE.BUY,
      quantity: '1',
      price: '80',
      takeRate: '0.002',
      makeRate: '0.002',
    });
    const [trade] = order.trades as unknown as { fee: string }[];
    assert.equal(trade?.fee, twelve(times('80', '0.003')), '0.001 of the market and 0.002 of the order');
  });

  test('histories are read by id, by time and in pages', async () => {
    const trades = await bob.getSpotTradesHistory({ symbol });
    assert.equal(trades.length, 2);
    assert.ok(Number(trades[0]?.id) > Number(trades[1]?.id), 'newest first');
    const [oldest] = await bob.getSpotTradesHistory({ symbol, sort: SORT.ASC, by: SORT_BY.ID, limit: 1 });
    assert.deepEqual(oldest, trades[1]);
    const one = await bob.getSpotTradesHistory({ orderId: String(trades[0]?.orderId) });
    assert.deepEqual(one, [trades[0]]);
    const orders = await alice.getSpotOrdersHistory({ symbol, limit: 3 });
    assert.equal(orders.length, 3);
    const next = await alice.getSpotOrdersHistory({ symbol, limit: 1, offset: 3 });
    assert.ok(!orders.some(({ id }) => id === next[0]?.id));
    const later = await alice.getSpotOrdersHistory({
      by: SORT_BY.TIMESTAMP,
      from: new Date(Date.now() + 60_000).toISOString(),
    });
    assert.deepEqual(later, []);
  });

  test('a key without the right is refused, a window that is over too', async () => {
    const reader = restClient(exchange, exchange.key('demo', 'R1'));
    await assert.rejects(reader.cancelAllSpotOrders(), /code=1003/);
    assert.equal((await reader.getSpotTradingBalances()).length, 5);
    alice.changeWindow(5_000);
    assert.equal((await alice.getSpotTradingBalances()).length, 5);
    const forged = restClient(exchange, { apiKey: 'nobody-has-this-key', secret: 'x', rights: [] });
    await assert.rejects(forged.getSpotTradingBalances(), /code=1002/);
  });
});

/** Fees have twelve decimals. */
function twelve(value: bigint): string {
  const [whole = '0', fraction = ''] = plain(value).split('.');
  return `${whole}.${fraction.padEnd(12, '0')}`;
}
