import type { Instruments } from '../../src/core/model/instrument.ts';
import type { Level } from '../../src/core/model/market.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { StateView } from '../../src/core/state/view.ts';
import { bookFrames } from './book-frames.ts';
import type { Breaches } from './breaches.ts';
import type { SimExchange } from './sim-exchange.ts';

/** How far a symbol's updates follow one another, as they reach the trader. */
interface Line {
  last: number;
  gapped: boolean;
  /** Levels that are gone were lost on the way, with the sequence unbroken, since the last snapshot. */
  lossy: boolean;
  /** Since when the exchange has published more than has arrived, true time; 0: it has not. */
  behindSince: number;
}

/** So long after a feed has died no order may leave on it any more: ten seconds, and what the roads take. */
const lateMax = 12_000_000;

/** So late updates may come at most: the limit of the controls, and the second that a measured clock may be wrong by. */
const behindMax = 6_000_000;

/** What arrives within that time is what the exchange holds now. */
const promptMax = 500_000;

/** Sequences kept per symbol. */
const keptMax = 400;

/** Compares the trader's books with what the exchange published, and watches for gaps on its own: I8, I10. */
export class BookTruth {
  readonly #breaches: Breaches;
  readonly #instruments: Instruments;
  readonly #lines = new Map<string, Line>();
  readonly #published = new Map<string, Map<number, Set<number>>>();
  readonly #seen: number[] = [];
  /** How old the last update of any book was when it arrived, true time. */
  #lag = 0;
  /** A lie about the book is under way: levels cannot agree. */
  lied = false;
  /** The updates that set out without the levels that are gone, by symbol and sequence. */
  readonly #lossy = new Set<string>();
  #updates = 0;

  constructor(breaches: Breaches, instruments: Instruments) {
    this.#breaches = breaches;
    this.#instruments = instruments;
    for (const { symbol } of instruments.all) {
      this.#lines.set(symbol, { last: 0, gapped: true, lossy: false, behindSince: 0 });
      this.#published.set(symbol, new Map());
    }
  }

  /** Whether what arrives was published too long ago. */
  get isBehind(): boolean {
    return this.#lag > behindMax;
  }

  /** Whether nothing of what was published has arrived for too long. */
  isLate(symbol: string, now: number): boolean {
    const since = this.#lines.get(symbol)?.behindSince ?? 0;
    return since > 0 && now - since > lateMax;
  }

  /** Whether what the exchange has published of a symbol has arrived, give or take a moment. */
  isPrompt(symbol: string, now: number): boolean {
    const since = this.#lines.get(symbol)?.behindSince ?? 0;
    return this.#lag < promptMax && (since === 0 || now - since < promptMax);
  }

  /** An update sets out without the levels that are gone. */
  loses(symbol: string, sequence: number): void {
    this.#lossy.add(`${symbol} ${sequence}`);
  }

  isGapped(symbol: string): boolean {
    return this.#lines.get(symbol)?.gapped !== false;
  }

  /** The exchange may have published. */
  look(exchange: SimExchange, now: number): void {
    const { markets } = exchange.world.core;
    for (let i = 0; i < markets.length; i++) {
      const market = markets[i];
      if (market === undefined || this.#seen[i] === market.book.sequence) continue;
      this.#seen[i] = market.book.sequence;
      const { book, instrument } = market;
      const kept = this.#published.get(instrument.symbol);
      if (kept === undefined) continue;
      const line = this.#lines.get(instrument.symbol);
      if (line !== undefined && line.behindSince === 0) line.behindSince = now;
      const hash = hashOf(book.published(0).bids, book.published(0).asks);
      const known = kept.get(book.sequence);
      if (known === undefined) kept.set(book.sequence, new Set([hash]));
      else known.add(hash);
      if (kept.size > keptMax) kept.delete(kept.keys().next().value as number);
    }
  }

  /** A connection is new: nothing of the one before holds. */
  connects(): void {
    for (const line of this.#lines.values()) line.gapped = true;
  }

  /** A frame is about to reach the trader. */
  arrives(text: string, now: number): void {
    for (const { isSnapshot, symbol, sequence, timeMs } of bookFrames(text)) {
      const lag = now - timeMs * 1_000;
      if (isSnapshot) {
        this.#lag = Math.min(this.#lag, lag);
        this.#lines.set(symbol, { last: sequence, gapped: false, lossy: false, behindSince: 0 });
        continue;
      }
      this.#lag = lag;
      const line = this.#lines.get(symbol);
      if (line === undefined) continue;
      line.behindSince = 0;
      if (this.#lossy.delete(`${symbol} ${sequence}`)) line.lossy = true;
      if (line.gapped || sequence <= line.last) continue;
      if (sequence !== line.last + 1) line.gapped = true;
      line.last = sequence;
    }
  }

  /** Nothing may be called live on a gapped base. */
  afterStep(view: StateView): void {
    for (const { symbol, id } of this.#instruments.all) {
      if (this.isGapped(symbol) && view.book(id).status === 'live')
        this.#breaches.add('I10', `the book of ${symbol} is called live after a gap`);
    }
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    if (event.kind !== 'bookUpdate' && event.kind !== 'bookSnapshot') return;
    this.#updates += 1;
    if (event.kind === 'bookUpdate' && this.#updates % 4 !== 0) return;
    const book = view.book(event.instrument);
    if (book.status !== 'live' || this.lied) return;
    const { symbol } = this.#instruments.at(event.instrument);
    // How long such a book may be trusted is looked at elsewhere.
    if (this.#lines.get(symbol)?.lossy === true) return;
    if (book.crossed) this.#breaches.add('I8', `the book of ${symbol} is crossed`);
    const known = this.#published.get(symbol)?.get(book.sequence);
    if (known === undefined) return;
    if (!known.has(hashOf(book.levels('buy', 10_000), book.levels('sell', 10_000))))
      this.#breaches.add('I8', `the book of ${symbol} at ${book.sequence} is not that of the exchange`);
  }
}

function hashOf(bids: readonly Level[], asks: readonly Level[]): number {
  let hash = 17;
  for (const { price, quantity } of bids) hash = (Math.imul(hash, 31) + price) ^ Math.imul(quantity, 97);
  hash = Math.imul(hash, 31) + 7;
  for (const { price, quantity } of asks) hash = (Math.imul(hash, 31) + price) ^ Math.imul(quantity, 97);
  return hash | 0;
}
