import { BadInput } from '../base/errors.ts';
import type { Row, RowSource } from './bars-rows.ts';
import { refusalOf } from './line-items.ts';

/** A table of which every row is a record of one symbol. */
export interface RecordTable {
  readonly source: RowSource;
  /** `skip`: rows before the first record. */
  readonly columns: { readonly skip: number };
  /** The only symbol wanted of rows that name theirs. */
  readonly only?: string;
}

/** Reads one row. Throws `BadInput` with its place. */
export interface RecordReader<One> {
  read(row: Row): One;
}

/**
 * The records of a table in the order of the file, `noun` in a sentence; those before a row that is refused are given
 * first. Throws `BadInput` when there are none.
 */
export async function* readRecords<One extends { readonly symbol: string }>(
  { source, columns, only }: RecordTable,
  reader: RecordReader<One>,
  noun: string,
): AsyncGenerator<readonly One[], void, undefined> {
  let left = columns.skip;
  let count = 0;
  let other = '';
  for await (const rows of source.rows()) {
    const records: One[] = [];
    const refusal = refusalOf(() => {
      for (const row of rows) {
        if (left > 0) {
          left -= 1;
          continue;
        }
        const one = reader.read(row);
        if (only === undefined || one.symbol === '' || one.symbol === only) records.push(one);
        else other = one.symbol;
      }
    });
    count += records.length;
    if (records.length > 0) yield records;
    if (refusal !== undefined) throw refusal.error;
  }
  if (count > 0) return;
  const found = other === '' ? 'none' : `those of ${other}`;
  const of = other === '' ? '' : ` of ${only}`;
  throw new BadInput(`${source.path}: expected rows with ${noun}${of}, found ${found}`);
}
