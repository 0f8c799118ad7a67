/** One side of a book as the exchange shows it: sizes in lots by price in ticks, prices ascending. */
export class Ladder {
  readonly #prices: number[] = [];
  readonly #sizes: number[] = [];

  /** How many levels stand. */
  get size(): number {
    return this.#prices.length;
  }

  /** Price of the level at `index` from below. */
  priceAt(index: number): number {
    return this.#prices[index] as number;
  }

  sizeAt(index: number): number {
    return this.#sizes[index] as number;
  }

  /** The size at a price, 0 when there is no level. */
  get(price: number): number {
    const at = this.#find(price);
    return this.#prices[at] === price ? (this.#sizes[at] as number) : 0;
  }

  /** Sets the size at a price; 0 removes the level. Returns whether something changed. */
  set(price: number, size: number): boolean {
    const at = this.#find(price);
    if (this.#prices[at] === price) {
      if (this.#sizes[at] === size) return false;
      if (size > 0) this.#sizes[at] = size;
      else {
        this.#prices.splice(at, 1);
        this.#sizes.splice(at, 1);
      }
      return true;
    }
    if (size <= 0) return false;
    this.#prices.splice(at, 0, price);
    this.#sizes.splice(at, 0, size);
    return true;
  }

  /** The first index whose price is not below `price`. */
  #find(price: number): number {
    const prices = this.#prices;
    let low = 0;
    let high = prices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((prices[middle] as number) < price) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
