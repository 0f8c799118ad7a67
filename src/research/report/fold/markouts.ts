import { amountToNumber } from '../../../core/base/amount.ts';
import type { Event } from '../../../core/model/event.ts';
import type { InstrumentId, Instruments } from '../../../core/model/instrument.ts';
import type { BookView } from '../../../core/model/market.ts';
import type { Fill, Side } from '../../../core/model/order.ts';

/** Seconds after a fill at which the market is looked at. */
export const markoutSeconds = [0, 0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300] as const;

/** How the market stood so long after our fills. Positive: it had moved our way. */
export interface Markout {
  readonly seconds: number;
  /** Mean in basis points of the fill price, weighted by what each fill was worth; NaN without any. */
  readonly mean: number;
  /** Standard error of the mean. */
  readonly error: number;
  readonly count: number;
}

export type MarkoutKind = 'all' | 'maker' | 'taker';

interface Sums {
  weight: number;
  weightSquares: number;
  value: number;
  squares: number;
  count: number;
}

/** Fills that wait for a later look; the oldest give way, and are counted as missed. */
const waitingMax = 65_536;

/**
 * Looks at the mid price some time after every fill. A look takes the mid as it stood then, which is the one before the
 * first message that came later; a book that is not live then leaves the fill out of that look.
 */
export class Markouts {
  readonly #instruments: Instruments;
  readonly #book: ((instrument: InstrumentId) => BookView | undefined) | undefined;
  /** Mid (or without a book the last trade) in ticks, kept while a fill waits. */
  readonly #mids: Float64Array;
  /** 1 where the book was live when it was last looked at whole. */
  readonly #live: Uint8Array;
  readonly #times = new Float64Array(waitingMax);
  readonly #prices = new Float64Array(waitingMax);
  /** Signed: positive for buys. In quote currency. */
  readonly #worths = new Float64Array(waitingMax);
  readonly #ids = new Int32Array(waitingMax);
  readonly #takers = new Uint8Array(waitingMax);
  /** How many fills came, and of each look how many were dealt with. */
  #tail = 0;
  readonly #heads: number[] = markoutSeconds.map(() => 0);
  #due = Number.POSITIVE_INFINITY;
  readonly #sums: Readonly<Record<MarkoutKind, readonly Sums[]>> = {
    all: markoutSeconds.map(noSums),
    maker: markoutSeconds.map(noSums),
    taker: markoutSeconds.map(noSums),
  };
  /** Looks that found no price. */
  missed = 0;

  constructor(instruments: Instruments, book?: (instrument: InstrumentId) => BookView | undefined) {
    this.#instruments = instruments;
    this.#book = book;
    this.#live = new Uint8Array(instruments.all.length);
    this.#mids = new Float64Array(instruments.all.length).fill(Number.NaN);
  }

  /** One event, after the books took it. Without a waiting fill this is one comparison. */
  observe(event: Event): void {
    if (this.#due === Number.POSITIVE_INFINITY) return;
    if (event.receiveTime >= this.#due) this.#lookAtFills(event.receiveTime);
    switch (event.kind) {
      case 'bookUpdate':
        // The many: a book that was live stays so, and the two best prices say the rest.
        if (this.#live[event.instrument] === 1) this.#mids[event.instrument] = this.#middle(event.instrument);
        return;
      case 'bookSnapshot':
      case 'bookStale':
        this.#refresh(event.instrument);
        return;
      case 'trades': {
        const last = event.trades.at(-1);
        if (last === undefined || this.#hasBook(event.instrument)) return;
        this.#mids[event.instrument] = last.price;
      }
    }
  }

  /** Mid of a live, uncrossed book in ticks, else NaN. */
  mid(instrument: InstrumentId): number {
    const book = this.#book?.(instrument);
    if (book === undefined || book.status !== 'live' || book.crossed) return Number.NaN;
    const { bestBid, bestAsk } = book;
    return bestBid === undefined || bestAsk === undefined ? Number.NaN : (bestBid + bestAsk) / 2;
  }

  #middle(instrument: InstrumentId): number {
    const book = this.#book?.(instrument);
    const bid = book?.bestBid;
    const ask = book?.bestAsk;
    return bid === undefined || ask === undefined || bid >= ask ? Number.NaN : (bid + ask) / 2;
  }

  #refresh(instrument: InstrumentId): void {
    this.#live[instrument] = this.#book?.(instrument)?.status === 'live' ? 1 : 0;
    this.#mids[instrument] = this.mid(instrument);
  }

  /** A fill of ours, reported at `time`. */
  filled(fill: Fill, side: Side, instrument: InstrumentId, time: number): void {
    for (const [i, head] of this.#heads.entries()) {
      if (this.#tail - head < waitingMax) continue;
      this.#heads[i] = head + 1;
      this.missed += 1;
    }
    const at = this.#tail % waitingMax;
    const worth = amountToNumber(this.#instruments.at(instrument).notional(fill.price, fill.quantity));
    this.#times[at] = time;
    this.#prices[at] = fill.price;
    this.#worths[at] = side === 'buy' ? worth : -worth;
    this.#ids[at] = instrument;
    this.#takers[at] = fill.taker ? 1 : 0;
    this.#tail += 1;
    this.#refresh(instrument);
    if (!this.#hasBook(instrument)) this.#mids[instrument] = fill.price;
    this.#lookAtFills(time);
  }

  /** By seconds, ascending. */
  result(kind: MarkoutKind): readonly Markout[] {
    return this.#sums[kind].map(({ weight, weightSquares, value, squares, count }, i) => {
      const mean = value / weight;
      const variance = Math.max(0, squares / weight - mean * mean);
      return {
        seconds: markoutSeconds[i] as number,
        mean,
        error: Math.sqrt(variance * weightSquares) / weight,
        count,
      };
    });
  }

  #hasBook(instrument: InstrumentId): boolean {
    const book = this.#book?.(instrument);
    return book !== undefined && book.status !== 'empty';
  }

  /** Deals with every look that is due, and finds the next. */
  #lookAtFills(now: number): void {
    let due = Number.POSITIVE_INFINITY;
    for (let i = 0; i < markoutSeconds.length; i++) {
      const span = (markoutSeconds[i] as number) * 1_000_000;
      let head = this.#heads[i] as number;
      while (head < this.#tail) {
        const at = (this.#times[head % waitingMax] as number) + span;
        if (at > now) {
          due = Math.min(due, at);
          break;
        }
        this.#takeLook(i, head % waitingMax);
        head += 1;
      }
      this.#heads[i] = head;
    }
    this.#due = due;
  }

  #takeLook(look: number, at: number): void {
    const price = this.#prices[at] as number;
    const mid = this.#mids[this.#ids[at] as number] as number;
    if (Number.isNaN(mid) || price <= 0) {
      this.missed += 1;
      return;
    }
    const worth = this.#worths[at] as number;
    const gain = ((mid - price) / price) * 10_000 * Math.sign(worth);
    addTo(this.#sums.all[look] as Sums, Math.abs(worth), gain);
    const kind = this.#takers[at] === 1 ? 'taker' : 'maker';
    addTo(this.#sums[kind][look] as Sums, Math.abs(worth), gain);
  }
}

function noSums(): Sums {
  return { weight: 0, weightSquares: 0, value: 0, squares: 0, count: 0 };
}

function addTo(sums: Sums, weight: number, value: number): void {
  sums.weight += weight;
  sums.weightSquares += weight * weight;
  sums.value += weight * value;
  sums.squares += weight * value * value;
  sums.count += 1;
}
