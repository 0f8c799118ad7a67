import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LevelBuffer } from '../../../../../src/core/model/level-buffer.ts';
import { candlePeriods } from '../../../../../src/core/model/market.ts';
import type { CandlePeriod } from '../../../../../src/core/model/market.ts';
import { decodeV2Public } from '../../../../../src/venues/hitbtc/wire/v2/public-frames.ts';
import { encodeBook } from '../../../../../src/venues/hitbtc/wire/resources/book.ts';
import { encodeRpcNotification } from '../../../../../src/venues/hitbtc/wire/socket-request.ts';
import { v2Methods } from '../../../../../src/venues/hitbtc/wire/v2/socket-methods.ts';
import { readRequest } from '../read-request.ts';
import { abcInstruments, candleOf, instrument, levels, marketTrades, tickerOf, time } from '../arbitrary.ts';
import { NotingSink } from '../noting-sink.ts';
import { settings } from '../seed.ts';
import {
  encodeTicker,
  encodeV2Candles,
  encodeV2Trades,
} from '../../../../../src/venues/hitbtc/wire/resources/market.ts';

const buffer = new LevelBuffer();
const sink = new NotingSink(buffer);

function received(text: string): unknown[][] {
  expect(decodeV2Public(Buffer.from(text), abcInstruments, buffer, sink)).toEqual({ ok: true });
  return sink.take();
}

test('any book a server sends is the book a client reads', () => {
  fc.assert(
    fc.property(instrument, time, fc.nat(), levels, levels, (one, at, sequence, asks, bids) => {
      const text = encodeRpcNotification(
        'updateOrderbook',
        encodeBook('v2', { time: at, sequence, asks, bids }, one),
      );
      const flat = [
        ...asks.flatMap(({ price, quantity }) => [1, price, quantity]),
        ...bids.flatMap(({ price, quantity }) => [0, price, quantity]),
      ];
      expect(received(text)).toEqual([['book', one.symbol, false, at, sequence, ...flat]]);
    }),
    settings,
  );
});

test('any trades, candles and ticker a server sends are what a client reads', () => {
  fc.assert(
    fc.property(
      instrument.chain((one) =>
        fc.tuple(
          fc.constant(one),
          marketTrades,
          fc
            .constantFrom(...candlePeriods)
            .chain((period) => fc.array(candleOf(one, period), { minLength: 1, maxLength: 3 })),
          tickerOf(one),
        ),
      ),
      ([one, trades, candles, ticker]) => {
        expect(received(encodeRpcNotification('snapshotTrades', encodeV2Trades(trades, one)))).toEqual([
          ['trades', one.symbol, true, ...trades],
        ]);
        const period = (candles[0]?.period ?? 'M1') as CandlePeriod;
        expect(
          received(encodeRpcNotification('updateCandles', encodeV2Candles(period, candles, one))),
        ).toEqual([['candles', one.symbol, false, ...candles]]);
        expect(received(encodeRpcNotification('ticker', encodeTicker('v2', ticker, one)))).toEqual([
          ['ticker', one.symbol, { ...ticker, bidQuantity: undefined, askQuantity: undefined }],
        ]);
      },
    ),
    settings,
  );
});

test('a book level off the grid makes the frame malformed and names the symbol', () => {
  const text =
    '{"jsonrpc":"2.0","method":"updateOrderbook","params":{"ask":[{"price":"10.025","size":"1.00"}],"bid":[],"sequence":1,"timestamp":"2021-04-05T19:00:54.007Z","symbol":"AAABBB"}}';
  const result = decodeV2Public(Buffer.from(text), abcInstruments, buffer, sink);
  expect(result).toMatchObject({ ok: false, symbol: 'AAABBB' });
  expect(sink.take()).toEqual([]);
});

test('a request carries its defaults; a broken one is refused with its code', () => {
  const read = readRequest(
    v2Methods,
    '{"method":"subscribeCandles","params":{"symbol":"AAABBB","period":"M1"},"id":"x"}',
  );
  expect(read).toEqual({
    ok: true,
    request: { method: 'subscribeCandles', id: 'x', params: { symbol: 'AAABBB', period: 'M1', limit: 100 } },
  });
  expect(readRequest(v2Methods, '{')).toMatchObject({ ok: false, id: undefined, error: { code: 1 } });
  expect(readRequest(v2Methods, '{"method":"no","id":4}')).toMatchObject({
    ok: false,
    id: 4,
    error: { code: 404 },
  });
  expect(readRequest(v2Methods, '{"method":"getTrades","params":{"limit":1001},"id":4}')).toMatchObject({
    ok: false,
    id: 4,
    error: { code: 10001, message: 'Bad request parameter [limit]. Parameter must be in [0, 1000]' },
  });
});
