/** Ids that are looked back on. */
const idsMax = 4_096;
const zeroCode = 0x30;
/** Numbers of more digits are not exact. */
const digitsMax = 15;

/**
 * The last ids of trades of one instrument, which tell a trade that comes again. Most venues count them up: as long as they rise they
 * are kept as numbers, and nothing is looked up. Others are kept as text.
 */
export class RecentIds {
  /** Rising, in a ring; until `#ids` takes over. */
  readonly #numbers = new Float64Array(idsMax);
  #count = 0;
  #oldest = 0;
  #last = -1;
  #ids: Set<string> | undefined;
  /** Ring, because the first of a set is slow to find once others were deleted. */
  readonly #inOrder: string[] = [];

  /** Takes an id; answers whether it is one of the last. Such a one is not taken twice. */
  isRepeated(id: string): boolean {
    if (this.#ids !== undefined) return this.#isKnown(this.#ids, id);
    const number = numberOf(id);
    if (number > this.#last) {
      this.#push(number);
      return false;
    }
    return this.#find(number) || this.#isKnown((this.#ids = this.#asText()), id);
  }

  #push(number: number): void {
    this.#last = number;
    this.#numbers[(this.#oldest + this.#count) % idsMax] = number;
    if (this.#count < idsMax) this.#count += 1;
    else this.#oldest = (this.#oldest + 1) % idsMax;
  }

  #find(number: number): boolean {
    let low = 0;
    let high = this.#count - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.#numbers[(this.#oldest + middle) % idsMax] as number;
      if (found === number) return true;
      if (found < number) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  }

  /** The ids there are as text, the oldest first. */
  #asText(): Set<string> {
    for (let i = 0; i < this.#count; i++)
      this.#inOrder.push(String(this.#numbers[(this.#oldest + i) % idsMax]));
    this.#oldest = 0;
    return new Set(this.#inOrder);
  }

  #isKnown(ids: Set<string>, id: string): boolean {
    const count = ids.size;
    ids.add(id);
    if (ids.size === count) return true;
    const inOrder = this.#inOrder;
    if (inOrder.length < idsMax) {
      inOrder.push(id);
      return false;
    }
    ids.delete(inOrder[this.#oldest] as string);
    inOrder[this.#oldest] = id;
    this.#oldest = (this.#oldest + 1) % idsMax;
    return false;
  }
}

/** The number that an id is, where `String` of it is the id again; otherwise NaN. */
function numberOf(id: string): number {
  const { length } = id;
  if (length === 0 || length > digitsMax || (length > 1 && id.charCodeAt(0) === zeroCode)) return Number.NaN;
  let number = 0;
  for (let i = 0; i < length; i++) {
    const digit = id.charCodeAt(i) - zeroCode;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}
