import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { seal, RecordWriter } from './segments/tables.ts';
import type { ChainPlace, LooseRecord } from './records/index.ts';
import { codeOf, isSqliteError, lockPath, openForWriting, sqlite } from './segments/file.ts';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Micros } from '../base/clock.ts';
import { microsPerSecond } from '../base/clock.ts';
import { removeSegment, segmentPath } from './segments/segments.ts';
import { SyncedMarkWriter, syncedMarkPath } from './segments/synced-mark.ts';
import type { SealedSegment, WriterTask } from './writer-messages.ts';

export const bytesPerMib = 1_048_576;
const writeTimeoutMs = 60_000;

/** The segment that is written: a commit of records returns once they are on the disk. */
export class SegmentWriter {
  readonly #database: DatabaseSync;
  readonly #records: RecordWriter;
  readonly #mark: SyncedMarkWriter;
  readonly #pageCount: StatementSync;
  readonly #pageSize: number;
  readonly #files: FilesInPlace;
  readonly #sizeMaxMib: number;
  #last: ChainPlace;

  constructor(path: string, last: ChainPlace, sizeMaxMib: number) {
    this.#last = last;
    this.#sizeMaxMib = sizeMaxMib;
    this.#database = openForWriting(path, writeTimeoutMs).database;
    const directory = dirname(path);
    this.#files = new FilesInPlace([path, `${path}-wal`, lockPath(path), syncedMarkPath(directory)]);
    this.#mark = new SyncedMarkWriter(directory);
    this.#pageSize = Number(this.#database.prepare('PRAGMA page_size').get()?.['page_size']);
    this.#database.exec(`PRAGMA max_page_count = ${Math.ceil((sizeMaxMib * bytesPerMib) / this.#pageSize)}`);
    this.#pageCount = this.#database.prepare('PRAGMA page_count');
    this.#records = new RecordWriter(this.#database);
  }

  /** The place of the last record. */
  get last(): ChainPlace {
    return this.#last;
  }

  get bytes(): number {
    return Number(this.#pageCount.get()?.['page_count']) * this.#pageSize;
  }

  commit(records: readonly LooseRecord[]): void {
    if (records.length === 0) return;
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      this.#last = this.#records.write(records, this.#last);
      this.#database.exec('COMMIT');
      this.#mark.write(this.#last);
    } catch (error) {
      throw this.#withLimit(error);
    }
    // Checked after the commit: durable records must be where the next start looks for them.
    const missing = this.#files.missing();
    if (missing !== undefined) throw new Error(missing);
  }

  /** Says that another segment follows, and lets go. */
  seal(): void {
    seal(this.#database);
    this.close();
  }

  close(): void {
    this.#mark.close();
    this.#database.close();
  }

  /** SQLite says the same of a full disk and of a file that must not grow further. */
  #withLimit(error: unknown): unknown {
    if (!isSqliteError(error) || codeOf(error) !== sqlite.full) return error;
    return new Error(`${error.message}; journal.sizeMaxMib allows ${this.#sizeMaxMib} MiB`, { cause: error });
  }
}

interface Kept extends SealedSegment {
  readonly bytes: number;
}

/** The sealed segments of a journal: removes the oldest, by age and by the size of all. */
export class KeptSegments {
  readonly #directory: string;
  readonly #ageMax: number;
  readonly #bytesMax: number;
  readonly #segments: Kept[] = [];
  #bytes = 0;

  constructor({ directory, older, limits }: Pick<WriterTask, 'directory' | 'older' | 'limits'>) {
    this.#directory = directory;
    this.#ageMax = limits.keepDays * 86_400 * microsPerSecond;
    this.#bytesMax = limits.sizeMaxMib * bytesPerMib;
    for (const segment of older) this.add(segment);
  }

  add(segment: SealedSegment): void {
    const { size: bytes } = statSync(segmentPath(this.#directory, segment.number));
    this.#segments.push({ ...segment, bytes });
    this.#bytes += bytes;
  }

  /** Removes what ended too long before `now`. */
  removeOld(now: Micros): void {
    while ((this.#segments[0]?.ended ?? now) < now - this.#ageMax) this.#removeFirst();
  }

  /** Removes the oldest segments until all of them, with `written` bytes of the current one, fit the limit. */
  makeRoom(written: number): void {
    while (this.#segments.length > 0 && this.#bytes + written > this.#bytesMax) this.#removeFirst();
  }

  #removeFirst(): void {
    const first = this.#segments.shift();
    if (first === undefined) return;
    this.#bytes -= first.bytes;
    removeSegment(segmentPath(this.#directory, first.number));
  }
}

/** Notices when files in use are deleted or others put in their place: an open handle would go on writing to a deleted file. */
export class FilesInPlace {
  /** The file that stood at a path when it was seen first, by its number in the file system. */
  readonly #seen = new Map<string, number | undefined>();

  /** Files that are not there yet are taken up as soon as they are. */
  constructor(paths: readonly string[]) {
    for (const path of paths) this.#seen.set(path, fileAt(path));
  }

  /** One sentence about the first file that is gone, if any is. */
  missing(): string | undefined {
    for (const [path, before] of this.#seen) {
      const now = fileAt(path);
      if (before === now) continue;
      if (before !== undefined)
        return `${path} was ${now === undefined ? 'deleted' : 'replaced'} while it was in use`;
      this.#seen.set(path, now);
    }
    return undefined;
  }
}

function fileAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
