import { createHash } from 'node:crypto';
import { Book } from '../../core/book/book.ts';
import type { Event } from '../../core/model/event.ts';
import type { Instrument, InstrumentId, Instruments } from '../../core/model/instrument.ts';
import type { Side } from '../../core/model/order.ts';
import type { Printing } from './printing.ts';
import { printPrice, printQuantity } from './printing.ts';

/** The last state of one book. Prices and sizes are text, exactly as the venue sent them. */
export interface BookState {
  readonly snapshots: number;
  readonly updates: number;
  readonly last_seq: number;
  readonly bids: number;
  readonly asks: number;
  readonly best_bid: readonly [price: string, size: string] | null;
  readonly best_ask: readonly [price: string, size: string] | null;
  /**
   * SHA-256 of one line "b,<price>,<size>" per bid from the highest price down, then "a,<price>,<size>" per ask from
   * the lowest up, each ended by a newline.
   */
  readonly book_sha256: string;
}

interface Folded {
  readonly book: Book;
  snapshots: number;
  updates: number;
}

/** Folds market events into books and gives their last states: what `godwit data books` prints. */
export class BookStates {
  readonly #instruments: Instruments;
  readonly #printing: Printing;
  readonly #folded = new Map<InstrumentId, Folded>();

  /** `printing` is how the venue wrote prices and sizes, so that hashes are those of its own text. */
  constructor(instruments: Instruments, printing: Printing = 'fixed') {
    this.#instruments = instruments;
    this.#printing = printing;
  }

  /** Folds one event; those that are not about a book are passed over. */
  apply(event: Event): void {
    if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate' && event.kind !== 'bookStale') return;
    let folded = this.#folded.get(event.instrument);
    if (folded === undefined) {
      folded = { book: new Book(event.instrument), snapshots: 0, updates: 0 };
      this.#folded.set(event.instrument, folded);
    }
    if (!folded.book.apply(event)) return;
    if (event.kind === 'bookSnapshot') folded.snapshots += 1;
    else folded.updates += 1;
  }

  /** The book of an instrument, or `undefined` when it has no events. */
  bookOf(instrument: InstrumentId): Book | undefined {
    return this.#folded.get(instrument)?.book;
  }

  /** The states by symbol, in alphabetical order. */
  toJSON(): Readonly<Record<string, BookState>> {
    const states = [...this.#folded].map(
      ([id, folded]) => [this.#instruments.at(id).symbol, this.#state(folded)] as const,
    );
    return Object.fromEntries(states.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #state({ book, snapshots, updates }: Folded): BookState {
    const instrument = this.#instruments.at(book.instrument);
    return {
      snapshots,
      updates,
      last_seq: book.sequence,
      bids: book.depth('buy'),
      asks: book.depth('sell'),
      best_bid: best(book, 'buy', instrument, this.#printing),
      best_ask: best(book, 'sell', instrument, this.#printing),
      book_sha256: digestOf(book, instrument, this.#printing),
    };
  }
}

/** The last states of all books of a stream of events. */
export async function foldBookStates(
  instruments: Instruments,
  batches: AsyncIterable<readonly Event[]> | Iterable<readonly Event[]>,
  printing: Printing = 'fixed',
): Promise<BookStates> {
  const states = new BookStates(instruments, printing);
  for await (const batch of batches) for (const event of batch) states.apply(event);
  return states;
}

function best(
  book: Book,
  side: Side,
  instrument: Instrument,
  printing: Printing,
): readonly [string, string] | null {
  const [level] = book.levels(side, 1);
  if (level === undefined) return null;
  return [printPrice(instrument, level.price, printing), printQuantity(instrument, level.quantity, printing)];
}

function digestOf(book: Book, instrument: Instrument, printing: Printing): string {
  const hash = createHash('sha256');
  for (const [side, letter] of [
    ['buy', 'b'],
    ['sell', 'a'],
  ] as const) {
    book.eachLevel(side, (price, lots) => {
      const text = printPrice(instrument, price, printing);
      hash.update(`${letter},${text},${printQuantity(instrument, lots, printing)}\n`);
    });
  }
  return hash.digest('hex');
}
