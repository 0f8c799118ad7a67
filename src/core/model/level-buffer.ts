/** Numbers per level in a flat array: side (0 bid, 1 ask), price in ticks, size in lots. */
export const levelStride = 3;

const chunkLevels = 16_384;

/**
 * Levels of many messages in few arrays: decoders append here, events point into it.
 *
 * A full chunk is left to the events that still point into it and a new one begins, so nothing published is ever
 * overwritten. `push` only between `beginMessage` and `end`.
 */
export class LevelBuffer {
  /** The current chunk: what an event carries as `levels`. */
  chunk = new Float64Array(chunkLevels * levelStride);
  #start = 0;
  #used = 0;

  /** Starts a message. */
  beginMessage(): void {
    this.#start = this.#used;
  }

  /** Index of the first number of the message begun last. */
  get start(): number {
    return this.#start;
  }

  /** Index behind the last number pushed. */
  get end(): number {
    return this.#used;
  }

  /** Appends one level to the message. */
  push(side: 0 | 1, price: number, size: number): void {
    if (this.#used + levelStride > this.chunk.length) this.#renew();
    const chunk = this.chunk;
    const at = this.#used;
    chunk[at] = side;
    chunk[at + 1] = price;
    chunk[at + 2] = size;
    this.#used = at + levelStride;
  }

  /** Forgets the message begun last (it was malformed). */
  abandon(): void {
    this.#used = this.#start;
  }

  /** A message that does not fit moves to a new chunk, large enough for what it has and as much again. */
  #renew(): void {
    const length = this.#used - this.#start;
    const chunk = new Float64Array(Math.max(chunkLevels * levelStride, length * 2 + levelStride));
    chunk.set(this.chunk.subarray(this.#start, this.#used));
    this.chunk = chunk;
    this.#start = 0;
    this.#used = length;
  }
}
