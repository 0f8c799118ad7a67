import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { powersOfTen } from '../../../core/base/scan.ts';
import type { Event } from '../../../core/model/event.ts';
import type { Instrument, Lots, Ticks } from '../../../core/model/instrument.ts';
import { LevelBuffer } from '../../../core/model/level-buffer.ts';
import type { Side } from '../../../core/model/order.ts';
import type { DbnRecord, DbnSink } from './databento-records.ts';
import { badDbnPrice, dbnLast, dbnSnapshot, dbnTypes, isDbnPrice } from './databento-records.ts';
import type { AnomalyCounts } from '../grade-anomaly.ts';
import { counted } from '../grade-anomaly.ts';
import { OrderLevels } from '../order-levels.ts';
import { OrderWriter } from '../order-writer.ts';

/** Needs of the second pass over one file. */
export interface DbnBooksOptions {
  /** Those wanted, by their number in the file. */
  readonly instruments: ReadonlyMap<number, Instrument>;
  readonly counts: AnomalyCounts;
  /** Only named in errors. */
  readonly path: string;
  /** Orders and trades of the file are numbered from here on. */
  readonly firstOrder: number;
}

const priceUnits = 9;

/**
 * The second pass over a DBN file. Orders change levels; the touched levels are published when the exchange says that its
 * event is over (flag "last"). A clear and the orders that rebuild a book become one whole book. Trades are published when
 * they are met, before the change of the book that they cause; fills say which orders lost what to them.
 */
export class DbnBooks implements DbnSink {
  readonly #instruments: ReadonlyMap<number, Instrument>;
  readonly #feeds: Feeds;
  readonly #counts: AnomalyCounts;
  readonly #path: string;
  readonly #firstOrder: number;
  readonly #buffer = new LevelBuffer();
  #events: Event[] = [];
  #receiveTime = 0;

  constructor({ instruments, counts, path, firstOrder }: DbnBooksOptions) {
    this.#instruments = instruments;
    this.#counts = counts;
    this.#path = path;
    this.#firstOrder = firstOrder;
    this.#feeds = new Feeds(path, firstOrder, (feed) => this.#publishBook(feed));
  }

  header(): void {
    return undefined;
  }

  other(): void {
    return undefined;
  }

  record(record: DbnRecord): void {
    const instrument = this.#instruments.get(record.instrument);
    if (instrument === undefined) return;
    const feed = this.#feeds.of(record.instrument, instrument);
    const isRebuild = (record.flags & dbnSnapshot) !== 0;
    if (feed.isRebuilding && !isRebuild) this.#publishBook(feed);
    if (record.receivedMicros < this.#receiveTime) {
      this.#counts.add(
        'rowsOutOfOrder',
        1,
        (count) => `${counted(count, 'record')} captured before the one above it, delivered at its time`,
      );
    } else {
      this.#receiveTime = record.receivedMicros;
    }
    feed.receiveTime = this.#receiveTime;
    // Orders that rebuild a book carry the times they were placed at.
    feed.exchangeTime = Math.min(record.eventMicros, this.#receiveTime);
    if (record.rtype === dbnTypes.mbo) {
      this.#order(feed, record);
      feed.isRebuilding = isRebuild;
      if ((record.flags & dbnLast) !== 0) this.#publishBook(feed);
      return;
    }
    if (record.action === 'T') this.#trade(feed, record);
    if (record.depth > 0) this.#levels(feed, record);
  }

  /** The events made since the last call. */
  takeEvents(): readonly Event[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Orders that rest now, of all instruments. */
  get resting(): number {
    let sum = 0;
    for (const { orders } of this.#feeds.all()) sum += orders.size;
    return sum;
  }

  /** Emits what no flag has ended. */
  endMessages(): readonly Event[] {
    for (const feed of this.#feeds.all()) this.#publishBook(feed);
    return this.takeEvents();
  }

  #order(feed: Feed, record: DbnRecord): void {
    const { orders } = feed;
    const { orderId, action } = record;
    const side = record.side === 'A' ? 1 : 0;
    switch (action) {
      case 'A':
        if (orders.add(orderId, side, this.#ticks(feed, record, record.price), record.size) === 'known') {
          this.#counts.add(
            'repeatedOrders',
            1,
            (count) => `${counted(count, 'order')} placed again under a known id`,
          );
        }
        break;
      case 'C':
        if (orders.reduce(orderId, record.size) === 'unknown') this.#unknown();
        break;
      case 'M':
        if (orders.changeOrder(orderId, this.#ticks(feed, record, record.price), record.size) === 'unknown') {
          this.#unknown();
          orders.add(orderId, side, this.#ticks(feed, record, record.price), record.size);
        }
        break;
      case 'R':
        orders.clear();
        feed.isWhole = true;
        break;
      case 'T':
        this.#trade(feed, record);
        return;
      case 'F':
        if (isTakers(feed, record) || orders.executed(orderId, record.size) === 'unknown') return;
        break;
      default:
        return;
    }
    feed.isTouched = true;
  }

  #unknown(): void {
    this.#counts.add(
      'unknownOrders',
      1,
      (count) => `${counted(count, 'change')} of orders that were not placed in the file`,
    );
  }

  #trade(feed: Feed, record: DbnRecord): void {
    const price = this.#ticks(feed, record, record.price);
    feed.trades += 1;
    const tradeId = String(this.#firstOrder - 1 + feed.trades);
    const side = this.#sideOf(feed, record.side, price);
    feed.lastTrade = price;
    feed.lastSide = side;
    feed.taker = { side: record.side, order: record.orderId, eventMicros: record.eventMicros };
    const time = feed.exchangeTime as Micros;
    this.#events.push({
      kind: 'trades',
      instrument: feed.instrument.id,
      snapshot: false,
      trades: [{ tradeId, price, quantity: record.size as Lots, side, time }],
      exchangeTime: time,
      receiveTime: feed.receiveTime as Micros,
    });
  }

  /** The side of who came last: B bought, A sold; where the venue does not say, by the move of the price. */
  #sideOf(feed: Feed, letter: string, price: Ticks): Side {
    if (letter === 'B') return 'buy';
    if (letter === 'A') return 'sell';
    if (feed.lastTrade === undefined || price === feed.lastTrade) return feed.lastSide;
    return price > feed.lastTrade ? 'buy' : 'sell';
  }

  /** A record of market by price carries all levels there are: each is a whole book. */
  #levels(feed: Feed, record: DbnRecord): void {
    this.#buffer.beginMessage();
    for (let level = 0; level < record.depth; level++) {
      const at = level * 4;
      for (const side of [0, 1] as const) {
        const price = record.levels[at + side] as number;
        const size = record.levels[at + 2 + side] as number;
        if (!Number.isNaN(price) && size > 0) this.#buffer.push(side, this.#ticks(feed, record, price), size);
      }
    }
    feed.sequence += 1;
    this.#push(feed, 'bookSnapshot');
  }

  #publishBook(feed: Feed): void {
    feed.isRebuilding = false;
    if (!feed.isTouched) return;
    feed.isTouched = false;
    feed.sequence += 1;
    this.#buffer.beginMessage();
    if (feed.isWhole) {
      feed.orders.fill(this.#buffer);
      feed.orders.writeAll();
    } else feed.orders.drain(this.#buffer);
    this.#push(feed, feed.isWhole ? 'bookSnapshot' : 'bookUpdate', feed.writer.take());
    feed.isWhole = false;
  }

  #push(feed: Feed, kind: 'bookSnapshot' | 'bookUpdate', orders?: Float64Array): void {
    this.#events.push({
      kind,
      instrument: feed.instrument.id,
      sequence: feed.sequence,
      levels: this.#buffer.chunk,
      start: this.#buffer.start,
      end: this.#buffer.end,
      exchangeTime: feed.exchangeTime as Micros,
      receiveTime: feed.receiveTime as Micros,
      ...(orders === undefined ? {} : { orders }),
    });
  }

  /** Prices come in units of 10^-9; the instrument's grid divides them all unless a tick was given that does not. */
  #ticks(feed: Feed, record: DbnRecord, price: number): Ticks {
    const { instrument } = feed;
    if (!Number.isNaN(price) && !isDbnPrice(price)) throw badDbnPrice(this.#path, record.number, price);
    const unit = powersOfTen[priceUnits - instrument.priceDecimals] ?? Number.NaN;
    const ticks = price % unit === 0 ? instrument.ticksOfUnits(price / unit) : (Number.NaN as Ticks);
    if (!Number.isNaN(ticks)) return ticks;
    throw new BadInput(
      `${this.#path}: record ${record.number}: expected a price of ${instrument.symbol} on the tick ${instrument.spec.tickSize}, found ${Number.isNaN(price) ? 'none' : price / 1e9}`,
    );
  }
}

/**
 * Whether a fill is that of the order that took, and not of one that was taken: takers that had rested have a fill record of
 * their own, on the side of their trade. Source: Databento, "MBO snapshot and actions", trade and fill.
 */
function isTakers({ taker }: Feed, { side, orderId, eventMicros }: DbnRecord): boolean {
  if (taker?.eventMicros !== eventMicros) return false;
  return side === taker.side ? side !== 'N' : orderId !== 0n && orderId === taker.order;
}

/** State of one instrument of a DBN file while it is read. */
export interface Feed {
  readonly instrument: Instrument;
  readonly orders: OrderLevels;
  readonly writer: OrderWriter;
  sequence: number;
  trades: number;
  lastTrade: Ticks | undefined;
  lastSide: Side;
  /** The side that took in the last trade, its order and its time. */
  taker: { readonly side: string; readonly order: bigint; readonly eventMicros: number } | undefined;
  /** Whether orders changed since the last event of the book. */
  isTouched: boolean;
  /** Whether the next event of the book is a whole book: at the start and after a clear. */
  isWhole: boolean;
  /** Whether the records that rebuild a book are still coming. */
  isRebuilding: boolean;
  exchangeTime: number;
  receiveTime: number;
}

/** A feed without events yet; its orders are numbered from `firstOrder` on. */
function newFeed(instrument: Instrument, firstOrder: number): Feed {
  const writer = new OrderWriter(firstOrder);
  return {
    instrument,
    orders: new OrderLevels(writer),
    writer,
    sequence: 0,
    trades: 0,
    lastTrade: undefined,
    lastSide: 'buy',
    taker: undefined,
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
