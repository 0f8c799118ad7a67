import type { OrderBook, OrderQueue } from '../../../exchange/matching/index.ts';
import { noOwner } from '../../../exchange/matching/index.ts';
import type { BookSide } from '../../../core/model/order-changes.ts';
import type { OrderSink, Place } from '../recorded-orders.ts';
import { RecordedOrders, olderPlace } from '../recorded-orders.ts';

/** Takes `lots` of our order under `handle`, at its price; as many as were asked for are gone then. */
export type TakeOwned = (queue: OrderQueue, handle: number, lots: number) => number;

/** Dead tickets are removed when this many more tickets than live orders are kept. */
const ticketsSlack = 64;

/**
 * Levels of foreign quantity and orders of ours, moved by the single orders of a recording: everybody stands where they
 * joined, so our place is exact.
 *
 *     oldest [foreign 40][ours 2][foreign 15] youngest
 *
 * An execution of an order behind ours, or at a worse price, says that its taker came past us: it has met our orders
 * first, the best and oldest before all, each with no more than what was executed. What the recording took, it takes from
 * the foreign quantity too. Levels at which nothing of ours stands are none of its business.
 */
export class FifoLevel implements OrderSink {
  readonly #queues: readonly [OrderQueue, OrderQueue];
  readonly #orders = new RecordedOrders();
  readonly #take: TakeOwned;
  /** Places of our orders, by ticket. */
  readonly #places = new Map<number, Place>();

  constructor(book: OrderBook, take: TakeOwned) {
    this.#queues = [book.bids, book.asks];
    this.#take = take;
  }

  update(changes: Float64Array): void {
    this.#orders.update(changes, this);
  }

  snapshot(changes: Float64Array): void {
    this.#orders.snapshot(changes, this);
  }

  joins(side: BookSide, price: number, lots: number): void {
    const queue = this.#queues[side];
    const key = keyAt(side, price);
    if (!this.#isOwned(queue, key)) return;
    const slot = queue.slotAt(key);
    const tail = queue.tailOf(slot);
    if (queue.isOwned(tail)) queue.appendAt(slot, lots, noOwner);
    else queue.reduce(tail, -lots);
  }

  left(side: BookSide, price: number, lots: number, place: Place): void {
    const queue = this.#queues[side];
    const key = keyAt(side, price);
    if (this.#isOwned(queue, key)) this.#takeForeign(queue, key, lots, place);
  }

  taken(side: BookSide, price: number, lots: number, place: Place): void {
    const queue = this.#queues[side];
    const key = keyAt(side, price);
    let left = this.#takeBetter(queue, key, lots);
    if (!this.#isOwned(queue, key)) return;
    while (left > 0) {
      const handle = this.#firstOwned(queue, key);
      if (handle < 0 || this.#placeOf(queue, handle) > place) break;
      left -= this.#take(queue, handle, Math.min(left, queue.quantityOf(handle)));
    }
    if (place !== olderPlace) this.#takeForeign(queue, key, lots, place);
  }

  /** Visible orders stand before hidden ones: the taker has executed all visible quantity at the price. */
  hidden(side: BookSide, price: number, lots: number): void {
    const queue = this.#queues[side];
    const key = keyAt(side, price);
    let left = this.#takeBetter(queue, key, lots);
    if (!this.#isOwned(queue, key)) return;
    const met: number[] = [];
    for (
      let handle = queue.headOf(queue.slotAt(key));
      handle >= 0 && left > 0;
      handle = queue.after(handle)
    ) {
      if (queue.isOwned(handle)) met.push(queue.ticketOf(handle), handle, left);
      left -= queue.quantityOf(handle);
    }
    // What a fill sets off may change the queue.
    for (let at = 0; at < met.length; at += 3) {
      const handle = met[at + 1] as number;
      if (!queue.holds(met[at] as number)) continue;
      this.#take(queue, handle, Math.min(met[at + 2] as number, queue.quantityOf(handle)));
    }
  }

  /** Orders of ours at better prices come first; what is left of `lots`. */
  #takeBetter(queue: OrderQueue, key: number, lots: number): number {
    let left = lots;
    while (left > 0 && queue.ownedBest > key) {
      const handle = this.#firstOwned(queue, queue.ownedBest);
      left -= this.#take(queue, handle, Math.min(left, queue.quantityOf(handle)));
    }
    return left;
  }

  /** Whether orders of ours stand at `key`; those that are new get their place, behind all there are. */
  #isOwned(queue: OrderQueue, key: number): boolean {
    if (queue.levels.ownedAt(key) === 0) return false;
    for (let handle = queue.headOf(queue.slotAt(key)); handle >= 0; handle = queue.after(handle)) {
      if (!queue.isOwned(handle)) continue;
      const ticket = queue.ticketOf(handle);
      if (!this.#places.has(ticket)) this.#places.set(ticket, this.#orders.nextPlace());
    }
    if (this.#places.size > this.#queues[0].ownedCount + this.#queues[1].ownedCount + ticketsSlack)
      for (const ticket of this.#places.keys()) if (!queue.holds(ticket)) this.#places.delete(ticket);
    return true;
  }

  #placeOf(queue: OrderQueue, handle: number): Place {
    return this.#places.get(queue.ticketOf(handle)) ?? Number.POSITIVE_INFINITY;
  }

  #firstOwned(queue: OrderQueue, key: number): number {
    const slot = queue.slotAt(key);
    if (slot < 0) return -1;
    let handle = queue.headOf(slot);
    while (handle >= 0 && !queue.isOwned(handle)) handle = queue.after(handle);
    return handle;
  }

  /** Takes foreign lots where the order at `place` stands: between those of ours before and behind it. */
  #takeForeign(queue: OrderQueue, key: number, lots: number, place: Place): void {
    const slot = queue.slotAt(key);
    if (slot < 0 || queue.ownedOf(slot) === 0) return;
    let behind = queue.headOf(slot);
    while (behind >= 0 && !(queue.isOwned(behind) && this.#placeOf(queue, behind) > place))
      behind = queue.after(behind);
    let left = lots;
    let handle = behind < 0 ? queue.tailOf(slot) : queue.before(behind);
    while (left > 0 && handle >= 0 && !queue.isOwned(handle)) {
      const older = queue.before(handle);
      const standing = queue.quantityOf(handle);
      if (standing > left) queue.reduce(handle, left);
      else queue.remove(handle);
      left -= Math.min(standing, left);
      handle = older;
    }
  }
}

function keyAt(side: BookSide, price: number): number {
  return side === 0 ? price : -price;
}
