import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Book } from '../../../src/core/book/book.ts';
import type { BookSnapshot, BookStale, BookUpdate } from '../../../src/core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';

const instrument = 3 as InstrumentId;

type Row = readonly [side: 'bid' | 'ask', price: number, size: number];

function flat(rows: readonly Row[]): Float64Array {
  return Float64Array.from(rows.flatMap(([side, price, size]) => [side === 'bid' ? 0 : 1, price, size]));
}

function levelsEvent<Kind extends 'bookSnapshot' | 'bookUpdate'>(
  kind: Kind,
  sequence: number,
  rows: readonly Row[],
) {
  const levels = flat(rows);
  return {
    kind,
    instrument,
    sequence,
    levels,
    start: 0,
    end: levels.length,
    exchangeTime: (sequence * 10) as Micros,
    receiveTime: (sequence * 10 + 1) as Micros,
  };
}

const snapshot = (sequence: number, rows: readonly Row[]): BookSnapshot =>
  levelsEvent('bookSnapshot', sequence, rows);
const update = (sequence: number, rows: readonly Row[]): BookUpdate =>
  levelsEvent('bookUpdate', sequence, rows);
const stale: BookStale = {
  kind: 'bookStale',
  instrument,
  reason: 'gap',
  expected: 3,
  found: 5,
  exchangeTime: 0 as Micros,
  receiveTime: 0 as Micros,
};

const rows: readonly Row[] = [
  ['bid', 99, 5],
  ['bid', 98, 7],
  ['ask', 101, 3],
  ['ask', 104, 8],
];

describe.each(['sorted', 'ring', 'auto'] as const)('a book on a %s ladder', (ladder) => {
  test('is empty before its first snapshot and refuses updates until then', () => {
    const book = new Book(instrument, { ladder });
    expect(book.status).toBe('empty');
    expect(book.apply(update(4, rows))).toBe(false);
    expect([book.status, book.bestBid, book.bestAsk, book.depth('buy')]).toEqual([
      'empty',
      undefined,
      undefined,
      0,
    ]);
  });

  test('reports best prices, quantities, depth, times and sequence after a snapshot and an update', () => {
    const book = new Book(instrument, { ladder });
    expect(book.apply(snapshot(1, rows))).toBe(true);
    expect(
      book.apply(
        update(2, [
          ['bid', 99, 0],
          ['ask', 100, 2],
        ]),
      ),
    ).toBe(true);
    expect(book.status).toBe('live');
    expect([book.bestBid, book.bestBidQuantity, book.bestAsk, book.bestAskQuantity]).toEqual([98, 7, 100, 2]);
    expect([book.depth('buy'), book.depth('sell')]).toEqual([1, 3]);
    expect([book.sequence, book.exchangeTime, book.receiveTime]).toEqual([2, 20, 21]);
    expect(book.levels('sell', 2)).toEqual([
      { price: 100, quantity: 2 },
      { price: 101, quantity: 3 },
    ]);
    expect(book.levels('sell', 0)).toEqual([]);
    expect(book.quantityAt('sell', 104 as Ticks)).toBe(8);
    expect(book.quantityAt('buy', 104 as Ticks)).toBe(0);
  });

  test('a snapshot replaces everything: no level of the old book survives', () => {
    const book = new Book(instrument, { ladder });
    book.apply(snapshot(9, rows));
    book.apply(snapshot(2, [['bid', 50, 1]]));
    expect(book.levels('buy', 9)).toEqual([{ price: 50, quantity: 1 }]);
    expect(book.levels('sell', 9)).toEqual([]);
    expect(book.sequence).toBe(2);
  });

  test('a stale book keeps its last levels, takes no update, and lives again from a snapshot', () => {
    const book = new Book(instrument, { ladder });
    book.apply(snapshot(1, rows));
    expect(book.apply(stale)).toBe(false);
    expect(book.status).toBe('stale');
    expect(book.apply(update(5, [['bid', 99, 0]]))).toBe(false);
    expect([book.bestBid, book.sequence]).toEqual([99, 1]);
    book.apply(snapshot(6, [['ask', 7, 7]]));
    expect([book.status, book.bestBid, book.bestAsk, book.sequence]).toEqual(['live', undefined, 7, 6]);
  });

  test('staleness of an empty book leaves it empty, and clear makes it as new', () => {
    const book = new Book(instrument, { ladder });
    book.apply(stale);
    expect(book.status).toBe('empty');
    book.apply(snapshot(1, rows));
    book.clear();
    expect([book.status, book.sequence, book.depth('buy'), book.bestAsk]).toEqual(['empty', 0, 0, undefined]);
  });

  test('shows a crossed and a locked book as crossed, a one-sided one not', () => {
    const book = new Book(instrument, { ladder });
    book.apply(snapshot(1, [['bid', 10, 1]]));
    expect(book.crossed).toBe(false);
    book.apply(update(2, [['ask', 10, 1]]));
    expect(book.crossed).toBe(true);
    book.apply(
      update(3, [
        ['ask', 9, 1],
        ['ask', 10, 0],
      ]),
    );
    expect(book.crossed).toBe(true);
    book.apply(
      update(4, [
        ['ask', 9, 0],
        ['ask', 11, 1],
      ]),
    );
    expect(book.crossed).toBe(false);
  });

  test('reads only its part of a shared array', () => {
    const book = new Book(instrument, { ladder });
    const shared = flat([['bid', 1, 1], ...rows, ['ask', 2, 2]]);
    book.apply({ ...snapshot(1, []), levels: shared, start: 3, end: 3 + rows.length * 3 });
    expect([book.bestBid, book.bestAsk]).toEqual([99, 101]);
  });

  test('refuses an event of another instrument loudly', () => {
    const book = new Book(instrument, { ladder });
    expect(() => book.apply({ ...snapshot(1, rows), instrument: 4 as InstrumentId })).toThrow(
      'another instrument',
    );
  });

  test('visits levels of a side until asked to stop', () => {
    const book = new Book(instrument, { ladder });
    book.apply(snapshot(1, rows));
    const seen: [Ticks, Lots][] = [];
    book.eachLevel('sell', (price, lots) => {
      seen.push([price, lots]);
    });
    expect(seen).toEqual([
      [101, 3],
      [104, 8],
    ]);
  });
});

describe('a book on an automatic ladder', () => {
  const around = (price: number, spread: number, sequence: number): Row[] =>
    Array.from({ length: 100 }, (_, i) => {
      const away = (1 + ((sequence * 31 + i * 17) % 500)) * spread;
      return i % 2 === 0
        ? ['bid', price - away, (sequence * 7 + i) % 5]
        : ['ask', price + away, (sequence + i * 3) % 5];
    });

  /** Feeds 400 messages of 100 levels; answers how often a ring was asked for. Both books must agree throughout. */
  function feed(spread: number, room: boolean): number {
    let asked = 0;
    const takeRing = (): boolean => {
      asked += 1;
      return room;
    };
    const auto = new Book(instrument, { ladder: 'auto', takeRing });
    const sorted = new Book(instrument, { ladder: 'sorted' });
    for (let sequence = 1; sequence <= 400; sequence++) {
      const kind = sequence === 1 ? 'bookSnapshot' : 'bookUpdate';
      const event = levelsEvent(kind, sequence, around(900_000_000, spread, sequence));
      for (const book of [auto, sorted]) book.apply(event as BookUpdate);
      expect([auto.bestBid, auto.bestAsk, auto.depth('buy')]).toEqual([
        sorted.bestBid,
        sorted.bestAsk,
        sorted.depth('buy'),
      ]);
    }
    for (const side of ['buy', 'sell'] as const)
      expect(auto.levels(side, 1_000)).toEqual(sorted.levels(side, 1_000));
    return asked;
  }

  test('becomes a ring once when it is busy and dense, and stays the same book', () => {
    expect(feed(1, true)).toBe(1);
  });

  test('stays sorted while there is no room for a ring, and asks again', () => {
    expect(feed(1, false)).toBe(4);
  });

  test('stays sorted while its levels are spread far', () => {
    expect(feed(100_000, true)).toBe(0);
  });
});
