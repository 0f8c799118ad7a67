import type { Micros } from '../../base/clock.ts';
import type { OrderRequest } from '../../model/order.ts';
import type { RuleState } from './memory.ts';

const none = -1;

/**
 * The last orders of one strategy that passed the controls; a ring that forgets the oldest.
 *
 * Equal ones are found by a hash of what must be equal: each slot knows the slot filled before it under the same
 * hash, so a look costs the same however many orders the window holds.
 */
export class RecentOrders implements RuleState {
  readonly #requests: (OrderRequest | undefined)[];
  readonly #times: Float64Array;
  /** Counts what was added, by slot: a slot that was filled anew has a larger number than those that point to it. */
  readonly #numbers: Float64Array;
  readonly #buckets: Int32Array;
  /** Slot filled before each slot in the same bucket. */
  readonly #previous: Int32Array;
  /** Slot filled last in each bucket. */
  readonly #heads: Int32Array;
  readonly #mask: number;
  #next = 0;
  #count = 0;

  constructor(max: number) {
    this.#requests = Array.from({ length: max }, () => undefined);
    this.#times = new Float64Array(max);
    this.#numbers = new Float64Array(max);
    this.#buckets = new Int32Array(max).fill(none);
    this.#previous = new Int32Array(max).fill(none);
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, max)));
    this.#heads = new Int32Array(size).fill(none);
    this.#mask = size - 1;
  }

  /** The same orders in a ring of another size. */
  resized(max: number): RecentOrders {
    const other = new RecentOrders(max);
    for (let i = 0; i < this.#requests.length; i++) {
      const slot = (this.#next + i) % this.#requests.length;
      const request = this.#requests[slot];
      if (request !== undefined) other.placed(request, this.#times[slot] as Micros);
    }
    return other;
  }

  placed(request: OrderRequest, now: Micros): void {
    const slot = this.#next;
    const bucket = hashOf(request) & this.#mask;
    this.#count += 1;
    this.#requests[slot] = request;
    this.#times[slot] = now;
    this.#numbers[slot] = this.#count;
    this.#buckets[slot] = bucket;
    this.#previous[slot] = this.#heads[bucket] as number;
    this.#heads[bucket] = slot;
    this.#next = slot + 1 === this.#requests.length ? 0 : slot + 1;
  }

  /** The last order of the same symbol, account, side, price and quantity, if it passed less than `window` ago. */
  equalTo(request: OrderRequest, now: Micros, window: Micros): OrderRequest | undefined {
    const bucket = hashOf(request) & this.#mask;
    let slot = this.#heads[bucket] as number;
    let newer = Number.POSITIVE_INFINITY;
    while (slot !== none) {
      const number = this.#numbers[slot] as number;
      // A slot that was filled anew meanwhile: whatever came before it is forgotten too.
      if (this.#buckets[slot] !== bucket || number >= newer) return undefined;
      if (now - (this.#times[slot] as number) >= window) return undefined;
      const other = this.#requests[slot];
      if (other !== undefined && same(request, other)) return other;
      newer = number;
      slot = this.#previous[slot] as number;
    }
    return undefined;
  }
}

function hashOf({ instrument, side, price, quantity }: OrderRequest): number {
  let hash = Math.imul(instrument * 2 + (side === 'buy' ? 1 : 0), 0x9e3779b1);
  hash = Math.imul(hash ^ (price ?? 0), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15) ^ quantity, 0xc2b2ae35);
  return hash ^ (hash >>> 13);
}

function same(a: OrderRequest, b: OrderRequest): boolean {
  return (
    a.instrument === b.instrument &&
    a.side === b.side &&
    a.price === b.price &&
    a.quantity === b.quantity &&
    a.margin?.mode === b.margin?.mode &&
    a.margin?.reduceOnly === b.margin?.reduceOnly
  );
}
