import { statSync } from 'node:fs';
import { BadInput } from '../../core/base/errors.ts';
import type { Format } from '../formats/index.ts';
import { looksLikeBinance, openBinanceRecording } from '../binance/index.ts';
import { looksLikeCapture, openCaptureRecording } from '../capture/index.ts';
import { packMagic, openPackRecording } from '../pack/index.ts';
import { frameLogMagic, openFrameLogRecording } from '../frames/index.ts';
import { filesBehind } from './download-list.ts';
import { headOf, firstBytes, unreadableFile } from '../recording/index.ts';
import type { Recording, RecordingOptions } from '../recording/index.ts';

/** Description of a format. */
export type FormatDescription = Pick<Format, 'name' | 'looksLike' | 'carries'>;

/** The formats that this program writes or captures itself. */
export const ownFormats = [
  {
    name: 'event-pack',
    looksLike: 'a pack written by `data import`',
    carries: 'whatever was imported',
  },
  {
    name: 'frame-log',
    looksLike: 'a recording made by `record`, or its folder',
    carries: 'frames as they came, books (sequence proved), trades, tickers, candles',
  },
  {
    name: 'capture-text',
    looksLike: 'a text capture of the Trading API v2 or v3, with or without its symbol list beside it',
    carries: 'books (sequence proved), trades, tickers, candles',
  },
  {
    name: 'binance-raw',
    looksLike: 'lines "<local time> <JSON>" of Binance streams',
    carries: 'books (joined with REST, sequence proved), trades, tickers',
  },
] as const satisfies readonly FormatDescription[];
export type RecordingFormat = (typeof ownFormats)[number]['name'];

const expectation =
  'expected a text capture, a Binance raw file, a frame log or an event pack (plain, gzip or zstd for the first two)';

/** Enough of a file to detect its format. */
const startBytes = 4_096;

/** The one format of all paths, by content. Throws `BadInput` when one is unreadable, unknown or of another format. */
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
  const format = await ownFormatOf(path);
  if (format !== undefined) return format;
  const line = await firstLine(path);
  const found = line.length === 0 ? 'an empty file' : `a file that begins with ${shown(line)}`;
  throw new BadInput(`${path}: ${expectation}, found ${found}`);
}

/** The format of one file or folder when it is one of ours, otherwise `undefined`. Throws `BadInput` when it is unreadable. */
export async function ownFormatOf(path: string): Promise<RecordingFormat | undefined> {
  if (isFolder(path)) {
    const [first = path] = filesBehind(path);
    return first === path ? 'frame-log' : await ownFormatOf(first);
  }
  const head = await headOf(path, 8);
  if (head.length === 0) return undefined;
  const magic = Buffer.from(head).toString('latin1');
  if (magic === frameLogMagic) return 'frame-log';
  if (magic === packMagic) return 'event-pack';
  const line = await firstLine(path);
  if (looksLikeBinance(line)) return 'binance-raw';
  return looksLikeCapture(Buffer.from(line.subarray(0, 300)).toString('utf8')) ? 'capture-text' : undefined;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw unreadableFile(path, error);
  }
}

/** The first line that is not empty, cut where the beginning of the file that is looked at ends. */
async function firstLine(path: string): Promise<Uint8Array> {
  const start = await firstBytes(path, startBytes);
  let from = 0;
  while (start[from] === 10 || start[from] === 13) from += 1;
  const end = start.indexOf(10, from);
  const line = start.subarray(from, end < 0 ? start.length : end);
  return line.at(-1) === 13 ? line.subarray(0, -1) : line;
}

/** The beginning of a file for a sentence: printable text as it is, anything else as the bytes it is made of. */
function shown(line: Uint8Array): string {
  const start = Buffer.from(line.subarray(0, 60)).toString('latin1');
  return /^[\t\x20-\x7e]*$/.test(start)
    ? JSON.stringify(start)
    : `the bytes ${Buffer.from(line.subarray(0, 8)).toString('hex')}`;
}

/**
 * Opens a recording, detecting its format by its content: text captures, Binance raw files, our frame logs and packs, and
 * folders of frame logs. Several paths are one recording: days of Binance files in the given order; captures, logs
 * and packs merged by receive time.
 *
 * With `named` the content decides nothing. Throws `BadInput` with path, finding and expectation when a file cannot be read or is
 * of no known format.
 */
export async function openRecording(
  paths: string | readonly string[],
  options: RecordingOptions = {},
  named?: RecordingFormat,
): Promise<Recording> {
  const list = typeof paths === 'string' ? [paths] : paths;
  const format = named ?? (await formatOfAll(list));
  switch (format) {
    case 'capture-text':
      return await openCaptureRecording(list, options);
    case 'binance-raw':
      return await openBinanceRecording(list, options);
    case 'frame-log':
      return openFrameLogRecording(list, options);
    case 'event-pack':
      return openPackRecording(list, options);
  }
}
