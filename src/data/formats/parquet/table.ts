import type { ColumnSource, SchemaElement } from 'hyparquet-writer';
import { BadInput } from '../../../core/base/errors.ts';
import { readSpecList } from '../../recording/index.ts';
import type { InstrumentSpec } from '../../../core/model/instrument.ts';
import { isMembers } from '../../../core/base/members.ts';

/** Tables that a Parquet file may hold: a file is one table, a table is one kind of events. */
export const parquetTables = ['books', 'trades', 'bars'] as const;
export type ParquetTable = (typeof parquetTables)[number];

/** How prices and sizes are written: whole ticks and lots, or decimals as text. */
export type ParquetNumbers = 'integers' | 'texts';

/** The metadata by which a file of ours is known; under the key `godwit`, as JSON. */
export interface ParquetHead {
  readonly version: 1;
  readonly table: ParquetTable;
  readonly numbers: ParquetNumbers;
  readonly instruments: readonly InstrumentSpec[];
  readonly notes: readonly string[];
  readonly grade: 'A' | 'B';
}

export const parquetKey = 'godwit';

/** Content of a column. */
type ColumnKind = 'text' | 'micros' | 'integer' | 'number';

/**
 * The columns of each table, in order. `message` numbers the events of the file: rows of one number are one event. In
 * `books`, `kind` is snapshot, update or the reason of a stale book; rows without a side stand for events without levels.
 */
const columnKinds: Readonly<Record<ParquetTable, Readonly<Record<string, ColumnKind>>>> = {
  books: {
    message: 'integer',
    symbol: 'text',
    exchange_time: 'micros',
    receive_time: 'micros',
    kind: 'text',
    sequence: 'integer',
    side: 'text',
    price: 'number',
    size: 'number',
  },
  trades: {
    message: 'integer',
    symbol: 'text',
    exchange_time: 'micros',
    receive_time: 'micros',
    history: 'text',
    time: 'micros',
    id: 'text',
    side: 'text',
    price: 'number',
    quantity: 'number',
  },
  bars: {
    message: 'integer',
    symbol: 'text',
    exchange_time: 'micros',
    receive_time: 'micros',
    history: 'text',
    period: 'text',
    time: 'micros',
    open: 'text',
    high: 'text',
    low: 'text',
    close: 'text',
    volume: 'text',
    volume_quote: 'text',
  },
};

/** A cell before it is written. */
export type ParquetCell = string | bigint;

/** Rows of one table, column by column. */
export class ParquetRows {
  readonly #names: readonly string[];
  readonly #columns: ParquetCell[][];

  constructor(table: ParquetTable) {
    this.#names = Object.keys(columnKinds[table]);
    this.#columns = this.#names.map(() => []);
  }

  get length(): number {
    return this.#columns[0]?.length ?? 0;
  }

  /** One row, its cells in the order of the columns. */
  add(cells: readonly ParquetCell[]): void {
    for (const [index, cell] of cells.entries()) this.#columns[index]?.push(cell);
  }

  /** The columns, and begins anew. */
  take(): ColumnSource[] {
    return this.#columns.map((column, index) => ({
      name: this.#names[index] ?? '',
      data: column.splice(0, column.length),
    }));
  }
}

/** The Parquet schema of a table. Times are timestamps in microseconds, UTC. */
export function schemaOf(table: ParquetTable, numbers: ParquetNumbers): SchemaElement[] {
  const columns = Object.entries(columnKinds[table]);
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(([name, kind]): SchemaElement => {
      if (kind === 'text' || (kind === 'number' && numbers === 'texts')) {
        return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' };
      }
      if (kind === 'micros') {
        return { name, type: 'INT64', converted_type: 'TIMESTAMP_MICROS', repetition_type: 'REQUIRED' };
      }
      return { name, type: 'INT64', repetition_type: 'REQUIRED' };
    }),
  ];
}

/** Reads our metadata. Throws `BadInput` when it is none, or of another version. */
export function readParquetHead(text: string, path: string): ParquetHead {
  let head: unknown;
  try {
    head = JSON.parse(text);
  } catch {
    head = undefined;
  }
  const found = isMembers(head) ? head : {};
  const table = parquetTables.find((one) => one === found['table']);
  if (found['version'] !== 1 || table === undefined) {
    throw new BadInput(
      `${path}: expected a table of version 1 (${parquetTables.join(', ')}) under the key ${parquetKey}, found ${JSON.stringify(text.slice(0, 80))}`,
    );
  }
  readSpecList(found['instruments'], path);
  return head as ParquetHead;
}
