import { assert } from '../../../core/base/assert.ts';
import type { InstrumentId, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { BookSnapshot, BookUpdate, TradesPrinted } from '../../../core/model/event.ts';
import { levelStride } from '../../../core/model/level-buffer.ts';
import type { MarketTrade } from '../../../core/model/market.ts';
import type { Side } from '../../../core/model/order.ts';
import type { OrderBook, OrderQueue } from '../../../exchange/matching/index.ts';
import { FifoLevel } from './single-orders.ts';
import type { QueueModel } from '../../queue-model.ts';
import { SharedLevel } from './shared-level.ts';

/** Reports to the venue that `lots` of our order under `handle` are taken by the recorded market. Answers how many executed. */
export type TakeOurs = (instrument: InstrumentId, handle: number, lots: Lots) => number;

/**
 * The recorded market of one instrument as anonymous quantity in the book in which our orders stand.
 *
 * Levels without an order of ours are set like any book. At the others each level is a queue,
 *
 *     oldest [foreign 40][ours 2][foreign 15] youngest
 *
 * in which recorded trades walk from the front and growth queues behind us; see `SharedLevel` for what shrinks. With
 * single orders nothing there is guessed from levels or trades: see `FifoLevel`.
 * What we take is missing until the next recorded change of that level restores it.
 */
export class Shadow {
  readonly #instrument: InstrumentId;
  readonly #bids: OrderQueue;
  readonly #asks: OrderQueue;
  /** Source of places: levels and trades, or single orders; one of the two. */
  readonly #level: SharedLevel | undefined;
  readonly #fifo: FifoLevel | undefined;
  readonly #takeOurs: TakeOurs;
  /** Recorded quantity at prices that cross ours: all of it has met our order already. By price. */
  readonly #crossingBids = new Map<number, number>();
  readonly #crossingAsks = new Map<number, number>();

  /** `model` says who leaves when a level shrinks; without one the single orders of the recording do. */
  constructor(instrument: InstrumentId, book: OrderBook, model: QueueModel | undefined, takeOurs: TakeOurs) {
    this.#instrument = instrument;
    this.#bids = book.bids;
    this.#asks = book.asks;
    this.#level = model === undefined ? undefined : new SharedLevel(model);
    this.#fifo =
      model === undefined
        ? new FifoLevel(book, (queue, handle, lots) => this.#fill(queue, handle, lots))
        : undefined;
    this.#takeOurs = takeOurs;
  }

  /** Applies what the recording changed. */
  update(event: BookUpdate): void {
    if (event.orders !== undefined) this.#fifo?.update(event.orders);
    this.#levels(event);
  }

  #levels({ levels, start, end }: BookUpdate | BookSnapshot): void {
    for (let at = start; at < end;) {
      const isBid = levels[at] === 0;
      const own = isBid ? this.#bids : this.#asks;
      const other = isBid ? this.#asks : this.#bids;
      // Below this key nothing crosses an order of ours; it changes when one is filled, which ends a run.
      const stop = own.levels.setRun(levels, at, end, -other.ownedBest);
      if (stop < end && levels[stop] === levels[at]) {
        this.#set(isBid, levels[stop + 1] ?? 0, levels[stop + 2] ?? 0);
        at = stop + levelStride;
      } else at = stop;
    }
  }

  /** The whole recorded book: what it does not name is gone. */
  snapshot(event: BookSnapshot): void {
    if (event.orders !== undefined) this.#fifo?.snapshot(event.orders);
    const named = [new Set<number>(), new Set<number>()];
    for (let at = event.start; at < event.end; at += levelStride)
      named[event.levels[at] === 0 ? 0 : 1]?.add(event.levels[at + 1] ?? 0);
    for (const key of this.#bids.levels.keys()) if (named[0]?.has(key) === false) this.#set(true, key, 0);
    for (const key of this.#asks.levels.keys()) if (named[1]?.has(-key) === false) this.#set(false, -key, 0);
    this.#levels(event);
  }

  /** Single orders that executed without a change of the book. */
  executed({ orders }: TradesPrinted): void {
    if (orders !== undefined) this.#fifo?.update(orders);
  }

  /**
   * A recorded trade: a taker of its size walks the queue at its price. Orders of ours at better prices would have
   * been met before, so they come first; foreign quantity there is left to the book's own updates. With single orders
   * their executions are used instead.
   */
  trade({ side, price, quantity }: MarketTrade): void {
    if (this.#fifo !== undefined) return;
    const queue = side === 'buy' ? this.#asks : this.#bids;
    const key = side === 'buy' ? -price : price;
    let left: number = quantity;
    while (left > 0 && queue.ownedBest > key) left = this.#fillOurs(queue, queue.ownedBest, left);
    if (left <= 0) return;
    const { levels } = queue;
    const standing = levels.totalAt(key);
    if (standing === 0) return;
    if (levels.ownedAt(key) === 0) levels.setAnonymous(key, Math.max(0, standing - left));
    else this.#walk(queue, key, left);
  }

  /**
   * Our order took `lots` of the recorded quantity at `price`. If it rests there now, what it took must not meet it
   * again when the next recorded change restores it.
   */
  took(side: Side, price: Ticks, lots: Lots): void {
    const met = side === 'buy' ? this.#crossingAsks : this.#crossingBids;
    const crossed = side === 'buy' ? this.#bids.ownedBest >= price : price + this.#asks.ownedBest >= 0;
    if (crossed) met.set(price, (met.get(price) ?? 0) + lots);
  }

  /** To be called when our orders have changed: what no order of ours is in the way of any more has met none. */
  forget(): void {
    const bids = this.#crossingBids;
    const asks = this.#crossingAsks;
    if (bids.size > 0) for (const at of bids.keys()) if (this.#asks.ownedBest < -at) bids.delete(at);
    if (asks.size > 0) for (const at of asks.keys()) if (this.#bids.ownedBest < at) asks.delete(at);
  }

  #set(isBid: boolean, price: number, size: number): void {
    const own = isBid ? this.#bids : this.#asks;
    const other = isBid ? this.#asks : this.#bids;
    const key = isBid ? price : -price;
    if (key + other.ownedBest >= 0) this.#cross(price, size, isBid ? 'bid' : 'ask');
    else if (!own.setAnonymous(key, size)) this.#level?.set(own, key, size);
  }

  /**
   * The recording quotes through our resting order: that order would have matched ours. What is new at that price takes
   * from us; only what is left when none of ours is in the way rests.
   */
  #cross(price: number, size: number, side: 'bid' | 'ask'): void {
    const [met, other] = side === 'bid' ? [this.#crossingBids, this.#asks] : [this.#crossingAsks, this.#bids];
    const own = side === 'bid' ? this.#bids : this.#asks;
    const otherKey = side === 'bid' ? -price : price;
    const ownKey = -otherKey;
    let left = size - (met.get(price) ?? 0);
    if (size === 0) met.delete(price);
    else met.set(price, size);
    while (left > 0 && other.ownedBest >= otherKey) left = this.#fillOurs(other, other.ownedBest, left);
    const crossed = other.ownedBest >= otherKey;
    this.forget();
    const rest = crossed ? 0 : Math.max(0, left);
    if (!own.setAnonymous(ownKey, rest)) this.#level?.set(own, ownKey, rest);
  }

  /**
   * Fills orders of ours at one price, oldest first; what is left of `lots`. A fill may end other orders of ours, so each
   * time the oldest is looked for anew.
   */
  #fillOurs(queue: OrderQueue, key: number, lots: number): number {
    let left = lots;
    while (left > 0) {
      let handle = queue.headOf(queue.slotAt(key));
      while (handle >= 0 && !queue.isOwned(handle)) handle = queue.after(handle);
      if (handle < 0) break;
      left -= this.#fill(queue, handle, left);
    }
    return left;
  }

  /** A recorded trade goes through a queue in which ours stand: an order that it filled completely is gone, so the head is next. */
  #walk(queue: OrderQueue, key: number, lots: number): void {
    let left = lots;
    let absorbed = 0;
    while (left > 0) {
      const handle = queue.headOf(queue.slotAt(key));
      if (handle < 0) break;
      if (queue.isOwned(handle)) {
        const filled = this.#fill(queue, handle, left);
        absorbed += filled;
        left -= filled;
        continue;
      }
      const standing = queue.quantityOf(handle);
      if (standing > left) queue.reduce(handle, left);
      else queue.remove(handle);
      left -= Math.min(standing, left);
    }
    this.#level?.absorb(queue, key, absorbed);
  }

  #fill(queue: OrderQueue, handle: number, lots: number): number {
    const quantity = Math.min(lots, queue.quantityOf(handle));
    assert(quantity > 0, 'an empty order stood in the queue');
    const executed = this.#takeOurs(this.#instrument, handle, quantity as Lots);
    assert(executed > 0, 'an order that had nothing left to reduce stood in the queue');
    return executed;
  }
}
