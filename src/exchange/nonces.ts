/** Nonces remembered per key; beyond this the oldest are forgotten. */
const noncesMax = 10_000;

/** Remembers which nonces were used, so that a login heard on the wire cannot be repeated. */
export class Nonces {
  readonly #used = new Set<string>();

  /** Whether the nonce is new for that key; from here on it is not. */
  use(apiKey: string, nonce: string): boolean {
    const entry = `${apiKey} ${nonce}`;
    if (this.#used.has(entry)) return false;
    this.#used.add(entry);
    if (this.#used.size > noncesMax) this.#forget();
    return true;
  }

  #forget(): void {
    let surplus = noncesMax / 10;
    for (const entry of this.#used) {
      if (surplus-- <= 0) return;
      this.#used.delete(entry);
    }
  }
}
