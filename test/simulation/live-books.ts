import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Instrument, Instruments } from '../../src/core/model/instrument.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { BookTruth } from './check-books.ts';
import type { SimExchange } from './sim-exchange.ts';
import type { Weather } from '../../src/app/virtual/weather.ts';

export interface LiveBooksParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly instruments: Instruments;
  readonly exchange: SimExchange;
  readonly books: BookTruth;
  /** Of the process that runs, if one does. */
  readonly view: () => StateView | undefined;
  /** Since when no fault has stood in the way, true time; `undefined`: one does. */
  readonly fairSince: () => number | undefined;
  readonly weather: () => Weather;
}

/** So long a book may be called live whose sides meet: two seconds, and a margin for the roads. */
const crossedMax = 3_000_000;
/** So long after a refused subscription its book may be out of use: ten seconds, and a new connection's way. */
const backMax = 12_000_000;
/** So long after connections were refused, or broke again, the pause before the next one is longer than usual. */
const pauseMax = 60_000_000;

/** So long at most a book that was live is out of use where nothing stands in the way: snapshot, back-off and a new connection. */
const downMax = 30_000_000;
/** So long at most a live book may show the same update while later ones arrive. */
const standsMax = 10_000_000;

interface Refusal {
  readonly process: unknown;
  readonly at: number;
}

/** Looks at the books that the trader calls live, by what the exchange itself holds (I8), and at those that it must have back (I26). */
export class LiveBooks {
  readonly #parts: LiveBooksParts;
  /** Since when the sides of a live book have met, or stood beyond those of the exchange. */
  readonly #crossed = new Map<string, number>();
  /** The subscriptions that were refused, by symbol, until their book is live. */
  readonly #refused = new Map<string, Refusal>();

  /** Since when a book that was live in the present process is not, by symbol; 0: it is. */
  readonly #down = new Map<string, Refusal>();
  /** Since when a live book shows the same update, by symbol. */
  readonly #stands = new Map<string, { readonly sequence: number; readonly at: number }>();

  constructor(parts: LiveBooksParts) {
    this.#parts = parts;
  }

  /** The venue refuses the subscription of a book, or its end: it must be live again soon. */
  refused(symbol: string): void {
    const { time, view } = this.#parts;
    if (!this.#refused.has(symbol)) this.#refused.set(symbol, { process: view(), at: time.now() });
  }

  afterStep(view: StateView): void {
    for (const instrument of this.#parts.instruments.all) {
      this.#checkSides(instrument, view);
      this.#checkBack(instrument, view);
      this.#checkDown(instrument, view);
      this.#checkStands(instrument, view);
    }
  }

  /** I26: a book that is out of use comes back by itself. */
  #checkDown({ id, symbol }: Instrument, view: StateView): void {
    const { time, breaches, fairSince } = this.#parts;
    const now = time.now();
    const row = this.#down.get(symbol);
    if (view.book(id).status === 'live') {
      if (row?.process !== view || row.at !== 0) this.#down.set(symbol, { process: view, at: 0 });
      return;
    }
    if (row?.process !== view) return;
    const from = Math.max(row.at === 0 ? now : row.at, fairSince() ?? now);
    if (row.at === 0 || !this.#canConnect(from)) this.#down.set(symbol, { process: view, at: now });
    else if (now - from > downMax)
      breaches.add('I26', `the book of ${symbol} was live, and has not been for ${(now - from) / 1_000} ms`);
  }

  /** I8: a live book takes in what arrives. */
  #checkStands({ id, symbol }: Instrument, view: StateView): void {
    const { time, breaches, exchange, books } = this.#parts;
    const now = time.now();
    const { status, sequence } = view.book(id);
    const isWhole = sequence === exchange.world.core.market(id).book.sequence;
    if (status !== 'live' || isWhole || !books.isPrompt(symbol, now)) {
      this.#stands.delete(symbol);
      return;
    }
    const known = this.#stands.get(symbol);
    if (known?.sequence !== sequence) this.#stands.set(symbol, { sequence, at: now });
    else if (now - known.at > standsMax)
      breaches.add(
        'I8',
        `the book of ${symbol} is called live and has stood at ${sequence} for ${(now - known.at) / 1_000} ms`,
      );
  }

  #checkSides(instrument: Instrument, view: StateView): void {
    const { time, breaches } = this.#parts;
    const { symbol } = instrument;
    const now = time.now();
    if (!this.#isCrossed(instrument, view)) {
      this.#crossed.delete(symbol);
      return;
    }
    const since = this.#crossed.get(symbol) ?? now;
    this.#crossed.set(symbol, since);
    if (now - since > crossedMax)
      breaches.add(
        'I8',
        `the book of ${symbol} is called live and has been crossed for ${(now - since) / 1_000} ms`,
      );
  }

  #isCrossed({ id, symbol }: Instrument, view: StateView): boolean {
    const { exchange, books, time } = this.#parts;
    const book = view.book(id);
    // Of a symbol that is not traded, as far as is known, sides may meet; no order leaves on its book.
    if (book.status !== 'live' || view.status(id) !== 'working') return false;
    const { bestBid = Number.NEGATIVE_INFINITY, bestAsk = Number.POSITIVE_INFINITY } = book;
    if (bestBid >= bestAsk) return true;
    if (!books.isPrompt(symbol, time.now())) return false;
    const truth = exchange.world.core.market(id).book;
    const bid = truth.best('buy')?.price ?? Number.NEGATIVE_INFINITY;
    const ask = truth.best('sell')?.price ?? Number.POSITIVE_INFINITY;
    return bestBid >= ask || bestAsk <= bid;
  }

  #checkBack({ id, symbol }: Instrument, view: StateView): void {
    const refusal = this.#refused.get(symbol);
    if (refusal === undefined) return;
    const { time, breaches, fairSince } = this.#parts;
    const waited = time.now() - refusal.at;
    const isLive = waited > 0 && view.book(id).status === 'live';
    const isFair = this.#canConnect(refusal.at) && (fairSince() ?? Number.POSITIVE_INFINITY) <= refusal.at;
    if (isLive || !isFair || refusal.process !== view) this.#refused.delete(symbol);
    else if (waited > backMax)
      breaches.add(
        'I26',
        `the book of ${symbol} is not live ${waited / 1_000} ms after a subscription was refused`,
      );
  }
  /** Whether the pause before the next connection is short at that time. */
  #canConnect(at: number): boolean {
    const { refusedTo, brokenBefore } = this.#parts.weather().roads.market;
    return Math.max(refusedTo, brokenBefore) <= at - pauseMax;
  }
}
