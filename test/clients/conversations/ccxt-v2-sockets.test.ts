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

describe('ccxt of API v2 follows a living market over the combined socket', () => {
  let exchange: RunningExchange;
  let client: CcxtV2;
  /** Reads the same market over v3. */
  let reader: Ccxt;

  before(async () => {
    exchange = await startExchange(living);
    reader = await ccxtClient(exchange);
    client = ccxtV2Client(exchange);
    // Markets are unified objects in both releases; the sockets are what is talked to here.
    client.setMarkets(Object.values(reader.markets ?? {}) as object[]);
  });

  after(async () => {
    await client?.close();
    await reader?.close();
    await exchange?.stop();
  });

  test('the book rebuilt from snapshot and updates equals the whole book of v3', async () => {
    const first = await within('a snapshot', client.watchOrderBook(symbol));
    let nonce = Number(first.nonce);
    const meetings = new Set<number>();
    await until('readings that meet at three sequences', async () => {
      const book = await within('an update', client.watchOrderBook(symbol));
      assert.ok(Number(book.nonce) >= nonce, 'the sequence grows');
      nonce = Number(book.nonce);
      const rebuilt = { timestamp: book.timestamp, bids: Array.from(book.bids), asks: Array.from(book.asks) };
      const rest = await reader.fetchOrderBook(symbol, 0);
      if (rest.timestamp !== rebuilt.timestamp) return undefined;
      assert.deepEqual(
        rebuilt.bids.map(pair),
        rest.bids.map((level) => pair(level as number[])),
      );
      assert.deepEqual(
        rebuilt.asks.map(pair),
        rest.asks.map((level) => pair(level as number[])),
      );
      meetings.add(nonce);
      return meetings.size >= 3 ? true : undefined;
    });
  });

  test('a ticker agrees with the one of v3', async () => {
    const seen = await until('a ticker that meets the one of v3', async () => {
      const pushed = await within('a ticker', client.watchTicker(symbol));
      const rest = await reader.fetchTicker(symbol);
      // A trade at the last price changes the volume alone.
      const meets = (['bid', 'ask', 'last', 'baseVolume'] as const).every(
        (name) => pushed[name] === rest[name],
      );
      return meets ? ([pushed, rest] as const) : undefined;
    });
    const [pushed, rest] = seen;
    for (const name of ['open', 'high', 'low', 'quoteVolume'] as const) {
      assert.equal(pushed[name], rest[name], name);
    }
  });

  test('trades begin with the last ones and go on without a repetition', async () => {
    await until('three trades', async () =>
      (await reader.fetchTrades(symbol)).length >= 3 ? true : undefined,
    );
    const ids = new Set<string>();
    const first = await within('the last trades', client.watchTrades(symbol));
    assert.ok(first.length >= 3, 'the snapshot holds those before');
    for (const { id } of first) ids.add(id);
    const next = await within('a new trade', client.watchTrades(symbol), 15_000);
    for (const { id } of next) assert.ok(!ids.has(id), `trade ${id} came twice`);
    const received = new Map(
      (await reader.fetchTrades(symbol, undefined, 1_000)).map((trade) => [trade.id, trade]),
    );
    for (const trade of [...first, ...next]) {
      const same = received.get(trade.id);
      assert.deepEqual(
        [trade.price, trade.amount, trade.side, trade.timestamp],
        [same?.price, same?.amount, same?.side, same?.timestamp],
      );
    }
  });

  test('candles of a period agree with those of v3', async () => {
    const row = await until('a candle that meets the one of v3', async () => {
      const candles = await within('a candle', client.watchOHLCV(symbol, '1m'), 20_000);
      const rest = (await reader.fetchOHLCV(symbol, '1m', undefined, 1)).at(-1);
      return JSON.stringify(candles.at(-1)) === JSON.stringify(rest) ? rest : undefined;
    });
    assert.ok(Number(row[5]) > 0);
  });
});

function pair(level: readonly number[]): readonly [number, number] {
  return [Number(level[0]), Number(level[1])];
}
