import { BadInput } from '../../core/base/errors.ts';
import { levelStride } from '../../core/model/level-buffer.ts';

/** Reads what `ByteWriter` wrote. Throws `BadInput` when the bytes end too early or say impossible things. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** How many bytes are left. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw tooShort();
    this.#at += 1;
    return byte;
  }

  varint(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    let byte = bytes[at++] as number;
    let value = byte & 127;
    let scale = 128;
    while (byte > 127) {
      byte = bytes[at++] as number;
      value += (byte & 127) * scale;
      scale *= 128;
    }
    if (at > bytes.length || scale > 2 ** 77) throw tooShort();
    this.#at = at;
    return value;
  }

  /** The value written as a difference to `last`. */
  delta(last: number): number {
    const code = this.varint();
    if (code === 0) return this.float();
    return code % 2 === 0 ? last - code / 2 : last + (code - 1) / 2;
  }

  float(): number {
    if (this.left < 8) throw tooShort();
    const value = this.#view.getFloat64(this.#at, true);
    this.#at += 8;
    return value;
  }

  text(): string {
    const bytes = this.bytes();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  }

  /** Bytes with their number in front: a part of the array read, not a copy. */
  bytes(): Uint8Array {
    const length = this.varint();
    if (length > this.left) throw tooShort();
    const bytes = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return bytes;
  }

  /**
   * Reads `count` levels of one side into `levels` from index `to`: price as a difference to the one before, then
   * lots. Returns the last price that may be a base of differences. This is the hot loop of a replay.
   */
  levels(side: 0 | 1, count: number, last: number, levels: Float64Array, to: number): number {
    if (count * 2 > this.left || to + count * levelStride > levels.length) throw tooShort();
    const bytes = this.#bytes;
    let at = this.#at;
    let price = last;
    for (let i = to, end = to + count * levelStride; i < end; i += levelStride) {
      let byte = bytes[at++] as number;
      let code = byte & 127;
      if (byte > 127) {
        byte = bytes[at++] as number;
        code |= (byte & 127) << 7;
        if (byte > 127) {
          this.#at = at;
          code += this.#restAfterTwo();
          at = this.#at;
        }
      }
      let shown: number;
      if (code === 0) {
        this.#at = at;
        shown = this.float();
        at = this.#at;
      } else {
        if (code < 0x4000_0000) price += (code & 1) === 0 ? -(code >> 1) : code >> 1;
        else price += code % 2 === 0 ? -code / 2 : (code - 1) / 2;
        shown = price;
      }
      byte = bytes[at++] as number;
      let lots = byte & 127;
      if (byte > 127) {
        byte = bytes[at++] as number;
        lots |= (byte & 127) << 7;
        if (byte > 127) {
          this.#at = at;
          lots += this.#restAfterTwo();
          at = this.#at;
        }
      }
      levels[i] = side;
      levels[i + 1] = shown;
      levels[i + 2] = lots;
    }
    if (at > bytes.length) throw tooShort();
    this.#at = at;
    return price;
  }

  /** What the bytes of a number behind its first two add to it. */
  #restAfterTwo(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    let byte = bytes[at++] as number;
    let value = (byte & 127) << 14;
    for (let scale = 2 ** 21; byte > 127; scale *= 128) {
      byte = bytes[at++] as number;
      value += (byte & 127) * scale;
    }
    this.#at = at;
    return value;
  }
}

function tooShort(): BadInput {
  return new BadInput('expected more bytes in a block, found its end');
}
