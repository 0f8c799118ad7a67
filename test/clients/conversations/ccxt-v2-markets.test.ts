import assert from 'node:assert/strict';
import type { Ccxt } from '../support/ccxt-client.ts';
import { ccxtClient } from '../support/ccxt-client.ts';
import type { CcxtV2 } from '../support/ccxt-v2-client.ts';
import { ccxtV2Client } from '../support/ccxt-v2-client.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { living, startExchange } from '../support/exchange.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { until, within } from '../support/waiting.ts';

const symbol = 'BTC/USDT';

describe('ccxt of API v2 reads a living market over REST', () => {
  let exchange: RunningExchange;
  let client: CcxtV2;
  /** Reads the same market over v3. */
  let reader: Ccxt;

  before(async () => {
    exchange = await startExchange(living);
    client = ccxtV2Client(exchange);
    reader = await ccxtClient(exchange);
    await until('trades of the market', async () =>
      (await reader.fetchTrades(symbol, undefined, 50)).length >= 5 ? true : undefined,
    );
  });

  after(async () => {
    await client?.close();
    await reader?.close();
    await exchange?.stop();
  });

  /** v2 knows no contracts. */
  const spot = (): string[] =>
    Object.values(reader.markets ?? {})
      .filter((market) => market?.spot === true)
      .map((market) => String(market?.symbol))
      .sort();

  test('markets are the spot markets of v3', async () => {
    const markets = await client.loadMarkets();
    assert.deepEqual(Object.keys(markets).sort(), spot());
    const market = markets[symbol];
    assert.deepEqual(
      [market?.['id'], market?.['precision'], market?.['taker'], market?.['maker'], market?.['feeCurrency']],
      ['BTCUSDT', { amount: 0.00001, price: 0.01 }, 0.001, -0.0001, 'USDT'],
    );
  });

  test('currencies are those of v3', async () => {
    const currencies = await client.fetchCurrencies();
    assert.deepEqual(Object.keys(currencies).sort(), ['BTC', 'ETH', 'LTC', 'USDT', 'XRP']);
    assert.deepEqual(
      [currencies['BTC']?.['name'], currencies['BTC']?.['active'], currencies['BTC']?.['type']],
      ['Bitcoin', true, 'crypto'],
    );
    assert.equal(currencies['XRP']?.['precision'], 0.000001, 'digits after the point');
  });

  test('tickers say the same as v3', async () => {
    const [two, three] = await until('two readings of one state', async () => {
      const before = await reader.fetchTicker(symbol);
      const ticker = await client.fetchTicker(symbol);
      const again = await reader.fetchTicker(symbol);
      return before.bid === again.bid && before.ask === again.ask && before.baseVolume === again.baseVolume
        ? ([ticker, again] as const)
        : undefined;
    });
    for (const name of ['bid', 'ask', 'last', 'open', 'high', 'low', 'baseVolume', 'quoteVolume'] as const) {
      assert.equal(two[name], three[name], name);
    }
    assert.deepEqual(Object.keys(await client.fetchTickers()).sort(), spot());
  });

  test('a book says the same as v3, whole or cut', async () => {
    const [two, three] = await until('two readings of one state', async () => {
      const before = await reader.fetchOrderBook(symbol, 0);
      const book = await client.fetchOrderBook(symbol, 0);
      const again = await reader.fetchOrderBook(symbol, 0);
      return JSON.stringify(before) === JSON.stringify(again) ? ([book, again] as const) : undefined;
    });
    assert.deepEqual([two.bids, two.asks], [three.bids, three.asks]);
    const cut = await client.fetchOrderBook(symbol, 3);
    assert.deepEqual([cut.bids.length, cut.asks.length], [3, 3]);
  });

  test('trades say the same as v3, also since a time', async () => {
    const trades = await client.fetchTrades(symbol, undefined, 1_000);
    const received = new Map(
      (await reader.fetchTrades(symbol, undefined, 1_000)).map((trade) => [trade.id, trade]),
    );
    assert.ok(trades.length >= 5);
    for (const trade of trades) {
      const same = received.get(trade.id);
      assert.deepEqual(
        [trade.price, trade.amount, trade.side, trade.timestamp],
        [same?.price, same?.amount, same?.side, same?.timestamp],
      );
    }
    const since = Number(trades[2]?.timestamp);
    const recent = await client.fetchTrades(symbol, since, 2);
    assert.equal(recent.length, 2);
    assert.equal(recent[0]?.id, trades.find(({ timestamp }) => timestamp >= since)?.id, 'oldest first');
  });

  test('candles say the same as v3', async () => {
    const [two, three] = await until('two readings of one state', async () => {
      const before = await reader.fetchOHLCV(symbol, '1m', undefined, 5);
      const candles = await client.fetchOHLCV(symbol, '1m', undefined, 5);
      const again = await reader.fetchOHLCV(symbol, '1m', undefined, 5);
      return JSON.stringify(before) === JSON.stringify(again) ? ([candles, again] as const) : undefined;
    });
    assert.deepEqual(two, three);
  });

  test('the class loads markets by itself before it follows a book', async () => {
    const fresh = ccxtV2Client(exchange);
    try {
      const book = await within('a snapshot', fresh.watchOrderBook('LTC/USDT'));
      assert.ok(book.bids.length > 0);
    } finally {
      await fresh.close();
    }
  });
});
