import { assert } from '../../../core/base/assert.ts';

/** No order, no level, no handle. */
export const none = -1;
/** The owner of anonymous quantity: an order that belongs to no account, needs no funds and is never reported. */
export const noOwner = -1;

const handleLimit = 2 ** 26;

/**
 * Resting orders in parallel typed arrays, by handle: what matching itself needs and nothing else.
 *
 * A handle is used again after `give`; a *ticket* carries the handle's generation and so goes stale instead.
 */
export class OrderPool {
  /** Remaining lots. */
  quantity: Float64Array;
  /** Neighbours in the queue of the level: `next` is younger. For a free handle `next` is the next free one. */
  next: Int32Array;
  previous: Int32Array;
  /** The slot of the price level the order stands at. */
  level: Int32Array;
  /** Owner: the index of the order's record, or `noOwner` for anonymous quantity. */
  owner: Int32Array;
  #generation: Uint32Array;
  #free = none;
  #used = 0;
  #live = 0;

  constructor(capacity = 1_024) {
    this.quantity = new Float64Array(capacity);
    this.next = new Int32Array(capacity);
    this.previous = new Int32Array(capacity);
    this.level = new Int32Array(capacity);
    this.owner = new Int32Array(capacity);
    this.#generation = new Uint32Array(capacity);
  }

  /** How many handles are in use. */
  get size(): number {
    return this.#live;
  }

  /** A free handle; its columns hold old values. */
  takeHandle(): number {
    this.#live += 1;
    const free = this.#free;
    if (free !== none) {
      this.#free = this.next[free] as number;
      return free;
    }
    if (this.#used === this.quantity.length) this.#grow();
    return this.#used++;
  }

  /** Returns a handle; its tickets go stale. */
  giveHandle(handle: number): void {
    this.#generation[handle] = ((this.#generation[handle] as number) + 1) & 0x3ff_ffff;
    this.next[handle] = this.#free;
    this.#free = handle;
    this.#live -= 1;
  }

  ownerOf(handle: number): number {
    return this.owner[handle] ?? noOwner;
  }

  /** A number that names this order and no later one under the same handle. */
  ticket(handle: number): number {
    return (this.#generation[handle] as number) * handleLimit + handle;
  }

  /** The handle of a ticket, or `none` when its order is gone. */
  handleOf(ticket: number): number {
    const handle = ticket % handleLimit;
    return (this.#generation[handle] as number) * handleLimit + handle === ticket ? handle : none;
  }

  #grow(): void {
    const capacity = this.quantity.length * 2;
    assert(capacity <= handleLimit, 'more resting orders than handles');
    this.quantity = grown(new Float64Array(capacity), this.quantity);
    this.next = grown(new Int32Array(capacity), this.next);
    this.previous = grown(new Int32Array(capacity), this.previous);
    this.level = grown(new Int32Array(capacity), this.level);
    this.owner = grown(new Int32Array(capacity), this.owner);
    this.#generation = grown(new Uint32Array(capacity), this.#generation);
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
