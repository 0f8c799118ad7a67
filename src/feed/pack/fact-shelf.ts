import { fail } from '../../base/assert.ts';
import type { BookSnapshot, BookUpdate } from '../../model/event.ts';
import { levelStride } from '../../model/level-arena.ts';

/** So many levels stay in the second cache with everything else. */
const chunkLevels = 8_192;
/** More chunks than this are not kept: what waits to be heard is far ahead of the clock. */
const chunksMax = 256;

/** An event about a book that may be written again. Events of trades are not: each would keep its trades alive. */
export type BookForm = {
  -readonly [Key in keyof (BookUpdate | BookSnapshot)]: (BookUpdate | BookSnapshot)[Key];
};

interface Chunk {
  readonly levels: Float64Array;
  /** Events that point into it: the first `booksUsed` say what it holds, the others may be written. */
  readonly books: BookForm[];
  booksUsed: number;
  /** The batch that was last put in. */
  batch: number;
  /** The latest time of any event in it. */
  until: number;
}

/**
 * Arrays for the levels of books, and the events that point into them, used again once everybody has heard what stood in
 * them: the events of one batch are heard when the next one is asked for and `heard` answers a time behind all of theirs.
 */
export class FactShelf {
  readonly #heard: () => number;
  /** Oldest first; the last is the one being filled. */
  readonly #chunks: Chunk[] = [];
  #batch = 0;

  constructor(heard: () => number) {
    this.#heard = heard;
  }

  /** The next batch begins. */
  turn(): void {
    this.#batch += 1;
  }

  /** An array with room for at least `length` numbers. */
  take(length: number): Float64Array {
    const oldest = this.#chunks[0];
    const isFree =
      oldest !== undefined &&
      oldest.batch < this.#batch &&
      oldest.until < this.#heard() &&
      oldest.levels.length >= length;
    if (oldest !== undefined && (isFree || this.#chunks.length >= chunksMax)) this.#chunks.shift();
    const levels = isFree ? oldest.levels : new Float64Array(Math.max(length, chunkLevels * levelStride));
    const books = isFree ? oldest.books : [];
    const until = Number.NEGATIVE_INFINITY;
    this.#chunks.push({ levels, books, booksUsed: 0, batch: this.#batch, until });
    return levels;
  }

  /** An event to be written, of these times, for what was put into the array taken last; `undefined`: make one, and keep it. */
  book(exchangeTime: number, receiveTime: number): BookForm | undefined {
    const chunk = this.#last;
    this.#fill(chunk, exchangeTime, receiveTime);
    chunk.booksUsed += 1;
    return chunk.booksUsed > chunk.books.length ? undefined : chunk.books[chunk.booksUsed - 1];
  }

  keepBook(event: BookForm): void {
    this.#last.books.push(event);
  }

  #fill(chunk: Chunk, exchangeTime: number, receiveTime: number): void {
    chunk.batch = this.#batch;
    if (exchangeTime > chunk.until) chunk.until = exchangeTime;
    if (receiveTime > chunk.until) chunk.until = receiveTime;
  }

  get #last(): Chunk {
    return this.#chunks[this.#chunks.length - 1] ?? fail('nothing was taken from a shelf');
  }
}
