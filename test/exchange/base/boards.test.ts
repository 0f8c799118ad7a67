import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import { formatAmount } from '../../../src/core/base/amount.ts';
import { candleLengths } from '../../../src/core/model/bar-spec.ts';
import { periodStart } from '../../../src/core/model/candle-period.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { PublishedBook } from '../../../src/exchange/base/published-book.ts';
import { CandleSeries } from '../../../src/exchange/base/candles.ts';
import { DayStats } from '../../../src/exchange/base/day-stats.ts';

const instrument = new Instruments([
  {
    symbol: 'AAABBB',
    type: 'spot',
    baseCurrency: 'AAA',
    quoteCurrency: 'BBB',
    feeCurrency: 'BBB',
    tickSize: '0.01',
    quantityIncrement: '0.1',
    takeRate: '0.001',
    makeRate: '-0.0001',
    status: 'working',
    marginTrading: false,
  },
]).get('AAABBB');

const at = (text: string) => (Date.parse(text) * 1_000) as Micros;

describe('a book board', () => {
  test('publishes nothing when a level came and went between two beats', () => {
    const board = new PublishedBook(0 as Micros);
    board.set('buy', 100 as Ticks, 5 as Lots, 1 as Micros);
    board.set('buy', 100 as Ticks, 0 as Lots, 2 as Micros);
    expect(board.publish()).toBeUndefined();
    expect(board.sequence).toBe(1);
  });

  test('updates rebuild the published book, each with the next sequence and sorted best first', () => {
    const change = fc.record({
      side: fc.constantFrom('buy' as const, 'sell' as const),
      price: fc.integer({ min: 1, max: 30 }),
      quantity: fc.integer({ min: 0, max: 4 }),
      beat: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 120 }), (changes) => {
        const board = new PublishedBook(0 as Micros);
        const copy = { buy: new Map<number, number>(), sell: new Map<number, number>() };
        let sequence = board.sequence;
        for (const { side, price, quantity, beat } of [
          ...changes,
          { side: 'buy' as const, price: 1, quantity: 1, beat: true },
        ]) {
          board.set(side, price as Ticks, quantity as Lots, 1 as Micros);
          const update = beat ? board.publish() : undefined;
          if (update === undefined) continue;
          expect(update.sequence).toBe(++sequence);
          for (const [levels, known] of [
            [update.bids, copy.buy],
            [update.asks, copy.sell],
          ] as const) {
            for (const level of levels) {
              if (level.quantity === 0) expect(known.delete(level.price)).toBe(true);
              else known.set(level.price, level.quantity);
            }
          }
          const prices = update.bids.map((level) => level.price as number);
          expect(prices).toEqual([...prices].sort((a, b) => b - a));
        }
        for (const side of ['buy', 'sell'] as const) {
          const levels = board.liveLevels(side, 0).map((level) => [level.price, level.quantity] as const);
          const direction = side === 'buy' ? -1 : 1;
          expect(levels).toEqual([...copy[side]].sort((a, b) => direction * (a[0] - b[0])));
          expect(board.published(0)[side === 'buy' ? 'bids' : 'asks']).toEqual(board.liveLevels(side, 0));
        }
      }),
    );
  });

  test('gives the fewest levels that hold a volume', () => {
    const board = new PublishedBook(0 as Micros);
    for (const [price, lots] of [
      [101, 3],
      [102, 4],
      [103, 5],
    ] as const) {
      board.set('sell', price as Ticks, lots as Lots, 1 as Micros);
    }
    expect(board.liveLevelsForVolume('sell', 7).map((level) => level.price)).toEqual([101, 102]);
    expect(board.liveLevelsForVolume('sell', 8).map((level) => level.price)).toEqual([101, 102, 103]);
    expect(board.liveLevelsForVolume('sell', 99)).toHaveLength(3);
  });
});

describe('candles', () => {
  test('periods begin on the minute, on Monday and on the first of the month', () => {
    const time = at('2024-02-29T13:47:12.345Z');
    const starts = (['M1', 'M3', 'M15', 'H4', 'D1', 'D7', '1M'] as const).map((period) =>
      new Date(periodStart(candleLengths[period], time) / 1_000).toISOString(),
    );
    expect(starts).toEqual([
      '2024-02-29T13:47:00.000Z',
      '2024-02-29T13:45:00.000Z',
      '2024-02-29T13:45:00.000Z',
      '2024-02-29T12:00:00.000Z',
      '2024-02-29T00:00:00.000Z',
      '2024-02-26T00:00:00.000Z',
      '2024-02-01T00:00:00.000Z',
    ]);
  });

  test('a bar gathers its trades, the next begins with the period, and empty periods are missing', () => {
    const series = new CandleSeries(instrument, 1_000);
    const trade = (text: string, price: number, lots: number) =>
      series.add(at(text), price as Ticks, lots as Lots, instrument.notional(price as Ticks, lots as Lots));
    trade('2024-01-31T23:59:01.000Z', 1_000, 10);
    trade('2024-01-31T23:59:59.999Z', 990, 5);
    trade('2024-02-01T00:02:00.000Z', 1_010, 1);
    const bars = series.bars('M1');
    expect(bars.size).toBe(2);
    const first = series.candle('M1', bars.at(0) as never);
    expect(
      [first.open, first.close, first.min, first.max, first.volume, first.volumeQuote].map(formatAmount),
    ).toEqual(['10', '9.9', '9.9', '10', '1.5', '14.95']);
    expect(series.bars('1M').size).toBe(2);
    expect(series.bars('D7').size).toBe(1);
  });

  test('no more bars are kept than allowed', () => {
    const series = new CandleSeries(instrument, 3);
    for (let i = 0; i < 10; i++)
      series.add(
        (i * 60_000_000) as Micros,
        1 as Ticks,
        1 as Lots,
        instrument.notional(1 as Ticks, 1 as Lots),
      );
    expect(series.bars('M1').size).toBe(3);
    expect(series.bars('M1').at(0)?.time).toBe(7 * 60_000_000);
  });
});

describe('24-hour figures', () => {
  test('forget what is older than a day, and the open is then the last price before it', () => {
    const stats = new DayStats();
    const day = seconds(86_400);
    const add = (time: number, price: number, lots: number) =>
      stats.add(
        time as Micros,
        price as Ticks,
        lots as Lots,
        instrument.notional(price as Ticks, lots as Lots),
      );
    add(0, 100, 1);
    add(1_000_000, 300, 2);
    add(3_600_000_000, 200, 4);
    expect(stats.view(seconds(3_700))).toMatchObject({ open: 100, low: 100, high: 300, volume: 7 });
    expect(stats.view((day + 60_000_000) as Micros)).toMatchObject({
      open: 300,
      low: 200,
      high: 200,
      volume: 4,
    });
    expect(stats.view((3 * day) as Micros)).toMatchObject({ open: 200, low: 200, high: 200, volume: 0 });
    expect(stats.last).toBe(200);
  });
});
