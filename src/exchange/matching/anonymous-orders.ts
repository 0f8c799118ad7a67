import type { Micros } from '../../core/base/clock.ts';
import type { InstrumentId, Lots, Ticks } from '../../core/model/instrument.ts';
import { assert } from '../../core/base/assert.ts';
import { opposite } from '../../core/model/order.ts';
import type { ExchangeState, ExchangeOutcome } from './state/index.ts';
import {
  leftBook,
  activateFired,
  collectFired,
  capOf,
  isReducing,
  settleExecution,
  reportTrade,
} from './execution/index.ts';
import { watchMargins } from './margin/index.ts';
import type { OrderBook } from './book/index.ts';
import { keyOf, none } from './book/index.ts';

const nothing: readonly ExchangeOutcome[] = [];

/**
 * Quantity and takers that belong to no account: they need no funds, have no ids and are never reported.
 *
 * The caller keeps its own anonymous quantity in the books directly. Orders of accounts that execute against
 * it pay, are charged and are reported like any others.
 */
export class AnonymousOrders {
  readonly #exchange: ExchangeState;

  constructor(exchange: ExchangeState) {
    this.#exchange = exchange;
  }

  /** The book of an instrument: for adding, reducing and removing anonymous quantity, and reading; nothing else. */
  book(instrument: InstrumentId): OrderBook {
    return this.#exchange.market(instrument).book;
  }

  /** How much of what is taken of a resting order executes: one that may only reduce a position ends with it. */
  takeable(handle: number, quantity: Lots): Lots {
    const maker = this.#exchange.recordAt(handle);
    return maker === undefined || !isReducing(maker) ? quantity : (Math.min(quantity, capOf(maker)) as Lots);
  }

  /** An anonymous order takes `quantity` of a resting order of an account, at that order's price. */
  takeFrom(
    instrument: InstrumentId,
    handle: number,
    quantity: Lots,
    now: Micros,
  ): readonly ExchangeOutcome[] {
    const exchange = this.#exchange;
    exchange.beginCommand(now);
    const market = exchange.market(instrument);
    const maker = exchange.recordAt(handle);
    const price = maker?.price;
    assert(
      maker?.handle === handle && maker.where === 'book' && price !== undefined,
      'an anonymous order took from what does not rest',
    );
    const queue = market.book.queue(maker.side);
    const resting = queue.quantityOf(handle);
    assert(quantity > 0 && quantity <= resting, 'an anonymous order took more than stands there');
    exchange.levelNotes.noteLevel(market, maker.side, keyOf(maker.side, price));
    if (quantity < resting) {
      queue.reduce(handle, quantity);
    } else {
      queue.remove(handle);
      leftBook(maker);
    }
    const execution = exchange.execution(price, quantity);
    settleExecution(exchange, maker, execution, false);
    reportTrade(exchange, market, opposite(maker.side), execution);
    if (exchange.fired.length > 0) activateFired(exchange);
    watchMargins(exchange);
    return exchange.finishCommand();
  }

  /** A trade at `price` happened among anonymous orders: it is the last price now, and stops may fire. */
  print(instrument: InstrumentId, price: Ticks, now: Micros): readonly ExchangeOutcome[] {
    const exchange = this.#exchange;
    const market = exchange.market(instrument);
    market.last = price;
    // Where there is a mark price the last one moves no position.
    const moves = market.exposed.size > 0 && market.mark === undefined;
    if (!moves && market.triggers.due(price) === none) return nothing;
    exchange.beginCommand(now);
    if (moves) exchange.margin.moved.add(market);
    collectFired(exchange, market);
    if (exchange.fired.length > 0) activateFired(exchange);
    watchMargins(exchange);
    return exchange.finishCommand();
  }
}
