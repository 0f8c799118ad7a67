import { fail } from '../core/base/assert.ts';

/**
 * Things that are due at a time, in order of time; equal times go by `order`, and then as they were put in.
 *
 * Nearly everything is put in at the end: with constant latencies this is a plain ring, without garbage.
 */
export class TimedRing<Item> {
  readonly #sizeMax: number;
  #times: Float64Array = new Float64Array(1_024);
  #orders: Float64Array = new Float64Array(1_024);
  #items: (Item | undefined)[] = Array.from({ length: 1_024 });
  #head = 0;
  #size = 0;
  /** When the first thing is due; Infinity when nothing waits. A field, because what a getter returns is allocated. */
  nextTime = Number.POSITIVE_INFINITY;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#size;
  }

  /** The order of the first thing among those due with it. */
  get nextOrder(): number {
    return this.#orders[this.#head] ?? 0;
  }

  /** When the last thing is due; -Infinity when nothing waits. */
  get lastTime(): number {
    if (this.#size === 0) return Number.NEGATIVE_INFINITY;
    return this.#times[(this.#head + this.#size - 1) & (this.#items.length - 1)] ?? 0;
  }

  /** Fails (a bug, or a feed that runs far ahead of its receive times) when the bound is reached. */
  push(time: number, item: Item, order = 0): void {
    if (this.#size >= this.#sizeMax)
      fail('too much is on its way in the simulated venue', { size: this.#size });
    if (this.#size === this.#items.length) this.#grow();
    const mask = this.#items.length - 1;
    let at = this.#head + this.#size;
    for (let before = (at - 1) & mask; at > this.#head; before = (at - 1) & mask) {
      const other = this.#times[before] ?? 0;
      if (other < time) break;
      const otherOrder = this.#orders[before] ?? 0;
      if (other === time && otherOrder <= order) break;
      this.#times[at & mask] = other;
      this.#orders[at & mask] = otherOrder;
      this.#items[at & mask] = this.#items[before];
      at -= 1;
    }
    this.#times[at & mask] = time;
    this.#orders[at & mask] = order;
    this.#items[at & mask] = item;
    this.#size += 1;
    if (at === this.#head) this.nextTime = time;
  }

  /** Takes out the first thing if it is due at `now`. */
  takeDue(now: number): Item | undefined {
    if (this.nextTime > now || this.#size === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#size -= 1;
    this.#head = this.#size === 0 ? 0 : (this.#head + 1) & (this.#items.length - 1);
    this.nextTime = this.#size === 0 ? Number.POSITIVE_INFINITY : (this.#times[this.#head] as number);
    return item;
  }

  #grow(): void {
    const length = this.#items.length;
    const times = new Float64Array(length * 2);
    const orders = new Float64Array(length * 2);
    const items: (Item | undefined)[] = Array.from({ length: length * 2 });
    for (let i = 0; i < this.#size; i++) {
      const from = (this.#head + i) & (length - 1);
      times[i] = this.#times[from] ?? 0;
      orders[i] = this.#orders[from] ?? 0;
      items[i] = this.#items[from];
    }
    this.#times = times;
    this.#orders = orders;
    this.#items = items;
    this.#head = 0;
  }
}
