import type { Micros } from '../../core/base/clock.ts';
import type { BookSnapshot, BookUpdate, Event, MarketEvent } from '../../core/model/event.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import { isPackable } from '../pack/index.ts';

/** Most events that a source that owns no book may be ahead of the owner. */
const aheadMax = 1_024;

type BookEvent = BookSnapshot | BookUpdate;

/** The book of an instrument in one source. */
interface Follower {
  /** Whether it came whole and without a gap since. */
  isLive: boolean;
  last: number;
  /** Events of one that is not the owner which the owner has not. */
  ahead: BookEvent[];
}

interface BookOwner {
  source: number;
  isLive: boolean;
  last: number;
  lastTime: Micros;
}

/**
 * One source per instrument and kind of message, where several sockets carried the same feed: the first that has it
 * owns it, the others are left out. When the owner of a book ends, another that is as far goes on with it; where there
 * is none the book is stale, until the next whole one takes over.
 */
export class FeedOwners {
  /** Owners by kind (and period) and instrument. */
  readonly #owners = new Map<string, number>();
  readonly #books = new Map<InstrumentId, BookOwner>();
  readonly #followers = new Map<InstrumentId, Map<number, Follower>>();
  readonly #running: Set<number>;

  /** `sources` is how many there are. */
  constructor(sources: number) {
    this.#running = new Set(Array.from({ length: sources }, (_, source) => source));
  }

  /** Whether `event` of `source` belongs in the common stream. */
  keep(event: Event, source: number): boolean {
    if (!isPackable(event)) return true;
    if (event.kind === 'bookSnapshot' || event.kind === 'bookUpdate') return this.#keepBook(event, source);
    if (event.kind === 'bookStale') return this.#keepStale(event, source);
    const feed = feedOf(event);
    const owner = this.#owners.get(feed);
    if (owner === undefined) this.#owners.set(feed, source);
    return owner === undefined || owner === source;
  }

  /** `source` has nothing more to say. Answers what goes on from others, or that its books are stale. */
  release(source: number): readonly Event[] {
    this.#running.delete(source);
    for (const [feed, owner] of this.#owners) if (owner === source) this.#owners.delete(feed);
    for (const followers of this.#followers.values()) followers.delete(source);
    const events: Event[] = [];
    for (const [instrument, owner] of this.#books) {
      if (owner.source !== source) continue;
      this.#books.delete(instrument);
      // Where all end, nothing comes for which a book could be too old.
      if (owner.isLive && this.#running.size > 0) events.push(...this.#handOver(instrument, owner));
    }
    return events;
  }

  #keepBook(event: BookEvent, source: number): boolean {
    const isWhole = event.kind === 'bookSnapshot';
    let owner = this.#books.get(event.instrument);
    if (owner === undefined) {
      if (!isWhole) return false;
      owner = { source, isLive: true, last: event.sequence, lastTime: event.receiveTime };
      this.#books.set(event.instrument, owner);
      return true;
    }
    if (owner.source !== source) {
      this.#followBook(event, owner, source);
      return false;
    }
    // One that took over may have been behind.
    if (!isWhole && event.sequence <= owner.last) return false;
    owner.isLive = true;
    owner.last = event.sequence;
    owner.lastTime = event.receiveTime;
    return true;
  }

  #keepStale(event: MarketEvent, source: number): boolean {
    const owner = this.#books.get(event.instrument);
    if (owner !== undefined && owner.source !== source) {
      this.#followers.get(event.instrument)?.delete(source);
      return false;
    }
    if (owner !== undefined) owner.isLive = false;
    return true;
  }

  #followBook(event: BookEvent, { last }: BookOwner, source: number): void {
    let followers = this.#followers.get(event.instrument);
    if (followers === undefined) {
      followers = new Map();
      this.#followers.set(event.instrument, followers);
    }
    let follower = followers.get(source);
    if (follower === undefined || event.kind === 'bookSnapshot') {
      follower = { isLive: event.kind === 'bookSnapshot', last: 0, ahead: [] };
      followers.set(source, follower);
    }
    follower.last = event.sequence;
    const known = follower.ahead.findIndex(({ sequence }) => sequence > last);
    if (known !== 0) follower.ahead = known < 0 ? [] : follower.ahead.slice(known);
    if (event.sequence > last) follower.ahead.push(event);
    // So far ahead it is no copy of the owner.
    if (follower.ahead.length > aheadMax) followers.delete(source);
  }

  /** The first of the others that is live and as far as `owner` was takes over, with what it has beyond that. */
  #handOver(instrument: InstrumentId, owner: BookOwner): readonly Event[] {
    for (const [source, { isLive, last, ahead }] of this.#followers.get(instrument) ?? []) {
      const beyond = ahead.filter(({ sequence }) => sequence > owner.last);
      const [first] = beyond;
      const isWhole = first === undefined ? last <= owner.last : first.kind === 'bookSnapshot';
      if (!isLive || !(isWhole || first?.sequence === owner.last + 1)) continue;
      this.#followers.get(instrument)?.delete(source);
      const events = beyond.map((event) => ({
        ...event,
        receiveTime: later(event.receiveTime, owner.lastTime),
      }));
      const lastTime = events.at(-1)?.receiveTime ?? owner.lastTime;
      this.#books.set(instrument, { source, isLive: true, last: Math.max(last, owner.last), lastTime });
      return events;
    }
    const at = { exchangeTime: owner.lastTime, receiveTime: owner.lastTime };
    return [{ kind: 'bookStale', instrument, reason: 'disconnected', expected: 0, found: 0, ...at }];
  }
}

function feedOf(event: MarketEvent): string {
  const period = event.kind === 'candles' ? (event.candles[0]?.period ?? '') : '';
  return `${event.kind} ${period} ${event.instrument}`;
}

function later(one: Micros, other: Micros): Micros {
  return one > other ? one : other;
}
