import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { Event } from '../../core/model/event.ts';
import { unwritable } from '../recording/index.ts';
import type { PackWriterOptions } from './writer.ts';
import { PackWriter } from './writer.ts';

/** Summary of what was written into a pack file. */
export interface PackedFile {
  readonly bytes: number;
  readonly events: number;
}

/**
 * Writes a pack file from a stream of events. It appears under its name only when it is whole; a file of that name is
 * replaced. Throws `BadInput` with the path when
 * the disk refuses.
 */
export async function writePackFile(
  path: string,
  batches: AsyncIterable<readonly Event[]> | Iterable<readonly Event[]>,
  options: PackWriterOptions,
): Promise<PackedFile> {
  const unfinished = `${path}.unfinished`;
  const file = openNew(unfinished);
  let isOpen = true;
  let events = 0;
  try {
    const writer = new PackWriter((bytes) => writeAll(file, bytes, { path }), options);
    for await (const batch of batches) {
      for (const event of batch) writer.add(event);
      events += batch.length;
    }
    writer.finish();
    if (options.closing !== undefined) writeAll(file, writer.closed(options.closing()), { path, at: 0 });
    isOpen = false;
    closeSync(file);
    name(unfinished, path);
    return { bytes: writer.length, events };
  } catch (error) {
    if (isOpen) closeSync(file);
    rmSync(unfinished, { force: true });
    throw error;
  }
}

function openNew(path: string): number {
  try {
    return openSync(path, 'w');
  } catch (error) {
    throw unwritable(path, error);
  }
}

function name(unfinished: string, path: string): void {
  try {
    renameSync(unfinished, path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

interface WritePlace {
  /** For errors. */
  readonly path: string;
  /** Behind what is there when left out. */
  readonly at?: number;
}

/** Writes behind what is there, or at a place. */
function writeAll(file: number, bytes: Uint8Array, { path, at }: WritePlace): void {
  try {
    for (let from = 0; from < bytes.length;) {
      from += writeSync(file, bytes, from, bytes.length - from, at === undefined ? null : at + from);
    }
  } catch (error) {
    throw unwritable(path, error);
  }
}
