/**
 * Which places of a circle are taken: a bit each, and a summary bit per word of 32.
 * The length is a power of two, at least 1,024.
 */
export class TickBits {
  readonly #words: Int32Array;
  readonly #summary: Int32Array;

  constructor(length: number) {
    this.#words = new Int32Array(length >>> 5);
    this.#summary = new Int32Array(length >>> 10);
  }

  set(place: number): void {
    const word = place >>> 5;
    const group = word >>> 5;
    this.#words[word] = (this.#words[word] as number) | (1 << (place & 31));
    this.#summary[group] = (this.#summary[group] as number) | (1 << (word & 31));
  }

  unset(place: number): void {
    const word = place >>> 5;
    const left = (this.#words[word] as number) & ~(1 << (place & 31));
    this.#words[word] = left;
    if (left !== 0) return;
    const group = word >>> 5;
    this.#summary[group] = (this.#summary[group] as number) & ~(1 << (word & 31));
  }

  /** The taken place found first going down from `place` (not included) around the circle, or -1 when none is. */
  before(place: number): number {
    const word = place >>> 5;
    const near = (this.#words[word] as number) & ((1 << (place & 31)) - 1);
    if (near !== 0) return (word << 5) | (31 - Math.clz32(near));
    const summary = this.#summary;
    const group = word >>> 5;
    const close = (summary[group] as number) & ((1 << (word & 31)) - 1);
    if (close !== 0) return this.#lastOf((group << 5) | (31 - Math.clz32(close)));
    const groups = summary.length;
    for (let step = 1; step <= groups; step++) {
      const other = (group - step + groups) % groups;
      const bits = summary[other] as number;
      if (bits !== 0) return this.#lastOf((other << 5) | (31 - Math.clz32(bits)));
    }
    return -1;
  }

  #lastOf(word: number): number {
    return (word << 5) | (31 - Math.clz32(this.#words[word] as number));
  }
}
