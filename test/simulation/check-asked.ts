import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Instruments } from '../../src/core/model/instrument.ts';
import type { StateView } from '../../src/core/state/view.ts';
import { bookFrames, bookRequest } from './book-frames.ts';
import type { Breaches } from './breaches.ts';

export interface AskedCheckParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly instruments: Instruments;
  /** Symbols whose books are followed. */
  readonly symbols: readonly string[];
  /** Whether the trader has an open connection for market data. */
  readonly isOpen: () => boolean;
}

/** So long after a connection its books are asked for. */
const askedMax = 6_000_000;
/** So long the snapshot of a book that was sound is waited for before it is asked for again: five seconds, and what the gate takes. */
const snapshotMax = 9_000_000;
/** A book that has gone on for so long since its snapshot is sound: no pause is made before it is asked for again. */
const soundMin = 3_000_000;
/** An attempt that was given up before that time has not failed. */
const attemptMin = 4_500_000;
/** So many updates that follow one another a live book may leave out: those that a snapshot may have held, and those of a book that has gone on. */
const joiningMax = 24;
const joinedMax = 8;

interface Asked {
  /** When it was asked for on this connection last; `undefined`: it was not. */
  at: number | undefined;
  /** Its snapshot has come since. */
  has: boolean;
  /** Updates in a row that follow one another and that the book did not take. */
  run: number;
  last: number;
  shown: number;
  isJoined: boolean;
  basedAt: number;
  liveTo: number;
  /** It was sound on the connection before, and no attempt has failed since. */
  isSound: boolean;
}

/** The books of each connection are asked for, again where no snapshot comes, and take in what follows. By the frames alone: I8, I26. */
export class AskedCheck {
  readonly #parts: AskedCheckParts;
  #connectedAt = 0;
  #books = new Map<string, Asked>();
  #process: unknown;

  constructor(parts: AskedCheckParts) {
    this.#parts = parts;
  }

  connects(): void {
    const now = this.#parts.time.now();
    this.#connectedAt = now;
    const before = this.#books;
    const anew = {
      at: undefined,
      has: false,
      run: 0,
      last: 0,
      shown: 0,
      isJoined: false,
      basedAt: 0,
      liveTo: 0,
    };
    this.#books = new Map(
      this.#parts.symbols.map((symbol) => [symbol, { ...anew, isSound: isSound(before.get(symbol), now) }]),
    );
  }

  /** A frame leaves on the market socket. */
  sent(text: string): void {
    for (const symbol of bookRequest(text, 'subscribe')?.symbols ?? []) {
      const book = this.#books.get(symbol);
      if (book === undefined) continue;
      // Only of the first attempt it is known when the next one is due.
      if (book.at !== undefined) book.isSound = false;
      book.at = this.#parts.time.now();
      book.has = false;
    }
    // It is asked for again once the answer to this is there.
    for (const symbol of bookRequest(text, 'unsubscribe')?.symbols ?? []) {
      const book = this.#books.get(symbol);
      if (book !== undefined) book.isSound = false;
    }
  }

  /** A frame of the market socket is about to reach the trader. */
  arrives(text: string): void {
    // What is refused is asked for again after a pause.
    if (text.includes('"error":{')) for (const book of this.#books.values()) book.isSound = false;
    for (const { isSnapshot, symbol, sequence } of bookFrames(text)) {
      const book = this.#books.get(symbol);
      if (book === undefined) continue;
      if (isSnapshot)
        Object.assign(book, {
          has: true,
          run: 0,
          isJoined: false,
          shown: sequence,
          basedAt: this.#parts.time.now(),
        });
      else book.run = sequence === book.last + 1 ? book.run + 1 : 1;
      book.last = sequence;
    }
  }

  afterStep(view: StateView): void {
    const { time, breaches, instruments, isOpen } = this.#parts;
    // A connection of an earlier process went with it.
    if (this.#process !== view) this.#books.clear();
    this.#process = view;
    if (this.#books.size === 0 || !isOpen()) return;
    const now = time.now();
    for (const [symbol, book] of this.#books) {
      const { id } = instruments.get(symbol);
      const { status, sequence } = view.book(id);
      if (status === 'live') book.liveTo = now;
      if (status !== 'live' || sequence !== book.shown) {
        book.isJoined = status === 'live' && (book.isJoined || book.run > 0);
        Object.assign(book, { run: 0, shown: sequence });
      } else if (book.run > (book.isJoined ? joinedMax : joiningMax))
        breaches.add(
          'I8',
          `the book of ${symbol} is called live at ${sequence}, and ${book.run} updates in a row have passed it`,
        );
      // Of a symbol that is not traded nothing is asked for.
      if (view.status(id) !== 'working') book.at = book.at === undefined ? undefined : now;
      else if (book.at === undefined && now - this.#connectedAt > askedMax)
        breaches.add('I26', `the book of ${symbol} was not asked for on a new connection`);
      else if (book.isSound && book.at !== undefined && !book.has && now - book.at > snapshotMax)
        breaches.add(
          'I26',
          `the snapshot of ${symbol} did not come for ${(now - book.at) / 1_000} ms, and it was not asked for again`,
        );
    }
  }
}

/** Whether a book was sound on a connection that another one takes the place of. */
function isSound(book: Asked | undefined, now: number): boolean {
  if (book === undefined) return false;
  if (book.has) return book.isJoined && book.liveTo - book.basedAt > soundMin;
  return book.isSound && (book.at === undefined || now - book.at < attemptMin);
}
