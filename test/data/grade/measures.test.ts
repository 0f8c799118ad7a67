import { expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { specOf } from '../../../src/data/formats/symbol-survey.ts';
import { GradeCollector } from '../../../src/data/grade/grade.ts';
import type { Measures } from '../../../src/data/grade/measures.ts';
import { keptMeasures, measuresIn } from '../../../src/data/grade/measures.ts';

const instruments = new Instruments([
  specOf('A', { base: 'A', quote: 'USD' }, { tick: '1', increment: '1' }),
]);
const instrument = 0 as never;

function measuresOf(events: readonly unknown[]): Measures {
  const collector = new GradeCollector(instruments);
  for (const event of events) collector.add(event as Event);
  return collector.measures();
}

function at(second: number, delay: number): { exchangeTime: Micros; receiveTime: Micros } {
  const exchangeTime = (second * 1_000_000) as Micros;
  return { exchangeTime, receiveTime: (exchangeTime + delay) as Micros };
}

const books = [1, 2, 3, 61, 700].map((second, i) => {
  const levels = Float64Array.of(0, second === 3 ? 12 : 10, 1, 1, 12, 1);
  const kind = i === 0 ? 'bookSnapshot' : 'bookUpdate';
  return { kind, instrument, sequence: i, levels, start: 0, end: 6, ...at(second, second * 10) };
});
const trades = [4, 5, 5].map((second) => {
  const trade = { tradeId: String(second), price: 1, quantity: 1, side: 'buy', time: second };
  return { kind: 'trades', instrument, snapshot: false, trades: [trade], ...at(second, 40) };
});
const bars = [0, 60, 120, 240, 240].map((time) => {
  const candle = { instrument, period: 'M1', time: (time * 1_000_000) as Micros, open: 1n, close: 1n };
  const candles = [{ ...candle, min: 1n, max: time === 60 ? 20n : 1n, volume: 0n, volumeQuote: 0n }];
  return { kind: 'candles', instrument, snapshot: false, candles, ...at(time + 60, 0) };
});
const ticks = [
  books[0],
  ...trades,
  ...books.slice(1),
  { kind: 'bookStale', instrument, reason: 'gap', ...at(900, 0) },
];

test.each([
  ['books and trades', ticks],
  ['bars', bars],
  ['nothing', []],
])('measures of %s are the same after they were kept', (_, events) => {
  const measures = measuresOf(events);
  expect(measuresIn(JSON.parse(JSON.stringify(keptMeasures(measures))))).toEqual(measures);
});

// A change of these figures needs another version, or packs that were made before keep the old ones.
test('what is measured of version 1', () => {
  expect(keptMeasures(measuresOf(ticks))).toEqual({
    bars: [],
    books: {
      bookMicros: 898999990,
      books: 1,
      crossed: 0,
      crossedMicros: 0,
      damaged: 0,
      locked: 1,
      lockedMicros: 896999970,
      sequenceGaps: 1,
      stale: 0,
    },
    clock: {
      offsetMicros: 20,
      rangeMicros: 6980,
      slopePpm: 0,
      spanMicros: 697000000,
    },
    covered: 1,
    duplicates: 1,
    emptyUpdates: 0,
    events: 9,
    firstTime: 1000010,
    lastTime: 900000000,
    latency: {
      max: 7000,
      p50: 40,
      p90: 7000,
      p99: 7000,
    },
    longestSilence: 639006390,
    longestSilenceAt: 61000610,
    outOfOrder: 2,
    stampedIds: 0,
    version: 1,
  });
  expect(keptMeasures(measuresOf(bars))).toEqual({
    bars: [
      {
        bars: 4,
        closedHalfHours: 0,
        expected: 5,
        first: 0,
        firstSpikeAt: 60000000,
        gaps: 1,
        last: 240000000,
        longestGap: 1,
        longestGapAt: 180000000,
        missing: 1,
        period: 'M1',
        repeated: 1,
        spikes: 1,
        symbol: 'A',
        zeroVolume: 4,
      },
    ],
    books: {
      bookMicros: 0,
      books: 0,
      crossed: 0,
      crossedMicros: 0,
      damaged: 0,
      locked: 0,
      lockedMicros: 0,
      sequenceGaps: 0,
      stale: 0,
    },
    clock: undefined,
    covered: 0.8,
    duplicates: 1,
    emptyUpdates: 0,
    events: 5,
    firstTime: 60000000,
    lastTime: 300000000,
    latency: undefined,
    longestSilence: 120000000,
    longestSilenceAt: 180000000,
    outOfOrder: 0,
    stampedIds: 0,
    version: 1,
  });
});

test.each([
  ['another version', { version: 0 }],
  ['no number of events', { events: '5' }],
  ['no books', { books: undefined }],
  ['bars without a name', { bars: [{ bars: 1 }] }],
  ['a clock without its drift', { clock: { offsetMicros: 1 } }],
  ['a text in place of a time', { lastTime: 'today' }],
])('measures with %s are not used', (_, change) => {
  const kept = { ...keptMeasures(measuresOf(ticks)), ...change };
  expect(measuresIn(kept)).toBeUndefined();
});

test.each([undefined, null, 5, 'measures', []])('%j is no measures', (kept) => {
  expect(measuresIn(kept)).toBeUndefined();
});
