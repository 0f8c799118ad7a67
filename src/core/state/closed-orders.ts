import type { Micros } from '../base/clock.ts';
import { microsPerSecond } from '../base/clock.ts';
import type { ClientOrderId } from '../model/order.ts';
import type { OrderEntry } from './order-entry.ts';

/** How long the id of an order proven absent stays known. Source: faults, section 1.1. */
const tombstoneMicros = 24 * 3_600 * microsPerSecond;
const tombstonesMax = 10_000;

/** Ended orders, kept for lookup in a ring, and tombstones of orders proven absent, kept a day. */
export class ClosedOrders {
  readonly #ring: (OrderEntry | undefined)[] = [];
  readonly #sizeMax: number;
  readonly #forget: (entry: OrderEntry) => void;
  readonly #tombstones = new Map<ClientOrderId, OrderEntry>();
  #next = 0;

  /** `forget` is called with every entry that leaves. */
  constructor(sizeMax: number, forget: (entry: OrderEntry) => void) {
    this.#sizeMax = sizeMax;
    this.#forget = forget;
  }

  add(entry: OrderEntry): void {
    if (entry.slot >= 0) return;
    // One that had been called absent and ended otherwise after all.
    if (this.#tombstones.size > 0) this.#tombstones.delete(entry.order.clientOrderId);
    const leaving = this.#ring[this.#next];
    if (leaving !== undefined) {
      leaving.slot = -1;
      this.#forget(leaving);
    }
    this.#ring[this.#next] = entry;
    entry.slot = this.#next;
    this.#next = this.#next + 1 === this.#sizeMax ? 0 : this.#next + 1;
  }

  /** An order proven absent; its id must be recognised for a day, however many orders end meanwhile. */
  bury(entry: OrderEntry, now: Micros): void {
    this.#tombstones.set(entry.order.clientOrderId, entry);
    for (const [id, old] of this.#tombstones) {
      if (now - old.endedAt < tombstoneMicros && this.#tombstones.size <= tombstonesMax) return;
      this.#tombstones.delete(id);
      this.#forget(old);
    }
  }

  /** The last `max` that ended, the longest ended first, with `undefined` for those that were removed since. */
  closed(max: number): readonly (OrderEntry | undefined)[] {
    return [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)].slice(-max);
  }

  /** Those that were proven absent, the oldest first. */
  buried(): readonly OrderEntry[] {
    return [...this.#tombstones.values()];
  }

  /** Takes over what `closed` and `buried` returned. What does not fit is forgotten. */
  takeOrders(closed: readonly (OrderEntry | undefined)[], buried: readonly OrderEntry[]): void {
    for (const entry of closed.slice(0, -this.#sizeMax)) if (entry !== undefined) this.#forget(entry);
    for (const entry of closed.slice(-this.#sizeMax)) {
      this.#ring[this.#next] = entry;
      if (entry !== undefined) entry.slot = this.#next;
      this.#next = this.#next + 1 === this.#sizeMax ? 0 : this.#next + 1;
    }
    for (const entry of buried) this.#tombstones.set(entry.order.clientOrderId, entry);
  }

  /** An order that we called dead lives, or its id is used anew. */
  remove(entry: OrderEntry): void {
    this.#tombstones.delete(entry.order.clientOrderId);
    if (entry.slot < 0) return;
    this.#ring[entry.slot] = undefined;
    entry.slot = -1;
  }
}
