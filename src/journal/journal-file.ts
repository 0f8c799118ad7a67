import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSyncOptions } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import { BadInput } from '../base/errors.ts';
import { chainStart } from './chain.ts';
import { JournalDamaged, JournalFailed, JournalForeign, JournalLocked } from './errors.ts';

/** Version of the tables and of the record format. Another version is refused, never guessed at. */
export const journalVersion = 1;

const fileName = 'journal.sqlite';
const lockName = 'journal.lock';
/** Marks the file as ours in its first bytes: "Gdwt". */
const applicationId = 0x47647774;

const schema = `
  CREATE TABLE about (version INTEGER NOT NULL, header TEXT NOT NULL);
  CREATE TABLE tail (one INTEGER PRIMARY KEY CHECK (one = 1), sequence INTEGER NOT NULL, hash TEXT NOT NULL);
  CREATE TABLE records (
    sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL,
    market_count INTEGER NOT NULL, market_hash TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL
  ) STRICT;
`;

/** The journal file of a run directory, or `path` itself when it names a file. */
export function journalPath(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, fileName) : path;
}

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

/**
 * Opens the journal of a locked directory for its start, creating it when there is none. Throws `JournalForeign`
 * when it is of another version or header, `JournalDamaged` when it is no journal.
 */
export function openForStart(directory: string, header: string): { database: DatabaseSync; path: string } {
  const path = join(directory, fileName);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) create(path, header);
  else touchPrivate(path);
  // Whoever reads the journal meanwhile (recovery after a crash needs it alone for a moment) must not stop the start.
  const database = openDatabase(path, { timeout: 10_000 });
  try {
    setDurable(database);
    const found = readAbout(database, path);
    if (found !== header) {
      throw new JournalForeign(
        `the journal in ${directory} was written for other instruments or settings; use a new directory`,
      );
    }
    return { database, path };
  } catch (error) {
    database.close();
    throw asDamage(error, path);
  }
}

/** Opens a journal for reading only, while it is written or after. Returns its header too. */
export function openForReading(path: string): { database: DatabaseSync; header: string } {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new BadInput(`expected a journal at ${path}, found no file`);
  }
  // Files beside a journal at rest are the reader's own, and only who may write puts them away when it ends.
  const isAtRest = !['-wal', '-journal'].some((end) => existsSync(path + end));
  const database = openDatabase(path, { readOnly: !isAtRest, timeout: 5_000 });
  try {
    database.exec('PRAGMA query_only = ON');
    return { database, header: readAbout(database, path) };
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
 * SQLite's complaint as an error of ours that names the file, `JournalDamaged` unless it is the disk or another process
 * that is in the way; errors of ours stay as they are.
 */
export function asDamage(error: unknown, path: string): Error {
  if (!isSqliteError(error)) return error as Error;
  if (inTheWay.has(codeOf(error)))
    return new JournalFailed(`${path} cannot be used: ${error.message}`, { cause: error });
  return new JournalDamaged(`the journal ${path} cannot be read: ${error.message}`, { cause: error });
}

export function isSqliteError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
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

/** Makes a new journal under another name first: whoever is killed meanwhile leaves none, not half of one. */
function create(path: string, header: string): void {
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { force: true });
  rmSync(`${unfinished}-journal`, { force: true });
  touchPrivate(unfinished);
  const database = openDatabase(unfinished);
  try {
    database.exec(`PRAGMA synchronous = FULL; BEGIN; PRAGMA application_id = ${applicationId}; ${schema}`);
    database.prepare('INSERT INTO about VALUES (?, ?)').run(journalVersion, header);
    database.prepare('INSERT INTO tail VALUES (1, 0, ?)').run(chainStart(header).hash);
    database.exec('COMMIT');
  } catch (error) {
    throw asDamage(error, unfinished);
  } finally {
    database.close();
  }
  renameSync(unfinished, path);
  syncDirectory(dirname(path));
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function readAbout(database: DatabaseSync, path: string): string {
  const id = database.prepare('PRAGMA application_id').get()?.['application_id'];
  if (id !== applicationId) throw new JournalDamaged(`${path} is not a journal of Godwit`);
  const about = database.prepare('SELECT version, header FROM about').get();
  if (typeof about?.['version'] !== 'number' || typeof about['header'] !== 'string') {
    throw new JournalDamaged(`the journal ${path} does not say its version`);
  }
  if (about['version'] !== journalVersion) {
    const age = about['version'] < journalVersion ? 'older' : 'newer';
    throw new JournalForeign(
      `the journal ${path} has version ${about['version']}, ${age} than this program's ${journalVersion}; use the program that wrote it, or a new directory`,
    );
  }
  return about['header'];
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
