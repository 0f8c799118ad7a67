import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSyncOptions } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import { BadInput } from '../../base/errors.ts';
import { createTables, readAbout, startOf, RecordWriter } from './tables.ts';
import type { About } from './tables.ts';
import type { ChainPlace, LooseRecord, SegmentPlace, JournalRecord } from '../records/index.ts';
import {
  JournalDamaged,
  JournalFailed,
  JournalLocked,
  segmentPath,
  syncDirectory,
  unfinishedPath,
} from './segments.ts';
import { chainHash } from '../records/records.ts';

const lockName = 'journal.lock';

/** The file that is locked as long as a journal file is written. */
export function lockPath(path: string): string {
  return join(dirname(path), lockName);
}

/**
 * Makes the run directory (0700) and takes its lock. Throws `JournalLocked` when another process has it, `JournalFailed`
 * when the disk does not let it be taken. The lock dies with the process.
 */
export function lockDirectory(directory: string): DatabaseSync {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, lockName);
  touchPrivate(path);
  let lock: DatabaseSync | undefined;
  try {
    lock = openDatabase(path, { timeout: 0 });
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (cause) {
    lock?.close();
    // What `openDatabase` throws is an error of ours.
    if (!isSqliteError(cause) || codeOf(cause) !== sqlite.busy) throw asDamage(cause, path);
    throw new JournalLocked(`another process writes the journal in ${directory}; stop it first`, { cause });
  }
  return lock;
}

/** Whether a process writes the journal in a directory. Takes no lock that another process would wait for. */
export function isWritten(directory: string): boolean {
  const path = join(directory, lockName);
  if (!existsSync(path)) return false;
  const lock = openDatabase(path, { readOnly: true, timeout: 0 });
  try {
    lock.prepare('SELECT 1 FROM sqlite_master').get();
    return false;
  } catch (error) {
    if (isSqliteError(error) && codeOf(error) === sqlite.busy) return true;
    throw asDamage(error, path);
  } finally {
    lock.close();
  }
}

/**
 * Opens a segment to go on with it, or to look whether it is whole, and waits up to `timeout` milliseconds for another process that
 * has it to itself, as one that reads it after a crash has for a moment. Errors as `openForReading`.
 */
export function openForWriting(path: string, timeout = 10_000): { database: DatabaseSync; about: About } {
  touchPrivate(path);
  const database = openDatabase(path, { timeout });
  try {
    setDurable(database);
    return { database, about: readAbout(database, path) };
  } catch (error) {
    database.close();
    throw asDamage(error, path);
  }
}

/**
 * Opens a segment for reading only, while it is written or after. Throws `BadInput` when there is none, `JournalForeign`
 * when it is of another version, `JournalDamaged` when it is no journal.
 */
export function openForReading(path: string): { database: DatabaseSync; about: About } {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new BadInput(`expected a journal at ${path}, found no file`);
  }
  // Files beside a journal at rest are the reader's own, and only who may write puts them away when it ends.
  const isAtRest = !['-wal', '-journal'].some((end) => existsSync(path + end));
  const database = openDatabase(path, { readOnly: !isAtRest, timeout: 5_000 });
  try {
    database.exec('PRAGMA query_only = ON');
    return { database, about: readAbout(database, path) };
  } catch (error) {
    database.close();
    throw asDamage(error, path);
  }
}

/** Write-ahead log, and every commit waits for the disk. */
export function setDurable(database: DatabaseSync): void {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
}

/**
 * SQLite's complaint as an error of ours that names the file, `JournalDamaged` unless the disk or another process
 * is the cause; errors of ours stay as they are.
 */
export function asDamage(error: unknown, path: string): Error {
  if (!isSqliteError(error)) return error as Error;
  if (inTheWay.has(codeOf(error)))
    return new JournalFailed(`${path} cannot be used: ${error.message}`, { cause: error });
  return new JournalDamaged(`the journal ${path} cannot be read: ${error.message}`, { cause: error });
}

/** Whether SQLite complains, or has a number that is none of ours: a damaged one may be too large for JavaScript. */
export function isSqliteError(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ERR_SQLITE_ERROR' || error.code === 'ERR_OUT_OF_RANGE';
}

/** Primary result codes of SQLite. */
export const sqlite = {
  perm: 3,
  busy: 5,
  locked: 6,
  noMemory: 7,
  readOnly: 8,
  full: 13,
  cantOpen: 14,
} as const;
const inTheWay: ReadonlySet<number> = new Set(Object.values(sqlite));

export function codeOf(error: Error): number {
  return 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}

/**
 * Makes the segment that stands at `place`, with its first records: under another name first, so that a process that is
 * killed meanwhile leaves none, not half of one. Once this returns it outlives a loss of power. Returns its last place.
 */
export function createSegment(
  directory: string,
  place: SegmentPlace,
  records: readonly LooseRecord[],
): ChainPlace {
  const path = segmentPath(directory, place.number);
  const unfinished = unfinishedPath(path);
  touchPrivate(unfinished);
  const database = openDatabase(unfinished);
  let last = startOf(place);
  try {
    database.exec('PRAGMA synchronous = FULL; BEGIN');
    createTables(database, place);
    last = new RecordWriter(database).write(records, last);
    // Turned to its log before it has its name: later that would wait for its readers.
    database.exec('COMMIT; PRAGMA journal_mode = WAL;');
  } catch (error) {
    throw asDamage(error, unfinished);
  } finally {
    database.close();
  }
  renameSync(unfinished, path);
  syncDirectory(directory);
  return last;
}

/**
 * Creates `path` for its owner alone before SQLite does; the files beside it get the same rights. A file that is
 * there is not opened: closing it would drop the locks that this process holds on it (a rule of POSIX).
 */
function touchPrivate(path: string): void {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new JournalFailed(`${path} cannot be used: ${why}`, { cause });
  }
}

function openDatabase(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  try {
    return new DatabaseSync(path, options);
  } catch (error) {
    throw asDamage(error, path);
  }
}

/** Records that a reader left out at the end of a journal. */
export interface JournalCut {
  /** Sequence of the last valid record, 0 when there is none. */
  readonly after: number;
  readonly why: string;
  /** The tables themselves are unreadable from there on, so nothing can be appended. */
  readonly unreadable: boolean;
  /** The sequence of the last record that had been synced, where such records are lost. */
  readonly lostUpTo?: number;
}

/** Sentence on what a reader leaves out at the end of a journal. */
export function cutText({ why, lostUpTo }: JournalCut): string {
  return lostUpTo === undefined ? `the journal ends in a torn record, which is left out: ${why}` : why;
}

const columns = 'sequence, kind, text, market_count, market_hash, previous, hash';
/** How many rows at the end are looked at for one that proves damage before the tail. */
const tailRowsMax = 1_000;

/**
 * The records behind a place in order, each proved by the chain that goes on there. At a broken tail it ends and
 * calls `onCut`; throws `JournalDamaged` naming the sequence when valid records follow the break.
 */
export function* readRecords(
  database: DatabaseSync,
  place: ChainPlace,
  onCut: (cut: JournalCut) => void,
): Generator<JournalRecord, void> {
  let last = place.sequence;
  let { hash } = place;
  let why: string | undefined;
  let unreadable = false;
  const query = `SELECT ${columns} FROM records WHERE sequence > ? ORDER BY sequence`;
  const rows = database.prepare(query).iterate(last);
  for (;;) {
    const row = nextRow(rows);
    if (row instanceof Error) {
      why = row.message;
      unreadable = true;
      break;
    }
    if (row === undefined) break;
    const record = asRecord(row);
    if (record === undefined || record.previous !== hash || !isWhole(record)) {
      why =
        record?.previous === hash ? 'its content does not match its hash' : 'it does not follow the chain';
      break;
    }
    yield record;
    last = record.sequence;
    hash = record.hash;
  }
  if (why === undefined) why = missingTail(database, last, hash);
  if (why === undefined) return;
  if (provesMore(database, last)) {
    throw new JournalDamaged(
      `the journal is damaged: the record after sequence ${last} cannot be trusted (${why}), and valid ones follow it`,
    );
  }
  onCut({ after: last, why, unreadable });
}

type Row = Readonly<Record<string, unknown>>;

function nextRow(rows: Iterator<Row>): Row | Error | undefined {
  try {
    const next = rows.next();
    return next.done === true ? undefined : next.value;
  } catch (error) {
    if (isSqliteError(error)) return error;
    throw error;
  }
}

function asRecord(row: Row): JournalRecord | undefined {
  const { sequence, kind, text, market_count: marketCount, market_hash: marketHash, previous, hash } = row;
  if (typeof sequence !== 'number' || typeof kind !== 'string' || typeof text !== 'string') return undefined;
  if (typeof marketCount !== 'number' || typeof marketHash !== 'string') return undefined;
  if (typeof previous !== 'string' || typeof hash !== 'string') return undefined;
  return { sequence, kind, text, marketCount, marketHash, previous, hash };
}

function isWhole(record: JournalRecord): boolean {
  return chainHash(record, record.previous) === record.hash;
}

/** Every group is committed with its tail, so a journal that ends before it has lost records. */
function missingTail(database: DatabaseSync, last: number, hash: string): string | undefined {
  try {
    const tail = tailOf(database);
    if (tail?.sequence === last && tail.hash === hash) return undefined;
    return `the journal should end with sequence ${tail?.sequence}`;
  } catch (error) {
    if (isSqliteError(error)) return error.message;
    throw error;
  }
}

/** Where a segment says that it ends; `undefined` when it does not. */
export function tailOf(database: DatabaseSync): ChainPlace | undefined {
  const { sequence, hash } = database.prepare('SELECT sequence, hash FROM tail').get() ?? {};
  return typeof sequence === 'number' && typeof hash === 'string' ? { sequence, hash } : undefined;
}

/** Whether any record behind `last` is whole: then what is missing between is no torn tail. */
function provesMore(database: DatabaseSync, last: number): boolean {
  try {
    const query = `SELECT ${columns} FROM records WHERE sequence > ? ORDER BY sequence DESC LIMIT ${tailRowsMax}`;
    for (const row of database.prepare(query).iterate(last)) {
      const record = asRecord(row);
      if (record !== undefined && isWhole(record)) return true;
    }
    return false;
  } catch (error) {
    if (isSqliteError(error)) return false;
    throw error;
  }
}
