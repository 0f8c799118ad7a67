import { describe, expect, test } from 'vitest';
import { zero } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Streams } from '../../../src/core/bus/streams.ts';
import type { BookUpdate, TickerChanged, TradesPrinted } from '../../../src/core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { BookView, Candle, CandlePeriod, MarketTrade } from '../../../src/core/model/market.ts';

const times = { exchangeTime: 0 as Micros, receiveTime: 0 as Micros };
const one = 1 as InstrumentId;
const two = 2 as InstrumentId;

function update(instrument: InstrumentId): BookUpdate {
  return {
    kind: 'bookUpdate',
    ...times,
    instrument,
    sequence: 1,
    levels: new Float64Array(0),
    start: 0,
    end: 0,
  };
}

function trades(instrument: InstrumentId, ids: readonly string[], snapshot = false): TradesPrinted {
  const prints = ids.map((tradeId): MarketTrade => ({
    tradeId,
    price: 10 as Ticks,
    quantity: 1 as Lots,
    side: 'buy',
    time: 0 as Micros,
  }));
  return { kind: 'trades', ...times, instrument, snapshot, trades: prints };
}

function candle(instrument: InstrumentId, period: CandlePeriod): Candle {
  const prices = { open: zero, close: zero, min: zero, max: zero, volume: zero, volumeQuote: zero };
  return { instrument, period, time: 0 as Micros, ...prices };
}

function world() {
  const errors: unknown[] = [];
  const asked: InstrumentId[] = [];
  const views = [{ instrument: 0 }, { instrument: 1 }, { instrument: 2 }] as BookView[];
  const book = (instrument: InstrumentId): BookView => {
    asked.push(instrument);
    return views[instrument]!;
  };
  const streams = new Streams({ book, onError: (error) => errors.push(error) });
  return { streams, views, asked, errors };
}

describe('streams', () => {
  test('route by kind and instrument, and look at a book only for subscribers', () => {
    const { streams, views, asked } = world();
    const seen: unknown[] = [];
    streams.next(update(one));
    streams.books$(two);
    streams.next(update(two));
    expect(asked).toEqual([]);
    streams.books$(one).subscribe((book) => seen.push(book));
    streams.trades$(two).subscribe(({ tradeId }) => seen.push(tradeId));
    streams.next(update(one));
    streams.next(update(two));
    streams.next(trades(one, ['1']));
    streams.next(trades(two, ['2', '3']));
    expect(seen).toEqual([views[1], '2', '3']);
    expect(asked).toEqual([one]);
  });

  test('give copies, and repeat no history', () => {
    const { streams } = world();
    const seen: unknown[] = [];
    streams.trades$(one).subscribe((trade) => seen.push(trade));
    streams.tickers$(one).subscribe((ticker) => seen.push(ticker));
    streams.next(trades(one, ['1'], true));
    const printed = trades(one, ['2']);
    const ticker = { instrument: one, last: 5 } as unknown as TickerChanged['ticker'];
    streams.next(printed);
    streams.next({ kind: 'ticker', ...times, instrument: one, ticker });
    expect(seen).toEqual([printed.trades[0], ticker]);
    expect(seen[0]).not.toBe(printed.trades[0]);
    expect(seen[1]).not.toBe(ticker);
  });

  test('report closed candles by instrument and period', () => {
    const { streams } = world();
    const seen: Candle[] = [];
    streams.candles$(one, 'M1').subscribe((closed) => seen.push(closed));
    const minute = candle(one, 'M1');
    for (const closed of [minute, candle(two, 'M1'), candle(one, 'H1')]) streams.closed(closed);
    expect(seen).toEqual([minute]);
  });

  test('emit nothing once they are stopped, not even the rest of a message, and do not complete', () => {
    const { streams, errors } = world();
    const seen: unknown[] = [];
    streams.trades$(one).subscribe({
      next: ({ tradeId }) => {
        seen.push(tradeId);
        if (tradeId === '2') streams.stop();
      },
      complete: () => seen.push('complete'),
    });
    streams.next(trades(one, ['1', '2', '3']));
    streams.next(trades(one, ['4']));
    expect(seen).toEqual(['1', '2']);
    expect(errors).toEqual([]);
  });

  test('refuse subscribers without bound', () => {
    const { streams, errors } = world();
    for (let i = 0; i < 1_002; i++) streams.books$(one).subscribe(() => {});
    expect(errors.map(String)).toEqual([
      'Error: one stream has 1000 subscribers: something subscribes in a loop',
      'Error: one stream has 1000 subscribers: something subscribes in a loop',
    ]);
  });
});
