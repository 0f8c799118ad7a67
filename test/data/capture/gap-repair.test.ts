import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { Book } from '../../../src/core/book/book.ts';
import { readCapture } from '../../../src/data/capture/text.ts';
import { findCaptureSpecs } from '../../../src/data/capture/infer-instruments.ts';
import { MarketDataHandler } from '../../../src/venues/hitbtc/market-data/handler.ts';
import type { BookSnapshot, BookStale, BookUpdate, Event } from '../../../src/core/model/event.ts';
import type { Frame } from '../../../src/core/model/frame.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { bookFrame, collect } from '../recording/support/frames.ts';
import { recordingsPresent, sharedPath } from '../recording/support/shared-recordings.ts';

interface Loaded {
  readonly instruments: Instruments;
  readonly frames: readonly Frame[];
  /** Per frame: what it reported of a book, if anything. */
  readonly books: readonly (Event | undefined)[];
}

async function load(file: string): Promise<Loaded> {
  const path = sharedPath(`hitbtc/${file}`);
  const instruments = new Instruments((await findCaptureSpecs([path])).specs);
  const frames = await collect(readCapture(path));
  const received: Event[] = [];
  const handler = new MarketDataHandler({ instruments, publish: (event) => received.push(event) });
  const books = frames.map((frame) => {
    received.length = 0;
    handler.accept(frame);
    return received.find((event) => event.kind === 'bookUpdate' || event.kind === 'bookSnapshot');
  });
  return { instruments, frames, books };
}

function digest(book: Book): unknown {
  return [book.sequence, book.levels('buy', book.depth('buy')), book.levels('sell', book.depth('sell'))];
}

/** The events of one instrument when the frame `dropped` never comes and `inserted` comes behind `after`. */
function replay(
  { instruments, frames }: Loaded,
  instrument: InstrumentId,
  dropped: number,
  resync?: { readonly after: number; readonly inserted: Frame },
): readonly Event[] {
  const seen: Event[] = [];
  const handler = new MarketDataHandler({ instruments, publish: (event) => seen.push(event) });
  for (const [index, frame] of frames.entries()) {
    if (index !== dropped) handler.accept(frame);
    if (index === resync?.after) handler.accept(resync.inserted);
  }
  return seen.filter((event) => 'instrument' in event && event.instrument === instrument && isBook(event));
}

function isBook(event: Event | undefined): event is BookUpdate | BookSnapshot | BookStale {
  return event?.kind === 'bookSnapshot' || event?.kind === 'bookUpdate' || event?.kind === 'bookStale';
}

function fold(instrument: InstrumentId, events: readonly (Event | undefined)[]): Book {
  const book = new Book(instrument);
  for (const event of events) if (isBook(event) && event.instrument === instrument) book.apply(event);
  return book;
}

/** The book as the venue would send it anew. */
function snapshotFrame(book: Book, { instruments }: Loaded): Frame {
  const instrument = instruments.at(book.instrument);
  const rows = (side: 'buy' | 'sell') =>
    book
      .levels(side, book.depth(side))
      .map(
        ({ price, quantity }) => [instrument.priceText(price), instrument.quantityText(quantity)] as const,
      );
  const sides = { bid: rows('buy'), ask: rows('sell'), symbol: instrument.symbol };
  return bookFrame('snapshotOrderbook', book.sequence, sides);
}

type Result = 'repaired' | 'resynced' | 'unseen';

/** Replays without the frame `dropped` and checks everything the books of its instrument go through. */
function checkDrop(loaded: Loaded, dropped: number): Result {
  const { books } = loaded;
  const lost = books[dropped] as BookUpdate;
  const { instrument } = lost;
  const nextAt = books.findIndex(
    (event, at) => at > dropped && isBook(event) && event.instrument === instrument,
  );
  const next = books[nextAt] as BookUpdate | BookSnapshot | undefined;
  const whole = digest(fold(instrument, books));
  const mine = replay(loaded, instrument, dropped);
  const stale = mine.filter((event) => event.kind === 'bookStale');
  if (next === undefined || next.kind === 'bookSnapshot') {
    expect(stale).toEqual([]);
    if (next !== undefined) expect(digest(fold(instrument, mine))).toEqual(whole);
    return next === undefined ? 'unseen' : 'repaired';
  }
  expect(stale).toMatchObject([
    { reason: 'gap', expected: lost.sequence, found: next.sequence, receiveTime: next.receiveTime },
  ]);
  const behind = mine.slice(mine.indexOf(stale[0] as Event) + 1);
  if (behind.length > 0) {
    expect(behind[0]?.kind).toBe('bookSnapshot');
    expect(digest(fold(instrument, mine))).toEqual(whole);
    return 'repaired';
  }
  expect(fold(instrument, mine).status).toBe('stale');
  // What the session does on `bookStale`: it asks again, and the answer comes some frames later.
  const after = Math.min(nextAt + 20, books.length - 1);
  const inserted = snapshotFrame(fold(instrument, books.slice(0, after + 1)), loaded);
  const healed = fold(instrument, replay(loaded, instrument, dropped, { after, inserted }));
  expect(healed.status).toBe('live');
  expect(digest(healed)).toEqual(whole);
  return 'resynced';
}

/** Updates that a later snapshot of the recording itself repairs. */
function beforeSnapshot({ books }: Loaded, updates: readonly number[]): readonly number[] {
  const lastSnapshots = new Map<InstrumentId, number>();
  for (const [at, event] of books.entries())
    if (event?.kind === 'bookSnapshot') lastSnapshots.set(event.instrument, at);
  return updates.filter((at) => (lastSnapshots.get((books[at] as BookUpdate).instrument) ?? -1) > at);
}

describe.skipIf(!recordingsPresent)('a lost book update', () => {
  const seed = `drops ${process.env['GODWIT_SEED'] ?? '1'}`;

  test.each([
    ['hitbtc-v2-20210715.conn1.txt.gz', 15],
    ['hitbtc-v2-20210715.conn3.txt.gz', 15],
    ['bequant-v2-20210703.conn1.txt.gz', 12],
    ['hitbtc-v2-20210405.txt.gz', 6],
  ] as const)(
    'in %s is seen at the next update of its symbol and repaired by a snapshot',
    async (file, drops) => {
      const loaded = await load(file);
      const updates = loaded.books.flatMap((event, index) => (event?.kind === 'bookUpdate' ? [index] : []));
      const repairable = beforeSnapshot(loaded, updates).slice(0, 12);
      const random = new Random(`${seed} ${file}`);
      const results: Record<Result, number> = { repaired: 0, resynced: 0, unseen: 0 };
      for (const at of repairable) results[checkDrop(loaded, at)] += 1;
      expect(results.repaired).toBe(repairable.length);
      for (let i = 0; i < drops; i++) results[checkDrop(loaded, random.pick(updates))] += 1;
      process.stderr.write(`${file}: seed ${JSON.stringify(seed)}, ${JSON.stringify(results)}\n`);
      expect(results.resynced).toBeGreaterThan(0);
      expect(repairable.length > 0).toBe(file.includes('20210715'));
    },
  );

  test('in the v3 recording is seen at the next update of its symbol', async () => {
    const loaded = await load('fmfw-v3-20211009.partA.txt.gz');
    const updates = loaded.books.flatMap((event, index) => (event?.kind === 'bookUpdate' ? [index] : []));
    const random = new Random(`${seed} v3`);
    let seen = 0;
    for (let i = 0; i < 30; i++) {
      const dropped = random.pick(updates);
      const lost = loaded.books[dropped] as BookUpdate;
      const next = loaded.books.find(
        (event, at) => at > dropped && isBook(event) && event.instrument === lost.instrument,
      ) as BookUpdate | undefined;
      const stale = replay(loaded, lost.instrument, dropped).filter((event) => event.kind === 'bookStale');
      expect(stale).toMatchObject(
        next === undefined ? [] : [{ reason: 'gap', expected: lost.sequence, found: next.sequence }],
      );
      if (next !== undefined) seen += 1;
    }
    expect(seen).toBeGreaterThan(20);
  });
});
