/**
 * A map of the latest entries: at least the last `least` of them, at most twice as many. The oldest go a half at a time, because a `Map`
 * walks over all that were deleted from its beginning to find its first.
 */
export class Recent<Key, Value> {
  readonly #least: number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  constructor(least: number) {
    this.#least = least;
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
    this.#young = new Map();
  }

  delete(key: Key): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
