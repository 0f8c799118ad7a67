import {
  closeSync,
  createReadStream,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Unzip, UnzipInflate, Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { BadInput } from '../../core/base/errors.ts';

/** One file of an archive: text, or what stands at a path. */
export interface ArchiveEntry {
  readonly name: string;
  readonly content: string | { readonly path: string };
}

const pieceBytes = 1_048_576;
/** A zip without its 64-bit form holds no more. */
const archiveBytesMax = 0xffff_ffff;
const unpackedBytesMax = 16 * archiveBytesMax;
const entriesMax = 10_000;

/** Writes a zip that only its owner can read, piece by piece. It appears under its name when it is whole. Throws `BadInput`. */
export function writeArchive(path: string, entries: readonly ArchiveEntry[]): number {
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { force: true });
  const file = openSync(unfinished, 'w', 0o600);
  let bytes = 0;
  try {
    const zip = new Zip((error, piece) => {
      if (error !== null) throw error;
      bytes += piece.byteLength;
      if (bytes > archiveBytesMax)
        throw new BadInput(
          `${path}: expected at most 4 GiB; name less by --recording, such as one file of it`,
        );
      writeSync(file, piece);
    });
    for (const entry of entries) addEntry(zip, entry);
    zip.end();
    closeSync(file);
    renameSync(unfinished, path);
    return bytes;
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

function addEntry(zip: Zip, { name, content }: ArchiveEntry): void {
  // Frames are compressed already.
  const entry = name.endsWith('.frames') ? new ZipPassThrough(name) : new ZipDeflate(name, { level: 6 });
  zip.add(entry);
  if (typeof content === 'string') {
    entry.push(Buffer.from(content), true);
    return;
  }
  const source = openSync(content.path, 'r');
  try {
    for (;;) {
      const piece = new Uint8Array(pieceBytes);
      const read = readSync(source, piece, 0, pieceBytes, null);
      entry.push(piece.subarray(0, read), read === 0);
      if (read === 0) return;
    }
  } finally {
    closeSync(source);
  }
}

/** Unpacks a zip into a folder. Throws `BadInput` when it is none, cut short, too large, or names a place outside the folder. */
export async function unpackArchive(path: string, folder: string): Promise<void> {
  const open = new Set<string>();
  let problem: Error | undefined;
  let bytes = 0;
  let entries = 0;
  const unzip = new Unzip((entry) => {
    const parts = entry.name.split('/');
    entries += 1;
    if (entries > entriesMax || parts.some((part) => part === '' || part === '..' || /[\\:\0]/.test(part))) {
      problem ??= new BadInput(`${path}: expected an archive of godwit incident export, found ${entry.name}`);
      return;
    }
    const target = join(folder, ...parts);
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    const file = openSync(target, 'w', 0o600);
    open.add(entry.name);
    entry.ondata = (error, piece, isLast) => {
      if (error !== null) problem ??= new BadInput(`${path}: ${entry.name} is damaged: ${error.message}`);
      else {
        bytes += piece.byteLength;
        if (bytes > unpackedBytesMax) problem ??= new BadInput(`${path}: it holds more than 64 GiB`);
        else writeSync(file, piece);
      }
      if (!isLast || !open.delete(entry.name)) return;
      closeSync(file);
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes })) {
      unzip.push(chunk as Uint8Array);
      if (problem !== undefined) throw problem;
    }
    unzip.push(new Uint8Array(0), true);
  } catch (error) {
    if (error instanceof BadInput) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new BadInput(`${path}: expected an archive of godwit incident export: ${why}`, { cause: error });
  }
  if (problem !== undefined) throw problem;
  if (entries === 0 || open.size > 0)
    throw new BadInput(
      `${path}: expected a whole archive of godwit incident export, found its end too early`,
    );
}
