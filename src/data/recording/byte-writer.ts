import { assert } from '../../core/base/assert.ts';
import { levelStride } from '../../core/model/level-buffer.ts';

/** Whole numbers below this may be written as differences: twice as much is still exact. */
const smallMax = 2 ** 51;

const bytesMax = 512 * 1024 * 1024;
const varintBytesMax = 12;

/** A growing array of bytes with the number forms of our files. Reused: `clear` keeps the capacity. */
export class ByteWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor(capacity = 64 * 1024) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** A copy of what was written. */
  take(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  byte(value: number): void {
    this.#need(1);
    this.#bytes[this.#length++] = value;
  }

  /** A whole number from 0 that a double holds exactly: seven bits a byte, lowest first. */
  varint(value: number): void {
    this.#need(varintBytesMax);
    const bytes = this.#bytes;
    let at = this.#length;
    let rest = value | 0;
    if (rest !== value || rest < 0) {
      assert(value >= 0 && Number.isInteger(value), 'expected a whole number from 0 to write');
      let large = value;
      for (; large >= 0x8000_0000; large = Math.floor(large / 128)) bytes[at++] = (large % 128) | 128;
      rest = large;
    }
    for (; rest > 127; rest >>= 7) bytes[at++] = (rest & 127) | 128;
    bytes[at++] = rest;
    this.#length = at;
  }

  /**
   * `value` as its difference to `last`; values of 2^51 and more are written whole behind a zero, because their
   * differences need not be exact.
   */
  delta(value: number, last: number): void {
    if (isBase(value)) {
      const difference = value - last;
      this.varint(difference < 0 ? -difference * 2 : difference * 2 + 1);
    } else {
      this.byte(0);
      this.#need(8);
      this.#view.setFloat64(this.#length, value, true);
      this.#length += 8;
    }
  }

  /**
   * Levels of one side, from index `start` to before `end` of a flat array: price as a difference to the one before, then size.
   * Returns the last price that may be a base of differences. The counterpart of `ByteReader.levels`. Fast twin of `delta` and
   * `varint`: row `import`, 1.06 times as fast.
   */
  levels(levels: Float64Array, start: number, end: number, last: number): number {
    this.#need(((end - start) / levelStride) * 2 * varintBytesMax);
    const bytes = this.#bytes;
    let at = this.#length;
    let base = last;
    for (let i = start; i < end; i += levelStride) {
      const price = levels[i + 1] as number;
      const size = levels[i + 2] as number;
      const difference = price - base;
      const code = difference < 0 ? -difference * 2 : difference * 2 + 1;
      let head = code | 0;
      let rest = size | 0;
      if (head === code && rest === size && rest >= 0 && isBase(price)) {
        for (; head > 127; head >>= 7) bytes[at++] = (head & 127) | 128;
        bytes[at++] = head;
        for (; rest > 127; rest >>= 7) bytes[at++] = (rest & 127) | 128;
        bytes[at++] = rest;
        base = price;
      } else {
        this.#length = at;
        this.delta(price, base);
        this.varint(size);
        at = this.#length;
        if (isBase(price)) base = price;
      }
    }
    this.#length = at;
    return base;
  }

  /** UTF-8 text with its length in front. */
  text(text: string): void {
    this.bytes(Buffer.from(text, 'utf8'));
  }

  /** Bytes with their number in front. */
  bytes(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.#need(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #need(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    assert(needed <= bytesMax, 'a block outgrew its bound');
    const bytes = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

/** Whether a value, once read or written, becomes the base of the next difference. */
export function isBase(value: number): boolean {
  return Math.abs(value) < smallMax;
}
