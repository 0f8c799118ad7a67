import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { BadInput } from '../../core/base/errors.ts';
import type { Block } from './block-file.ts';
import { blockBytesMax, blockHeadLength, fileHeadLength } from './block-file.ts';
import { unreadableFile } from './lines.ts';

/** Bytes by position: a file, or memory that workers share. */
export interface ByteSource {
  readonly size: number;
  /** Exactly `length` bytes from `offset`; both lie inside. */
  read(offset: number, length: number): Uint8Array;
  close(): void;
}

/**
 * How a file ends. `complete`: closed properly. `unfinished`: after a whole block, without an end block. `torn`:
 * inside a block; `lostBytes` from `offset` on are not readable, everything before is.
 */
export interface Ending {
  readonly kind: 'complete' | 'unfinished' | 'torn';
  readonly offset: number;
  readonly lostBytes: number;
}

/** A file as a `ByteSource`. Throws `BadInput` with the path when it cannot be read. */
export function openFile(path: string): ByteSource {
  try {
    const file = openSync(path, 'r');
    return {
      size: fstatSync(file).size,
      read: (offset, length) => {
        const bytes = Buffer.allocUnsafeSlow(length);
        const count = readSync(file, bytes, 0, length, offset);
        if (count !== length)
          throw new BadInput(`${path}: expected ${length} bytes at ${offset}, found ${count}`);
        return bytes;
      },
      close: () => closeSync(file),
    };
  } catch (error) {
    throw unreadableFile(path, error);
  }
}

/** Bytes in memory as a `ByteSource`. */
export function openBytes(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    close: () => undefined,
  };
}

/** Reads a container from front to back. Damage is an error that names file and place; a torn tail is an ending. */
export class BlockReader {
  readonly #source: ByteSource;
  readonly #path: string;
  readonly header: unknown;
  #offset = 0;
  #number = 0;
  #ending: Ending | undefined;
  #last: Block | undefined;

  /** Reads the head. Throws `BadInput` when the file is not of this kind or its head is damaged. */
  constructor(source: ByteSource, path: string, magic: string) {
    this.#source = source;
    this.#path = path;
    const head = source.read(0, Math.min(fileHeadLength, source.size));
    const found = Buffer.from(head.subarray(0, 8)).toString('latin1');
    if (head.length < fileHeadLength || found !== magic) {
      throw new BadInput(
        `${path}: expected a file that begins with ${magic}, found ${JSON.stringify(found)}`,
      );
    }
    const view = viewOf(head);
    const length = view.getUint32(8, true);
    const inside = length <= source.size - fileHeadLength;
    const json = inside ? source.read(fileHeadLength, length) : new Uint8Array(0);
    if (!inside || crc32(json) !== view.getUint32(12, true)) {
      throw new BadInput(`${path}: expected an undamaged header of ${length} bytes, found a wrong checksum`);
    }
    this.header = JSON.parse(Buffer.from(json).toString('utf8')) as unknown;
    this.#offset = fileHeadLength + length;
  }

  /** How the file ends; known once `next` has answered `undefined`. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  /** The end block, once it was met. */
  get endBlock(): Block | undefined {
    return this.#last;
  }

  /** Goes to the block `number`, which begins at `offset`. */
  seek(offset: number, number: number): void {
    this.#offset = offset;
    this.#number = number;
    this.#ending = undefined;
  }

  /** Where the next block begins. */
  get offset(): number {
    return this.#offset;
  }

  /** The next block of content, or `undefined` at the end. Throws `BadInput` when a block is damaged. */
  next(): Block | undefined {
    if (this.#ending !== undefined) return undefined;
    const left = this.#source.size - this.#offset;
    if (left < blockHeadLength) return this.#end(left === 0 ? 'unfinished' : 'torn');
    const head = this.#source.read(this.#offset, blockHeadLength);
    const view = viewOf(head);
    if (crc32(head.subarray(0, 36)) !== view.getUint32(36, true)) {
      if (this.#isZeroFrom(this.#offset)) return this.#end('torn');
      throw this.#damaged('a wrong checksum in the head of');
    }
    const length = view.getUint32(4, true);
    if (length > left - blockHeadLength) return this.#end('torn');
    const rawLength = view.getUint32(8, true);
    if (rawLength > blockBytesMax) throw this.#damaged('an impossible length of');
    const stored = this.#source.read(this.#offset + blockHeadLength, length);
    if (crc32(stored) !== view.getUint32(32, true)) throw this.#damaged('a wrong checksum of');
    const number = view.getUint32(24, true);
    if (number !== this.#number) throw this.#damaged(`the number ${number} on`);
    const block: Block = {
      kind: view.getUint32(28, true) === 1 ? 'end' : 'content',
      number,
      count: view.getUint32(12, true),
      base: view.getFloat64(16, true),
      rawLength,
      stored,
    };
    this.#number += 1;
    this.#offset += blockHeadLength + length;
    if (block.kind === 'content') return block;
    this.#last = block;
    return this.#end('complete');
  }

  close(): void {
    this.#source.close();
  }

  #end(kind: Ending['kind']): undefined {
    this.#ending = { kind, offset: this.#offset, lostBytes: this.#source.size - this.#offset };
    return undefined;
  }

  /** A crash of the machine may leave a tail of zeros that was never written. */
  #isZeroFrom(offset: number): boolean {
    for (let at = offset; at < this.#source.size; at += 65_536) {
      const bytes = this.#source.read(at, Math.min(65_536, this.#source.size - at));
      if (bytes.some((byte) => byte !== 0)) return false;
    }
    return true;
  }

  #damaged(found: string): BadInput {
    return new BadInput(
      `${this.#path}: expected an undamaged block at byte ${this.#offset}, found ${found} block ${this.#number}; the blocks before it are readable`,
    );
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
