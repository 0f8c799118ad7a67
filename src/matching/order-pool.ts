import { assert } from '../base/assert.ts';

/** No order, no level, no handle. */
export const none = -1;
/** The owner of anonymous quantity: an order that belongs to no account, needs no funds and is never reported. */
export const nobody = -1;

const handleLimit = 2 ** 26;

/** Where an order begins in `OrderPool.lots` and `OrderPool.links`: its handle times this. */
export const lotsPlace = 4;
export const linkPlace = 8;

// Behind where it begins in `links`, after the eight bytes of its lots.
/** Neighbours in the queue of the level: `next` is younger. For a free handle `next` is the next free one. */
export const nextAt = 2;
export const previousAt = 3;
/** The slot of the price level the order stands at. */
export const levelAt = 4;
/** Whose it is: the index of the order's record, or `nobody`. */
export const ownerAt = 5;
const generationAt = 6;

/**
 * Resting orders by handle: what matching itself needs and nothing else, 32 bytes an order beside each other, because
 * orders are met in no order and each has to be fetched.
 *
 *     lots (8 bytes) | next | previous | level | owner | generation | -
 *
 * A handle is used again after `give`; a *ticket* carries the handle's generation and so goes stale instead.
 */
export class OrderPool {
  /** Remaining lots, at the handle times `lotsPlace`. */
  lots: Float64Array;
  /** All the rest, at the handle times `linkPlace` and behind: the same bytes. */
  links: Int32Array;
  #capacity: number;
  #free = none;
  #used = 0;
  #live = 0;

  constructor(capacity = 1_024) {
    this.#capacity = capacity;
    this.lots = new Float64Array(capacity * lotsPlace);
    this.links = new Int32Array(this.lots.buffer);
  }

  /** How many handles are in use. */
  get size(): number {
    return this.#live;
  }

  /** A free handle; its columns hold old values. */
  take(): number {
    this.#live += 1;
    const free = this.#free;
    if (free !== none) {
      this.#free = this.links[free * linkPlace + nextAt] as number;
      return free;
    }
    if (this.#used === this.#capacity) this.#grow();
    return this.#used++;
  }

  /** Returns a handle; its tickets go stale. */
  give(handle: number): void {
    const links = this.links;
    const at = handle * linkPlace;
    links[at + generationAt] = ((links[at + generationAt] as number) + 1) & 0x3ff_ffff;
    links[at + nextAt] = this.#free;
    this.#free = handle;
    this.#live -= 1;
  }

  ownerOf(handle: number): number {
    return this.links[handle * linkPlace + ownerAt] ?? nobody;
  }

  /** A number that names this order and no later one under the same handle. */
  ticket(handle: number): number {
    return (this.links[handle * linkPlace + generationAt] as number) * handleLimit + handle;
  }

  /** The handle of a ticket, or `none` when its order is gone. */
  handleOf(ticket: number): number {
    if (ticket < 0) return none;
    const handle = ticket % handleLimit;
    return handle < this.#capacity && this.ticket(handle) === ticket ? handle : none;
  }

  #grow(): void {
    const capacity = this.#capacity * 2;
    assert(capacity <= handleLimit, 'more resting orders than handles');
    this.#capacity = capacity;
    this.lots = grown(new Float64Array(capacity * lotsPlace), this.lots);
    this.links = new Int32Array(this.lots.buffer);
  }
}

/** `larger` with the content of `old` in front. */
export function grown<Column extends Float64Array | Int32Array | Uint32Array>(
  larger: Column,
  old: Column,
): Column {
  larger.set(old);
  return larger;
}
