import type { BookSide } from '../../core/model/order-changes.ts';
import { orderActions, orderStride } from '../../core/model/order-changes.ts';

/**
 * Where something stands in time: the later it joined, the greater. Within one level the order with the smaller place is
 * ahead.
 */
export type Place = number;

/** The place of orders that stood there before the recording began: ahead of all. */
export const olderPlace: Place = 0;

/** Receives the changes of the recorded orders, one after another. */
export interface OrderSink {
  /** An order is about to join the end of the queue; called before it takes its place. */
  joins(side: BookSide, price: number, lots: number): void;
  /** `lots` of the order at `place` left without a trade. */
  left(side: BookSide, price: number, lots: number, place: Place): void;
  /** A taker took `lots` of the order at `place`. With `olderPlace` the quantity there was never known. */
  taken(side: BookSide, price: number, lots: number, place: Place): void;
  /** A taker took `lots` of what no book shows. */
  hidden(side: BookSide, price: number, lots: number): void;
}

interface Resting {
  readonly side: BookSide;
  readonly price: number;
  readonly place: Place;
  lots: number;
}

/**
 * The single orders of one recorded market, each with its place: a fold over the order changes of events. A change
 * of an order is cut to its known quantity, so that totals add up.
 */
export class RecordedOrders {
  readonly #orders = new Map<number, Resting>();
  /** Lots by price, for each side. */
  readonly #totals: readonly [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
  #last: Place = olderPlace;

  /** A place behind all existing orders, for an order that joins now. */
  nextPlace(): Place {
    this.#last += 1;
    return this.#last;
  }

  /** Lots of all recorded orders at a price. */
  totalAt(side: BookSide, price: number): number {
    return this.#totals[side].get(price) ?? 0;
  }

  /** Applies the order changes of an event, in groups of five numbers (see `orderActions`). */
  update(changes: Float64Array, sink: OrderSink): void {
    for (let at = 0; at < changes.length; at += orderStride) {
      const order = changes[at + 1] as number;
      const side = changes[at + 2] === 0 ? 0 : 1;
      const price = changes[at + 3] as number;
      const lots = changes[at + 4] as number;
      switch (changes[at]) {
        case orderActions.joins:
          this.#join(order, { side, price, lots }, sink);
          break;
        case orderActions.leaves:
          this.#removeLots(order, lots, sink);
          break;
        case orderActions.executes:
          if (this.#orders.has(order)) this.#execute(order, lots, sink);
          else sink.taken(side, price, lots, olderPlace);
          break;
        case orderActions.hidden:
          sink.hidden(side, price, lots);
          break;
        default:
          break;
      }
    }
  }

  /**
   * A snapshot of the whole market: orders that are missing have left, quantity that is missing has left, and new
   * orders have joined. Orders that stay keep their place.
   */
  snapshot(changes: Float64Array, sink: OrderSink): void {
    const named = new Set<number>();
    for (let at = 0; at < changes.length; at += orderStride) named.add(changes[at + 1] as number);
    for (const [order, { lots }] of this.#orders) if (!named.has(order)) this.#removeLots(order, lots, sink);
    this.update(changes, sink);
  }

  /** Every order as one that joins, those ahead first: the changes of a snapshot. */
  whole(): Float64Array {
    const changes = new Float64Array(this.#orders.size * orderStride);
    let at = 0;
    const byPlace = [...this.#orders].sort(([, one], [, other]) => one.place - other.place);
    for (const [order, { side, price, lots }] of byPlace) {
      changes.set([orderActions.joins, order, side, price, lots], at);
      at += orderStride;
    }
    return changes;
  }

  /** An order that stands there already keeps its place, if it has not grown. */
  #join(
    order: number,
    { side, price, lots }: { readonly side: BookSide; readonly price: number; readonly lots: number },
    sink: OrderSink,
  ): void {
    const known = this.#orders.get(order);
    if (known !== undefined) {
      const stays = known.side === side && known.price === price && lots <= known.lots;
      this.#removeLots(order, stays ? known.lots - lots : known.lots, sink);
      if (stays) return;
    }
    sink.joins(side, price, lots);
    this.#orders.set(order, { side, price, place: this.nextPlace(), lots });
    this.#shift(side, price, lots);
  }

  #removeLots(order: number, lots: number, sink: OrderSink): void {
    const resting = this.#orders.get(order);
    if (resting === undefined) return;
    const gone = this.#takeLots(order, resting, lots);
    if (gone > 0) sink.left(resting.side, resting.price, gone, resting.place);
  }

  #execute(order: number, lots: number, sink: OrderSink): void {
    const resting = this.#orders.get(order) as Resting;
    const gone = this.#takeLots(order, resting, lots);
    if (gone > 0) sink.taken(resting.side, resting.price, gone, resting.place);
  }

  /** Takes lots off an order, which goes with its last; how many those were. */
  #takeLots(order: number, resting: Resting, lots: number): number {
    const gone = Math.min(lots, resting.lots);
    resting.lots -= gone;
    if (resting.lots === 0) this.#orders.delete(order);
    this.#shift(resting.side, resting.price, -gone);
    return gone;
  }

  #shift(side: BookSide, price: number, by: number): void {
    const totals = this.#totals[side];
    const total = (totals.get(price) ?? 0) + by;
    if (total > 0) totals.set(price, total);
    else totals.delete(price);
  }
}

/** Hears nothing: for a fold that only wants to know what stands there. */
export const deaf: OrderSink = { joins: () => {}, left: () => {}, taken: () => {}, hidden: () => {} };
