import { Book } from '../../core/book/book.ts';
import type { Printing, BookProof } from '../recording/index.ts';
import { printPrice, printQuantity } from '../recording/index.ts';
import type { BookSnapshot, BookUpdate } from '../../core/model/event.ts';
import type { Instrument, InstrumentId, Instruments } from '../../core/model/instrument.ts';
import type { LevelBuffer } from '../../core/model/level-buffer.ts';
import { levelStride } from '../../core/model/level-buffer.ts';
import type { Side } from '../../core/model/order.ts';
import type { ChecksumRule, PrintedLevel } from './checksums.ts';
import { isSameChecksum } from './checksums.ts';
import type { BookSide } from './order-levels.ts';
import type { WrittenBook } from './market-writer.ts';

/** The books of a source while it is read: to cut them to the depth the venue keeps, and to prove its checksums. */
export class RebuiltBooks {
  readonly #instruments: Instruments;
  readonly #printing: Printing;
  readonly #rule: ChecksumRule | undefined;
  readonly #books: readonly Book[];
  /** Books with a size that was rounded: no checksum fits them. */
  readonly #doubted = new Set<InstrumentId>();
  #checked = 0;
  #correct = 0;

  constructor(instruments: Instruments, printing: Printing, rule: ChecksumRule | undefined) {
    this.#instruments = instruments;
    this.#printing = printing;
    this.#rule = rule;
    this.#books = instruments.all.map(({ id }) => new Book(id));
  }

  /** Checksums compared so far; absent when the venue sends none. */
  get proof(): BookProof | undefined {
    return this.#checked === 0 ? undefined : { checked: this.#checked, correct: this.#correct };
  }

  /** Whether a message must be folded here at all. */
  isNeeded(book: WrittenBook): boolean {
    return this.#rule !== undefined || book.depth !== undefined;
  }

  /** From now on the checksums of this book are not compared. */
  doubt(instrument: InstrumentId): void {
    this.#doubted.add(instrument);
  }

  apply(event: BookSnapshot | BookUpdate): void {
    this.#books[event.instrument]?.apply(event);
  }

  /** Writes a deletion into the message begun in `buffer` for every level beyond `depth`; whether there was one. */
  cut(instrument: InstrumentId, depth: number | undefined, buffer: LevelBuffer): boolean {
    const book = this.#books[instrument];
    if (book === undefined || depth === undefined) return false;
    const beyond: number[] = [];
    for (const [side, code] of sides) {
      if (book.depth(side) <= depth) continue;
      for (const { price } of book.levels(side, book.depth(side)).slice(depth)) beyond.push(code, price, 0);
    }
    if (beyond.length === 0) return false;
    for (let at = 0; at < beyond.length; at += levelStride) {
      buffer.push(beyond[at] as BookSide, beyond[at + 1] as number, 0);
    }
    book.apply(deletion(book, Float64Array.from(beyond)));
    return true;
  }

  /** Whether the book is the one `checksum` sums up; true when there is nothing to compare. */
  prove(instrument: InstrumentId, checksum: number | undefined): boolean {
    const book = this.#books[instrument];
    if (this.#rule === undefined || checksum === undefined || book === undefined) return true;
    if (this.#doubted.has(instrument)) return true;
    const { levels } = this.#rule;
    const printed = this.#instruments.at(instrument);
    const bids = this.#top(book, 'buy', levels, printed);
    const asks = this.#top(book, 'sell', levels, printed);
    const isRight = isSameChecksum(this.#rule.sum(bids, asks), checksum);
    this.#checked += 1;
    if (isRight) this.#correct += 1;
    return isRight;
  }

  #top(book: Book, side: Side, count: number, instrument: Instrument): readonly PrintedLevel[] {
    return book
      .levels(side, count)
      .map(({ price, quantity }) => [
        printPrice(instrument, price, this.#printing),
        printQuantity(instrument, quantity, this.#printing),
      ]);
  }
}

function deletion(book: Book, levels: Float64Array): BookUpdate {
  const { instrument, sequence, exchangeTime, receiveTime } = book;
  const end = levels.length;
  return { kind: 'bookUpdate', instrument, sequence, levels, start: 0, end, exchangeTime, receiveTime };
}

const sides = [
  ['buy', 0],
  ['sell', 1],
] as const;
