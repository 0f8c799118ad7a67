const capacityMin = 64;
/** Where no key stands. */
const emptyKey = Number.NEGATIVE_INFINITY;
/** Multiplicative hashing by the golden ratio: neighbouring keys spread over the whole table. */
const spread = 0x9e3779b1;

/**
 * Numbers by key, an integer, for cells that are changed often, and rarely asked for the greatest key or the next one.
 * 0 is no cell.
 *
 * A hash table with open addressing, and a heap of the same keys for `best`. A cell that goes keeps its place in both
 * with 0 there, until it comes back, or is the best, or the table grows.
 */
export class SparseLevels {
  #keys = vacant(capacityMin);
  #cells = new Float64Array(capacityMin);
  /** Every key of the table, none above its parent. */
  #heap = new Float64Array(capacityMin / 2);
  #shift = shiftOf(capacityMin);
  /** The keys in order, until another comes or goes. */
  #order: Float64Array | undefined;
  #kept = 0;
  #live = 0;

  /** How many cells there are. */
  get size(): number {
    return this.#live;
  }

  /** The greatest key, or `undefined` when there is no cell. */
  get best(): number | undefined {
    if (this.#live === 0) return undefined;
    for (;;) {
      const key = this.#heap[0] as number;
      const slot = this.#slotOf(key);
      if (this.#cells[slot] !== 0) return key;
      this.#vacate(slot);
      this.#dropFirst();
    }
  }

  /** Sets the cell at a key; 0 removes it. Returns what was there before, 0 for none. */
  set(key: number, cell: number): number {
    const slot = this.#slotOf(key);
    if (this.#keys[slot] !== key) {
      if (cell !== 0) this.#add(key, cell, slot);
      return 0;
    }
    const before = this.#cells[slot] as number;
    this.#cells[slot] = cell;
    this.#live += (cell === 0 ? 0 : 1) - (before === 0 ? 0 : 1);
    return before;
  }

  /** The cell at a key, 0 when there is none. */
  at(key: number): number {
    const slot = this.#slotOf(key);
    return this.#keys[slot] === key ? (this.#cells[slot] as number) : 0;
  }

  clear(): void {
    this.#keys.fill(emptyKey);
    this.#kept = 0;
    this.#live = 0;
    this.#order = undefined;
  }

  /** The greatest key below `key`, or -Infinity. Puts the keys in order first, where others have come or gone. */
  below(key: number): number {
    const keys = this.#inOrder();
    let low = -1;
    let high = keys.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as number) >= key) high = middle;
      else low = middle;
    }
    while (low >= 0 && this.at(keys[low] as number) === 0) low -= 1;
    return low < 0 ? Number.NEGATIVE_INFINITY : (keys[low] as number);
  }

  /** Visits cells from the greatest key downwards until `visit` answers false; they stay as they are meanwhile. */
  forEach(visit: (key: number, cell: number) => boolean | void): void {
    const keys = this.#inOrder();
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i] as number;
      const cell = this.at(key);
      if (cell !== 0 && visit(key, cell) === false) return;
    }
  }

  #inOrder(): Float64Array {
    return (this.#order ??= this.#heap.slice(0, this.#kept).sort());
  }

  /** Where `key` stands, or the vacant slot where it would. */
  #slotOf(key: number): number {
    const keys = this.#keys;
    const mask = keys.length - 1;
    let slot = Math.imul(key, spread) >>> this.#shift;
    for (;;) {
      const found = keys[slot] as number;
      if (found === key || found === emptyKey) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #add(key: number, cell: number, slot: number): void {
    this.#live += 1;
    if (this.#kept < this.#heap.length) {
      this.#put(key, cell, slot);
      return;
    }
    this.#renew();
    this.#put(key, cell, this.#slotOf(key));
  }

  #put(key: number, cell: number, slot: number): void {
    this.#keys[slot] = key;
    this.#cells[slot] = cell;
    this.#kept += 1;
    this.#order = undefined;
    this.#rise(key);
  }

  /** Forgets cells that have gone; the table grows when those that are left fill half of what it may hold. */
  #renew(): void {
    const keys = this.#keys;
    const cells = this.#cells;
    const capacity = this.#live > this.#heap.length / 2 ? keys.length * 2 : keys.length;
    this.#keys = vacant(capacity);
    this.#cells = new Float64Array(capacity);
    this.#heap = new Float64Array(capacity / 2);
    this.#shift = shiftOf(capacity);
    this.#kept = 0;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as number;
      const cell = cells[i] as number;
      if (key !== emptyKey && cell !== 0) this.#put(key, cell, this.#slotOf(key));
    }
  }

  /** Takes a key out of the table: those behind it that it kept from their slots move up. */
  #vacate(from: number): void {
    const keys = this.#keys;
    const mask = keys.length - 1;
    let gap = from;
    for (let slot = (gap + 1) & mask; keys[slot] !== emptyKey; slot = (slot + 1) & mask) {
      const key = keys[slot] as number;
      const home = Math.imul(key, spread) >>> this.#shift;
      if (((slot - home) & mask) < ((slot - gap) & mask)) continue;
      keys[gap] = key;
      this.#cells[gap] = this.#cells[slot] as number;
      gap = slot;
    }
    keys[gap] = emptyKey;
  }

  /** The key just counted comes into the heap at its end. */
  #rise(key: number): void {
    const heap = this.#heap;
    let at = this.#kept - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const other = heap[parent] as number;
      if (other >= key) break;
      heap[at] = other;
      at = parent;
    }
    heap[at] = key;
  }

  #dropFirst(): void {
    const heap = this.#heap;
    const count = this.#kept - 1;
    this.#kept = count;
    this.#order = undefined;
    const key = heap[count] as number;
    let at = 0;
    for (let child = 1; child < count; child = 2 * at + 1) {
      if (child + 1 < count && (heap[child + 1] as number) > (heap[child] as number)) child += 1;
      const other = heap[child] as number;
      if (other <= key) break;
      heap[at] = other;
      at = child;
    }
    heap[at] = key;
  }
}

function vacant(capacity: number): Float64Array {
  return new Float64Array(capacity).fill(emptyKey);
}

function shiftOf(capacity: number): number {
  return 32 - Math.log2(capacity);
}
