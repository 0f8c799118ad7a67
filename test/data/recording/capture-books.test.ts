import { describe, expect, test } from 'vitest';
import { Book } from '../../../src/core/book/book.ts';
import { foldBookStates } from '../../../src/data/recording/book-states.ts';
import { openRecording } from '../../../src/data/open/own-formats.ts';
import type { BookSnapshot, Event } from '../../../src/core/model/event.ts';
import type { Level } from '../../../src/core/model/market.ts';
import { collect } from './support/frames.ts';
import type { EndStates } from './support/shared-recordings.ts';
import { hitbtcFiles, recordingsPresent, sharedJson, sharedPath } from './support/shared-recordings.ts';

const pathOf = (file: string): string => sharedPath(`hitbtc/${file}`);

function levelsOf(book: Book): readonly (readonly Level[])[] {
  return [book.levels('buy', book.depth('buy')), book.levels('sell', book.depth('sell'))];
}

function bookOf(snapshot: BookSnapshot): Book {
  const book = new Book(snapshot.instrument);
  book.apply(snapshot);
  return book;
}

/** How many tickers name the best prices of the book as it stands, or stands before the next ticker of that pair. */
function compareTickers(
  events: readonly Event[],
  books: Map<number, Book>,
): { tickers: number; equal: number } {
  const open = new Map<number, { bid: number | undefined; ask: number | undefined }>();
  let tickers = 0;
  let equal = 0;
  const settle = (instrument: number): void => {
    const due = open.get(instrument);
    const book = books.get(instrument);
    if (due === undefined || book === undefined) return;
    if (book.bestBid === due.bid && book.bestAsk === due.ask) {
      equal += 1;
      open.delete(instrument);
    }
  };
  for (const event of events) {
    if (event.kind === 'ticker') {
      tickers += 1;
      open.set(event.instrument, { bid: event.ticker.bid, ask: event.ticker.ask });
      settle(event.instrument);
    } else if (event.kind === 'bookSnapshot' || event.kind === 'bookUpdate') {
      const book = books.get(event.instrument) ?? new Book(event.instrument);
      books.set(event.instrument, book);
      book.apply(event);
      settle(event.instrument);
    }
  }
  return { tickers, equal };
}

describe.skipIf(!recordingsPresent)('the recorded books of the service', () => {
  const states = recordingsPresent ? (sharedJson('conformance/book_end_states.json') as EndStates) : {};

  test.each(hitbtcFiles)('%s ends in the recorded states without a gap', async (file) => {
    const recording = await openRecording(pathOf(file));
    const folded = await foldBookStates(recording.instruments, recording.events());
    expect(JSON.parse(JSON.stringify(folded))).toEqual(states['hitbtc']?.[file]);
    expect(recording.findings).toEqual([]);
    expect(recording.counters).toMatchObject({ gaps: 0, old: 0, waiting: 0, malformed: 0 });
    expect(recording.grade).toBe(file === 'hitbtc-v2-20210405.txt.gz' ? 'B' : 'A');
  });

  test('both ladders end alike and never cross', async () => {
    const recording = await openRecording(pathOf('bequant-v2-20210703.conn3.txt.gz'));
    const sorted = recording.instruments.all.map(({ id }) => new Book(id, { ladder: 'sorted' }));
    const ring = recording.instruments.all.map(({ id }) => new Book(id, { ladder: 'ring' }));
    for (const event of await collect(recording.events())) {
      if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate') continue;
      for (const books of [sorted, ring]) {
        const book = books[event.instrument] as Book;
        expect(book.apply(event)).toBe(true);
        expect(book.crossed).toBe(false);
      }
    }
    for (const [index, book] of sorted.entries())
      expect(levelsOf(ring[index] as Book)).toEqual(levelsOf(book));
  });

  test('a snapshot sent again equals the rebuilt book, on all ten pairs', async () => {
    const recording = await openRecording(pathOf('hitbtc-v2-20210715.conn1.txt.gz'));
    const books = new Map<number, Book>();
    let compared = 0;
    for (const event of await collect(recording.events())) {
      if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate') continue;
      const book = books.get(event.instrument);
      if (event.kind === 'bookSnapshot' && book !== undefined) {
        expect(levelsOf(bookOf(event))).toEqual(levelsOf(book));
        compared += 1;
      }
      if (book === undefined) books.set(event.instrument, bookOf(event as BookSnapshot));
      else book.apply(event);
    }
    expect(compared).toBe(10);
  });

  test('the messages are as many as the authors of the recordings count', async () => {
    const counts = async (file: string) => {
      const recording = await openRecording(pathOf(file));
      const events = await collect(recording.events());
      return { counters: recording.counters, events };
    };
    const april = await counts('hitbtc-v2-20210405.txt.gz');
    expect(april.counters).toMatchObject({ tickers: 927, trades: 1016, snapshots: 10, updates: 3238 });
    const bequant = await counts('bequant-v2-20210703.conn3.txt.gz');
    expect((bequant.counters?.snapshots ?? 0) + (bequant.counters?.updates ?? 0)).toBe(990);
    const july = await Promise.all([1, 2, 3, 4].map((n) => counts(`hitbtc-v2-20210715.conn${n}.txt.gz`)));
    const sum = (name: 'tickers' | 'trades' | 'candles') =>
      july.reduce((total, { counters }) => total + (counters?.[name] ?? 0), 0);
    expect([sum('tickers'), sum('trades'), sum('candles')]).toEqual([812, 4000, 4000]);
    const updates = new Set(
      july.flatMap(({ events }) =>
        events.flatMap((event) =>
          event.kind === 'bookUpdate' ? [`${event.instrument}/${event.sequence}`] : [],
        ),
      ),
    );
    expect(updates.size + 10).toBe(527);
  });

  test('parallel sockets read together give each update once', async () => {
    const paths = [1, 2, 3, 4].map((n) => pathOf(`hitbtc-v2-20210715.conn${n}.txt.gz`));
    const recording = await openRecording(paths);
    const folded = await foldBookStates(recording.instruments, recording.events());
    expect(JSON.parse(JSON.stringify(folded))).toEqual(states['hitbtc']?.['hitbtc-v2-20210715.conn1.txt.gz']);
    expect(recording.counters).toMatchObject({ updates: 4 * 517, gaps: 0 });
  });

  test.each([
    ['hitbtc-v2-20210715.conn1.txt.gz', 203],
    ['hitbtc-v2-20210405.txt.gz', 927],
  ])('the tickers of %s agree with the rebuilt top', async (file, tickers) => {
    const recording = await openRecording(pathOf(file));
    const found = compareTickers(await collect(recording.events()), new Map());
    expect(found).toEqual({ tickers, equal: tickers });
  });
});
