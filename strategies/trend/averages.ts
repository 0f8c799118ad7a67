/** A simple moving average over the last `length` values: a ring, O(1) a value, refreshed so that no error builds up. */
export class MovingAverage {
  readonly #values: Float64Array;
  #count = 0;
  #sum = 0;

  constructor(length: number) {
    this.#values = new Float64Array(length);
  }

  /** Adds a value; returns the average, or NaN until `length` values have come. */
  next(value: number): number {
    const { length } = this.#values;
    const at = this.#count % length;
    this.#sum += value - (this.#values[at] ?? 0);
    this.#values[at] = value;
    this.#count += 1;
    // Once a round the sum is made anew: differences of doubles would drift.
    if (at === length - 1) this.#sum = this.#values.reduce((sum, one) => sum + one, 0);
    return this.#count >= length ? this.#sum / length : Number.NaN;
  }
}

/** Which way the fast average stands to the slow one, and when that changes. */
export class Cross {
  readonly #fast: MovingAverage;
  readonly #slow: MovingAverage;
  #above: boolean | undefined;

  constructor(fast: number, slow: number) {
    this.#fast = new MovingAverage(fast);
    this.#slow = new MovingAverage(slow);
  }

  /** Adds a close; `up` or `down` at a crossing, else `undefined`. The first side taken is no crossing. */
  next(close: number): 'up' | 'down' | undefined {
    const fast = this.#fast.next(close);
    const slow = this.#slow.next(close);
    if (Number.isNaN(fast) || Number.isNaN(slow) || fast === slow) return undefined;
    const above = fast > slow;
    const crossed = this.#above !== undefined && this.#above !== above;
    this.#above = above;
    if (!crossed) return undefined;
    return above ? 'up' : 'down';
  }
}
