import { assert } from '../base/assert.ts';
import type { Micros } from '../base/clock.ts';
import type { BookSnapshot, BookStale, BookUpdate, StaleReason } from '../model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../model/instrument.ts';
import { levelStride } from '../model/level-buffer.ts';
import type { BookStatus, BookView, Level, UnfitBook } from '../model/market.ts';
import type { Side } from '../model/order.ts';
import type { LadderSide } from './ladder-side.ts';
import { RingSide } from './ring-side.ts';
import { SortedSide } from './sorted-side.ts';

/**
 * `sorted` is small and good for any spread of prices; `ring` is about three times faster and costs 1 MiB a book. `auto`
 * begins sorted and becomes a ring once the book is busy and most of its levels stand near the touch.
 */
export type LadderKind = 'sorted' | 'ring' | 'auto';

export interface BookOptions {
  readonly ladder: LadderKind;
  /** For `auto`: whether one more ring is allowed. Called when a book could use one; always allowed when left out. */
  readonly takeRing?: () => boolean;
}

/** Level changes after which a book on `auto` is checked. */
const busyChanges = 8_192;
/** A ring is worth its memory when at least half of the levels stand so near to the best one, in ticks. */
const nearTicks = 32_768;

/** At most this many books of one owner become rings by themselves: 64 MiB. */
const ringsMax = 64;

/** Allows rings to the books of one owner, up to the most there may be: `takeRing` of `BookOptions`. */
export function ringsOfOwner(): () => boolean {
  let left = ringsMax;
  return () => {
    if (left === 0) return false;
    left -= 1;
    return true;
  };
}

/**
 * The order book of one instrument, folded from its events. Best prices are read in constant time and nothing is
 * allocated per level.
 *
 * A snapshot replaces everything. An update is applied only to a live book: on an empty or stale one it is
 * refused, because its base is not what the venue changed (faults, I10).
 */
export class Book implements BookView {
  readonly instrument: InstrumentId;
  #bids: LadderSide;
  #asks: LadderSide;
  readonly #takeRing: () => boolean;
  /** Level changes until the next look at whether a ring pays; Infinity when there is no check. */
  #untilLook = 0;
  #status: BookStatus = 'empty';
  #sequence = 0;
  #exchangeTime = 0 as Micros;
  #receiveTime = 0 as Micros;
  /** Since when its sides meet, by arrival; -1 while they stand apart. */
  #crossedSince = -1;
  /** Why it is not live, since when; nothing while it is, or was never called anything. */
  #reason: StaleReason | undefined;
  #staleSince = 0 as Micros;

  constructor(instrument: InstrumentId, options: BookOptions = { ladder: 'sorted' }) {
    this.instrument = instrument;
    this.#untilLook = options.ladder === 'auto' ? busyChanges : Number.POSITIVE_INFINITY;
    this.#takeRing = options.takeRing ?? always;
    this.#bids = options.ladder === 'ring' ? new RingSide('bid') : new SortedSide('bid');
    this.#asks = options.ladder === 'ring' ? new RingSide('ask') : new SortedSide('ask');
    // Strategies are handed the book itself: what it holds is private and goes on changing, nothing else can be written.
    Object.freeze(this);
  }

  get status(): BookStatus {
    return this.#status;
  }

  /** Sequence of the last snapshot or update applied; 0 while empty. */
  get sequence(): number {
    return this.#sequence;
  }

  get exchangeTime(): Micros {
    return this.#exchangeTime;
  }

  get receiveTime(): Micros {
    return this.#receiveTime;
  }

  get bestBid(): Ticks | undefined {
    return this.#bids.best;
  }

  get bestBidQuantity(): Lots {
    return this.#bids.bestQuantity;
  }

  get bestAsk(): Ticks | undefined {
    return this.#asks.best;
  }

  get bestAskQuantity(): Lots {
    return this.#asks.bestQuantity;
  }

  get crossed(): boolean {
    return this.#crossedSince >= 0;
  }

  get unfit(): UnfitBook | undefined {
    if (this.#status !== 'live') return this.#reason ?? 'empty';
    return this.#crossedSince < 0 ? undefined : 'crossed';
  }

  get unfitSince(): Micros {
    return this.#status === 'live' ? (Math.max(0, this.#crossedSince) as Micros) : this.#staleSince;
  }

  /**
   * Folds one event of this instrument. Returns whether the levels are now what the venue holds: false for an
   * update that met an empty or stale book (ignored), and for a `bookStale`. After `bookStale` the last known
   * levels stay readable.
   */
  apply(event: BookSnapshot | BookUpdate | BookStale): boolean {
    assert(event.instrument === this.instrument, 'a book was given an event of another instrument');
    if (event.kind === 'bookStale') {
      this.#makeStale(event);
      return false;
    }
    if (event.kind === 'bookSnapshot') {
      this.#bids.clear();
      this.#asks.clear();
      this.#status = 'live';
      this.#reason = undefined;
    } else if (this.#status !== 'live') {
      return false;
    }
    this.#setLevels(event.levels, event.start, event.end);
    this.#sequence = event.sequence;
    this.#exchangeTime = event.exchangeTime;
    this.#receiveTime = event.receiveTime;
    this.#lookAtTouch(event.receiveTime);
    return true;
  }

  /** Forgets everything: as new. */
  clear(): void {
    this.#bids.clear();
    this.#asks.clear();
    this.#status = 'empty';
    this.#sequence = 0;
    this.#exchangeTime = 0 as Micros;
    this.#receiveTime = 0 as Micros;
    this.#crossedSince = -1;
    this.#reason = undefined;
    this.#staleSince = 0 as Micros;
  }

  depth(side: Side): number {
    return this.#ladder(side).size;
  }

  quantityAt(side: Side, price: Ticks): Lots {
    return this.#ladder(side).quantityAt(price);
  }

  levels(side: Side, count: number): readonly Level[] {
    const levels: Level[] = [];
    if (count <= 0) return levels;
    this.#ladder(side).forEach((price, quantity) => levels.push({ price, quantity }) < count);
    return levels;
  }

  /** Visits the levels of a side from the best outwards until `visit` answers false. Allocates nothing. */
  eachLevel(side: Side, visit: (price: Ticks, lots: Lots) => boolean | void): void {
    this.#ladder(side).forEach(visit);
  }

  /** A book that was crossed is out of use since then, whoever says so later. */
  #makeStale({ reason, receiveTime }: BookStale): void {
    if (this.#status === 'live') {
      this.#staleSince = this.#crossedSince < 0 ? receiveTime : (this.#crossedSince as Micros);
      this.#status = 'stale';
    } else if (this.#reason === undefined) {
      this.#staleSince = receiveTime;
    }
    this.#reason = reason;
  }

  #lookAtTouch(time: Micros): void {
    const bid = this.#bids.best;
    const ask = this.#asks.best;
    if (bid === undefined || ask === undefined || bid < ask) {
      if (this.#crossedSince >= 0) this.#crossedSince = -1;
    } else if (this.#crossedSince < 0) {
      this.#crossedSince = time;
    }
  }

  #ladder(side: Side): LadderSide {
    return side === 'buy' ? this.#bids : this.#asks;
  }

  #setLevels(levels: Float64Array, start: number, end: number): void {
    for (let at = start; at < end;) at = (levels[at] === 0 ? this.#bids : this.#asks).setRun(levels, at, end);
    this.#untilLook -= (end - start) / levelStride;
    if (this.#untilLook <= 0) this.#lookAtLevels();
  }

  /** Counts alone decide, so the same events make the same book, in the same memory, in any process. */
  #lookAtLevels(): void {
    this.#untilLook = busyChanges;
    if (!isDense(this.#bids) || !isDense(this.#asks) || !this.#takeRing()) return;
    this.#untilLook = Number.POSITIVE_INFINITY;
    this.#bids = ringOf(this.#bids);
    this.#asks = ringOf(this.#asks);
  }
}

function isDense(side: LadderSide): boolean {
  const { best, size } = side;
  if (best === undefined) return false;
  let near = 0;
  side.forEach((price) => Math.abs(price - best) < nearTicks && (near += 1) > 0);
  return near * 2 >= size;
}

function ringOf(side: LadderSide): RingSide {
  const ring = new RingSide(side.direction);
  side.forEach((price, lots) => {
    ring.set(price, lots);
  });
  return ring;
}

function always(): boolean {
  return true;
}
