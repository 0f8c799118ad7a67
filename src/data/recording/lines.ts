import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { BadInput, NotFound } from '../../core/base/errors.ts';

/** Some lines of a text file, in order; `number` is the line number of the first. */
export interface LineBatch {
  readonly number: number;
  /** Without line ends. Never written again. */
  readonly lines: readonly Uint8Array[];
}

/** Some lines of a text file that stand in one array of bytes, in order; `number` is the line number of the first. */
export interface LinePiece {
  readonly number: number;
  /** Never written again. */
  readonly bytes: Uint8Array;
  /** Two numbers a line: where it begins and where it ends, without line ends. */
  readonly bounds: readonly number[];
}

/** The longest line a recording may hold: a whole book or symbol list is well below. */
export const lineBytesMax = 32 * 1024 * 1024;

const newline = 10;
/** Smaller pieces cost the threads that unpack and the collector more. */
const unpackedBytes = 256 * 1024;

/** How the bytes of a file are packed, by its first bytes. */
export type Packing = 'plain' | 'gzip' | 'zstd';

/** Finds the packing by the first bytes of a file. */
export function packingOf(head: Uint8Array): Packing {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) return 'zstd';
  return 'plain';
}

/**
 * The first `length` bytes of a file, fewer when it is shorter. Throws `BadInput` when it cannot be read, or is a pipe or a
 * device: data are read more than once.
 */
export async function headOf(path: string, length: number): Promise<Uint8Array> {
  try {
    const found = await stat(path);
    if (!found.isFile() && !found.isDirectory())
      throw new BadInput(
        `${path}: expected a regular file, found a pipe, a socket or a device; write its output to a file first`,
      );
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof BadInput ? error : unreadableFile(path, error);
  }
}

/** Text without the mark some editors put before it (the byte order mark of UTF-8). */
export function withoutMark(start: Uint8Array): Uint8Array {
  return start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf ? start.subarray(3) : start;
}

/**
 * The first `length` bytes of a file, unpacked (gzip, zstd), without the mark of an editor; fewer when it is shorter, or
 * damaged behind them. Throws `BadInput` when nothing of it can be read.
 */
export async function firstBytes(path: string, length: number): Promise<Uint8Array> {
  const packing = packingOf(await headOf(path, 4));
  let start: Uint8Array = Buffer.alloc(0);
  try {
    for await (const piece of bytesOf(path, packing)) {
      start = Buffer.concat([start, piece as Uint8Array]);
      if (start.length >= length) break;
    }
  } catch (error) {
    // What came before the damage may still show what the file is; the reader of the whole meets the damage again.
    if (start.length === 0) throw unreadableFile(path, error);
  }
  return withoutMark(start).subarray(0, length);
}

/**
 * The lines of a text file, plain, gzip or zstd, in batches as the disk delivers them. Memory is bounded by the
 * longest line. Throws `BadInput` with the path when the file cannot be read, is cut short or has an endless line.
 */
export async function* readLines(path: string): AsyncGenerator<LineBatch, void, undefined> {
  for await (const piece of readPieces(path)) yield { number: piece.number, lines: linesIn(piece) };
}

/** The lines of a text file as `readLines` has them, as bounds: an array a line costs a scanner a tenth of its time. */
export async function* readPieces(path: string): AsyncGenerator<LinePiece, void, undefined> {
  yield* piecesOf(path, bytesOf(path, packingOf(await headOf(path, 4))));
}

/**
 * The lines of a text that comes in pieces, in batches. `path` is only named in errors: `BadInput` when the pieces end in
 * an error or a line is longer than `lineBytesMax`.
 */
export async function* linesOf(
  path: string,
  pieces: AsyncIterable<unknown>,
): AsyncGenerator<LineBatch, void, undefined> {
  for await (const piece of piecesOf(path, pieces)) yield { number: piece.number, lines: linesIn(piece) };
}

async function* piecesOf(
  path: string,
  pieces: AsyncIterable<unknown>,
): AsyncGenerator<LinePiece, void, undefined> {
  let number = 1;
  let isFirst = true;
  const rest = new LineRest(path);
  try {
    for await (const piece of pieces) {
      const bytes = isFirst ? withoutMark(piece as Uint8Array) : (piece as Uint8Array);
      isFirst = false;
      let from = 0;
      if (!rest.isEmpty) {
        const end = bytes.indexOf(newline);
        if (end >= 0) {
          yield onlyLine(number, rest.take(bytes.subarray(0, end)));
          number += 1;
          from = end + 1;
        }
      }
      const bounds: number[] = [];
      for (let end = bytes.indexOf(newline, from); end >= 0; end = bytes.indexOf(newline, from)) {
        bounds.push(from, trimmedEnd(bytes, from, end));
        from = end + 1;
      }
      if (bounds.length > 0) yield { number, bytes, bounds };
      number += bounds.length / 2;
      if (from < bytes.length) rest.add(bytes.subarray(from), number);
    }
  } catch (error) {
    throw error instanceof BadInput ? error : unreadableFile(path, error);
  }
  if (!rest.isEmpty) yield onlyLine(number, rest.take());
}

function onlyLine(number: number, bytes: Uint8Array): LinePiece {
  return { number, bytes, bounds: [0, trimmedEnd(bytes, 0, bytes.length)] };
}

function linesIn({ bytes, bounds }: LinePiece): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let i = 0; i < bounds.length; i += 2) lines.push(bytes.subarray(bounds[i], bounds[i + 1]));
  return lines;
}

/** End of a line without the carriage return of other systems. */
function trimmedEnd(bytes: Uint8Array, start: number, end: number): number {
  return end > start && bytes[end - 1] === 13 ? end - 1 : end;
}

/** The texts of the lines of a batch. Lines that stand one behind the other in memory are decoded at once. */
export function textsOf(lines: readonly Uint8Array[]): readonly string[] {
  const texts: string[] = [];
  for (let from = 0; from < lines.length; from = texts.length) {
    let to = from + 1;
    while (to < lines.length && isBehind(lines[to - 1] as Uint8Array, lines[to] as Uint8Array)) to += 1;
    const { buffer, byteOffset } = lines[from] as Uint8Array;
    const last = lines[to - 1] as Uint8Array;
    const text = Buffer.from(buffer, byteOffset, last.byteOffset + last.length - byteOffset).toString('utf8');
    let at = 0;
    for (; from < to - 1; from++) {
      const end = text.indexOf('\n', at);
      texts.push(text.slice(at, text.charCodeAt(end - 1) === 13 ? end - 1 : end));
      at = end + 1;
    }
    texts.push(text.slice(at));
  }
  return texts;
}

/** Whether only a line end stands between two lines. */
function isBehind(line: Uint8Array, next: Uint8Array): boolean {
  const gap = next.byteOffset - line.byteOffset - line.length;
  return line.buffer === next.buffer && (gap === 1 || gap === 2);
}

function bytesOf(path: string, packing: Packing): Readable {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  if (packing === 'plain') return file;
  const unpack =
    packing === 'gzip'
      ? createGunzip({ chunkSize: unpackedBytes })
      : createZstdDecompress({ chunkSize: unpackedBytes });
  // The reader of `unpack` sees its error; this callback only keeps the pair from leaking.
  return pipeline(file, unpack, () => undefined);
}

/** The pieces of a line whose end has not come yet. They are joined once: an endless line costs no more than its length. */
class LineRest {
  readonly #path: string;
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Throws `BadInput` when the line `number` is longer than any may be. */
  add(piece: Uint8Array, number: number): void {
    this.#length += piece.length;
    if (this.#length > lineBytesMax) {
      throw new BadInput(`${this.#path}:${number}: expected a line of at most ${lineBytesMax} bytes`);
    }
    this.#pieces.push(piece);
  }

  /** All pieces and the last one as one line; the next line begins. */
  take(last?: Uint8Array): Uint8Array {
    const pieces = last === undefined ? this.#pieces : [...this.#pieces, last];
    const line = pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
    this.#pieces.length = 0;
    this.#length = 0;
    return line;
  }
}

/** The error for a file that the system would not write, in one sentence. */
export function unwritable(path: string, error: unknown): BadInput {
  const why = error instanceof Error ? error.message : String(error);
  return new BadInput(`${path}: expected a file that can be written, found: ${why}`, { cause: error });
}

/** The error for a file that the system would not read, in one sentence. */
export function unreadableFile(path: string, error: unknown): BadInput | NotFound {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT')
    return new NotFound(`expected a readable file at ${path}, found none`, { cause: error });
  const why = error instanceof Error ? error.message : String(error);
  if (typeof code === 'string' && (code.startsWith('Z_') || code.startsWith('ZSTD_'))) {
    const advice = 'it is cut short or damaged: fetch it again';
    return new BadInput(`${path}: expected a whole packed file, found: ${why}; ${advice}`, { cause: error });
  }
  return new BadInput(`expected a readable file at ${path}, found: ${why}`, { cause: error });
}

/** Error that `work` threw, so that what it had come to can be given away first; `undefined` when it did not. */
export function thrownBy(work: () => void): { readonly error: unknown } | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return { error };
  }
}
