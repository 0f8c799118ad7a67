import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { chained } from './chain.ts';
import type { ChainPlace, LooseRecord } from './chain.ts';

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
