import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import xz from 'xz-decompress';
import type { NotFound } from '../../core/base/errors.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { LineBatch } from '../recording/index.ts';
import { headOf, linesOf, unreadableFile, withoutMark } from '../recording/index.ts';
import type { FileHead, FilePacking } from './format.ts';
import { unzipFile } from './zip-file.ts';

const pieceBytes = 256 * 1024;
const headBytesMax = 64 * 1024;

/** The packing of a file, by its first bytes. Throws `BadInput` when it cannot be read or is empty. */
export async function packingOfFile(path: string): Promise<FilePacking> {
  const head = await headOf(path, 6);
  if (head.length === 0) throw new BadInput(`${path}: expected recorded data, found an empty file`);
  const magic = Buffer.from(head).toString('hex');
  if (magic.startsWith('1f8b')) return 'gzip';
  if (magic.startsWith('28b52ffd')) return 'zstd';
  if (magic.startsWith('fd377a585a00')) return 'xz';
  if (magic.startsWith('504b0304')) return 'zip';
  return 'plain';
}

/**
 * The content of a file, unpacked (gzip, zstd, xz, a zip of one file), text of UTF-16 as UTF-8, without the mark of an editor, in pieces as they
 * come; memory is bounded by a piece. Throws `BadInput` with the path when the file cannot be read, is damaged or is cut short.
 */
export async function* readBytes(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const packing = await packingOfFile(path);
  let decoder: TextDecoder | undefined;
  let isFirst = true;
  try {
    for await (const piece of piecesOf(path, packing)) {
      if (piece.length === 0) continue;
      if (isFirst) decoder = wideDecoderOf(piece);
      if (decoder !== undefined) yield Buffer.from(decoder.decode(piece, { stream: true }), 'utf8');
      else yield isFirst ? withoutMark(piece) : piece;
      isFirst = false;
    }
  } catch (error) {
    throw error instanceof BadInput ? error : damaged(path, packing, error);
  }
}

/** A reader of text in UTF-16, which MetaTrader and Excel write; `undefined` for bytes that do not begin with its mark. */
function wideDecoderOf(start: Uint8Array): TextDecoder | undefined {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  return first === 0xfe && second === 0xff ? new TextDecoder('utf-16be') : undefined;
}

/** The lines of a packed or plain text file, in batches. Throws `BadInput` like `readBytes`, naming endless lines too. */
export function readTextLines(path: string): AsyncGenerator<LineBatch, void, undefined> {
  return linesOf(path, readBytes(path));
}

/** The whole content of a file of at most `bytesMax` bytes unpacked. Throws `BadInput` when it is longer. */
export async function readWhole(path: string, bytesMax: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of readBytes(path)) {
    length += piece.length;
    if (length > bytesMax) {
      throw new BadInput(
        `${path}: expected at most ${bytesMax} bytes of content, found more; split the file`,
      );
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The beginning of a file, unpacked, by which formats recognise their own. Throws `BadInput` like `readBytes`. */
export async function readHead(path: string): Promise<FileHead> {
  const packing = await packingOfFile(path);
  const pieces: Uint8Array[] = [];
  let length = 0;
  let name = basename(path);
  const take = (piece: Uint8Array): boolean => {
    pieces.push(piece);
    length += piece.length;
    return length < headBytesMax;
  };
  try {
    if (packing === 'zip') {
      for await (const piece of unzipFile(path)) {
        name = piece.name;
        if (!take(piece.bytes)) break;
      }
    } else {
      for await (const piece of unpacked(path, packing)) if (!take(piece as Uint8Array)) break;
    }
  } catch (error) {
    // The part before the damage may still show the format; the reader of the whole meets the damage again.
    if (error instanceof BadInput) throw error;
    if (length === 0) throw damaged(path, packing, error);
  }
  const start = Buffer.concat(pieces).subarray(0, headBytesMax);
  const wide = wideDecoderOf(start)?.decode(start, { stream: true });
  const bytes = Buffer.from(wide ?? withoutMark(start));
  const text = bytes.toString('utf8');
  const line = text.split('\n', 64).find((one) => one.trim() !== '') ?? '';
  return { packing, bytes, text, line: line.replace(/\r$/, ''), name };
}

async function* piecesOf(path: string, packing: FilePacking): AsyncGenerator<Uint8Array, void, undefined> {
  if (packing === 'zip') for await (const piece of unzipFile(path)) yield piece.bytes;
  else for await (const piece of unpacked(path, packing)) yield piece as Uint8Array;
}

function unpacked(path: string, packing: Exclude<FilePacking, 'zip'>): AsyncIterable<unknown> {
  const file = createReadStream(path, { highWaterMark: pieceBytes });
  if (packing === 'plain') return file;
  if (packing === 'xz') {
    // The two libraries name the same stream of the platform by different types.
    const web = Readable.toWeb(file) as unknown as ReadableStream<Uint8Array>;
    return new xz.XzReadableStream(web) as unknown as AsyncIterable<unknown>;
  }
  const unpack =
    packing === 'gzip'
      ? createGunzip({ chunkSize: pieceBytes })
      : createZstdDecompress({ chunkSize: pieceBytes });
  // The reader of `unpack` sees its error; this callback only keeps the pair from leaking.
  return pipeline(file, unpack, () => undefined);
}

function damaged(path: string, packing: FilePacking, error: unknown): BadInput | NotFound {
  const isOfSystem = error instanceof Error && 'syscall' in error;
  if (isOfSystem || packing === 'plain') return unreadableFile(path, error);
  const why = error instanceof Error ? error.message : String(error);
  return new BadInput(
    `${path}: expected a whole ${packing} file, found: ${why}; fetch it again, or keep what is left of it with godwit data import`,
    { cause: error },
  );
}
