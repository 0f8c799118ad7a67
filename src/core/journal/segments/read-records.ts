import type { DatabaseSync } from 'node:sqlite';
import { chainHash } from '../records/index.ts';
import type { ChainPlace, JournalRecord } from '../records/index.ts';
import { JournalDamaged } from './errors.ts';
import { isSqliteError } from './file.ts';

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
