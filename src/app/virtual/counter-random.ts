/**
 * Random numbers of one stream, each given by the seed, the stream's name and its number alone: what one stream
 * draws, or whether it exists at all, never shifts another. Source: faults, section 4.
 */
export class CounterRandom {
  readonly #key: number;
  #count = 0;

  constructor(seed: number, stream: string) {
    let key = mixed(seed ^ 0x9e37_79b9, stream.length);
    for (let i = 0; i < stream.length; i++) key = mixed(key, stream.charCodeAt(i));
    this.#key = key;
  }

  uint32(): number {
    this.#count += 1;
    return mixed(mixed(this.#key, this.#count), 0x85eb_ca6b) >>> 0;
  }

  /** A number in [0, 1). */
  float(): number {
    return this.uint32() / 0x1_0000_0000;
  }

  /** Whole, both ends included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.float() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.float() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length - 1)] as Item;
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.float());
  }
}

function mixed(key: number, word: number): number {
  let hash = Math.imul(key ^ word, 0xcc9e_2d51);
  hash = (hash ^ (hash >>> 15)) + Math.imul(word | 1, 0x1b87_3593);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}
