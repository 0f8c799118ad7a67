import { describe, expect, test } from 'vitest';
import { openData } from '../../../src/data/open/market-data.ts';
import { captureSamples } from './support/capture-samples.ts';
import { eventsOf, kindsOf, newFolder, writeLines } from './support/files.ts';
import type { SampleRow } from './support/sample.ts';
import { start } from './support/sample.ts';

const folder = newFolder();

/** What venues send between market data: answers, heartbeats, channels that are not read, lists. */
const others: readonly unknown[] = [
  {},
  [],
  [1, 2],
  { event: 'pong' },
  { type: 'heartbeat', product_id: 'A/B', time: '2023-01-01T00:00:00.000Z' },
  { id: 1, result: null },
  { result: null, id: 1 },
  { id: '7', op: 'order', code: '0', data: [{ ordId: '1' }] },
  { stream: '!markPrice@arr@1s', data: [{ e: 'markPriceUpdate', s: 'A', p: '1.123456789', T: 1 }] },
  { stream: 'abusdt@kline_1m', data: { e: 'kline', s: 'ABUSDT', k: { T: 1 } } },
  { table: 'instrument', action: 'update', data: [{ symbol: 'ABUSDT', lastPrice: 1.123456 }] },
  { arg: { channel: 'funding-rate', instId: 'A' }, data: [{ fundingRate: '0.1' }] },
  { arg: { channel: 'account' }, data: [{ totalEq: '1' }] },
  { arg: { channel: 'liquidation-orders', instType: 'SWAP' }, data: [{ details: [] }] },
  { channel: 'fills', type: 'update', data: { id: 1 } },
  { feed: 'heartbeat', time: 1 },
  { feed: 'ticker', product_id: 'ABUSDT', bid: 1 },
  { method: 'heartbeat', params: { type: 'test_request' } },
  { jsonrpc: '2.0', method: 'subscription', params: { channel: 'quote.A', data: { best_bid_price: 1 } } },
];

const rows: readonly SampleRow[] = [0, 1, 2].map((second) => ({
  second,
  symbol: 'ABUSDT',
  price: `100.${second}5`,
}));

describe.each(captureSamples.filter(({ format }) => format !== 'capture-text'))(
  'a capture of $format',
  (sample) => {
    const { format, head } = sample;
    test('goes on behind whatever the venue sends besides', async () => {
      const [first = '', ...rest] = rows.map((one, index) => sample.row(one, index));
      const between = others.map((one) => `${start}.6: ${JSON.stringify(one)}`);
      const plain = writeLines(folder, `${format}-plain.txt`, [...head, first, ...rest]);
      const mixed = writeLines(folder, `${format}-mixed.txt`, [...head, first, ...between, ...rest]);
      const expected = await openData(plain);
      const found = await openData(mixed);
      const events = await eventsOf(found);
      expect(kindsOf(events)).toBe('trades trades trades');
      expect(events).toEqual(await eventsOf(expected));
      expect(found.instruments.all.map(({ spec }) => spec)).toEqual(
        expected.instruments.all.map(({ spec }) => spec),
      );
    });
  },
);

describe('raw lines and archives', () => {
  test('of Hyperliquid go on behind other channels', async () => {
    const lines = ['{"channel":"subscriptionResponse","data":{}}', '{"channel":"pong"}', '[]'].map(
      (text, index) => `${start}00000${index} ${text}`,
    );
    const trade = `${start}000009 ${JSON.stringify({
      channel: 'trades',
      data: [{ coin: 'BTC', side: 'B', px: '1.5', sz: '2.0', time: start * 1_000, tid: 1 }],
    })}`;
    expect(kindsOf(await eventsOf(await openData(writeLines(folder, 'hyper.txt', [...lines, trade]))))).toBe(
      'trades',
    );
  });

  test('of Bybit go on behind other topics', async () => {
    const book = (u: number): string =>
      JSON.stringify({
        topic: 'orderbook.50.ABUSDT',
        ts: start * 1_000 + u,
        type: u === 2 ? 'snapshot' : 'delta',
        data: { s: 'ABUSDT', b: [['1.5', '2']], a: [], u, seq: u },
      });
    const others = [
      '{"topic":"publicTrade.ABUSDT","ts":1,"data":[{"p":"1.2345"}]}',
      '{"op":"pong","success":true}',
    ];
    const path = writeLines(folder, 'bybit.txt', [book(2), ...others, book(3)]);
    expect(kindsOf(await eventsOf(await openData(path)))).toBe('bookSnapshot bookUpdate');
  });

  test('single and aggregated trades of one symbol are the same trades: the kind that comes first counts', async () => {
    const trade = (e: string, id: number, X = 'MARKET'): string => {
      const key = e === 'trade' ? 't' : 'a';
      const data = {
        e,
        E: start * 1_000,
        T: start * 1_000,
        s: 'ABUSDT',
        [key]: id,
        p: '1.5',
        q: '2',
        X,
        m: true,
      };
      return `${start}.5: ${JSON.stringify({ stream: `abusdt@${e}`, data })}`;
    };
    const head = `wss://fstream.binance.com/stream <-> ${start}.1`;
    const partial = `${start}.5: ${JSON.stringify({
      stream: 'abusdt@depth20@100ms',
      data: { e: 'depthUpdate', E: 1, T: 1, s: 'ABUSDT', U: 1, u: 2, pu: 0, b: [['1.12345', '1']], a: [] },
    })}`;
    const path = writeLines(folder, 'both.txt', [
      head,
      partial,
      trade('trade', 1),
      trade('aggTrade', 9),
      trade('trade', 2, 'INSURANCE_FUND'),
      trade('trade', 3),
    ]);
    const recording = await openData(path);
    const events = await eventsOf(recording);
    expect(
      events.flatMap((event) => (event.kind === 'trades' ? event.trades.map(({ tradeId }) => tradeId) : [])),
    ).toEqual(['1', '3']);
    expect(recording.instruments.all[0]?.spec.tickSize).toBe('0.1');
    expect(recording.findings).toEqual([
      '1 messages of aggTrade left out, because trade has the same trades',
      '1 trades left out, because they did not execute against the book',
    ]);
  });
});
