import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAmount } from '../../../../../src/core/base/amount.ts';
import { LevelBuffer } from '../../../../../src/core/model/level-buffer.ts';
import { candlePeriods } from '../../../../../src/core/model/market.ts';
import type { Instrument } from '../../../../../src/core/model/instrument.ts';
import type { Ticker } from '../../../../../src/core/model/market.ts';
import { decodeV3Public } from '../../../../../src/venues/hitbtc/wire/v3/public-frames.ts';
import { encodeBook } from '../../../../../src/venues/hitbtc/wire/resources/book.ts';
import {
  encodeCandle,
  encodePublicTrade,
  encodeTicker,
  topOfBook,
} from '../../../../../src/venues/hitbtc/wire/resources/market.ts';
import { encodeV3Notification } from '../../../../../src/venues/hitbtc/wire/v3/public-notices.ts';
import { readV3Public, scanV3Public } from '../../../../../src/venues/hitbtc/wire/v3/scan-frames.ts';
import { abcInstruments, candleOf, instrument, levels, marketTrades, tickerOf, time } from '../arbitrary.ts';
import { NotingSink } from '../noting-sink.ts';
import { settings } from '../seed.ts';

const buffer = new LevelBuffer();
const sink = new NotingSink(buffer);

/** What a client hears when a server says `text`. */
function received(text: string): unknown[][] {
  expect(readV3Public(Buffer.from(text), abcInstruments, buffer, sink)).toEqual({ ok: true });
  return sink.take();
}

function tickerText(ticker: Ticker, one: Instrument): string {
  return JSON.stringify(encodeTicker('channel', { ...ticker, lastTradeId: '4511' }, one));
}

test('any book a server sends is the book a client reads, and the scanner reads it', () => {
  fc.assert(
    fc.property(
      instrument,
      time,
      fc.nat(),
      levels,
      levels,
      fc.boolean(),
      (one, at, sequence, asks, bids, snapshot) => {
        const payload = JSON.stringify(encodeBook('channel', { time: at, sequence, asks, bids }, one));
        const text = encodeV3Notification('orderbook/full', snapshot ? 'snapshot' : 'update', [
          { key: one.symbol, text: payload },
        ]);
        const flat = [
          ...asks.flatMap(({ price, quantity }) => [1, price, quantity]),
          ...bids.flatMap(({ price, quantity }) => [0, price, quantity]),
        ];
        expect(received(text)).toEqual([['book', one.symbol, snapshot, at, sequence, ...flat]]);
        expect(scanV3Public(Buffer.from(text), abcInstruments, buffer, sink)).toBe(true);
        sink.take();
      },
    ),
    settings,
  );
});

test('any trades a server sends are the trades a client reads', () => {
  fc.assert(
    fc.property(instrument, marketTrades, fc.boolean(), (one, trades, snapshot) => {
      const rows = trades.map((trade) => encodePublicTrade('channel', trade, one));
      const payloads = [{ key: one.symbol, text: JSON.stringify(rows) }];
      const text = encodeV3Notification('trades', snapshot ? 'snapshot' : 'update', payloads);
      expect(received(text)).toEqual([['trades', one.symbol, snapshot, ...trades]]);
    }),
    settings,
  );
});

test('any ticker a server sends is the ticker a client reads, absent members too', () => {
  fc.assert(
    fc.property(
      instrument.chain((one) => fc.tuple(fc.constant(one), tickerOf(one))),
      ([one, ticker]) => {
        const payloads = [{ key: one.symbol, text: tickerText(ticker, one) }];
        expect(received(encodeV3Notification('ticker/1s', 'data', payloads))).toEqual([
          ['ticker', one.symbol, ticker],
        ]);
      },
    ),
    settings,
  );
});

test('any candles a server sends are the candles a client reads', () => {
  fc.assert(
    fc.property(
      fc
        .tuple(instrument, fc.constantFrom(...candlePeriods))
        .chain(([one, period]) =>
          fc.tuple(fc.constant(one), fc.constant(period), fc.array(candleOf(one, period), { maxLength: 4 })),
        ),
      ([one, period, candles]) => {
        const rows = candles.map((candle) => encodeCandle('channel', candle, one));
        const payloads = [{ key: one.symbol, text: JSON.stringify(rows) }];
        expect(received(encodeV3Notification(`candles/${period}`, 'update', payloads))).toEqual([
          ['candles', one.symbol, false, ...candles],
        ]);
      },
    ),
    settings,
  );
});

test('the change of a ticker follows from open and last, its percentage with 16 digits', () => {
  const [one] = abcInstruments.all;
  if (one === undefined) throw new Error('no instrument');
  const frame =
    '{"ch":"ticker/1s","data":{"AAABBB":{"t":1700000000123,"a":"10.02","A":"1.50","b":"10.01","B":"0.30","o":"9.90","c":"10.02","h":"10.40","l":"9.80","v":"1204.50","q":"12051.1200","p":"0.12","P":"1.212121212121212","L":4511}}}';
  readV3Public(Buffer.from(frame), abcInstruments, buffer, sink);
  const ticker = sink.take()[0]?.[2] as Ticker;
  const payloads = [{ key: 'AAABBB', text: tickerText(ticker, one) }];
  expect(encodeV3Notification('ticker/1s', 'data', payloads)).toBe(frame);
});

test('a contract shows its prices, the coming rate and the last one; one that expires has no rate', () => {
  const whole =
    '{"c":"perpetual","t":1700000000123,"m":"10.015","i":"10.02","p":"0.0001","P":"0.0001","o":"7.5","r":"0.0001","R":"-0.00025","T":1700006400000,"I":"0.0001"}';
  const expiring = '{"c":"futures","t":1,"m":"10","i":"11"}';
  expect(received(`{"ch":"futures/info","data":{"AAABBB":${whole},"CCCDDD":${expiring}}}`)).toEqual([
    [
      'contract',
      'AAABBB',
      {
        markPrice: parseAmount('10.015'),
        indexPrice: parseAmount('10.02'),
        fundingRate: parseAmount('-0.00025'),
        nextFundingAt: 1_700_006_400_000_000,
        lastFundingRate: parseAmount('0.0001'),
        openInterest: parseAmount('7.5'),
        exchangeTime: 1_700_000_000_123_000,
      },
    ],
    [
      'contract',
      'CCCDDD',
      {
        markPrice: parseAmount('10'),
        indexPrice: parseAmount('11'),
        fundingRate: undefined,
        nextFundingAt: undefined,
        lastFundingRate: undefined,
        openInterest: undefined,
        exchangeTime: 1_000,
      },
    ],
  ]);
});

test('a batch reports several symbols, and a fault in one leaves the others', () => {
  const text =
    '{"ch":"ticker/1s/batch","data":{"AAABBB":{"t":1,"a":"1.001"},"XXX":{"t":1},"CCCDDD":{"t":1,"a":"1.05","L":null}}}';
  const result = decodeV3Public(Buffer.from(text), abcInstruments, buffer, sink);
  expect(result).toMatchObject({ ok: false, symbol: 'AAABBB' });
  expect(sink.take()).toMatchObject([['ticker', 'CCCDDD', { ask: 21 }]]);
});

test('a level whose price is on the grid but beyond 2^53 ticks is left out of the book', () => {
  const text =
    '{"ch":"orderbook/full","snapshot":{"AAABBB":{"t":1,"s":1,"a":[["10.02","1.50"],["99999999999999.99","1.00"]],"b":[]}}}';
  expect(received(text)).toEqual([['book', 'AAABBB', true, 1000, 1, 1, 1002, 150]]);
  const bid = text.replace('"a":[', '"a":[],"b":[').replace(',"b":[]}', '}');
  expect(decodeV3Public(Buffer.from(bid), abcInstruments, buffer, sink)).toMatchObject({ ok: false });
});

test.each([
  ['{"ch":"orderbook/top/100ms","data":{"AAABBB":{"t":1,"a":"10.03","A":"4.00","b":"10.01","B":"0.30"}}}'],
  ['{"ch":"orderbook/D5/100ms","data":{"AAABBB":{"t":1,"s":7,"a":[["10.02","1.50"]],"b":[]}}}'],
  ['{"ch":"price/rate/3s","target_currency":"BBB","data":{"AAA":{"t":1700000000123,"r":"10.015"}}}'],
  ['{"ch":"ticker/price/1s","data":{"AAABBB":{"t":1,"o":"1","c":"1","h":"1","l":"1","v":"0","q":"0"}}}'],
  ['{"ch":"futures/info","data":{"AAABBB":{"c":"perpetual","t":1,"m":"1.5"}}}'],
])('%s is understood and has no event', (text) => {
  expect(received(text)).toEqual([]);
});

test.each([
  ['{"ch":"orderbook/D7/100ms","data":{}}', 'unknown channel'],
  ['{"ch":"trades","data":{}}', 'exactly one'],
  ['{"ch":"trades","update":{},"snapshot":{}}', 'exactly one'],
  [
    '{"ch":"trades","update":{"AAABBB":[{"t":1,"i":1,"p":"1.00","q":"1.00","s":"short"}]}}',
    'trades of AAABBB',
  ],
  ['{"ch":"orderbook/full","update":{"AAABBB":{"t":1,"s":1,"a":[["1.00","1.00","x"]],"b":[]}}}', 'AAABBB'],
  ['{"ch":"orderbook/full","update":{"AAABBB":{"t":1,"s":1.5,"a":[],"b":[]}}}', 'member s'],
  ['not json', 'expected JSON'],
  ['[1]', 'expected object'],
  ['{"id":3}', 'result, error'],
])('%s is malformed', (text, why) => {
  const result = decodeV3Public(Buffer.from(text), abcInstruments, buffer, sink);
  expect(result).toMatchObject({ ok: false });
  expect('why' in result ? result.why : '').toContain(why);
  expect(sink.take()).toEqual([]);
});

test('answers carry the echoed id, the channel and what is subscribed', () => {
  expect(received('{"result":{"ch":"trades","subscriptions":["AAABBB"]},"id":7}')).toEqual([
    [
      'reply',
      {
        id: 7,
        result: { ch: 'trades', subscriptions: ['AAABBB'] },
        error: undefined,
        channel: 'trades',
        subscriptions: ['AAABBB'],
      },
    ],
  ]);
  expect(
    received('{"error":{"code":1,"message":"Invalid json","description":"JSON request is corrupted."}}'),
  ).toMatchObject([['reply', { id: undefined, error: { code: 1 } }]]);
});

test('a top of book leaves out the side that is empty', () => {
  const [one] = abcInstruments.all;
  if (one === undefined) throw new Error('no instrument');
  const best = { ask: 1002 as never, askQuantity: 150 as never, bid: null, bidQuantity: null };
  const text = JSON.stringify(topOfBook.channel.write({ time: 1_000 as never, ...best }, one));
  expect(text).toBe('{"t":1,"a":"10.02","A":"1.50"}');
});
