import { BadInput } from '../../core/base/errors.ts';
import type { Row } from '../formats/index.ts';
import { csvSource, delimiterOf, readHead } from '../formats/index.ts';
import { openParquetFile, parquetKey, parquetSource } from '../formats/parquet/index.ts';
import { timeFormOf } from '../formats/tables/index.ts';
import { venueSeries } from '../formats/series/index.ts';
import type { SeriesFile, SeriesSource, SeriesTable } from './table.ts';
import { venueSource } from './venue-source.ts';
import { seriesCellsMax, SeriesReader } from './table.ts';

/**
 * Opens a table of a series: Parquet, or a text with a header, packed or not. Throws `BadInput` with the file where it is none, such as
 * a recording, JSON, or a table without a header.
 */
export async function openSeriesSource(path: string): Promise<SeriesSource> {
  const head = await readHead(path);
  if (head.text.startsWith('PAR1')) {
    const file = await openParquetFile(path);
    if (file.meta(parquetKey) !== undefined)
      throw otherTable(path, 'market data that godwit data export wrote');
    return {
      source: parquetSource(file),
      header: file.columns,
      headed: false,
      isPlainText: false,
      delimiter: '',
    };
  }
  if (head.bytes.length === 0) throw otherTable(path, 'an empty file');
  if (head.bytes.includes(0)) throw otherTable(path, 'a binary file, such as a recording');
  if (/^\s*[[{]/.test(head.text)) throw otherTable(path, 'JSON');
  const known = venueSeries.find((format) => format.detects(head, path))?.series;
  if (known !== undefined) return await venueSource(path, known);
  const delimiter = delimiterOf(head.line);
  const source = csvSource(path, delimiter);
  for await (const [first] of source.rows()) {
    if (first === undefined) continue;
    const time = first.cells.find((cell) => timeFormOf(cell) !== undefined);
    if (time !== undefined)
      throw new BadInput(
        `${path}:${first.number}: expected a header with the names of the columns, found a row with the time ${JSON.stringify(time)}`,
      );
    const isPlainText = head.packing === 'plain';
    return { source, header: first.cells, headed: true, isPlainText, delimiter };
  }
  throw otherTable(path, 'an empty file');
}

/**
 * Reads the whole series of a file. Throws `BadInput` with file, row and column where a row is not as it must be, and when there is none.
 */
export async function readSeries(name: string, file: SeriesFile): Promise<SeriesTable> {
  const { source, header, headed } = await openSeriesSource(file.path);
  const reader = new SeriesReader(name, file, source, header);
  const table = new TableDraft(reader.columns.length);
  for await (const rows of rowsBehindHeader({ source, headed })) {
    for (const row of rows) table.add(row, reader.read(row));
    if (table.size > seriesCellsMax)
      throw new BadInput(
        `${file.path}: expected at most ${seriesCellsMax} cells in a series, found more; leave out columns or split the file`,
      );
  }
  if (table.times.length === 0)
    throw new BadInput(`${file.path}: expected rows behind the header, found none`);
  const { unit } = source;
  return {
    name,
    path: file.path,
    unit,
    columns: reader.columns,
    ...table.sorted(),
    staleAfter: file.staleAfter,
  };
}

/** The rows behind the header. */
export async function* rowsBehindHeader({
  source,
  headed,
}: Pick<SeriesSource, 'source' | 'headed'>): AsyncGenerator<readonly Row[], void, undefined> {
  let skip = headed ? 1 : 0;
  for await (const rows of source.rows()) {
    yield skip === 0 ? rows : rows.slice(skip);
    skip = 0;
  }
}

/** Rows column by column. */
class TableDraft {
  readonly times: number[] = [];
  readonly #known: number[] = [];
  readonly #places: number[] = [];
  readonly #cells: string[][];
  #isSorted = true;

  constructor(columns: number) {
    this.#cells = Array.from({ length: columns }, () => []);
  }

  get size(): number {
    return this.times.length * (this.#cells.length + 1);
  }

  add({ number }: Row, { time, known, cells }: ReturnType<SeriesReader['read']>): void {
    if (known < (this.#known.at(-1) ?? 0)) this.#isSorted = false;
    this.times.push(time);
    this.#known.push(known);
    this.#places.push(number);
    for (const [at, column] of this.#cells.entries()) column.push(cells[at] ?? '');
  }

  /** Rows in the order in which they are known; of those known at once, in that of the file. */
  sorted(): Pick<SeriesTable, 'times' | 'known' | 'places' | 'cells'> {
    const known = this.#known;
    if (this.#isSorted) return { times: this.times, known, places: this.#places, cells: this.#cells };
    const order = known.map((_, at) => at).toSorted((a, b) => (known[a] as number) - (known[b] as number));
    const by = <Value>(values: readonly Value[]): Value[] => order.map((at) => values[at] as Value);
    return { times: by(this.times), known: by(known), places: by(this.#places), cells: this.#cells.map(by) };
  }
}

function otherTable(path: string, found: string): BadInput {
  return new BadInput(
    `${path}: expected a table of a series, with a header (CSV, packed or not, or Parquet), found ${found}`,
  );
}
