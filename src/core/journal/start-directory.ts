import type { Micros } from '../base/clock.ts';
import type { ChainPlace, LooseRecord } from './records/index.ts';
import type { JournalOptions } from './options.ts';
import type { DatabaseSync } from 'node:sqlite';
import type { StampedEvent } from '../model/stamped-event.ts';
import {
  checkNumber,
  firstSegment,
  isMarkedSegment,
  missingNext,
  removedBefore,
  renew,
  seal,
  setMarked,
  startOf,
  lossIn,
  placeSyncedMark,
  readSyncedMark,
  syncedMarkPath,
  JournalDamaged,
  JournalForeign,
  asDamage,
  createSegment,
  openForWriting,
  isSqliteError,
  readRecords,
  tailOf,
  clearLeftovers,
  segmentPath,
  segmentsIn,
} from './segments/index.ts';
import type { About, RemovedRecords, JournalLoss, SyncedMark, JournalCut } from './segments/index.ts';
import { decodeEvent, lanesOf, RunDigest } from './records/index.ts';
import { hash as digest } from 'node:crypto';

/** A segment that another one follows. */
export interface SealedSegment {
  readonly number: number;
  /** When the segment after it began. */
  readonly ended: Micros;
}

/** Task that the writer thread is started with. */
export interface WriterTask {
  readonly directory: string;
  readonly header: string;
  /** The segment it goes on with, behind this place. */
  readonly number: number;
  readonly last: ChainPlace;
  /** Those before it that are still there, the oldest first. */
  readonly older: readonly SealedSegment[];
  readonly limits: Pick<JournalOptions, 'segmentMib' | 'sizeMaxMib' | 'keepDays'>;
}

/** To the writer. Groups are numbered 1, 2, 3. `text`: a piece of the text of the carried state that the next group holds, in order. */
export type ToWriter =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'group'; readonly group: number; readonly records: readonly LooseRecord[] }
  /** Tries to write what waits for room. */
  | { readonly type: 'again' }
  | { readonly type: 'close' };

/** From the writer. `durable`: this group and all before it are on disk. `full`: the disk had no room, and all that is not on it waits. */
export type FromWriter =
  | { readonly type: 'durable'; readonly group: number }
  | { readonly type: 'full'; readonly why: string }
  | { readonly type: 'closed' };

/** Where a journal goes on after its start. */
export interface Start {
  readonly tail: number;
  readonly cut: JournalCut | undefined;
  readonly removed: RemovedRecords | undefined;
  readonly loss: JournalLoss | undefined;
  /** Why it cannot be told whether synced records are lost. */
  readonly unchecked: string | undefined;
  readonly digest: RunDigest;
  readonly task: Pick<WriterTask, 'directory' | 'header' | 'number' | 'last' | 'older'>;
}

/**
 * Opens the journal of a locked directory, creating it when there is none; verifies the chain of its last segment, and
 * that the others lead to it; calls `onEvent` with every event from the last `stateCarried` on (of all when there is
 * none); takes away a torn tail, and returns where to go on. A journal whose tables are unreadable is damaged, wherever
 * that is. Throws `JournalForeign` when it is of another version or header.
 */
export function startDirectory(
  directory: string,
  header: string,
  onEvent: (stamped: StampedEvent) => void,
): Start {
  const mark = readSyncedMark(directory);
  const numbers = segmentsIn(directory);
  clearLeftovers(directory);
  if (numbers.length === 0) {
    const first = firstSegment(header);
    // Before the journal: a start that is killed in between leaves no journal that misses its mark.
    if (mark.state !== 'known') placeSyncedMark(directory, startOf(first));
    createSegment(directory, first, []);
  }
  const number = numbers.at(-1) ?? 1;
  const path = segmentPath(directory, number);
  const { database, about } = openForWriting(path);
  try {
    checkNewest(about, { directory, number, header });
    renew(database, about);
    const { older, oldest } = sealOlder(directory, numbers.slice(0, -1), about);
    const found = readFromCarried(database, about, onEvent);
    const { cut, last, digest } = found;
    if (cut !== undefined) removeTail(database, cut, last);
    const removed = removedBefore(oldest, directory);
    const loss = lossIn(mark, database, last);
    const unchecked =
      numbers.length === 0 ? undefined : uncheckedBy(mark, isMarkedSegment(database), directory);
    setMarked(database);
    return {
      tail: last.sequence,
      cut,
      removed,
      loss,
      unchecked,
      digest,
      task: { directory, header, number, last, older },
    };
  } catch (error) {
    throw asDamage(error, path);
  } finally {
    database.close();
  }
}

/** A journal of an older program has no mark. */
function uncheckedBy(mark: SyncedMark, isMarked: boolean, directory: string): string | undefined {
  if (mark.state === 'known' || (mark.state === 'missing' && !isMarked)) return undefined;
  return `${syncedMarkPath(directory)} is ${mark.state}: whether records at the end of the journal are lost cannot be told`;
}

function checkNewest(
  about: About,
  { directory, number, header }: { directory: string; number: number; header: string },
): void {
  checkNumber(about, number, directory);
  if (about.header !== header) {
    throw new JournalForeign(
      `the journal in ${directory} was written for other instruments or settings; use a new directory`,
    );
  }
  if (about.sealed) throw new JournalDamaged(missingNext(directory, number));
}

/** Proves that each older segment ends where the next one begins, which a crash may have left unsaid in the last of them. */
function sealOlder(
  directory: string,
  numbers: readonly number[],
  newest: About,
): { readonly older: readonly SealedSegment[]; readonly oldest: About } {
  const older: SealedSegment[] = [];
  let next = newest;
  for (const number of numbers.toReversed()) {
    const path = segmentPath(directory, number);
    const { database, about } = openForWriting(path);
    try {
      checkNumber(about, number, directory);
      const last = tailOf(database);
      if (last?.sequence !== next.after.sequence || last.hash !== next.after.hash) {
        throw new JournalDamaged(
          `the journal is damaged: ${path} ends with sequence ${last?.sequence}, and the next file follows ${next.after.sequence}`,
        );
      }
      if (!about.sealed) seal(database);
    } catch (error) {
      throw asDamage(error, path);
    } finally {
      database.close();
    }
    older.unshift({ number, ended: next.begun });
    next = about;
  }
  return { older, oldest: next };
}

interface Found {
  readonly last: ChainPlace;
  readonly cut: JournalCut | undefined;
  readonly digest: RunDigest;
}

function readFromCarried(
  database: DatabaseSync,
  about: About,
  onEvent: (stamped: StampedEvent) => void,
): Found {
  let cut: JournalCut | undefined;
  const digest = new RunDigest();
  let last = lastCarried(database, about.start);
  const keep = (found: JournalCut): void => {
    cut = found;
  };
  for (const record of readRecords(database, last, keep)) {
    const event = decodeEvent(record.text);
    const lanes = lanesOf(record.marketHash);
    digest.market.resume(record.marketCount, lanes.a, lanes.b);
    digest.addKept(event, record.sequence);
    last = { sequence: record.sequence, hash: record.hash };
    onEvent({ sequence: record.sequence, event });
  }
  // A later segment gets its name with a first record in it: without one it is no torn tail, and what came before is elsewhere.
  if (about.number > 1 && last.sequence === about.after.sequence) {
    throw new JournalDamaged(
      `the journal is damaged: the state carried over after sequence ${last.sequence} cannot be trusted`,
    );
  }
  return { last, cut, digest };
}

function removeTail(database: DatabaseSync, cut: JournalCut, { hash }: ChainPlace): void {
  if (cut.unreadable) {
    throw new JournalDamaged(`the journal is damaged after sequence ${cut.after}: ${cut.why}`);
  }
  database.exec('BEGIN IMMEDIATE');
  database.prepare('DELETE FROM records WHERE sequence > ?').run(cut.after);
  database.prepare('UPDATE tail SET sequence = ?, hash = ?').run(cut.after, hash);
  database.exec('COMMIT');
}

/** Text that `chainHash` hashes, put together by SQLite: one flat text a record, no object, nothing decoded. */
const hashed = ['previous', 'sequence', 'kind', 'market_count', 'market_hash', 'text'].join(
  ' || char(10) || ',
);
const query = `SELECT sequence, kind, hash, ${hashed} FROM records WHERE sequence > ? ORDER BY sequence LIMIT 1000`;

/**
 * Proves the chain behind `start` and returns the place before the last `stateCarried` in it: what is read from
 * there on is all that a restart needs. It ends at the first record that proves wrong or cannot be read, which
 * the reader that continues from the returned place meets again and judges.
 */
export function lastCarried(database: DatabaseSync, start: ChainPlace): ChainPlace {
  const rowsAfter = database.prepare(query);
  rowsAfter.setReturnArrays(true);
  let found = start;
  let last = start;
  for (;;) {
    const rows = readable(() => rowsAfter.all(last.sequence) as unknown as readonly unknown[][]);
    if (rows.length === 0) return found;
    for (const [sequence, kind, hash, text] of rows) {
      if (typeof sequence !== 'number' || typeof hash !== 'string' || typeof text !== 'string') return found;
      if (!text.startsWith(`${last.hash}\n`) || digest('sha256', text, 'hex') !== hash) return found;
      if (kind === 'stateCarried') found = last;
      last = { sequence, hash };
    }
  }
}

function readable(read: () => readonly unknown[][]): readonly unknown[][] {
  try {
    return read();
  } catch (error) {
    if (isSqliteError(error)) return [];
    throw error;
  }
}
