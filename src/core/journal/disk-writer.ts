import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  seal,
  RecordWriter,
  codeOf,
  isSqliteError,
  lockPath,
  openForWriting,
  sqlite,
  createSegment,
  removeSegment,
  segmentPath,
  SyncedMarkWriter,
  syncedMarkPath,
} from './segments/index.ts';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Micros } from '../base/clock.ts';
import { microsPerSecond } from '../base/clock.ts';
import type { SealedSegment, WriterTask, FromWriter, ToWriter } from './start-directory.ts';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { decodeEvent } from './records/records.ts';
import type { ChainPlace, LooseRecord } from './records/records.ts';

const bytesPerMib = 1_048_576;
const writeTimeoutMs = 60_000;

/** The segment that is written: a commit of records returns once they are on the disk. */
class SegmentWriter {
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
class KeptSegments {
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
class FilesInPlace {
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

/** How many records one commit takes at most: a commit must end before the next can be waited for. */
const commitMax = 10_000;

/** The thread that writes: chains records, commits whatever waits as one group, waits for the disk. */
class DiskWriter {
  readonly #port: MessagePort;
  readonly #task: WriterTask;
  readonly #kept: KeptSegments;
  #number = 1;
  #segment: SegmentWriter;
  #ended = false;

  constructor(port: MessagePort, task: WriterTask) {
    this.#port = port;
    this.#task = task;
    this.#number = task.number;
    this.#kept = new KeptSegments(task);
    this.#segment = this.#open(task.last);
  }

  /** Takes `first` and all that arrived behind it, so that one wait for the disk serves them all. */
  receive(first: ToWriter): void {
    let message: ToWriter | undefined = first;
    while (message !== undefined && !this.#ended) {
      const records: LooseRecord[] = [];
      let group = 0;
      while (message?.type === 'group' && records.length < commitMax) {
        for (const record of message.records) records.push(record);
        group = message.group;
        message = this.#next();
      }
      if (records.length > 0) this.#commit(records, group);
      if (message?.type === 'close') {
        this.#close();
        return;
      }
    }
  }

  #next(): ToWriter | undefined {
    return (receiveMessageOnPort(this.#port) as { message: ToWriter } | undefined)?.message;
  }

  #commit(records: readonly LooseRecord[], group: number): void {
    const full = this.#segment.bytes >= segmentBytes(this.#task);
    const carried = full ? records.findIndex(({ kind }) => kind === 'stateCarried') : -1;
    let finish: (() => void) | undefined;
    let rest = records;
    if (carried >= 0) {
      this.#segment.commit(records.slice(0, carried));
      finish = this.#rotate(records[carried] as LooseRecord);
      rest = records.slice(carried + 1);
    }
    this.#segment.commit(rest);
    this.#post({ type: 'durable', group });
    finish?.();
    this.#kept.makeRoom(this.#segment.bytes);
  }

  /**
   * Begins a new segment with a carried state, from which alone a restart goes on. It has its name, for good, before
   * anything in it counts; until then the journal ends with the segment before it. So a crash between any two steps
   * leaves a journal with every acknowledged record. What is returned seals the segment before, for which nothing waits.
   */
  #rotate(carried: LooseRecord): () => void {
    const { directory, header } = this.#task;
    const begun = decodeEvent(carried.text).receiveTime;
    const before = this.#segment;
    this.#number += 1;
    const place = { header, number: this.#number, begun, after: before.last };
    this.#segment = this.#open(createSegment(directory, place, [carried]));
    return () => {
      before.seal();
      this.#kept.add({ number: place.number - 1, ended: begun });
      this.#kept.removeOld(begun);
    };
  }

  #open(last: ChainPlace): SegmentWriter {
    return new SegmentWriter(
      segmentPath(this.#task.directory, this.#number),
      last,
      this.#task.limits.sizeMaxMib,
    );
  }

  #close(): void {
    this.#ended = true;
    this.#segment.close();
    this.#post({ type: 'closed' });
    this.#port.close();
  }

  #post(message: FromWriter): void {
    // A port has no origin to name.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#port.postMessage(message);
  }
}

/** A quarter of all there may be at most: otherwise the first segment would fail the journal, not begin a second. */
function segmentBytes({ limits: { segmentMib, sizeMaxMib } }: WriterTask): number {
  return Math.min(segmentMib, sizeMaxMib / 4) * bytesPerMib;
}

const port = parentPort;
if (port !== null) {
  // A failure ends the thread: a failed sync is never retried as a success (faults, D2).
  const writer = new DiskWriter(port, workerData as WriterTask);
  port.on('message', (message: ToWriter) => writer.receive(message));
}
