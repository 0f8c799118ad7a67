/**
 * A circle of bits with a summary of its words, to find the next set bit downwards in a few steps.
 * `length` is a power of two of at least 1024.
 */
export class BitRing {
  readonly #words: Int32Array;
  readonly #summary: Int32Array;
  readonly #wordMask: number;
  readonly #summaryMask: number;

  constructor(length: number) {
    this.#words = new Int32Array(length >>> 5);
    this.#summary = new Int32Array(length >>> 10);
    this.#wordMask = (length >>> 5) - 1;
    this.#summaryMask = (length >>> 10) - 1;
  }

  set(slot: number): void {
    const word = slot >>> 5;
    this.#words[word] = (this.#words[word] as number) | (1 << (slot & 31));
    this.#summary[word >>> 5] = (this.#summary[word >>> 5] as number) | (1 << (word & 31));
  }

  unset(slot: number): void {
    const word = slot >>> 5;
    const left = (this.#words[word] as number) & ~(1 << (slot & 31));
    this.#words[word] = left;
    if (left === 0) {
      this.#summary[word >>> 5] = (this.#summary[word >>> 5] as number) & ~(1 << (word & 31));
    }
  }

  /**
   * `set` (1) or `unset` (0), without a branch but for words that become or were empty. Returns how many bits more are
   * set than before.
   */
  put(slot: number, bit: number): number {
    const word = slot >>> 5;
    const shift = slot & 31;
    const before = this.#words[word] as number;
    const was = (before >>> shift) & 1;
    const after = before ^ ((was ^ bit) << shift);
    this.#words[word] = after;
    if (before === 0 || after === 0) this.#sum(word, after);
    return bit - was;
  }

  clear(): void {
    this.#words.fill(0);
    this.#summary.fill(0);
  }

  /** The nearest set bit below `slot`, around the circle and down to `slot` itself; -1 when no bit is set. */
  below(slot: number): number {
    const word = slot >>> 5;
    const here = (this.#words[word] as number) & lowerBits(slot & 31);
    if (here !== 0) return (word << 5) | highest(here);
    const group = word >>> 5;
    const near = (this.#summary[group] as number) & lowerBits(word & 31);
    if (near !== 0) return this.#highestOf((group << 5) | highest(near));
    for (let step = 1; step <= this.#summaryMask + 1; step++) {
      const other = (group - step) & this.#summaryMask;
      const bits = this.#summary[other] as number;
      if (bits !== 0) return this.#highestOf((other << 5) | highest(bits));
    }
    return -1;
  }

  #sum(word: number, bits: number): void {
    const group = word >>> 5;
    const place = 1 << (word & 31);
    const others = (this.#summary[group] as number) & ~place;
    this.#summary[group] = bits === 0 ? others : others | place;
  }

  #highestOf(word: number): number {
    return ((word & this.#wordMask) << 5) | highest(this.#words[word & this.#wordMask] as number);
  }
}

/** Mask of the bits below position `bit`. */
function lowerBits(bit: number): number {
  return (1 << bit) - 1;
}

function highest(bits: number): number {
  return 31 - Math.clz32(bits);
}
