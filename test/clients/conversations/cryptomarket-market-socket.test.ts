import assert from 'node:assert/strict';
import type { Client, WSMarketDataClient } from 'cryptomarket';
import { everySecond, fiveLevels, minutely, rateEverySecond, tenthOfSecond } from '../support/constants.ts';
import { marketSocket, restClient } from '../support/cryptomarket-client.ts';
import type { RunningExchange } from '../support/exchange.ts';
import { living, startExchange } from '../support/exchange.ts';
import { Received } from '../support/received.ts';
import { after, before, describe, test } from '../support/talk.ts';
import { until, within } from '../support/waiting.ts';

const symbol = 'BTCUSDT';

type BySymbol<Value> = Record<string, Value>;
interface Book {
  readonly timestamp: number;
  readonly sequence: number;
  readonly asks: readonly (readonly [string, string])[];
  readonly bids: readonly (readonly [string, string])[];
}
interface Candle {
  readonly timestamp: number;
  readonly openPrice: string;
  readonly closePrice: string;
  readonly highPrice: string;
  readonly lowPrice: string;
  readonly baseVolume: string;
}
interface Trade {
  readonly id: number;
  readonly price: string;
  readonly quantity: string;
  readonly side: string;
}
type Callback = (notification: unknown, type: string) => void;

describe('cryptomarket follows a living market over the public socket', () => {
  let exchange: RunningExchange;
  let socket: WSMarketDataClient;
  let rest: Client;
  let all: string[] = [];

  before(async () => {
    exchange = await startExchange(living);
    socket = await marketSocket(exchange);
    rest = restClient(exchange, exchange.key('demo', 'R1'));
    all = Object.keys(await rest.getSymbols()).sort();
  });

  after(async () => {
    await socket?.close();
    await exchange?.stop();
  });

  const subscribed = (what: string, reply: Promise<string[]>): Promise<string[]> =>
    within(`the reply about ${what}`, reply).then((symbols) => symbols.toSorted());

  function delivered<Value>(): { delivered: Received<Value>; callback: never } {
    const ears = new Received<Value>();
    return { delivered: ears, callback: ears.callback as Callback as never };
  }

  test('the whole book: one snapshot, then updates without a gap; the result is the book of REST', async () => {
    const { delivered: books, callback } = delivered<BySymbol<Book>>();
    const symbols = await subscribed(
      'the full book',
      socket.subscribeToFullOrderBook({ callback, params: { symbols: [symbol, 'NOSUCH'] } }),
    );
    assert.deepEqual(symbols, [symbol], 'an unknown symbol is left out');
    const asks = new Map<string, string>();
    const bids = new Map<string, string>();
    let sequence = -1;
    let read = 0;
    const meetings = new Set<number>();
    await until('readings that meet at three sequences', async () => {
      for (; read < books.all.length; read++) {
        const { value, type } = books.all[read] as (typeof books.all)[number];
        const book = value[symbol] as Book;
        assert.equal(type, read === 0 ? 'snapshot' : 'update');
        if (read > 0) assert.equal(book.sequence, sequence + 1, 'no gap');
        sequence = book.sequence;
        apply(asks, book.asks);
        apply(bids, book.bids);
      }
      const whole = await rest.getOrderBook(symbol, 0);
      const last = books.all.at(-1)?.value[symbol];
      if (last === undefined || read < books.all.length || Date.parse(whole.timestamp) !== last.timestamp) {
        return undefined;
      }
      assert.deepEqual(sorted(asks, 1), whole.ask);
      assert.deepEqual(sorted(bids, -1), whole.bid);
      meetings.add(sequence);
      return meetings.size >= 3 ? true : undefined;
    });
    assert.ok(read >= 3, 'updates came');
  });

  test('partial books are the top of the whole one, alone and in batches', async () => {
    const { delivered: alone, callback } = delivered<BySymbol<Book>>();
    const params = { speed: tenthOfSecond, depth: fiveLevels };
    assert.deepEqual(
      await subscribed('D5', socket.subscribeToPartialOrderBook({ callback, params: { ...params } })),
      all,
      'no symbols means all',
    );
    const top = await until('a partial book that meets the one of REST', async () => {
      const book = alone.all.findLast(({ value }) => value[symbol] !== undefined)?.value[symbol];
      const whole = await rest.getOrderBook(symbol, 5);
      return book !== undefined && JSON.stringify(book.asks) === JSON.stringify(whole.ask)
        ? { book, whole }
        : undefined;
    });
    assert.equal(top.book.asks.length, 5);
    assert.equal(typeof top.book.sequence, 'number');
    assert.ok(alone.all.every(({ type, value }) => type === 'data' && Object.keys(value).length === 1));

    const { delivered: batches, callback: batch } = delivered<BySymbol<Book>>();
    await subscribed(
      'a batch of D5',
      socket.subscribeToPartialOrderBookInBatches({ callback: batch, params }),
    );
    const size = await batches.first('a batch of several books', (value) => {
      const count = Object.keys(value).length;
      return count > 1 ? count : undefined;
    });
    assert.ok(size <= all.length);
  });

  test('the top of the book, alone and in batches', async () => {
    const params = { speed: tenthOfSecond };
    const { delivered: alone, callback } = delivered<BySymbol<Record<string, string>>>();
    await subscribed(
      'the top',
      socket.subscribeToTopOfOrderBook({ callback, params: { ...params, symbols: [symbol] } }),
    );
    const top = await alone.first('a top', (value) => value[symbol]);
    assert.ok(Number(top['bestBid']) < Number(top['bestAsk']));
    assert.match(String(top['bestBid']), /^\d+\.\d{2}$/);
    assert.match(String(top['bestBidQuantity']), /^\d+\.\d{5}$/);
    const { delivered: batches, callback: batch } = delivered<BySymbol<Record<string, string>>>();
    await subscribed(
      'tops',
      socket.subscribeToTopOfOrderBookInBatches({ callback: batch, params: { ...params } }),
    );
    await batches.first('a batch of tops', (value) => (Object.keys(value).length > 1 ? true : undefined));
  });

  test('tickers and mini tickers, alone and in batches', async () => {
    const params = { speed: everySecond };
    const { delivered: alone, callback } = delivered<BySymbol<Record<string, unknown>>>();
    assert.deepEqual(
      await subscribed('tickers', socket.subscribeToTicker({ callback, params: { ...params } })),
      all,
    );
    const { delivered: batches, callback: batch } = delivered<BySymbol<Record<string, unknown>>>();
    await subscribed(
      'a batch',
      socket.subscribeToTickerInBatches({ callback: batch, params: { ...params } }),
    );
    const { delivered: minis, callback: mini } = delivered<BySymbol<Candle>>();
    await subscribed(
      'mini tickers',
      socket.subscribeToMiniTicker({ callback: mini, params: { ...params, symbols: [symbol] } }),
    );
    const ticker = await until('a ticker that meets the one of REST', async () => {
      const pushed = alone.all.findLast(({ value }) => value[symbol] !== undefined)?.value[symbol];
      const received = await rest.getTicker(symbol);
      return pushed?.['bestAsk'] === received.ask &&
        pushed['bestBid'] === received.bid &&
        pushed['closePrice'] === received.last
        ? { pushed, received }
        : undefined;
    });
    assert.deepEqual(
      ['openPrice', 'highPrice', 'lowPrice', 'baseVolume', 'quoteVolume'].map((name) => ticker.pushed[name]),
      [
        ticker.received.open,
        ticker.received.high,
        ticker.received.low,
        ticker.received.volume,
        ticker.received.volumeQuote,
      ],
    );
    assert.ok(alone.all.every(({ type, value }) => type === 'data' && Object.keys(value).length === 1));
    await batches.first('a batch of tickers', (value) => (Object.keys(value).length > 1 ? true : undefined));
    const { openPrice, highPrice, lowPrice } = await minis.first('a mini ticker after a trade', (value) =>
      value[symbol]?.openPrice ? value[symbol] : undefined,
    );
    assert.ok(Number(lowPrice) <= Number(openPrice) && Number(openPrice) <= Number(highPrice));
  });

  test('trades and candles begin with as many as asked, then go on', async () => {
    const { delivered: trades, callback } = delivered<BySymbol<Trade[]>>();
    await until('three trades', async () =>
      ((await rest.getTradesBySymbol(symbol)) as unknown[]).length >= 3 ? true : undefined,
    );
    await subscribed(
      'trades',
      socket.subscribeToTrades({ callback, params: { symbols: [symbol], limit: 2 } }),
    );
    const { delivered: candles, callback: candle } = delivered<BySymbol<Candle[]>>();
    await subscribed(
      'candles',
      socket.subscribeToCandles({
        callback: candle,
        params: { symbols: [symbol], limit: 1, period: minutely },
      }),
    );
    const { delivered: converted, callback: convertedCandle } = delivered<BySymbol<Candle[]>>();
    await subscribed(
      'converted candles',
      socket.subscribeToConvertedCandles({
        callback: convertedCandle,
        params: { symbols: ['ETHUSDT'], limit: 1, period: minutely, targetCurrency: 'BTC' },
      }),
    );
    const past = await trades.first('the last trades', (value, type) =>
      type === 'snapshot' ? value[symbol] : undefined,
    );
    assert.equal(past.length, 2);
    const next = await trades.first('a new trade', (value, type) =>
      type === 'update' ? value[symbol]?.[0] : undefined,
    );
    assert.ok(
      past.every(({ id }) => id < next.id),
      'no trade comes twice',
    );
    // Several trades may come between two candles, so not each of them closes one.
    const running = await until('a candle that closes at a pushed trade', () => {
      const prices = new Set(
        trades.all.flatMap(({ value }) => (value[symbol] ?? []).map(({ price }) => price)),
      );
      const updates = candles.all.filter(({ type }) => type === 'update');
      return updates
        .flatMap(({ value }) => value[symbol] ?? [])
        .find(({ closePrice }) => prices.has(closePrice));
    });
    assert.equal(running.timestamp % 60_000, 0);
    assert.equal(candles.all[0]?.type, 'snapshot');
    const close = await converted.first('a converted candle', (value) => value['ETHUSDT']?.[0]?.closePrice);
    assert.ok(Number(close) > 0.01 && Number(close) < 0.2, `ETH in BTC: ${close}`);
  });

  test('price rates, alone and in batches', async () => {
    const params = { speed: rateEverySecond, targetCurrency: 'USDT' };
    const { delivered: alone, callback } = delivered<BySymbol<{ timestamp: number; rate: string }>>();
    await subscribed(
      'rates',
      socket.subscribeToPriceRates({ callback, params: { ...params, currencies: ['BTC', 'ETH'] } }),
    );
    const { delivered: batches, callback: batch } = delivered<BySymbol<{ rate: string }>>();
    await subscribed(
      'all rates',
      socket.subscribeToPriceRatesInBatches({ callback: batch, params: { ...params } }),
    );
    const rate = Number(await alone.first('a rate', (value) => value['BTC']?.rate));
    const ticker = await rest.getTicker(symbol);
    assert.ok(rate > Number(ticker.bid) * 0.99 && rate < Number(ticker.ask) * 1.01);
    await batches.first('a batch of rates', (value) => (Object.keys(value).length > 1 ? true : undefined));
  });

  test('a channel that does not exist is refused', async () => {
    const { callback } = delivered<unknown>();
    await assert.rejects(
      within(
        'a refusal',
        socket.subscribeToPartialOrderBook({
          callback,
          params: { speed: tenthOfSecond, depth: 'D7' as never, symbols: [symbol] },
        }),
      ),
      (error: { code: number; message: string }) => {
        assert.equal(error.code, 2003);
        assert.match(error.message, /Unknown channel.*orderbook\/D7\/100ms/);
        return true;
      },
    );
  });
});

function apply(side: Map<string, string>, levels: readonly (readonly [string, string])[]): void {
  for (const [price, size] of levels) {
    if (size === '0') assert.ok(side.delete(price), `deletes a level that exists: ${price}`);
    else side.set(price, size);
  }
}

function sorted(side: Map<string, string>, sign: 1 | -1): [string, string][] {
  return [...side].sort(([a], [b]) => sign * (Number(a) - Number(b)));
}
