/**
 * A map by text whose newest entry waits beside it: where entries come and go one by one, as an order between wish and
 * verdict does, no text is hashed and no table touched. Order of insertion, like `Map`.
 */
export class RecentMap<Value> {
  readonly #rest = new Map<string, Value>();
  /** The newest entry, while `#has`. */
  #key = '';
  #value: Value | undefined;
  #has = false;

  get size(): number {
    return this.#rest.size + (this.#has ? 1 : 0);
  }

  get(key: string): Value | undefined {
    if (this.#has && key === this.#key) return this.#value;
    return this.#rest.size === 0 ? undefined : this.#rest.get(key);
  }

  /** Sets the value of `key`. One that was there keeps its place in the order. */
  set(key: string, value: Value): void {
    if (this.#has && key === this.#key) {
      this.#value = value;
      return;
    }
    if (this.#rest.size > 0 && this.#rest.has(key)) {
      this.#rest.set(key, value);
      return;
    }
    this.file();
    this.#key = key;
    this.#value = value;
    this.#has = true;
  }

  delete(key: string): boolean {
    if (this.#has && key === this.#key) {
      this.#has = false;
      this.#value = undefined;
      return true;
    }
    return this.#rest.size > 0 && this.#rest.delete(key);
  }

  /** All values, oldest first. Files the newest entry. */
  values(): IterableIterator<Value> {
    this.file();
    return this.#rest.values();
  }

  /** The key set longest ago, or `undefined`. */
  oldestKey(): string | undefined {
    this.file();
    for (const key of this.#rest.keys()) return key;
    return undefined;
  }

  /** Moves the newest entry to the others: for a moment when there is time, before the next one comes. */
  file(): void {
    if (!this.#has) return;
    this.#has = false;
    this.#rest.set(this.#key, this.#value as Value);
    this.#value = undefined;
  }
}
