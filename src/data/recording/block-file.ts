import { crc32, zstdCompress, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { BadInput } from '../../core/base/errors.ts';

/**
 * The container of our own files: a header in JSON, then blocks that stand alone, then an end block when the file was
 * closed properly. Every part carries a CRC-32; all numbers are little endian.
 *
 * ```
 * file    magic (8) | length u32 | crc u32 | JSON
 * block   'GWB1' | stored length u32 | raw length u32 | count u32 | base f64 | number u32 | kind u32
 *         | crc of the stored bytes u32 | crc of these 36 bytes u32 | stored bytes
 * ```
 */
export type BlockCodec = 'none' | 'zstd';

export type BlockKind = 'content' | 'end';

/** A block to be written: `count` and `base` are the content's own business (how many, and a first time). */
export interface Block {
  readonly kind: BlockKind;
  readonly number: number;
  readonly count: number;
  readonly base: number;
  readonly rawLength: number;
  /** The bytes as they stand in the file, compressed or not. */
  readonly stored: Uint8Array;
}

export const blockHeadLength = 40;
export const fileHeadLength = 16;
/** No block is larger, compressed or not: a damaged length never asks for more memory than this. */
export const blockBytesMax = 256 * 1024 * 1024;

const blockMagic = 0x31_42_57_47;

/** The first bytes of a file. `magic` has eight characters. */
export function encodeFileHead(magic: string, header: unknown): Uint8Array {
  const json = Buffer.from(JSON.stringify(header), 'utf8');
  const head = Buffer.alloc(fileHeadLength + json.length);
  head.write(magic, 0, 8, 'latin1');
  head.writeUInt32LE(json.length, 8);
  head.writeUInt32LE(crc32(json), 12);
  json.copy(head, fileHeadLength);
  return head;
}

/** A whole block, head and bytes. */
export function encodeBlock(block: Block): Uint8Array {
  const bytes = Buffer.alloc(blockHeadLength + block.stored.length);
  bytes.writeUInt32LE(blockMagic, 0);
  bytes.writeUInt32LE(block.stored.length, 4);
  bytes.writeUInt32LE(block.rawLength, 8);
  bytes.writeUInt32LE(block.count, 12);
  bytes.writeDoubleLE(block.base, 16);
  bytes.writeUInt32LE(block.number, 24);
  bytes.writeUInt32LE(block.kind === 'end' ? 1 : 0, 28);
  bytes.writeUInt32LE(crc32(block.stored), 32);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 36)), 36);
  bytes.set(block.stored, blockHeadLength);
  return bytes;
}

/** Compresses the bytes of a block. */
export function pack(raw: Uint8Array, codec: BlockCodec): Uint8Array {
  return codec === 'zstd' ? zstdCompressSync(raw) : raw;
}

/** As `pack`, away from the event loop. */
export async function packLater(raw: Uint8Array, codec: BlockCodec): Promise<Uint8Array> {
  if (codec === 'none') return raw;
  return await new Promise((resolve, reject) => {
    zstdCompress(raw, (error, packed) => (error === null ? resolve(packed) : reject(error)));
  });
}

/** The opposite of `pack`. Throws `BadInput` when the length is not the one the block names. */
export function unpack(block: Block, codec: BlockCodec): Uint8Array {
  if (codec === 'none') return block.stored;
  const raw = zstdDecompressSync(block.stored, { maxOutputLength: Math.max(1, block.rawLength) });
  if (raw.length !== block.rawLength) {
    throw new BadInput(`expected a block of ${block.rawLength} bytes, found ${raw.length}`);
  }
  return raw;
}
