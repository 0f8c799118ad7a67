import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { backup } from 'node:sqlite';
import type { StampedEvent } from '../model/stamped-event.ts';
import {
  checkNumber,
  missingNext,
  removedBefore,
  JournalDamaged,
  JournalFailed,
  asDamage,
  openForReading,
  readRecords,
  tailOf,
  journalAt,
  segmentPath,
  segmentsIn,
  lossBehind,
  lossIn,
  readSyncedMark,
} from './segments/index.ts';
import type {
  About,
  RemovedRecords,
  JournalCut,
  JournalNumbers,
  JournalLoss,
  SyncedMark,
} from './segments/index.ts';
import { decodeEvent } from './records/index.ts';
import type { ChainPlace } from './records/index.ts';
import type { Event, RunStarted } from '../model/event.ts';

export interface ReadOptions {
  /** Called when the journal's end was torn, or records behind it are lost: what was yielded is the longest valid prefix. */
  readonly onCut?: (cut: JournalCut) => void;
  /** Called before the events of each segment with the header that it has: what its instrument numbers mean. */
  readonly onHeader?: (header: string) => void;
  /** Called before the first event when older segments of the journal were removed. */
  readonly onRemoved?: (removed: RemovedRecords) => void;
  /** Read from here on: records before it are neither proved nor delivered. Of a run directory alone. */
  readonly from?: RecordPlace | undefined;
  /** Also records of before a change of the grid: a replay knows the instruments of each run. */
  readonly anyGrid?: boolean | undefined;
}

/**
 * The kept events of a journal, oldest first, through all its segments, each proved by the chain; also of one that is
 * being written.
 *
 * `path` is the run directory or a file of it. Throws `BadInput` when there is none, `JournalForeign` for another
 * version, `JournalDamaged` (naming the sequence) for damage before the tail. A torn tail ends the sequence and is
 * reported to `onCut`.
 */
export function* readJournal(path: string, options: ReadOptions = {}): Generator<StampedEvent, void> {
  const place = journalAt(path);
  if ('file' in place) {
    const { about, cut } = yield* readSegment(place.file, (found) => {
      tellRemoved(found, path, options);
      options.onHeader?.(found.header);
    });
    if (cut !== undefined) options.onCut?.(cut);
    if (about.sealed) throw new JournalDamaged(missingNext(path, about.number));
    return;
  }
  const { directory, numbers } = place;
  const first = options.anyGrid === true ? numbers[0] : firstOfHeader(directory, numbers);
  const begin = options.from !== undefined && options.from.segment >= first ? options.from : undefined;
  if (begin === undefined && first > numbers[0]) options.onRemoved?.(otherGrid(directory, first));
  const mark = readSyncedMark(directory);
  let last: ChainPlace | undefined;
  for (let number = begin?.segment ?? first; ; number++) {
    const file = segmentPath(directory, number);
    const from = last;
    const check = (about: About): void => {
      checkNumber(about, number, directory);
      if (from !== undefined) checkFollows(about, from, file);
      else if (begin === undefined && number === numbers[0]) tellRemoved(about, path, options);
      options.onHeader?.(about.header);
    };
    const read = yield* readSegment(file, check, from === undefined ? begin?.after : undefined);
    last = read.last;
    let { cut } = read;
    const goesOn = existsSync(segmentPath(directory, number + 1));
    // A segment that grew while it was read, until another one followed it, is whole by now.
    if (goesOn && !read.about.sealed && cut === undefined)
      ({ last, cut } = yield* readSegment(file, () => {}, last));
    if (cut !== undefined && goesOn) throw new JournalDamaged(damagedAfter(cut, file));
    if (cut !== undefined) options.onCut?.(cut);
    if (goesOn) continue;
    const loss = lossAt(file, mark, last);
    if (loss !== undefined)
      options.onCut?.({ after: loss.after, why: loss.why, unreadable: false, lostUpTo: loss.upTo });
    if (read.about.sealed) throw new JournalDamaged(missingNext(directory, number));
    return;
  }
}

/** The header of a segment, the last one unless told otherwise: what its instrument numbers mean. Errors as `readJournal`. */
export function readHeader(path: string, segment?: number): string {
  const place = journalAt(path);
  const file =
    'file' in place
      ? place.file
      : segmentPath(place.directory, segment ?? place.numbers.at(-1) ?? place.numbers[0]);
  const { database, about } = openForReading(file);
  database.close();
  return about.header;
}

/**
 * The first of the last segments that have one header. What the numbers of earlier ones mean is another thing, and a carried state
 * stands between.
 */
function firstOfHeader(directory: string, numbers: JournalNumbers): number {
  let [first] = numbers;
  let header: string | undefined;
  for (const number of numbers.toReversed()) {
    const file = segmentPath(directory, number);
    const { database, about } = openForReading(file);
    try {
      header ??= about.header;
      if (about.header !== header) {
        checkHeader(database, about, file);
        break;
      }
    } catch (error) {
      throw asDamage(error, file);
    } finally {
      database.close();
    }
    first = number;
  }
  return first;
}

/** The records of a segment follow its header: one that was damaged is none of another grid. */
function checkHeader(database: DatabaseSync, { start }: About, file: string): void {
  const first = database.prepare('SELECT previous FROM records ORDER BY sequence LIMIT 1').get();
  if ((first?.['previous'] ?? tailOf(database)?.hash) === start.hash) return;
  throw new JournalDamaged(`the journal is damaged: the records of ${file} do not follow its header`);
}

function otherGrid(directory: string, first: number): RemovedRecords {
  const { database, about } = openForReading(segmentPath(directory, first));
  database.close();
  const upTo = about.after.sequence;
  const why = `records up to sequence ${upTo} of the journal ${directory} are of another grid: a tick size or quantity increment of the venue changed there, and the state was carried over`;
  return { upTo, why };
}

/** Loss at the end of the journal in a directory, by its mark and by what its last file says. Errors as `readJournal`. */
export function lossOf(directory: string): JournalLoss | undefined {
  const mark = readSyncedMark(directory);
  const number = segmentsIn(directory).at(-1);
  if (mark.state !== 'known' || number === undefined) return lossBehind(mark, { sequence: 0, hash: '' });
  return lossAt(segmentPath(directory, number), mark);
}

/** Loss behind `last` in the last segment of a journal, or behind the end that it names. */
function lossAt(file: string, mark: SyncedMark, last?: ChainPlace): JournalLoss | undefined {
  const { database } = openForReading(file);
  try {
    return lossIn(mark, database, last ?? tailOf(database) ?? { sequence: 0, hash: '' });
  } catch (error) {
    throw asDamage(error, file);
  } finally {
    database.close();
  }
}

/** Copies every segment of a journal into a directory that exists, each as one moment of it; also while it is written. */
export async function copyJournal(path: string, to: string): Promise<void> {
  const place = journalAt(path);
  const numbers = 'file' in place ? [1] : place.numbers;
  for (const number of numbers) {
    const file = 'file' in place ? place.file : segmentPath(place.directory, number);
    const { database } = openForReading(file);
    try {
      // All pages at once: a writer would make a copy in pieces begin anew.
      await backup(database, segmentPath(to, number), { rate: 2 ** 31 - 1 });
    } catch (error) {
      throw asDamage(error, file);
    } finally {
      database.close();
    }
  }
}

interface SegmentRead {
  readonly about: About;
  readonly last: ChainPlace;
  readonly cut: JournalCut | undefined;
}

/** The events of one segment, from its start or from behind a place in it. */
function* readSegment(
  file: string,
  check: (about: About) => void,
  from?: ChainPlace,
): Generator<StampedEvent, SegmentRead> {
  if (!existsSync(file))
    throw new JournalFailed(`${file} was removed while the journal was read; read it again`);
  const { database, about } = openForReading(file);
  try {
    check(about);
    // One snapshot for the records and their tail: a writer may commit between the two.
    database.exec('BEGIN');
    let last = from ?? about.start;
    let cut: JournalCut | undefined;
    for (const record of readRecords(database, last, (found) => (cut = found))) {
      const event = decodeEvent(record.text);
      if (event.kind !== record.kind) {
        throw new JournalDamaged(
          `record ${record.sequence} of the journal is called ${record.kind} and holds ${event.kind}`,
        );
      }
      yield { sequence: record.sequence, event };
      last = { sequence: record.sequence, hash: record.hash };
    }
    return { about, last, cut };
  } catch (error) {
    throw asDamage(error, file);
  } finally {
    database.close();
  }
}

function tellRemoved(about: About, path: string, { onRemoved }: ReadOptions): void {
  const removed = removedBefore(about, path);
  if (removed !== undefined) onRemoved?.(removed);
}

function checkFollows({ after }: About, last: ChainPlace, file: string): void {
  if (after.sequence === last.sequence && after.hash === last.hash) return;
  throw new JournalDamaged(
    `the journal is damaged: ${file} follows sequence ${after.sequence}, and the file before it ends with ${last.sequence}`,
  );
}

function damagedAfter({ after, why }: JournalCut, file: string): string {
  return `the journal is damaged: the record after sequence ${after} cannot be trusted (${why}), and another file follows ${file}`;
}

/** Where a record stands in a journal. */
export interface RecordPlace {
  /** The number of the segment, and what the record follows in the chain. */
  readonly segment: number;
  readonly after: ChainPlace;
}

/** Where a run begins in a journal. */
export interface RunPlace extends RecordPlace {
  readonly started: RunStarted;
}

/**
 * Where the last run of the journal in a directory begins; `undefined` where no segment holds a beginning. Read from the
 * end, so that the cost follows that run and not the journal. Errors as `readJournal`; no record is proved.
 */
export function lastRunIn(directory: string): RunPlace | undefined {
  for (const { event, ...place } of newestFirst(directory, 'runStarted'))
    if (event.kind === 'runStarted') return { ...place, started: event };
  return undefined;
}

/**
 * Where the last state stands that was carried over between two times, `undefined` without any. Read from the end. Errors as
 * `readJournal`; no record is proved.
 */
export function lastCarriedIn(directory: string, from: number, until: number): RecordPlace | undefined {
  for (const { event, ...place } of newestFirst(directory, 'stateCarried')) {
    if (event.receiveTime < from) return undefined;
    if (event.receiveTime < until) return place;
  }
  return undefined;
}

const query = 'SELECT sequence, text, previous FROM records WHERE kind = ? ORDER BY sequence DESC';

/** The records of a kind, the newest first, of a journal in a directory. */
function* newestFirst(
  directory: string,
  kind: Event['kind'],
): Generator<RecordPlace & { readonly event: Event }, void> {
  const place = journalAt(directory);
  if ('file' in place) return;
  for (const segment of place.numbers.toReversed()) {
    const file = segmentPath(place.directory, segment);
    const { database } = openForReading(file);
    try {
      for (const { sequence, text, previous } of database.prepare(query).iterate(kind)) {
        if (typeof sequence !== 'number' || typeof text !== 'string' || typeof previous !== 'string')
          continue;
        yield { event: decodeEvent(text), segment, after: { sequence: sequence - 1, hash: previous } };
      }
    } catch (error) {
      throw asDamage(error, file);
    } finally {
      database.close();
    }
  }
}
