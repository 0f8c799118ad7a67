import { closeSync, fsyncSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BadInput } from '../../base/errors.ts';
import { JournalDamaged } from './errors.ts';

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
