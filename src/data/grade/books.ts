import type { Micros } from '../../core/base/clock.ts';
import { Book, ringsOfOwner } from '../../core/book/book.ts';
import type { BookSnapshot, BookStale, BookUpdate } from '../../core/model/event.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';

/** Faults of the books of a recording. */
export interface BooksGrade {
  /** Books seen: one for each instrument with a snapshot. */
  readonly books: number;
  /** Times a book stood crossed (best bid above best ask) or locked (equal), and for how long in all. */
  readonly crossed: number;
  readonly crossedMicros: number;
  readonly locked: number;
  readonly lockedMicros: number;
  /** The time of all books together that `crossedMicros` is a part of. */
  readonly bookMicros: number;
  readonly sequenceGaps: number;
  /** Books that a checksum of the venue, or a message that cannot be read, showed to be wrong. */
  readonly damaged: number;
  /** Other reasons for which a book was stale. */
  readonly stale: number;
}

type Meeting = 'apart' | 'locked' | 'crossed';

interface Watched {
  readonly book: Book;
  meeting: Meeting;
  since: Micros;
  last: Micros;
  /** When it was last disconnected, until its next event. */
  brokenOff: Micros | undefined;
}

/** A disconnection so close to the end of a recording is the end of the recording. */
const endMicros = 1_000_000;

/** Folds the books and watches whether their sides meet. Time is counted by receive time, while a book is live. */
export class BooksCollector {
  readonly #watched: (Watched | undefined)[] = [];
  #crossed = 0;
  #crossedMicros = 0;
  #locked = 0;
  #lockedMicros = 0;
  #bookMicros = 0;
  #sequenceGaps = 0;
  #damaged = 0;
  #stale = 0;
  readonly #takeRing = ringsOfOwner();

  add(event: BookSnapshot | BookUpdate | BookStale): void {
    const watched = (this.#watched[event.instrument] ??= this.#watch(event.instrument, event.receiveTime));
    const { book } = watched;
    const wasLive = book.status === 'live';
    if (wasLive) this.#bookMicros += event.receiveTime - watched.last;
    watched.last = event.receiveTime;
    if (watched.brokenOff !== undefined) this.#stale += 1;
    watched.brokenOff = undefined;
    book.apply(event);
    if (event.kind === 'bookStale') {
      if (event.reason === 'gap') this.#sequenceGaps += 1;
      else if (event.reason === 'malformed') this.#damaged += 1;
      else if (event.reason === 'disconnected') watched.brokenOff = event.receiveTime;
      else this.#stale += 1;
      this.#meet(watched, 'apart', event.receiveTime);
      return;
    }
    if (book.status !== 'live') return;
    const bid = book.bestBid;
    const ask = book.bestAsk;
    const met =
      bid === undefined || ask === undefined || bid < ask ? 'apart' : bid === ask ? 'locked' : 'crossed';
    this.#meet(watched, met, event.receiveTime);
  }

  /** `end`: the time of the last event of all. */
  result(end: number): BooksGrade {
    let lost = 0;
    for (const watched of this.#watched) {
      if (watched === undefined) continue;
      this.#meet(watched, 'apart', watched.last);
      if (watched.brokenOff !== undefined && end - watched.brokenOff > endMicros) lost += 1;
    }
    return {
      books: this.#watched.filter((one) => one !== undefined).length,
      crossed: this.#crossed,
      crossedMicros: this.#crossedMicros,
      locked: this.#locked,
      lockedMicros: this.#lockedMicros,
      bookMicros: this.#bookMicros,
      sequenceGaps: this.#sequenceGaps,
      damaged: this.#damaged,
      stale: this.#stale + lost,
    };
  }

  #watch(instrument: InstrumentId, time: Micros): Watched {
    const book = new Book(instrument, { ladder: 'auto', takeRing: this.#takeRing });
    return { book, meeting: 'apart', since: time, last: time, brokenOff: undefined };
  }

  #meet(watched: Watched, meeting: Meeting, time: Micros): void {
    if (meeting === watched.meeting) return;
    if (watched.meeting === 'crossed') this.#crossedMicros += time - watched.since;
    if (watched.meeting === 'locked') this.#lockedMicros += time - watched.since;
    if (meeting === 'crossed') this.#crossed += 1;
    if (meeting === 'locked') this.#locked += 1;
    watched.meeting = meeting;
    watched.since = time;
  }
}
