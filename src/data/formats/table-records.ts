import { BadInput } from '../../core/base/errors.ts';
import type { Row, RowSource } from './bars-rows.ts';
import type { AnomalyCounts } from './grade-anomaly.ts';
import { counted } from './grade-anomaly.ts';
import type { OpenOptions } from './format.ts';
import { thrownBy } from '../recording/index.ts';

const shownMax = 5;

/** A table of which every row is a record of one symbol. */
export interface RecordTable {
  readonly source: RowSource;
  /** `skip`: rows before the first record. */
  readonly columns: { readonly skip: number };
  /** The only symbol wanted of rows that name theirs. */
  readonly only?: string;
  /** Whether rows without numbers are left out; without it one is refused. */
  readonly skip?: 'empty';
}

/** Reads one row. Throws `BadInput` with its place. */
export interface RecordReader<One> {
  /** Takes the symbols of rows that are left out because another one is wanted. */
  readonly others: Set<string>;
  /** Rows without numbers that were left out. */
  skipped: number;
  /** Whether a row has no numbers. */
  isEmpty(row: Row): boolean;
  read(row: Row): One;
}

/**
 * The records of a table in the order of the file, `noun` in a sentence; those before a row that is refused are given
 * first. Throws `BadInput` when there are none.
 */
export async function* readTableRecords<One extends { readonly symbol: string }>(
  { source, columns, only, skip }: RecordTable,
  reader: RecordReader<One>,
  noun: string,
): AsyncGenerator<readonly One[], void, undefined> {
  let left = columns.skip;
  let count = 0;
  for await (const rows of source.rows()) {
    const records: One[] = [];
    const refusal = thrownBy(() => {
      for (const row of rows) {
        if (left > 0) {
          left -= 1;
          continue;
        }
        if (skip === 'empty' && reader.isEmpty(row)) {
          reader.skipped += 1;
          continue;
        }
        const one = readOne(reader, row);
        if (only === undefined || one.symbol === '' || one.symbol === only) records.push(one);
        else reader.others.add(one.symbol);
      }
    });
    count += records.length;
    if (records.length > 0) yield records;
    if (refusal !== undefined) throw refusal.error;
  }
  if (count > 0) return;
  const other = [...reader.others].at(-1);
  const found = other === undefined ? 'none' : `those of ${other}`;
  const of = other === undefined ? '' : ` of ${only}`;
  throw new BadInput(`${source.path}: expected rows with ${noun}${of}, found ${found}`);
}

/** One row. The refusal of one without numbers says how such rows are left out. */
function readOne<One>(reader: RecordReader<One>, row: Row): One {
  try {
    return reader.read(row);
  } catch (error) {
    if (!(error instanceof BadInput) || !reader.isEmpty(row)) throw error;
    throw new BadInput(
      `${error.message}; where rows without numbers mean that nothing traded, leave them out: --skip empty, in a scenario import: { skip: empty }`,
      { cause: error },
    );
  }
}

/** Answer of tables to the option. */
export function skippingOf({ skip }: OpenOptions): { readonly skip?: 'empty' } {
  return skip === undefined ? {} : { skip };
}

/** Counts in the grade what was left out as asked. */
export function countSkipped(counts: AnomalyCounts, skipped: number): void {
  counts.add('emptyRows', skipped, (count) => `${counted(count, 'row')} without numbers left out, as asked`);
}

/** Notes which symbols are left out because one alone is wanted. */
export function otherSymbolsNote(others: ReadonlySet<string>, only: string | undefined): readonly string[] {
  if (others.size === 0 || only === undefined) return [];
  const [first, ...more] = [...others];
  const what = more.length === 0 ? `${first} are` : `${others.size} other symbols (${listed(others)}) are`;
  return [`rows of ${what} left out: only ${only} is wanted`];
}

/** Rows that name several symbols are not those of the only instrument that was given. Throws `BadInput`. */
export function refuseMixed(
  symbols: readonly string[],
  tables: readonly Guessed[],
  { instruments }: Pick<OpenOptions, 'instruments'>,
): void {
  const guesses = new Set(tables.map(({ symbol }) => symbol.symbol));
  const areNamed = symbols.some((symbol) => !guesses.has(symbol));
  if (instruments?.length !== 1 || symbols.length < 2 || !areNamed) return;
  const paths = tables.map(({ source }) => source.path).join(', ');
  throw new BadInput(
    `${paths}: expected rows of one symbol for ${instruments[0]?.symbol}, found ${symbols.slice(0, 2).join(' and ')}; say which is wanted`,
  );
}

/** A table, and the symbol in its name. */
interface Guessed {
  readonly source: { readonly path: string };
  readonly symbol: { readonly symbol: string };
}

function listed(symbols: ReadonlySet<string>): string {
  const shown = [...symbols].slice(0, shownMax);
  return shown.length < symbols.size ? `${shown.join(', ')}, …` : shown.join(', ');
}

/** How the records of a file that is not in the order of time are put into it. */
export interface Sorting<Raw, One> {
  /** The file, and what its records are called in a sentence. */
  readonly path: string;
  readonly noun: string;
  /** The number that is held in memory at most. */
  readonly max: number;
  readonly batch: number;
  readonly of: (record: Raw) => One;
  readonly time: (one: One) => number;
}

/**
 * All records by time, those of one time as they stand in the file; those before a refused one are given first. Throws
 * `BadInput` when there are too many.
 */
export async function* sortedRecords<Raw, One>(
  batches: AsyncIterable<readonly Raw[]>,
  { path, noun, max, batch, of, time }: Sorting<Raw, One>,
): AsyncGenerator<readonly One[], void, undefined> {
  const all: One[] = [];
  let refusal: unknown;
  try {
    for await (const records of batches) {
      for (const record of records) all.push(of(record));
      if (all.length > max) break;
    }
  } catch (error) {
    refusal = error;
  }
  if (all.length > max) {
    throw new BadInput(
      `${path}: expected at most ${max} ${noun} in a file that is not in the order of time, found more; sort or split it`,
    );
  }
  all.sort((a, b) => time(a) - time(b));
  for (let at = 0; at < all.length; at += batch) yield all.slice(at, at + batch);
  if (refusal !== undefined) throw refusal;
}
