import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  JournalFailed,
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

  /**
   * Returns once the records are on the disk and the mark names the last one. Where the disk has no room, either all of them are
   * there or none, and the same call may be made again.
   */
  commit(records: readonly LooseRecord[]): void {
    if (records.length === 0) return;
    if ((records.at(-1)?.sequence ?? 0) > this.#last.sequence) this.#write(records);
    this.#mark.write(this.#last);
    // Checked after the commit: durable records must be where the next start looks for them.
    const missing = this.#files.missing();
    if (missing !== undefined) throw new Error(missing);
  }

  #write(records: readonly LooseRecord[]): void {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      const last = this.#records.write(records, this.#last);
      this.#database.exec('COMMIT');
      this.#last = last;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw this.#limitReached(error, records) ?? error;
    }
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

  /** SQLite says the same of a full disk and of a file that must not grow further, which no room on the disk would change. */
  #limitReached(error: unknown, records: readonly LooseRecord[]): Error | undefined {
    if (!hadNoRoom(error)) return undefined;
    const wanted = records.reduce((sum, { text }) => sum + 2 * (text.length + bytesBesideText), 0);
    if (this.bytes + wanted < this.#sizeMaxMib * bytesPerMib) return undefined;
    return new Error(`${error.message}; journal.sizeMaxMib allows ${this.#sizeMaxMib} MiB`, { cause: error });
  }
}

/** Bytes of a record beside its text, at most: hashes, numbers and its share of a page. */
const bytesBesideText = 1_024;

/**
 * Whether the disk had no room: what was to be written is not there, and writing it again is sound. A sync that failed is no such
 * error, whatever its cause: the system may have dropped what it could not write, and a second sync would say that all is well.
 */
function hadNoRoom(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof JournalFailed) return hadNoRoom(error.cause);
  if ('code' in error && error.code === 'ENOSPC') return 'syscall' in error && error.syscall !== 'fsync';
  return isSqliteError(error) && codeOf(error) === sqlite.full;
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
  /** Not on the disk yet, and the number of the last group of them. */
  #records: LooseRecord[] = [];
  #group = 0;
  /** Pieces of the text of a carried state whose record is still to come. */
  readonly #texts: string[] = [];
  /** Whether the disk had no room for them. */
  #isFull = false;
  /** Seal segments that others follow. */
  readonly #seals: (() => void)[] = [];

  constructor(port: MessagePort, task: WriterTask) {
    this.#port = port;
    this.#task = task;
    this.#number = task.number;
    this.#kept = new KeptSegments(task);
    this.#segment = this.#open(task.number, task.last);
  }

  /** Takes `first` and all that arrived behind it, so that one wait for the disk serves them all. */
  receive(first: ToWriter): void {
    let message: ToWriter | undefined = first;
    while (message !== undefined && !this.#ended) {
      while (message?.type === 'text') {
        this.#texts.push(message.text);
        message = this.#next();
      }
      while (message?.type === 'group' && (this.#isFull || this.#records.length < commitMax)) {
        for (const record of message.records) this.#records.push(this.#whole(record));
        this.#group = message.group;
        message = this.#next();
      }
      if (message?.type === 'again') {
        this.#isFull = false;
        message = this.#next();
      }
      if (!this.#isFull) this.#tryCommit();
      if (message?.type === 'close') {
        this.#close();
        return;
      }
    }
  }

  /** The record with its text, which comes before it in pieces where it is long. */
  #whole(record: LooseRecord): LooseRecord {
    if (record.kind !== 'stateCarried' || this.#texts.length === 0) return record;
    return { ...record, text: this.#texts.splice(0).join('') + record.text };
  }

  /** Commits what is not on the disk. What has no room there waits, until the other side asks for another try. */
  #tryCommit(): void {
    try {
      this.#commit();
    } catch (error) {
      if (!hadNoRoom(error)) throw error;
      this.#isFull = true;
      this.#post({ type: 'full', why: error.message });
    }
  }

  #next(): ToWriter | undefined {
    return (receiveMessageOnPort(this.#port) as { message: ToWriter } | undefined)?.message;
  }

  /** Commits in steps, each of which leaves the records that are not on the disk, so that it may be called again. */
  #commit(): void {
    const records = this.#records;
    if (records.length + this.#seals.length === 0) return;
    const full = this.#segment.bytes >= segmentBytes(this.#task);
    const carried = full ? records.findIndex(({ kind }) => kind === 'stateCarried') : -1;
    if (carried >= 0) {
      this.#commitFirst(carried);
      this.#rotate(records[carried] as LooseRecord);
      this.#records = this.#records.slice(1);
    }
    this.#commitFirst(this.#records.length);
    this.#post({ type: 'durable', group: this.#group });
    for (let seals = this.#seals[0]; seals !== undefined; seals = this.#seals[0]) {
      seals();
      this.#seals.shift();
    }
    this.#kept.makeRoom(this.#segment.bytes);
  }

  #commitFirst(count: number): void {
    const records = this.#records;
    this.#segment.commit(count === records.length ? records : records.slice(0, count));
    this.#records = count === records.length ? [] : records.slice(count);
  }

  /**
   * Begins a new segment with a carried state, from which alone a restart goes on. It has its name, for good, before
   * anything in it counts; until then the journal ends with the segment before it. So a crash between any two steps
   * leaves a journal with every acknowledged record. The segment before is sealed later, for nothing waits for that.
   */
  #rotate(carried: LooseRecord): void {
    const { directory, header } = this.#task;
    const begun = decodeEvent(carried.text).receiveTime;
    const before = this.#segment;
    const number = this.#number + 1;
    const place = { header, number, begun, after: before.last };
    this.#segment = this.#open(number, createSegment(directory, place, [carried]));
    this.#number = number;
    this.#seals.push(() => {
      before.seal();
      this.#kept.add({ number: number - 1, ended: begun });
      this.#kept.removeOld(begun);
    });
  }

  #open(number: number, last: ChainPlace): SegmentWriter {
    return new SegmentWriter(segmentPath(this.#task.directory, number), last, this.#task.limits.sizeMaxMib);
  }

  /** Ends the thread, after a last try where the disk has no room. */
  #close(): void {
    if (this.#isFull) this.#commit();
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
  // Any other failure than that of room ends the thread: a failed sync is never retried as a success (faults, D2).
  const writer = new DiskWriter(port, workerData as WriterTask);
  port.on('message', (message: ToWriter) => writer.receive(message));
}
