import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BadInput } from '../../core/base/errors.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { Channel, Frame } from '../../core/model/frame.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import { isMembers } from '../../core/base/members.ts';
import type { BlockCodec, Ending } from '../recording/index.ts';
import { unpack, BlockReader, openFile, unreadableFile, readSpecList } from '../recording/index.ts';
import { readFrameBlock } from './block.ts';

/** The first bytes of every segment. */
export const frameLogMagic = 'GODWITF1';
export const frameLogVersion = 1;
/** Segments end in this; by name they sort in the order they were written. */
export const frameLogExtension = '.frames';

/** Head of a segment. */
export interface FrameLogHeader {
  readonly format: 'frames';
  readonly version: number;
  readonly codec: BlockCodec;
  /** The run that recorded, by its start. */
  readonly runStart: Micros;
  /** Number of the segment in its run, from 1. */
  readonly segment: number;
  readonly channels: readonly Channel[];
  readonly instruments: readonly InstrumentSpec[];
}

export interface FrameLogReadOptions {
  /** Called with how each segment ended: a torn one lost its tail, everything before was read. */
  readonly onEnding?: (path: string, ending: Ending) => void;
}

/** The segments of a frame log, in order: the file itself, or those of a folder. Throws `BadInput` when there are none. */
export function segmentsOf(path: string): readonly string[] {
  let names: readonly string[];
  try {
    if (!statSync(path).isDirectory()) return [path];
    names = readdirSync(path);
  } catch (error) {
    throw unreadableFile(path, error);
  }
  const segments = names.filter((name) => name.endsWith(frameLogExtension)).sort();
  if (segments.length === 0) {
    const found =
      names.length === 0
        ? 'an empty folder'
        : `${names.length} others; files of other formats are named one by one`;
    throw new BadInput(`${path}: expected a folder with ${frameLogExtension} files, found ${found}`);
  }
  return segments.map((name) => join(path, name));
}

/** The segments that one process has recorded. */
export interface RecordedRun {
  /** When it began to record. */
  readonly start: Micros;
  readonly segments: readonly string[];
}

/** The segments of a frame log by the process that recorded them, in order. Errors as `segmentsOf` and `readFrameLogHeader`. */
export function recordedRuns(path: string): readonly RecordedRun[] {
  const runs = Map.groupBy(segmentsOf(path), (segment) => readFrameLogHeader(segment).runStart);
  return [...runs].map(([start, segments]) => ({ start, segments })).toSorted((a, b) => a.start - b.start);
}

/** Reads the head of a segment. Throws `BadInput` when it is no frame log of a version we read. */
export function readFrameLogHeader(path: string): FrameLogHeader {
  const reader = new BlockReader(openFile(path), path, frameLogMagic);
  try {
    return checkHeader(reader.header, path);
  } finally {
    reader.close();
  }
}

/**
 * The frames of a frame log, a block at a time, segment after segment. A torn tail ends a segment and is passed to
 * `onEnding`. Throws `BadInput` with file and place when a block is damaged; the frames before it were delivered.
 */
export async function* readFrameLog(
  path: string,
  options: FrameLogReadOptions = {},
): AsyncGenerator<readonly Frame[], void, undefined> {
  for (const segment of segmentsOf(path)) {
    const reader = new BlockReader(openFile(segment), segment, frameLogMagic);
    try {
      const header = checkHeader(reader.header, segment);
      for (let block = reader.next(); block !== undefined; block = reader.next()) {
        yield readFrameBlock(unpack(block, header.codec), block.count, block.base, header.channels);
      }
      if (reader.ending !== undefined) options.onEnding?.(segment, reader.ending);
    } finally {
      reader.close();
    }
  }
}

function checkHeader(header: unknown, path: string): FrameLogHeader {
  const found = isMembers(header) ? header : {};
  if (found['format'] !== 'frames' || found['version'] !== frameLogVersion) {
    throw new BadInput(
      `${path}: expected a frame log of version ${frameLogVersion}, found version ${String(found['version'])}`,
    );
  }
  const { codec, channels } = found;
  if (codec !== 'none' && codec !== 'zstd') {
    throw new BadInput(`${path}: expected the codec none or zstd, found ${String(codec)}`);
  }
  if (!Array.isArray(channels)) throw new BadInput(`${path}: expected channels of the API in the header`);
  readSpecList(found['instruments'], path);
  return found as unknown as FrameLogHeader;
}
