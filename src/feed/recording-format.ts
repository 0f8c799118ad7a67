import { statSync } from 'node:fs';
import { BadInput } from '../base/errors.ts';
import { looksLikeBinance } from './binance-line.ts';
import { looksLikeCapture } from './capture-text.ts';
import { packMagic } from './event-pack.ts';
import { frameLogMagic } from './frame-log.ts';
import { headOf, readLines, unreadable } from './lines.ts';

/** The formats of recordings. */
export type RecordingFormat = 'capture-text' | 'binance-raw' | 'frame-log' | 'event-pack';

const expectation =
  'expected a text capture, a Binance raw file, a frame log or an event pack (plain, gzip or zstd for the first two)';

/** The one format of all paths, told by content. Throws `BadInput` when one is unreadable, unknown or of another format. */
export async function formatOfAll(paths: readonly string[]): Promise<RecordingFormat> {
  const [first, ...others] = paths;
  if (first === undefined) throw new BadInput('expected the path of a recording, found none');
  const format = await formatOf(first);
  for (const path of others) {
    const other = await formatOf(path);
    if (other !== format) {
      throw new BadInput(`${path}: expected the same format as ${first} (${format}), found ${other}`);
    }
  }
  return format;
}

/** The format of one file or folder. Throws `BadInput` with the path, what was found and what was expected. */
export async function formatOf(path: string): Promise<RecordingFormat> {
  if (isFolder(path)) return 'frame-log';
  const head = await headOf(path, 8);
  if (head.length === 0) throw new BadInput(`${path}: ${expectation}, found an empty file`);
  const magic = Buffer.from(head).toString('latin1');
  if (magic === frameLogMagic) return 'frame-log';
  if (magic === packMagic) return 'event-pack';
  const line = await firstLine(path);
  if (looksLikeBinance(line)) return 'binance-raw';
  const text = Buffer.from(line.subarray(0, 300)).toString('utf8');
  if (looksLikeCapture(text)) return 'capture-text';
  throw new BadInput(`${path}: ${expectation}, found a file that begins with ${shown(line)}`);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function firstLine(path: string): Promise<Uint8Array> {
  for await (const { lines } of readLines(path)) {
    const line = lines.find((one) => one.length > 0);
    if (line !== undefined) return line;
  }
  return new Uint8Array(0);
}

/** The beginning of a file for a sentence: printable text as it is, anything else as the bytes it is made of. */
function shown(line: Uint8Array): string {
  const start = Buffer.from(line.subarray(0, 60)).toString('latin1');
  return /^[\t\x20-\x7e]*$/.test(start)
    ? JSON.stringify(start)
    : `the bytes ${Buffer.from(line.subarray(0, 8)).toString('hex')}`;
}
