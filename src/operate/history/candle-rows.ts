/** Candles that are kept of a symbol and period. */
export const candlesMax = 600;

/** Begin in milliseconds since 1970, open, high, low, close, and volume in base currency: for a chart, in doubles. */
export type CandleRow = readonly [
  time: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
];

/** Numbers of a candle. */
export const candleWidth = 6;

/**
 * The last candles of one symbol and period, the oldest first, in one block of numbers: a start reads hundreds of thousands, and an object
 * for each would cost more than the reading.
 */
export class CandleRows {
  readonly #values = new Float64Array(candlesMax * candleWidth);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Begin of the last one, 0 where there is none. */
  get lastTime(): number {
    return this.#timeOf(this.#count - 1);
  }

  /** Numbers of all of them, row behind row: a view that the next change invalidates. */
  get values(): Float64Array {
    return this.#values.subarray(0, this.#count * candleWidth);
  }

  /**
   * Puts the candle whose numbers begin at `from` of `source` in its place; one of the same time is replaced, and the oldest leaves where
   * there are too many. Returns whether anything changed.
   */
  put(source: ArrayLike<number>, from = 0): boolean {
    const values = this.#values;
    const time = source[from] as number;
    let at = this.#count;
    while (at > 0 && this.#timeOf(at - 1) > time) at -= 1;
    if (at > 0 && this.#timeOf(at - 1) === time) return this.#write(at - 1, source, from);
    if (this.#count < candlesMax) {
      values.copyWithin((at + 1) * candleWidth, at * candleWidth, this.#count * candleWidth);
      this.#count += 1;
    } else {
      if (at === 0) return false;
      at -= 1;
      values.copyWithin(0, candleWidth, (at + 1) * candleWidth);
    }
    this.#write(at, source, from);
    return true;
  }

  /** Place of the first one that begins at `time` or after it. */
  placeOf(time: number): number {
    let at = this.#count;
    while (at > 0 && this.#timeOf(at - 1) >= time) at -= 1;
    return at;
  }

  /** One number of each candle from the place `from` on. */
  column(index: number, from: number): number[] {
    const column: number[] = [];
    for (let at = from; at < this.#count; at++) column.push(this.#values[at * candleWidth + index] as number);
    return column;
  }

  #timeOf(at: number): number {
    return at < 0 ? 0 : (this.#values[at * candleWidth] as number);
  }

  #write(at: number, source: ArrayLike<number>, from: number): boolean {
    let isChanged = false;
    for (let index = 0; index < candleWidth; index++) {
      const value = source[from + index] as number;
      isChanged ||= this.#values[at * candleWidth + index] !== value;
      this.#values[at * candleWidth + index] = value;
    }
    return isChanged;
  }
}
