import type { Micros } from '../../core/base/clock.ts';
import type { InstrumentId, Lots, Ticks } from '../../core/model/instrument.ts';
import { assert } from '../../core/base/assert.ts';
import { opposite } from '../../core/model/order.ts';
import type { Desk } from './desk.ts';
import { leftBook } from './ending.ts';
import { activateFired, collectFired } from './entry.ts';
import { watchMargins } from './margin-watch.ts';
import type { OrderBook } from './order-book.ts';
import { keyOf } from './order-book.ts';
import { none } from './order-pool.ts';
import { settle, tell } from './settle.ts';
import type { ToldOutcome } from './told.ts';

const nothing: readonly ToldOutcome[] = [];

/**
 * Quantity and takers that belong to no account: they need no funds, have no ids and are never reported.
 *
 * Whoever uses this keeps its own anonymous quantity in the books directly. Orders of accounts that execute against
 * it pay, are charged and are reported like any others.
 */
export class Outsiders {
  readonly #desk: Desk;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** The book of an instrument: for adding, reducing and removing anonymous quantity, and reading; nothing else. */
  book(instrument: InstrumentId): OrderBook {
    return this.#desk.market(instrument).book;
  }

  /** An outsider takes `quantity` of a resting order of an account, at that order's price. */
  takeFrom(instrument: InstrumentId, handle: number, quantity: Lots, now: Micros): readonly ToldOutcome[] {
    const desk = this.#desk;
    desk.begin(now);
    const market = desk.market(instrument);
    const maker = desk.recordAt(handle);
    const price = maker?.price;
    assert(
      maker?.handle === handle && maker.where === 'book' && price !== undefined,
      'an outsider took from what does not rest',
    );
    const queue = market.book.queue(maker.side);
    const standing = queue.quantityOf(handle);
    assert(quantity > 0 && quantity <= standing, 'an outsider took more than stands there');
    desk.levelNotes.note(market, maker.side, keyOf(maker.side, price));
    if (quantity < standing) {
      queue.reduce(handle, quantity);
    } else {
      queue.remove(handle);
      leftBook(maker);
    }
    const execution = desk.execution(price, quantity);
    settle(desk, maker, execution, false);
    tell(desk, market, opposite(maker.side), execution);
    if (desk.fired.length > 0) activateFired(desk);
    watchMargins(desk);
    return desk.finish();
  }

  /** A trade at `price` happened among outsiders: it is the last price now, and stops may fire. */
  print(instrument: InstrumentId, price: Ticks, now: Micros): readonly ToldOutcome[] {
    const desk = this.#desk;
    const market = desk.market(instrument);
    market.last = price;
    if (market.exposed.size === 0 && market.triggers.due(price) === none) return nothing;
    desk.begin(now);
    if (market.exposed.size > 0) desk.margin.moved.add(market);
    collectFired(desk, market);
    if (desk.fired.length > 0) activateFired(desk);
    watchMargins(desk);
    return desk.finish();
  }
}
