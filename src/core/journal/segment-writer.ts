import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { seal } from './about.ts';
import type { ChainPlace, LooseRecord } from './chain.ts';
import { FilesInPlace } from './files-in-place.ts';
import { codeOf, isSqliteError, lockPath, openForWriting, sqlite } from './file.ts';
import { RecordWriter } from './record-writer.ts';

export const bytesPerMib = 1_048_576;
const writeTimeoutMs = 60_000;

/** The segment that is written: a commit of records returns once they are on the disk. */
export class SegmentWriter {
  readonly #database: DatabaseSync;
  readonly #records: RecordWriter;
  readonly #pageCount: StatementSync;
  readonly #pageSize: number;
  readonly #files: FilesInPlace;
  readonly #sizeMaxMib: number;
  #last: ChainPlace;

  constructor(path: string, last: ChainPlace, sizeMaxMib: number) {
    this.#last = last;
    this.#sizeMaxMib = sizeMaxMib;
    this.#database = openForWriting(path, writeTimeoutMs).database;
    this.#files = new FilesInPlace([path, `${path}-wal`, lockPath(path)]);
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
    } catch (error) {
      throw this.#withLimit(error);
    }
    // Looked at behind the commit: what is told to be durable is where the next start looks for it.
    const missing = this.#files.missing();
    if (missing !== undefined) throw new Error(missing);
  }

  /** Says that another segment follows, and lets go. */
  seal(): void {
    seal(this.#database);
    this.close();
  }

  close(): void {
    this.#database.close();
  }

  /** SQLite says the same of a full disk and of a file that must not grow further. */
  #withLimit(error: unknown): unknown {
    if (!isSqliteError(error) || codeOf(error) !== sqlite.full) return error;
    return new Error(`${error.message}; journal.sizeMaxMib allows ${this.#sizeMaxMib} MiB`, { cause: error });
  }
}
