import type { Micros } from '../../core/base/clock.ts';
import { Book } from '../../core/book/book.ts';
import type { BookSnapshot, BookStale, BookUpdate } from '../../core/model/event.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import { snapshotOf } from '../../sim/index.ts';
import { RecordedOrders, deaf } from '../../sim/fill-models/models.ts';

/** The book of one instrument while a recording is read up to a time, and its single orders where the data have them. */
export class BuiltMarket {
  readonly #book: Book;
  readonly #orders: RecordedOrders | undefined;

  constructor(instrument: InstrumentId, hasOrders: boolean | undefined) {
    this.#book = new Book(instrument, { ladder: 'auto' });
    this.#orders = hasOrders === true ? new RecordedOrders() : undefined;
  }

  apply(event: BookSnapshot | BookUpdate | BookStale): void {
    this.#book.apply(event);
    if (event.kind === 'bookStale' || event.orders === undefined) return;
    if (event.kind === 'bookSnapshot') this.#orders?.snapshot(event.orders, deaf);
    else this.#orders?.update(event.orders, deaf);
  }

  /** The book whole, as of `time`; nothing while it is not live. */
  whole(time: Micros): BookSnapshot[] {
    if (this.#book.status !== 'live') return [];
    const snapshot = snapshotOf(this.#book, time);
    return [this.#orders === undefined ? snapshot : { ...snapshot, orders: this.#orders.whole() }];
  }
}
