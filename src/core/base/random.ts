/**
 * Seeded, forkable random numbers (sfc32 seeded through a string hash).
 *
 * One seed per run; each user forks by name, so that adding a user does not disturb the others.
 */
export class Random {
  readonly #name: string;
  #a = 0;
  #b = 0;
  #c = 0;
  #d = 1;

  constructor(seed: number | string) {
    this.#name = String(seed);
    const next = mixer(this.#name);
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next();
    for (let i = 0; i < 12; i++) this.uint32();
  }

  /** A stream of its own, given by this stream's seed and `name` alone, whatever was drawn before. */
  fork(name: string): Random {
    return new Random(`${this.#name}/${name}`);
  }

  /** A whole number from 0 to 2^32 - 1. */
  uint32(): number {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (this.#c << 21) | (this.#c >>> 11);
    this.#c = (this.#c + t) | 0;
    return t >>> 0;
  }

  /** A number in [0, 1) with 53 random bits. */
  float(): number {
    return (this.uint32() * 0x20_0000 + (this.uint32() >>> 11)) / 0x20_0000_0000_0000;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.float() * (high - low + 1));
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.float() < probability;
  }

  /** One of `items`, which must not be empty. */
  pick<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length - 1)] as Item;
  }

  /** Exponentially distributed with the given mean. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.float());
  }

  /** Normally distributed with mean 0 and deviation 1 (Box and Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.float())) * Math.cos(2 * Math.PI * this.float());
  }
}

function mixer(text: string): () => number {
  let h = 1_779_033_703 ^ text.length;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 3_432_918_353);
    h = (h << 13) | (h >>> 19);
  }
  return () => {
    h = Math.imul(h ^ (h >>> 16), 2_246_822_507);
    h = Math.imul(h ^ (h >>> 13), 3_266_489_909);
    h ^= h >>> 16;
    return h >>> 0;
  };
}
