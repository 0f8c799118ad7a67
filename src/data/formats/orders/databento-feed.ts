import { BadInput } from '../../../core/base/errors.ts';
import type { Instrument, Ticks } from '../../../core/model/instrument.ts';
import type { Side } from '../../../core/model/order.ts';
import { OrderLevels } from '../order-levels.ts';
import { OrderTape } from '../order-tape.ts';

/** What is known of one instrument of a DBN file while it is read. */
export interface Feed {
  readonly instrument: Instrument;
  readonly orders: OrderLevels;
  readonly tape: OrderTape;
  sequence: number;
  trades: number;
  lastTrade: Ticks | undefined;
  lastSide: Side;
  /** Whether orders changed since the last event of the book. */
  isTouched: boolean;
  /** Whether the next event of the book tells all of it: at the start and after a clear. */
  isWhole: boolean;
  /** Whether the records that rebuild a book are still coming. */
  isRebuilding: boolean;
  exchangeTime: number;
  receiveTime: number;
}

/** A feed of which nothing was told yet; its orders are numbered from `firstOrder` on. */
function newFeed(instrument: Instrument, firstOrder: number): Feed {
  const tape = new OrderTape(firstOrder);
  return {
    instrument,
    orders: new OrderLevels(tape),
    tape,
    sequence: 0,
    trades: 0,
    lastTrade: undefined,
    lastSide: 'buy',
    isTouched: false,
    isWhole: true,
    isRebuilding: false,
    exchangeTime: 0,
    receiveTime: 0,
  };
}

/** The feeds of one file, by instrument id; of one symbol there is one, which goes from id to id. */
export class Feeds {
  readonly #byId = new Map<number, Feed>();
  /** Ids that another one of their symbol has followed. */
  readonly #over = new Set<number>();
  readonly #path: string;
  readonly #firstOrder: number;
  readonly #ended: (feed: Feed) => void;

  /** `ended` hears of a feed whose id is followed by another, before its book is emptied. */
  constructor(path: string, firstOrder: number, ended: (feed: Feed) => void) {
    this.#path = path;
    this.#firstOrder = firstOrder;
    this.#ended = ended;
  }

  all(): Iterable<Feed> {
    return new Set(this.#byId.values());
  }

  /** Throws `BadInput` when an id comes again that was followed. */
  of(id: number, instrument: Instrument): Feed {
    let feed = this.#byId.get(id);
    if (feed === undefined) {
      feed = this.#follow(instrument) ?? newFeed(instrument, this.#firstOrder);
      this.#byId.set(id, feed);
    } else if (this.#over.size > 0 && this.#over.has(id)) {
      throw new BadInput(
        `${this.#path}: expected the instruments of ${instrument.symbol} one behind the other, found ${id} again; fetch them by raw symbols`,
      );
    }
    return feed;
  }

  #follow(instrument: Instrument): Feed | undefined {
    let found: Feed | undefined;
    for (const [id, feed] of this.#byId) {
      if (feed.instrument !== instrument) continue;
      found = feed;
      this.#over.add(id);
    }
    if (found === undefined) return undefined;
    this.#ended(found);
    found.orders.clear();
    found.isWhole = true;
    return found;
  }
}
