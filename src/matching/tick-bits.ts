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

  /**
   * Marks a place as taken (1) or not (0), without a branch but for words that become or were empty. Returns how many
   * places more are taken than before.
   */
  put(place: number, bit: number): number {
    const word = place >>> 5;
    const shift = place & 31;
    const before = this.#words[word] as number;
    const was = (before >>> shift) & 1;
    const after = before ^ ((was ^ bit) << shift);
    this.#words[word] = after;
    if (before === 0 || after === 0) this.#sum(word, after);
    return bit - was;
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

  #sum(word: number, bits: number): void {
    const group = word >>> 5;
    const place = 1 << (word & 31);
    const others = (this.#summary[group] as number) & ~place;
    this.#summary[group] = bits === 0 ? others : others | place;
  }

  #lastOf(word: number): number {
    return (word << 5) | (31 - Math.clz32(this.#words[word] as number));
  }
}
