/** Keeps the newest `capacity` items in order of arrival; the oldest falls out. Index 0 is the oldest kept. */
export class Ring<Item> {
  readonly #capacity: number;
  readonly #items: Item[] = [];
  #start = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#items.length;
  }

  /** Appends, and returns the item that fell out, if one did. */
  push(item: Item): Item | undefined {
    if (this.#items.length < this.#capacity) {
      this.#items.push(item);
      return undefined;
    }
    const fallen = this.#items[this.#start];
    this.#items[this.#start] = item;
    this.#start = (this.#start + 1) % this.#capacity;
    return fallen;
  }

  /** The item at `index`, 0 being the oldest; undefined outside. */
  at(index: number): Item | undefined {
    if (index < 0 || index >= this.#items.length) return undefined;
    return this.#items[(this.#start + index) % this.#items.length];
  }

  get last(): Item | undefined {
    return this.at(this.#items.length - 1);
  }

  /** The first index whose key is at least `key`, for items whose keys never fall. */
  lowerBound(key: number, keyOf: (item: Item) => number): number {
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keyOf(this.at(middle) as Item) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
