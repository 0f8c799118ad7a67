import assert from 'node:assert/strict';
import type { Ccxt } from '../support/ccxt-client.ts';
import { ccxtClient } from '../support/ccxt-client.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { living, startExchange } from '../support/exchange.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { until } from '../support/waiting.ts';

const symbol = 'BTC/USDT';

describe('ccxt reads a living market over REST', () => {
  let exchange: RunningExchange;
  let client: Ccxt;

  before(async () => {
    exchange = await startExchange(living);
    client = await ccxtClient(exchange);
    await until('trades of the market', async () =>
      (await client.fetchTrades(symbol, undefined, 50)).length >= 5 ? true : undefined,
    );
  });

  after(async () => {
    await client?.close();
    await exchange?.stop();
  });

  test('markets are named from base and quote, with steps and fee rates', () => {
    const spot = Object.values(client.markets ?? {}).filter((market) => market?.spot === true);
    assert.deepEqual(spot.map((market) => String(market?.symbol)).sort(), [
      'BTC/USDT',
      'ETH/BTC',
      'ETH/USDT',
      'LTC/BTC',
      'LTC/USDT',
      'XRP/USDT',
    ]);
    const market = client.market(symbol);
    assert.equal(market.id, 'BTCUSDT');
    assert.equal(market.type, 'spot');
    assert.deepEqual(market.precision, { amount: 0.00001, price: 0.01 });
    assert.equal(market.taker, 0.001);
    assert.equal(market.maker, -0.0001);
    assert.equal(market.limits.amount?.min, 0.00001);
    assert.equal((market as unknown as { feeCurrency: string }).feeCurrency, 'USDT');
    assert.deepEqual(client.market('ETH/BTC').precision, { amount: 0.0001, price: 0.000001 });
  });

  test('currencies have names, precision and networks', async () => {
    const currencies = await client.fetchCurrencies();
    assert.deepEqual(Object.keys(currencies).sort(), ['BTC', 'ETH', 'LTC', 'USDT', 'XRP']);
    assert.equal(currencies['BTC']?.name, 'Bitcoin');
    assert.equal(currencies['BTC']?.precision, 0.00000001);
    assert.equal(currencies['XRP']?.precision, 0.000001);
    for (const currency of Object.values(currencies)) {
      assert.equal(currency.active, true);
      assert.equal(currency.deposit, true);
      assert.equal(currency.withdraw, true);
      assert.ok(Object.keys(currency.networks).length > 0, `${currency.code} has no network`);
    }
  });

  test('a ticker says the best prices of the book and the day up to now', async () => {
    const ticker = await client.fetchTicker(symbol);
    assert.equal(ticker.symbol, symbol);
    const { bid, ask, last, high, low, open, baseVolume, quoteVolume } = ticker;
    assert.ok(bid !== undefined && ask !== undefined && bid < ask, `bid ${bid}, ask ${ask}`);
    assert.ok(last !== undefined && high !== undefined && low !== undefined && open !== undefined);
    assert.ok(low <= last && last <= high && low <= open && open <= high);
    assert.ok(baseVolume !== undefined && quoteVolume !== undefined);
    assert.ok(quoteVolume >= baseVolume * low && quoteVolume <= baseVolume * high);
    assert.match(String(ticker.info.ask), /^\d+\.\d{2}$/);
    assert.match(String(ticker.info.volume), /^\d+\.\d{5}$/);
    assert.match(String(ticker.info.volume_quote), /^\d+\.\d{7}$/);
    assert.ok(Math.abs(Date.now() - Number(ticker.timestamp)) < 60_000);
  });

  test('tickers come for every market, or for those asked for', async () => {
    assert.deepEqual(
      Object.keys(await client.fetchTickers()).sort(),
      Object.keys(client.markets ?? {}).sort(),
    );
    const two = await client.fetchTickers([symbol, 'XRP/USDT']);
    assert.deepEqual(Object.keys(two).sort(), [symbol, 'XRP/USDT']);
  });

  test('a book is sorted, uncrossed and as deep as asked', async () => {
    const book = await client.fetchOrderBook(symbol, 5);
    assert.equal(book.bids.length, 5);
    assert.equal(book.asks.length, 5);
    assert.deepEqual(
      book.bids,
      book.bids.toSorted((a, b) => Number(b[0]) - Number(a[0])),
    );
    assert.deepEqual(
      book.asks,
      book.asks.toSorted((a, b) => Number(a[0]) - Number(b[0])),
    );
    assert.ok(Number(book.bids[0]?.[0]) < Number(book.asks[0]?.[0]));
    const whole = await client.fetchOrderBook(symbol, 0);
    assert.ok(whole.bids.length > 5, `a living book of ${whole.bids.length} bids`);
  });

  test('books of several markets come in one answer', async () => {
    const books = await client.fetchOrderBooks([symbol, 'ETH/BTC'], 3);
    assert.deepEqual(Object.keys(books).sort(), [symbol, 'ETH/BTC']);
    for (const book of Object.values(books)) assert.equal(book.asks.length, 3);
  });

  test('trades are reported with price, amount and cost, and `since` leaves older ones out', async () => {
    const trades = await client.fetchTrades(symbol, undefined, 5);
    assert.equal(trades.length, 5);
    for (const trade of trades) {
      const { price = 0, amount = 0 } = trade;
      assert.ok(price > 0 && amount > 0);
      assert.ok(trade.side === 'buy' || trade.side === 'sell');
      assert.ok(Math.abs(Number(trade.cost) - price * amount) < 1e-6);
    }
    const times = trades.map(({ timestamp }) => Number(timestamp));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
      'ccxt sorts them by time',
    );
    const since = Number(times[2]);
    const recent = await client.fetchTrades(symbol, since, 1_000);
    assert.ok(recent.length >= 3);
    assert.ok(recent.every(({ timestamp }) => Number(timestamp) >= since));
  });

  test('the running candle holds the trades of its minute', async () => {
    const [candles, trades] = await until('one minute for both readings', async () => {
      const before = await client.fetchTrades(symbol, undefined, 1_000);
      const rows = await client.fetchOHLCV(symbol, '1m', undefined, 5);
      const again = await client.fetchTrades(symbol, undefined, 1_000);
      return before.length === again.length ? ([rows, again] as const) : undefined;
    });
    const candle = candles.at(-1) ?? [];
    const start = Number(candle[0]);
    assert.equal(start % 60_000, 0);
    const inside = trades.filter(({ timestamp }) => Number(timestamp) >= start);
    const prices = inside.map(({ price }) => Number(price));
    assert.equal(candle[1], prices[0], 'open');
    assert.equal(candle[2], Math.max(...prices), 'high');
    assert.equal(candle[3], Math.min(...prices), 'low');
    assert.equal(candle[4], prices.at(-1), 'close');
    const volume = inside.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 1e5), 0);
    assert.equal(Math.round(Number(candle[5]) * 1e5), volume, 'volume');
  });

  test('the fees of withdrawal come with the currencies', async () => {
    const fees = await client.fetchDepositWithdrawFees(['BTC']);
    assert.deepEqual(Object.keys(fees), ['BTC']);
  });
});
