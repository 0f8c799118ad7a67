import { Book } from '../book/book.ts';
import type { LadderKind } from '../book/book.ts';
import type { BookSnapshot, BookStale, BookUpdate } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { BookView } from '../model/market.ts';

/** So many books may become rings by themselves: 64 MiB. */
const ringsMax = 64;

/** One book per instrument, made when first needed: most runs touch few of many symbols. */
export class BookStore {
  readonly #books: (Book | undefined)[];
  readonly #ladder: LadderKind;
  #ringsLeft = ringsMax;
  readonly #takeRing = (): boolean => {
    if (this.#ringsLeft === 0) return false;
    this.#ringsLeft -= 1;
    return true;
  };

  constructor(instrumentCount: number, ladder: LadderKind) {
    this.#books = Array.from({ length: instrumentCount });
    this.#ladder = ladder;
  }

  apply(event: BookSnapshot | BookUpdate | BookStale): void {
    (this.#books[event.instrument] ?? this.#make(event.instrument)).apply(event);
  }

  of(instrument: InstrumentId): BookView {
    return this.#books[instrument] ?? this.#make(instrument);
  }

  #make(instrument: InstrumentId): Book {
    const book = new Book(instrument, { ladder: this.#ladder, takeRing: this.#takeRing });
    this.#books[instrument] = book;
    return book;
  }
}
