import type { Micros } from '../../base/clock.ts';
import type { Event, MarketEvent } from '../../model/event.ts';
import type { InstrumentId } from '../../model/instrument.ts';
import { isPackable } from '../pack/pack-block.ts';

interface Owner {
  readonly source: number;
  /** Whether its book was told whole since it took over. */
  hasBook: boolean;
  lastTime: Micros;
}

/**
 * One source per instrument, where several sockets carried the same feed: the first that tells of an instrument owns
 * it, the others are left out. When the owner ends, its books are stale, and the next that speaks takes over, with
 * its book from its next snapshot on.
 */
export class FeedOwners {
  readonly #owners = new Map<InstrumentId, Owner>();

  /** Whether `event`, told by `source`, belongs in the common stream. */
  keep(event: Event, source: number): boolean {
    if (!isPackable(event)) return true;
    let owner = this.#owners.get(event.instrument);
    if (owner === undefined) {
      owner = { source, hasBook: false, lastTime: event.receiveTime };
      this.#owners.set(event.instrument, owner);
    }
    if (owner.source !== source) return false;
    owner.lastTime = event.receiveTime;
    return this.#keepOfOwner(event, owner);
  }

  /** `source` has nothing more to say. Answers what the others must know: its books are stale. */
  release(source: number): readonly Event[] {
    const stale: Event[] = [];
    for (const [instrument, owner] of this.#owners) {
      if (owner.source !== source) continue;
      this.#owners.delete(instrument);
      if (!owner.hasBook) continue;
      stale.push({
        kind: 'bookStale',
        instrument,
        reason: 'disconnected',
        expected: 0,
        found: 0,
        exchangeTime: owner.lastTime,
        receiveTime: owner.lastTime,
      });
    }
    return stale;
  }

  #keepOfOwner(event: MarketEvent, owner: Owner): boolean {
    if (event.kind === 'bookSnapshot') owner.hasBook = true;
    return owner.hasBook || event.kind !== 'bookUpdate';
  }
}
