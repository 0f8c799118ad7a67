import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Micros } from '../../base/clock.ts';
import { chainStart, segmentStart, chained } from '../records/records.ts';
import type { ChainPlace, SegmentPlace, LooseRecord } from '../records/records.ts';
import { JournalDamaged, JournalForeign, segmentPath } from './segments.ts';

/** Version of the tables and of the record format. Another version is refused, never guessed at. */
export const journalVersion = 3;
/** Did not know grids that change while a journal goes on, nor its mark; otherwise read as it is. */
const versionOfOneGrid = 2;
/** Knew one file alone: such a journal is a first segment, and becomes one of this version when a run goes on with it. */
const versionOfOneFile = 1;
/** Marks the file as ours in its first bytes: "Gdwt". */
const applicationId = 0x47647774;

/** Says in a file that `journal.synced` stands beside it: a copy without it is no journal from before there was one. */
const marked = 1;

const schema = `
  CREATE TABLE about (
    version INTEGER NOT NULL, header TEXT NOT NULL, number INTEGER NOT NULL, begun INTEGER NOT NULL,
    after_sequence INTEGER NOT NULL, after_hash TEXT NOT NULL, sealed INTEGER NOT NULL
  );
  CREATE TABLE tail (one INTEGER PRIMARY KEY CHECK (one = 1), sequence INTEGER NOT NULL, hash TEXT NOT NULL);
  CREATE TABLE records (
    sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL,
    market_count INTEGER NOT NULL, market_hash TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL
  ) STRICT;
`;

/** Description of a file of the journal in itself. */
export interface About extends SegmentPlace {
  readonly version: number;
  /** Place that its first record follows. */
  readonly start: ChainPlace;
  /** Whether a later segment goes on with it: then it does not end the journal. */
  readonly sealed: boolean;
}

/** Records that a journal no longer holds. */
export interface RemovedRecords {
  /** The sequence of the last of them. */
  readonly upTo: number;
  /** One sentence, for people. */
  readonly why: string;
}

/** Records that were removed before the first segment that is there, if any were. */
export function removedBefore({ number, after }: About, path: string): RemovedRecords | undefined {
  if (number === 1) return undefined;
  const upTo = after.sequence;
  const why = `records up to sequence ${upTo} were removed from the journal ${path} (journal.keepDays, journal.sizeMaxMib)`;
  return { upTo, why };
}

/** The first segment of a journal with this header. */
export function firstSegment(header: string): SegmentPlace {
  return { header, number: 1, begun: 0 as Micros, after: { sequence: 0, hash: '' } };
}

/** The place in the chain that the first record of a segment follows. */
export function startOf(place: SegmentPlace): ChainPlace {
  return place.number === 1 ? chainStart(place.header) : segmentStart(place);
}

/** Makes the tables of a segment without records, within the transaction of the caller. */
export function createTables(database: DatabaseSync, place: SegmentPlace): void {
  const { header, number, begun, after } = place;
  const start = startOf(place);
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${marked}; ${schema}`);
  database
    .prepare('INSERT INTO about VALUES (?, ?, ?, ?, ?, ?, 0)')
    .run(journalVersion, header, number, begun, after.sequence, after.hash);
  database.prepare('INSERT INTO tail VALUES (1, ?, ?)').run(start.sequence, start.hash);
}

/** Throws `JournalDamaged` when the file is no journal, `JournalForeign` when it is of another version. */
export function readAbout(database: DatabaseSync, path: string): About {
  const id = database.prepare('PRAGMA application_id').get()?.['application_id'];
  if (id !== applicationId) throw new JournalDamaged(`${path} is not a journal of Godwit`);
  const { version, header } = database.prepare('SELECT version, header FROM about').get() ?? {};
  if (typeof version !== 'number' || typeof header !== 'string') {
    throw new JournalDamaged(`the journal ${path} does not say its version`);
  }
  if (version === versionOfOneFile)
    return { version, ...firstSegment(header), start: chainStart(header), sealed: false };
  if (version !== journalVersion && version !== versionOfOneGrid) {
    const age = version < journalVersion ? 'older' : 'newer';
    throw new JournalForeign(
      `the journal ${path} has version ${version}, ${age} than this program's ${journalVersion}; use the program that wrote it, or a new directory`,
    );
  }
  const place = placeOf(database, header);
  if (place === undefined)
    throw new JournalDamaged(`the journal ${path} does not say which part of a journal it is`);
  return { version, ...place, start: startOf(place) };
}

/** Makes a journal of an older version one of this version, which no older program takes; one of one file becomes a first segment. */
export function renew(database: DatabaseSync, { version }: About): void {
  if (version === versionOfOneGrid) database.exec(`UPDATE about SET version = ${journalVersion}`);
  if (version !== versionOfOneFile) return;
  database.exec(`
    BEGIN IMMEDIATE;
    ALTER TABLE about ADD COLUMN number INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE about ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE about ADD COLUMN after_sequence INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE about ADD COLUMN after_hash TEXT NOT NULL DEFAULT '';
    ALTER TABLE about ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0;
    UPDATE about SET version = ${journalVersion};
    COMMIT;
  `);
}

export function isMarkedSegment(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA user_version').get()?.['user_version'] === marked;
}

export function setMarked(database: DatabaseSync): void {
  if (!isMarkedSegment(database)) database.exec(`PRAGMA user_version = ${marked}`);
}

/** Says in a segment that another one follows: were that lost, the journal would not end here unnoticed. */
export function seal(database: DatabaseSync): void {
  database.exec('UPDATE about SET sealed = 1');
}

/** A file says which segment it is: another name would put its records into another place. */
export function checkNumber(about: About, number: number, directory: string): void {
  if (about.number === number) return;
  throw new JournalDamaged(
    `the journal in ${directory} is damaged: ${segmentPath(directory, number)} says that it is its file number ${about.number}`,
  );
}

export function missingNext(directory: string, number: number): string {
  return `the journal in ${directory} is damaged: it goes on in ${segmentPath(directory, number + 1)}, which is missing`;
}

function placeOf(database: DatabaseSync, header: string): (SegmentPlace & { sealed: boolean }) | undefined {
  const row = database.prepare('SELECT number, begun, after_sequence, after_hash, sealed FROM about').get();
  const { number, begun, after_sequence: sequence, after_hash: hash, sealed } = row ?? {};
  if (typeof number !== 'number' || typeof begun !== 'number' || typeof sequence !== 'number')
    return undefined;
  if (typeof hash !== 'string' || typeof sealed !== 'number') return undefined;
  return { header, number, begun: begun as Micros, after: { sequence, hash }, sealed: sealed !== 0 };
}

/** Chains records and puts them into the tables of a segment, within the transaction of the caller. */
export class RecordWriter {
  readonly #insert: StatementSync;
  readonly #setTail: StatementSync;

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#setTail = database.prepare('UPDATE tail SET sequence = ?, hash = ?');
  }

  /** Writes `records` behind `last`, and the tail they come to. Returns their last place. */
  write(records: readonly LooseRecord[], last: ChainPlace): ChainPlace {
    let { sequence, hash: previous } = last;
    for (const loose of records) {
      const record = chained(loose, previous);
      const { kind, text, marketCount, marketHash, hash } = record;
      sequence = record.sequence;
      this.#insert.run(sequence, kind, text, marketCount, marketHash, previous, hash);
      previous = hash;
    }
    this.#setTail.run(sequence, previous);
    return { sequence, hash: previous };
  }
}
