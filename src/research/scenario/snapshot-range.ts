import { Book } from '../../core/book/book.ts';
import type { BookSnapshot, BookUpdate, Event } from '../../core/model/event.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import { levelStride } from '../../core/model/level-buffer.ts';

/**
 * Lets snapshots of limited depth replace only the range of prices they cover: what is known beyond the worst price of
 * a side stays. The first book of an instrument begins with whatever comes first.
 */
export class SnapshotRange {
  readonly #books = new Map<InstrumentId, Book>();

  /** The event as consumers should see it. Takes every event, in order. */
  take(event: Event): Event {
    if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate' && event.kind !== 'bookStale')
      return event;
    let book = this.#books.get(event.instrument);
    if (book === undefined) {
      book = new Book(event.instrument, { ladder: 'auto' });
      this.#books.set(event.instrument, book);
    }
    let shown = event;
    if (event.kind === 'bookSnapshot' && book.status === 'live') shown = rangeUpdate(book, event);
    else if (event.kind === 'bookUpdate' && book.status === 'empty')
      shown = { ...event, kind: 'bookSnapshot' };
    book.apply(shown);
    return shown;
  }
}

/** The change that leads from `book` to what the snapshot says of its range. */
function rangeUpdate(book: Book, snapshot: BookSnapshot): BookUpdate {
  const named = [new Set<number>(), new Set<number>()];
  let worstBid = Number.POSITIVE_INFINITY;
  let worstAsk = 0;
  for (let at = snapshot.start; at < snapshot.end; at += levelStride) {
    const price = snapshot.levels[at + 1] as number;
    named[snapshot.levels[at] as number]?.add(price);
    if (snapshot.levels[at] === 0) worstBid = Math.min(worstBid, price);
    else worstAsk = Math.max(worstAsk, price);
  }
  const levels: number[] = [];
  book.eachLevel('buy', (price) => {
    if (price < worstBid) return false;
    if (named[0]?.has(price) === false) levels.push(0, price, 0);
    return true;
  });
  book.eachLevel('sell', (price) => {
    if (price > worstAsk) return false;
    if (named[1]?.has(price) === false) levels.push(1, price, 0);
    return true;
  });
  levels.push(...snapshot.levels.subarray(snapshot.start, snapshot.end));
  return { ...snapshot, kind: 'bookUpdate', levels: Float64Array.from(levels), start: 0, end: levels.length };
}
