import { GodwitError, BadInput } from '../../base/errors.ts';
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  existsSync,
  ftruncateSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { ChainPlace } from '../records/index.ts';

/** The journal on disk contradicts itself before its tail. Nothing may start on it. */
export class JournalDamaged extends GodwitError {
  override readonly code = 'GW_JOURNAL_DAMAGED';
}

/** Another process writes this journal. */
export class JournalLocked extends GodwitError {
  override readonly code = 'GW_JOURNAL_LOCKED';
}

/** The journal is of another version, or of another run than the one that opens it. */
export class JournalForeign extends GodwitError {
  override readonly code = 'GW_JOURNAL_FOREIGN';
}

/** The journal can no longer promise that anything is durable. */
export class JournalFailed extends GodwitError {
  override readonly code = 'GW_JOURNAL_FAILED';
}

/**
 * A journal is one file or several, its segments: `journal.sqlite`, `journal-000002.sqlite` and so on. Only the last is
 * written; only the first ones are ever removed.
 */
const firstName = 'journal.sqlite';
const laterName = /^journal-(\d{6,})\.sqlite$/;
/** Ending of the name of a segment while it is made. */
const unfinishedEnd = '.unfinished';
/** Files that SQLite keeps beside one in use. */
const besides = ['-wal', '-shm', '-journal'] as const;

export function segmentPath(directory: string, number: number): string {
  return join(directory, number === 1 ? firstName : `journal-${String(number).padStart(6, '0')}.sqlite`);
}

/** The number of the segment that a file name is of. */
function numberOf(name: string): number | undefined {
  if (name === firstName) return 1;
  const digits = laterName.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The numbers of the segments in a directory, ascending. Throws `JournalDamaged` when one between two is missing. */
export function segmentsIn(directory: string): readonly number[] {
  const numbers = namesIn(directory)
    .map(numberOf)
    .filter((number) => number !== undefined)
    .toSorted((a, b) => a - b);
  const [first = 1] = numbers;
  const at = numbers.findIndex((number, index) => number !== first + index);
  if (at === -1) return numbers;
  throw new JournalDamaged(
    `the journal in ${directory} is damaged: ${basename(segmentPath(directory, first + at))} is missing between its files`,
  );
}

/** The numbers of the segments of a journal, ascending. */
export type JournalNumbers = readonly [number, ...number[]];

/** Place that `path` names: a directory with segments, or one file that may be of any name. */
export type JournalPlace =
  | { readonly directory: string; readonly numbers: JournalNumbers }
  | { readonly file: string };

/** The journal at `path`: the run directory or one of its files. Throws `BadInput` when there is none. */
export function journalAt(path: string): JournalPlace {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === true && numberOf(basename(path)) === undefined) return { file: path };
  const directory = found?.isDirectory() === true ? path : dirname(path);
  const [first, ...others] = found === undefined ? [] : segmentsIn(directory);
  if (first === undefined) {
    const expected = found?.isDirectory() === true ? segmentPath(path, 1) : path;
    throw new BadInput(`expected a journal at ${expected}, found no file`);
  }
  return { directory, numbers: [first, ...others] };
}

/** Whether a run directory already holds a journal. */
export function hasJournal(directory: string): boolean {
  return namesIn(directory).some((name) => numberOf(name) !== undefined);
}

/** The name under which the segment at `path` is made; what was left there is taken away. */
export function unfinishedPath(path: string): string {
  const unfinished = path + unfinishedEnd;
  for (const end of ['', ...besides]) rmSync(unfinished + end, { force: true });
  return unfinished;
}

/** Takes away what a process that was killed left of segments it made or removed. */
export function clearLeftovers(directory: string): void {
  const names = new Set(namesIn(directory));
  for (const name of names) {
    const [main = ''] = name.split(/-(?:wal|shm|journal)$/);
    const isUnfinished = main.endsWith(unfinishedEnd);
    const of = isUnfinished ? main.slice(0, -unfinishedEnd.length) : main;
    if (numberOf(of) === undefined || (!isUnfinished && names.has(of))) continue;
    rmSync(join(directory, name), { force: true });
  }
}

/** Removes a segment, for good once this returns: a later one must never be gone while this one is there. */
export function removeSegment(path: string): void {
  // First the records, then what stands beside them: the file without its log would be a damaged one.
  rmSync(path, { force: true });
  for (const end of besides) rmSync(path + end, { force: true });
  syncDirectory(dirname(path));
}

/** Makes names that were added, changed or removed outlive a loss of power. */
export function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function namesIn(directory: string): readonly string[] {
  return statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(directory) : [];
}

/** Records that had been on the disk, and that the journal does not have any more. */
export interface JournalLoss {
  /** The sequence of the last record that is there; 0 when there is none. */
  readonly after: number;
  /** The sequence of the last record that had been synced. */
  readonly upTo: number;
  /** One sentence, for people. */
  readonly why: string;
}

/** The last record that was synced, by the file beside the journal: SQLite takes a log that is cut or gone for one that ends there. */
export type SyncedMark =
  | { readonly state: 'known'; readonly place: ChainPlace }
  /** No file, or one that a loss of power left torn. */
  | { readonly state: 'missing' | 'unreadable' };

const markName = 'journal.synced';
const digits = 16;
const shape = /^(\d{16}) ([0-9a-f]{64}) ([0-9a-f]{16})\n$/;

export function syncedMarkPath(directory: string): string {
  return join(directory, markName);
}

/** The mark of a run directory. A reader takes it before the records: a writer may go on meanwhile. */
export function readSyncedMark(directory: string): SyncedMark {
  const path = syncedMarkPath(directory);
  if (!existsSync(path)) return { state: 'missing' };
  const [text = '', sequence = '', last = ''] = shape.exec(readFileSync(path, 'latin1')) ?? [];
  const place = { sequence: Number(sequence), hash: last };
  return text !== '' && textOf(place) === text ? { state: 'known', place } : { state: 'unreadable' };
}

/** Loss of a journal that ends with `last`, by its mark. */
export function lossBehind(mark: SyncedMark, last: ChainPlace): JournalLoss | undefined {
  if (mark.state !== 'known' || mark.place.sequence <= last.sequence) return undefined;
  const after = last.sequence;
  const upTo = mark.place.sequence;
  const records = upTo === after + 1 ? `record ${upTo}` : `records ${after + 1} to ${upTo}`;
  const had = upTo === after + 1 ? 'it had been' : 'they had been';
  const why = `the journal ends with sequence ${after}, and ${records} behind it are lost: by ${markName} ${had} on the disk (a write-ahead file that is missing, cut or damaged, or a copy without it)`;
  return { after, upTo, why };
}

/** As `lossBehind`, of a segment; also where another record stands in the place that the mark names. */
export function lossIn(mark: SyncedMark, database: DatabaseSync, last: ChainPlace): JournalLoss | undefined {
  const behind = lossBehind(mark, last);
  if (behind !== undefined || mark.state !== 'known') return behind;
  const { sequence, hash: synced } = mark.place;
  const found = database.prepare('SELECT hash FROM records WHERE sequence = ?').get(sequence)?.['hash'];
  if (found === undefined || found === synced) return undefined;
  const why = `the journal has another record ${sequence} than the one that ${markName} names: records were lost, and others written in their place`;
  return { after: sequence - 1, upTo: sequence, why };
}

/** Writes the mark durably: before a run writes its first record. */
export function placeSyncedMark(directory: string, place: ChainPlace): void {
  const mark = new SyncedMarkWriter(directory);
  try {
    mark.write(place);
    mark.sync();
  } finally {
    mark.close();
  }
  syncDirectory(directory);
}

/**
 * Writes the mark after each sync of the journal, in place and without a sync of its own: after a loss of power it may be older than the
 * journal, never newer, and a killed process loses none of it.
 */
export class SyncedMarkWriter {
  readonly #file: number;

  constructor(directory: string) {
    const path = syncedMarkPath(directory);
    this.#file = openSync(path, existsSync(path) ? 'r+' : 'w+', 0o600);
  }

  write(place: ChainPlace): void {
    writeSync(this.#file, textOf(place), 0, 'latin1');
  }

  /** Also takes away what an unreadable mark had behind. */
  sync(): void {
    ftruncateSync(this.#file, markBytes);
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

const markBytes = textOf({ sequence: 0, hash: '0'.repeat(64) }).length;

function textOf({ sequence, hash: last }: ChainPlace): string {
  const said = `${String(sequence).padStart(digits, '0')} ${last}`;
  return `${said} ${hash('sha256', said, 'hex').slice(0, 16)}\n`;
}
