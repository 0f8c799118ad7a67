interface Entries<Key, Value> extends Pick<Map<Key, Value>, 'get' | 'has' | 'delete' | 'size'> {
  set(key: Key, value: Value): unknown;
}

/**
 * A map of the latest entries: at least the last `least` of them, at most twice as many. The oldest go a half at a time, because a `Map`
 * walks over all that were deleted from its beginning to find its first.
 */
export class Recent<Key, Value> {
  readonly #least: number;
  readonly #make: () => Entries<Key, Value>;
  #young: Entries<Key, Value>;
  #old: Entries<Key, Value>;

  /** `make`: makes an empty table for such keys; a `Map` when left out. */
  constructor(least: number, make: () => Entries<Key, Value> = () => new Map<Key, Value>()) {
    this.#least = least;
    this.#make = make;
    this.#young = make();
    this.#old = make();
  }

  get(key: Key): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  has(key: Key): boolean {
    return this.#young.has(key) || this.#old.has(key);
  }

  set(key: Key, value: Value): void {
    this.#young.set(key, value);
    if (this.#young.size < this.#least) return;
    this.#old = this.#young;
    this.#young = this.#make();
  }

  delete(key: Key): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
