import { assert } from '../../core/base/assert.ts';

/** Whole numbers below this may be written as differences: twice as much is still exact. */
export const smallMax = 2 ** 51;

const bytesMax = 512 * 1024 * 1024;

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
    assert(value >= 0 && Number.isInteger(value), 'expected a whole number from 0 to write');
    this.#need(12);
    const bytes = this.#bytes;
    let at = this.#length;
    let rest = value;
    while (rest >= 0x8000_0000) {
      bytes[at++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    while (rest > 127) {
      bytes[at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    bytes[at++] = rest;
    this.#length = at;
  }

  /**
   * `value` as its difference to `last`; values of 2^51 and more are written whole behind a zero, because their
   * differences need not be exact.
   */
  delta(value: number, last: number): void {
    if (Math.abs(value) < smallMax) {
      const difference = value - last;
      this.varint(difference < 0 ? -difference * 2 : difference * 2 + 1);
    } else {
      this.byte(0);
      this.#need(8);
      this.#view.setFloat64(this.#length, value, true);
      this.#length += 8;
    }
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
