import assert from 'node:assert/strict';
import type { Client } from 'cryptomarket';
import { constants } from 'cryptomarket';
import { minutely } from '../support/constants.ts';
import { restClient } from '../support/cryptomarket-client.ts';
import { exact, times } from '../support/decimals.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { living, startExchange } from '../support/exchange.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { pause, until } from '../support/waiting.ts';

const symbol = 'BTCUSDT';
const price = /^\d+\.\d{2}$/;
const quantity = /^\d+\.\d{5}$/;

describe('cryptomarket reads a living market over REST', () => {
  let exchange: RunningExchange;
  let client: Client;

  before(async () => {
    exchange = await startExchange(living);
    client = restClient(exchange, exchange.key('demo', 'R1'));
    await until('trades of the market', async () => {
      await pause(100);
      return (await client.getTradesBySymbol(symbol)).length >= 5 ? true : undefined;
    });
  });

  after(() => exchange?.stop());

  test('currencies, all, some and one', async () => {
    const all = await client.getCurrencies();
    assert.deepEqual(Object.keys(all).sort(), ['BTC', 'ETH', 'LTC', 'USDT', 'XRP']);
    assert.deepEqual(Object.keys(await client.getCurrencies(['BTC', 'XRP', 'NOSUCH'])).sort(), [
      'BTC',
      'XRP',
    ]);
    const { fullName, crypto, precisionTransfer, networks, delisted } = await client.getCurrency('BTC');
    assert.deepEqual([fullName, crypto, precisionTransfer, delisted], ['Bitcoin', true, '0.00000001', false]);
    assert.equal(networks.filter((network) => network.default).length, 1);
    await assert.rejects(client.getCurrency('NOSUCH'), /code=2002/);
  });

  test('symbols, all, some and one', async () => {
    assert.ok(Object.keys(await client.getSymbols()).length >= 6);
    assert.deepEqual(Object.keys(await client.getSymbols([symbol, 'ETHBTC'])).sort(), [symbol, 'ETHBTC']);
    assert.deepEqual(await client.getSymbols(['NOSUCH']), {});
    const one = (await client.getSymbol(symbol)) as unknown as Record<string, unknown>;
    assert.deepEqual(
      [one['type'], one['baseCurrency'], one['quoteCurrency'], one['status'], one['feeCurrency']],
      ['spot', 'BTC', 'USDT', 'working', 'USDT'],
    );
    assert.deepEqual(
      [
        one['tickSize'],
        one['quantityIncrement'],
        one['takeRate'],
        one['makeRate'],
        typeof one['marginTrading'],
      ],
      ['0.01', '0.00001', '0.001', '-0.0001', 'boolean'],
    );
    await assert.rejects(client.getSymbol('NOSUCH'), /code=2001/);
  });

  test('tickers, all, some and one', async () => {
    assert.deepEqual(
      Object.keys(await client.getTickers()).sort(),
      Object.keys(await client.getSymbols()).sort(),
    );
    assert.deepEqual(Object.keys(await client.getTickers(['ETHUSDT'])), ['ETHUSDT']);
    const ticker = await client.getTicker(symbol);
    for (const name of ['ask', 'bid', 'open', 'last', 'high', 'low'] as const) {
      assert.match(ticker[name], price, name);
    }
    assert.ok(exact(ticker.bid) < exact(ticker.ask));
    assert.match(ticker.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('rates and their history', async () => {
    const rates = await client.getPrices({ from: 'BTC', to: 'USDT' });
    assert.deepEqual(Object.keys(rates), ['BTC']);
    assert.equal(rates['BTC']?.currency, 'USDT');
    const ticker = await client.getTicker(symbol);
    const rate = Number(rates['BTC']?.price);
    assert.ok(rate > Number(ticker.bid) * 0.99 && rate < Number(ticker.ask) * 1.01);
    assert.ok(Object.keys(await client.getPrices({ to: 'USDT' })).length >= 4);
    const history = await client.getPriceHistory({
      from: 'BTC',
      to: 'USDT',
      period: minutely,
      limit: 1,
    });
    assert.equal(history['BTC']?.currency, 'USDT');
    const [entry] = (history['BTC'] as unknown as { history: Record<string, string>[] }).history;
    assert.ok(entry !== undefined);
    assert.ok(
      Number(entry['min']) <= Number(entry['close']) && Number(entry['close']) <= Number(entry['max']),
    );
  });

  test('last prices', async () => {
    const last = await client.getTickerLastPrice(symbol);
    assert.match((last as unknown as { price: string }).price, price);
    assert.equal(Object.keys(await client.getTickerLastPrices([symbol, 'XRPUSDT'])).length, 2);
  });

  test('trades by symbol and in lists, newest first or oldest first, by id', async () => {
    const lists = await client.getTrades({ symbols: [symbol, 'ETHUSDT'], limit: 3 });
    assert.deepEqual(Object.keys(lists).sort(), [symbol, 'ETHUSDT']);
    const newest = (await client.getTradesBySymbol(symbol, { limit: 3 })) as { id: number; qty: string }[];
    assert.equal(newest.length, 3);
    const ids = newest.map(({ id }) => id);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => b - a),
    );
    for (const trade of newest) assert.match(trade.qty, quantity);
    const between = (await client.getTradesBySymbol(symbol, {
      by: constants.SORT_BY.ID,
      sort: constants.SORT.ASC,
      from: String(ids[2]),
      till: String(ids[0]),
    })) as { id: number }[];
    assert.deepEqual(
      between.map(({ id }) => id),
      ids.toReversed(),
    );
    const second = (await client.getTradesBySymbol(symbol, {
      by: constants.SORT_BY.ID,
      till: String(ids[0]),
      limit: 1,
      offset: 1,
    })) as { id: number }[];
    assert.deepEqual(
      second.map(({ id }) => id),
      [ids[1]],
    );
  });

  test('books by depth and by volume', async () => {
    const books = await client.getOrderBooks({ symbols: [symbol], depth: 2 });
    assert.deepEqual(Object.keys(books), [symbol]);
    assert.equal(books[symbol]?.ask.length, 2);
    const book = await client.getOrderBook(symbol, 4);
    assert.equal(book.bid.length, 4);
    for (const [level, size] of [...book.ask, ...book.bid]) {
      assert.match(String(level), price);
      assert.match(String(size), quantity);
    }
    const byVolume = await client.getOrderBookVolume({ symbol, volume: 0.05 });
    for (const side of [byVolume.ask, byVolume.bid]) {
      const sizes = side.map(([, size]) => exact(String(size)));
      const sum = sizes.reduce((total, size) => total + size, 0n);
      assert.ok(sum >= exact('0.05'), 'the sizes reach the volume');
      assert.ok(sum - (sizes.at(-1) ?? 0n) < exact('0.05'), 'with the fewest levels');
    }
    await assert.rejects(client.getOrderBook('NOSUCH'), /code=2001/);
  });

  test('candles by symbol and in lists', async () => {
    const params = { period: minutely, limit: 3 };
    const lists = await client.getCandles({ symbols: [symbol, 'ETHUSDT'], ...params });
    assert.ok(Object.keys(lists).every((name) => name === symbol || name === 'ETHUSDT'));
    const [candle] = await client.getCandlesBySymbol(symbol, params);
    assert.ok(candle !== undefined);
    const row = candle as unknown as Record<string, string>;
    for (const name of ['open', 'close', 'min', 'max']) assert.match(String(row[name]), price, name);
    assert.match(String(row['volume']), quantity);
    assert.match(String(row['volumeQuote']), /^\d+\.\d{7}$/);
    const low = times(String(row['min']), String(row['volume']));
    const high = times(String(row['max']), String(row['volume']));
    const quote = exact(String(row['volumeQuote']));
    assert.ok(low <= quote && quote <= high);
  });

  test('converted candles by symbol and in lists', async () => {
    const params = { targetCurrency: 'BTC', period: minutely, limit: 2 };
    const lists = await client.getConvertedCandles({ ...params, symbols: ['ETHUSDT'] });
    assert.equal(lists.targetCurrency, 'BTC');
    assert.deepEqual(Object.keys(lists.data), ['ETHUSDT']);
    const one = await client.getConvertedCandlesBySymbol('ETHUSDT', params);
    assert.equal(one.targetCurrency, 'BTC');
    const close = Number((one.data as unknown as { close: string }[])[0]?.close);
    assert.ok(close > 0.01 && close < 0.2, `ETH in BTC: ${close}`);
  });
});
