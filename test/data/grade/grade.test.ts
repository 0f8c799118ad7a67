import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { Recording } from '../../../src/data/recording/contract.ts';
import { gradeTitle, isPoor } from '../../../src/data/grade/grade.ts';
import { gradeOf } from '../formats/support/grade-of.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { specOf } from '../../../src/data/formats/symbol-survey.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { hasShared, isoOf, shared, written } from '../formats/support/tables.ts';

describe.skipIf(!hasShared)('the grade of recorded data', () => {
  test('717 minutes missing in 538 gaps are found, and the title says so', async () => {
    const grade = await gradeOf(await openData(shared('bars/freqtrade_UNITTEST_BTC-1m.json.gz')));
    expect(grade.bars[0]).toMatchObject({
      bars: 13_681,
      expected: 14_398,
      missing: 717,
      gaps: 538,
      repeated: 0,
    });
    expect([grade.letter, isPoor(grade)]).toEqual(['C', true]);
    expect(gradeTitle(grade)).toMatch(
      /^poor data \(C\): 717 of 14398 bars of UNITTESTBTC M1 missing in 538 gaps; /,
    );
  });

  test('12 days missing in 11 gaps are found in ten years of days', async () => {
    const grade = await gradeOf(await openData(shared('bars/kraken-ohlcvt_XBTUSD_1440.csv.gz')));
    expect(grade.bars[0]).toMatchObject({ bars: 3_727, missing: 12, gaps: 11, closedHalfHours: 0 });
    expect([grade.letter, gradeTitle(grade)]).toEqual(['B', '']);
  });

  test('5 groups out of order and 28 bars without volume are found, and no hour is missing', async () => {
    const grade = await gradeOf(await openData(shared('bars/cryptodatadownload_Coinbase_BTCUSD_1h.csv.gz')));
    expect(grade.bars[0]).toMatchObject({ bars: 20_111, missing: 0, zeroVolume: 28 });
    expect(grade.anomalies).toEqual([
      { name: 'rowsOutOfOrder', count: 5, words: '5 groups of rows out of order' },
    ]);
    expect(grade.letter).toBe('B');
  });

  test('a complete day and complete months have no missing bar', async () => {
    const day = await gradeOf(await openData(shared('bars/binance-public/BTCUSDT-1m-2023-03-12.zip')));
    expect(day.bars[0]).toMatchObject({ bars: 1_440, missing: 0, gaps: 0 });
    const months = await gradeOf(await openData(shared('bars/backtesting-py_BTCUSD.csv.gz')));
    expect(months.bars[0]).toMatchObject({ bars: 156, missing: 0 });
  });

  test('weekends of a market that closes are not missing; its holidays are', async () => {
    const grade = await gradeOf(await openData(shared('bars/backtesting-py_GOOG.csv.gz')));
    expect(grade.bars[0]).toMatchObject({ bars: 2_148, missing: 79, closedHalfHours: 331 });
    expect(grade.letter).toBe('B');
  });

  test('the days LEAN leaves out are found', async () => {
    const grade = await gradeOf(await openData(shared('bars/lean/coinbase/daily/btcusd_trade.zip')));
    expect(grade.bars[0]).toMatchObject({ bars: 1_318, missing: 34, gaps: 8, longestGap: 20 });
    expect(isoOf(grade.bars[0]?.longestGapAt ?? 0)).toBe('2014-12-19T00:00:00.000Z');
  });

  test('orders older than the file are reported for LOBSTER, delays for Databento', async () => {
    const lobster = await gradeOf(await openData(shared('l3/lobster-aapl-20120621-message50.csv.gz')));
    expect(lobster.anomalies.map(({ name, count }) => [name, count])).toEqual([
      ['unknownDeletes', 72],
      ['unknownExecutions', 12],
    ]);
    expect(lobster.latency).toBeUndefined();
    const future = await gradeOf(await openData(shared('l3/cme-es-mbo-20240508.dbn.zst')));
    expect(future.books).toMatchObject({ books: 1, crossed: 0, locked: 0, sequenceGaps: 0 });
    expect(future.latency?.p50).toBeGreaterThan(50);
    expect(future.clock?.offsetMicros).toBe(80);
  });

  test('what is odd is found: ids that are times, updates without a level, clocks that were set, snapshots too old', async () => {
    const fmfw = await gradeOf(await openData(shared('hitbtc/fmfw-v3-20211009.partA.txt.gz')));
    expect(fmfw).toMatchObject({ letter: 'B', stampedIds: 4 });
    expect(fmfw.reasons[0]).toMatch(/^the ids of all 4 trades are their times in milliseconds/);
    const quiet = await gradeOf(await openData(shared('hitbtc/hitbtc-v2-20210405.txt.gz')));
    expect(quiet).toMatchObject({ emptyUpdates: 5, stampedIds: 0 });
    const spot = await openData([1, 2].map((day) => shared(`binance-raw/spot_btcusdt_2024080${day + 7}.gz`)));
    const { reasons } = await gradeOf(spot);
    expect(spot.findings).toEqual([
      expect.stringMatching(/^BTCUSDT: snapshots older than 1 updates received before them/),
    ]);
    expect(reasons).toContainEqual(
      expect.stringMatching(/^the recorder’s clock was off by 1\.\d+ s and was shifted/),
    );
  });

  test('a recording of our venue is whole: grade A', async () => {
    const grade = await gradeOf(await openData(shared('hitbtc/hitbtc-v2-20210715.conn1.txt.gz')));
    expect([grade.letter, grade.reasons, grade.books.books]).toEqual(['A', [], 10]);
  });
});

const instruments = new Instruments([
  specOf('A', { base: 'A', quote: 'USD' }, { tick: '1', increment: '1' }),
]);

/** A recording of these events, as good as can be. */
function recordingOf(events: readonly Event[]): Recording {
  return {
    format: 'made',
    paths: [],
    instruments,
    grade: 'A',
    notes: [],
    findings: [],
    counters: undefined,
    frames: undefined,
    events: async function* () {
      yield events;
    },
  };
}

function book(
  second: number,
  kind: 'bookSnapshot' | 'bookUpdate',
  levels: readonly number[],
  delay = 0,
): Event {
  const exchangeTime = (second * 1_000_000) as Micros;
  const receiveTime = (exchangeTime + delay) as Micros;
  const all = Float64Array.from(levels);
  return {
    kind,
    instrument: 0 as never,
    sequence: second,
    levels: all,
    start: 0,
    end: all.length,
    exchangeTime,
    receiveTime,
  };
}

function ticks(second: number): Event {
  const { exchangeTime, receiveTime } = book(second, 'bookUpdate', []);
  return { kind: 'ticker', instrument: 0, ticker: {}, exchangeTime, receiveTime } as never;
}

describe('the grade of made recordings', () => {
  test('a book is crossed and locked for exactly the time it is', async () => {
    const grade = await gradeOf(
      recordingOf([
        book(0, 'bookSnapshot', [0, 10, 1, 1, 12, 1]),
        book(10, 'bookUpdate', [0, 12, 1]),
        book(12, 'bookUpdate', [0, 13, 1]),
        book(15, 'bookUpdate', [0, 12, 0, 0, 13, 0]),
        book(100, 'bookUpdate', [0, 9, 1]),
      ]),
    );
    expect(grade.books).toMatchObject({
      crossed: 1,
      crossedMicros: 3_000_000,
      locked: 1,
      lockedMicros: 2_000_000,
      bookMicros: 100_000_000,
    });
    expect(grade.letter).toBe('C');
    expect(grade.longestSilence).toBe(85_000_000);
  });

  test('a sequence gap makes data poor', async () => {
    const time = 5_000_000 as Micros;
    const gap: Event = {
      kind: 'bookStale',
      instrument: 0 as never,
      reason: 'gap',
      expected: 2,
      found: 3,
      exchangeTime: time,
      receiveTime: time,
    };
    const grade = await gradeOf(recordingOf([book(0, 'bookSnapshot', [0, 1, 1]), gap]));
    expect([grade.letter, grade.reasons]).toEqual(['C', ['1 sequence gap']]);
    expect(gradeTitle(grade)).toBe('poor data (C): 1 sequence gap');
  });

  test.each([
    { name: 'and came back', later: [book(6, 'bookSnapshot', [0, 1, 1])], stale: 1 },
    { name: 'and never came back while others went on', later: [ticks(9)], stale: 1 },
    { name: 'because the recording ended', later: [], stale: 0 },
  ])('a book that was disconnected $name counts $stale times', async ({ later, stale }) => {
    const gone = {
      ...book(5, 'bookUpdate', []),
      kind: 'bookStale',
      reason: 'disconnected',
      expected: 0,
      found: 0,
    };
    const events = [
      book(0, 'bookSnapshot', [0, 1, 1]),
      book(4, 'bookUpdate', [0, 2, 1]),
      gone as never,
      ...later,
    ];
    const grade = await gradeOf(recordingOf(events));
    expect(grade.books.stale).toBe(stale);
    expect(grade.letter).toBe(stale === 0 ? 'A' : 'B');
  });

  test('the drift of clocks and the spread of delays are measured', async () => {
    const events = Array.from({ length: 1_200 }, (_, second) =>
      book(
        second,
        second === 0 ? 'bookSnapshot' : 'bookUpdate',
        [0, 1, 1],
        1_000 + second * 500 + (second % 4) * 20_000,
      ),
    );
    const { clock, latency, reasons } = await gradeOf(recordingOf(events));
    expect(clock?.offsetMicros).toBe(3_000);
    expect(clock?.slopePpm).toBeGreaterThan(450);
    expect(clock?.slopePpm).toBeLessThan(550);
    expect(reasons).toEqual([`the clocks drift by ${clock?.slopePpm.toFixed(0)} us a second`]);
    expect(latency?.p50).toBeGreaterThan(300_000);
    expect(latency?.p99).toBeGreaterThan(latency?.p90 ?? 0);
  });

  test('messages that go back and trades that repeat are counted', async () => {
    const trade = { tradeId: '7', price: 1, quantity: 1, side: 'buy', time: 0 };
    const trades = (second: number): Event =>
      ({ ...book(second, 'bookUpdate', []), kind: 'trades', snapshot: false, trades: [trade] }) as never;
    const grade = await gradeOf(recordingOf([trades(3), trades(2), trades(4)]));
    expect([grade.outOfOrder, grade.duplicates]).toEqual([2, 2]);
    expect(grade.letter).toBe('D');
  });

  test('nothing at all is graded D', async () => {
    const grade = await gradeOf(recordingOf([]));
    expect([grade.letter, grade.reasons, grade.covered]).toEqual(['D', ['there are no events'], 0]);
  });

  test('bars with prices outside low and high, and off the grid of time, are reported', async () => {
    const rows = [
      '1672531200,1,2,1,1,1',
      '1672531260,3,2,1,1,1',
      '1672531320,1,2,1,1,1',
      '1672531390,1,2,1,1,1',
      '1672531450,1,2,1,1,1',
    ];
    const path = written('odd.csv', `time,open,high,low,close,volume\n${rows.join('\n')}\n`);
    const grade = await gradeOf(await openData(path));
    expect(grade.anomalies.map(({ words }) => words)).toEqual([
      '1 bar with an open or close outside low and high',
      '1 bar not a whole number of periods after the one before',
    ]);
  });
});
