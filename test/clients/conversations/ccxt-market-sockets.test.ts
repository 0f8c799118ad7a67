import assert from 'node:assert/strict';
import type { Ccxt } from '../support/ccxt-client.ts';
import { ccxtClient } from '../support/ccxt-client.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { living, startExchange } from '../support/exchange.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { until, within } from '../support/waiting.ts';

const symbol = 'BTC/USDT';
type Levels = readonly (readonly [number, number])[];

describe('ccxt follows a living market over the public socket', () => {
  let exchange: RunningExchange;
  let client: Ccxt;
  /** A second client for REST, so that it keeps no state of the sockets. */
  let reader: Ccxt;

  before(async () => {
    exchange = await startExchange(living);
    client = await ccxtClient(exchange);
    reader = await ccxtClient(exchange);
  });

  after(async () => {
    await client?.close();
    await reader?.close();
    await exchange?.stop();
  });

  test('the book rebuilt from snapshot and updates equals the whole book over REST', async () => {
    const first = await within('a snapshot', client.watchOrderBook(symbol));
    assert.equal(typeof first.nonce, 'number');
    let updates = 0;
    const meetings = new Set<number>();
    let nonce = Number(first.nonce);
    await until(
      'readings that meet at five sequences',
      async () => {
        const book = await within('an update', client.watchOrderBook(symbol));
        assert.ok(Number(book.nonce) >= nonce, 'the sequence grows');
        updates += Number(book.nonce) - nonce;
        nonce = Number(book.nonce);
        const rebuilt = { bids: levels(book.bids), asks: levels(book.asks), timestamp: book.timestamp };
        const rest = await reader.fetchOrderBook(symbol, 0);
        if (rest.timestamp !== rebuilt.timestamp) return undefined;
        assert.deepEqual(rebuilt.bids, levels(rest.bids));
        assert.deepEqual(rebuilt.asks, levels(rest.asks));
        meetings.add(nonce);
        return meetings.size >= 5 ? true : undefined;
      },
      20_000,
    );
    assert.ok(updates >= 5, `the book moved on by ${updates}`);
  });

  test('two books are kept apart on one connection', async () => {
    const [btc, ltc] = await Promise.all([
      within('a book of BTC', client.watchOrderBook(symbol)),
      within('a book of LTC', client.watchOrderBook('LTC/USDT')),
    ]);
    assert.ok(Number(btc.bids[0]?.[0]) > 1_000 && Number(ltc.bids[0]?.[0]) < 1_000);
  });

  test('a ticker agrees with the one over REST', async () => {
    const seen = await until('a ticker that meets the one over REST', async () => {
      const pushed = await within('a ticker', client.watchTicker(symbol));
      const rest = await reader.fetchTicker(symbol);
      // A trade at the last price changes the volume alone.
      const meets = (['bid', 'ask', 'last', 'baseVolume'] as const).every(
        (name) => pushed[name] === rest[name],
      );
      return meets ? ([pushed, rest] as const) : undefined;
    });
    const [pushed, rest] = seen;
    assert.equal(pushed.symbol, symbol);
    for (const name of ['open', 'high', 'low', 'quoteVolume'] as const) {
      assert.equal(pushed[name], rest[name], name);
    }
    assert.ok(Number(pushed.bidVolume) > 0 && Number(pushed.askVolume) > 0);
    assert.equal(typeof pushed.info.L, 'number');
  });

  test('tickers of several markets arrive, also as one batch', async () => {
    const some = await within('a ticker of two', client.watchTickers([symbol, 'ETH/USDT']));
    assert.ok(Object.keys(some).every((name) => name === symbol || name === 'ETH/USDT'));
    const batch = await within(
      'a batch of tickers',
      client.watchTickers(undefined, { method: 'ticker/{speed}/batch' }),
    );
    assert.ok(Object.keys(batch).length >= 1);
  });

  test('the best prices are pushed alone', async () => {
    const found = await within('a best price', client.watchBidsAsks([symbol]));
    const best = found[symbol];
    assert.ok(Number(best?.bid) < Number(best?.ask));
    assert.ok(Number(best?.bidVolume) > 0);
  });

  test('trades are pushed once each, and are those REST reports', async () => {
    const pushed = new Map<string, readonly [number, number, string]>();
    await until('three trades', async () => {
      const trades = await within('a trade', client.watchTrades(symbol), 15_000);
      for (const trade of trades) {
        assert.ok(!pushed.has(String(trade.id)), `trade ${trade.id} came twice`);
        pushed.set(String(trade.id), [Number(trade.price), Number(trade.amount), String(trade.side)]);
      }
      return pushed.size >= 3 ? true : undefined;
    });
    const received = new Map(
      (await reader.fetchTrades(symbol, undefined, 1_000)).map((trade) => [String(trade.id), trade]),
    );
    for (const [id, [price, amount, side]] of pushed) {
      const trade = received.get(id);
      assert.deepEqual([trade?.price, trade?.amount, trade?.side], [price, amount, side]);
    }
  });

  test('the running candle is pushed as REST reports it', async () => {
    const row = await until('a candle that meets the one over REST', async () => {
      const candles = await within('a candle', client.watchOHLCV(symbol, '1m', undefined, 10), 20_000);
      const pushed = candles.at(-1) ?? [];
      const rest = (await reader.fetchOHLCV(symbol, '1m', undefined, 1)).at(-1) ?? [];
      return JSON.stringify(pushed) === JSON.stringify(rest) ? pushed : undefined;
    });
    assert.equal(row.length, 6);
    assert.ok(Number(row[5]) > 0);
  });
});

function levels(side: unknown): Levels {
  // Not `map`: the lists of the rebuilt book are a class of their own, and so would be the result.
  return Array.from(side as number[][], ([price = 0, amount = 0]) => [price, amount] as const);
}
