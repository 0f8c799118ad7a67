import { BadInput } from '../../../core/base/errors.ts';

/** Head of a DBN file. Source: Databento, "Databento Binary Encoding", versions 1 to 3. */
export interface DbnHeader {
  readonly version: number;
  readonly dataset: string;
  /** As Databento names it, such as `mbo`; `mixed` when the file does not say. */
  readonly schema: string;
  /** Raw symbols by instrument id. */
  readonly symbols: ReadonlyMap<number, string>;
  /** Bytes before the first record. */
  readonly length: number;
}

const schemas = ['mbo', 'mbp-1', 'mbp-10', 'tbbo', 'trades', 'ohlcv-1s', 'ohlcv-1m', 'ohlcv-1h', 'ohlcv-1d'];
const prefixLength = 8;
const headerBytesMax = 64 * 1024 * 1024;

/** Bytes of the whole head, from its first eight. Throws `BadInput` when they are not of a version we read. */
export function dbnHeaderLength(prefix: Buffer, path: string): number {
  if (prefix.length < prefixLength || prefix.toString('latin1', 0, 3) !== 'DBN') {
    throw new BadInput(
      `${path}: expected a DBN file (it begins with "DBN"), found the bytes ${prefix.subarray(0, 8).toString('hex')}`,
    );
  }
  const version = prefix[3] as number;
  if (version < 1 || version > 3) {
    throw new BadInput(`${path}: expected DBN of version 1 to 3, found version ${version}`);
  }
  const length = prefix.readUInt32LE(4);
  if (length > headerBytesMax)
    throw new BadInput(`${path}: expected a head of DBN, found one of ${length} bytes`);
  return prefixLength + length;
}

/** Reads the whole head. Throws `BadInput` when it ends too early. */
export function readDbnHeader(bytes: Buffer, path: string): DbnHeader {
  const version = bytes[3] as number;
  const reader = new HeaderReader(bytes, prefixLength, path);
  const dataset = reader.text(16);
  const schema = reader.uint16();
  reader.skip(8 + 8 + 8 + (version === 1 ? 8 : 0));
  reader.skip(3);
  const symbolLength = version === 1 ? 22 : reader.uint16();
  reader.skip(version === 1 ? 47 : 53);
  reader.skip(reader.uint32());
  // Symbols asked for, found in part, not found: the mappings below show what there is.
  for (let list = 0; list < 3; list++) reader.skip(reader.uint32() * symbolLength);
  const symbols = new Map<number, string>();
  for (let left = reader.uint32(); left > 0; left--) {
    const raw = reader.text(symbolLength);
    for (let intervals = reader.uint32(); intervals > 0; intervals--) {
      reader.skip(8);
      const mapped = reader.text(symbolLength);
      if (!/^\d{1,10}$/.test(mapped)) continue;
      const other = symbols.get(Number(mapped));
      if (other !== undefined && other !== raw) {
        throw new BadInput(
          `${path}: expected one symbol for instrument ${mapped}, found ${other} and ${raw} on other days; fetch the days as files of their own`,
        );
      }
      symbols.set(Number(mapped), raw);
    }
  }
  return { version, dataset, schema: schemas[schema] ?? 'mixed', symbols, length: bytes.length };
}

class HeaderReader {
  readonly #bytes: Buffer;
  readonly #path: string;
  #at = 0;

  constructor(bytes: Buffer, at: number, path: string) {
    this.#bytes = bytes;
    this.#at = at;
    this.#path = path;
  }

  uint16(): number {
    return this.#bytes.readUInt16LE(this.#take(2));
  }

  uint32(): number {
    return this.#bytes.readUInt32LE(this.#take(4));
  }

  text(length: number): string {
    const at = this.#take(length);
    return this.#bytes.toString('latin1', at, at + length).replace(/\0.*$/s, '');
  }

  skip(length: number): void {
    this.#take(length);
  }

  #take(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (this.#at > this.#bytes.length) {
      throw new BadInput(
        `${this.#path}: expected a head of DBN with ${this.#at} bytes or more, found ${this.#bytes.length}`,
      );
    }
    return at;
  }
}
