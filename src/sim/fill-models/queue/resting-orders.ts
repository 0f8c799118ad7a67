import type { Side } from '../../../core/model/order.ts';
import type { ModelOrder } from '../model.ts';
import type { QueuePlace } from './position.ts';
import type { Place } from '../recorded-orders.ts';

/** One of our orders at rest, and its place in the queue of its level. */
export class RestingOrder implements QueuePlace {
  readonly order: ModelOrder;
  readonly price: number;
  ahead = 0;
  traded = 0;
  /** Where places are known: that of the order among all of its level. */
  place: Place = 0;

  constructor(order: ModelOrder) {
    this.order = order;
    this.price = order.price ?? 0;
  }

  get remaining(): number {
    return this.order.remaining;
  }
}

const nothing: readonly RestingOrder[] = [];

/**
 * Our resting orders on one side, by price and then by age. Keys are prices such that greater is better (bids as they
 * are, asks negated), so that one code serves both sides. The caller that feeds a market checks `bestKey` first.
 */
export class RestingOrders {
  readonly side: Side;
  /** The best key; -Infinity when nothing rests. */
  bestKey = Number.NEGATIVE_INFINITY;
  /** Where orders rest: one bit for each key, by its lowest five bits. */
  keyBits = 0;
  /** Keys, best first. */
  readonly #keys: number[] = [];
  readonly #orders = new Map<number, RestingOrder[]>();

  constructor(side: Side) {
    this.side = side;
  }

  keyOf(price: number): number {
    return this.side === 'buy' ? price : -price;
  }

  /** Orders at a key, oldest first; not to be kept while orders change. */
  at(key: number): readonly RestingOrder[] {
    return this.#orders.get(key) ?? nothing;
  }

  /** Orders whose key is at least `key`, best and oldest first: a copy, safe while orders change. */
  from(key: number): RestingOrder[] {
    const found: RestingOrder[] = [];
    for (const own of this.#keys) {
      if (own < key) break;
      found.push(...this.at(own));
    }
    return found;
  }

  add(order: RestingOrder): void {
    const key = this.keyOf(order.price);
    const known = this.#orders.get(key);
    if (known !== undefined) {
      known.push(order);
      return;
    }
    this.#orders.set(key, [order]);
    let at = this.#keys.length;
    while (at > 0 && (this.#keys[at - 1] as number) < key) at -= 1;
    this.#keys.splice(at, 0, key);
    this.#keysChanged();
  }

  remove(order: ModelOrder): void {
    const key = this.keyOf(order.price ?? 0);
    const orders = this.#orders.get(key);
    const index = orders?.findIndex((resting) => resting.order === order) ?? -1;
    if (orders === undefined || index < 0) return;
    orders.splice(index, 1);
    if (orders.length > 0) return;
    this.#orders.delete(key);
    this.#keys.splice(this.#keys.indexOf(key), 1);
    this.#keysChanged();
  }

  #keysChanged(): void {
    this.bestKey = this.#keys[0] ?? Number.NEGATIVE_INFINITY;
    let bits = 0;
    for (const key of this.#keys) bits |= 1 << (key & 31);
    this.keyBits = bits;
  }
}
