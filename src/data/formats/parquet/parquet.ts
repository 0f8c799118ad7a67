import { BadInput } from '../../../core/base/errors.ts';
import type { Recording } from '../../recording/index.ts';
import type { Row } from '../bars-rows.ts';
import { bookShapeOf, readTable, tableOfBooks } from '../books/index.ts';
import { decodedFormat } from '../decoded-recording.ts';
import { openNamedColumns, tableKindOf } from '../tables/index.ts';
import type { Format, OpenOptions } from '../format.ts';
import { refuseBarOptions, refuseRounding } from '../format.ts';
import { packingOfFile } from '../opened-file.ts';
import { isNautilus, openNautilus } from './nautilus.ts';
import { openOwnParquet } from './read.ts';
import type { ParquetFile } from './source.ts';
import { openParquetFile, parquetSource } from './source.ts';
import { parquetKey, readParquetHead } from './table.ts';

/**
 * Apache Parquet: the tables `writeParquet` writes, read back event for event; bars and trades of other people, by the
 * names of their columns or by a map of them.
 */
export const parquet: Format = {
  name: 'parquet',
  columns: true,
  bars: true,
  looksLike: 'a Parquet file: one of ours, or a table of bars, trades or books',
  carries: 'books, trades and bars of ours; bars, trades or books of others',
  detects: (head) => head.text.startsWith('PAR1'),
  open: openParquet,
};

async function openParquet(paths: readonly string[], options: OpenOptions): Promise<Recording> {
  const files: ParquetFile[] = [];
  for (const path of paths) {
    const packing = await packingOfFile(path);
    if (packing !== 'plain') {
      throw new BadInput(
        `${path}: expected a plain Parquet file, found one packed by ${packing}; unpack it first`,
      );
    }
    files.push(await openParquetFile(path));
  }
  const [first] = files;
  if (first === undefined) throw new BadInput('expected the path of a Parquet file, found none');
  const heads = files.flatMap((file) => {
    const text = file.meta(parquetKey);
    return text === undefined ? [] : [readParquetHead(text, file.path)];
  });
  if (heads.length === files.length) {
    refuseBarOptions('parquet', options);
    refuseRounding('parquet', options, false);
    return openOwnParquet(files, heads, options);
  }
  if (options.columns === undefined && isNautilus(first)) return await openNautilus(files, options);
  const kind = tableKindOf(first.columns, options);
  if (kind !== 'bars' && options.columns === undefined && (await isParquetOfBooks(first))) {
    refuseBarOptions('parquet', options);
    refuseRounding('parquet', options, false);
    return await parquetBooks.open(paths, options);
  }
  if (kind !== undefined) {
    const named = files.map((file) => ({ columns: file.columns, source: parquetSource(file) }));
    return await openNamedColumns('parquet', kind, named, options);
  }
  throw new BadInput(
    `${first.path}: expected columns of bars (time, open, high, low, close), trades (time, price, quantity) or books (bid_0_price, bid_0_size, ..., or time, side, price, size), found ${first.columns.join(', ')}; say which column is what`,
  );
}

/** Tables of books as Parquet, such as those of Crypto Lake. */
const parquetBooks: Format = decodedFormat({
  ...tableOfBooks,
  name: 'parquet',
  looksLike: 'a Parquet file of books',
  detects: (head) => head.text.startsWith('PAR1'),
  read: async function* (path, options) {
    const file = await openParquetFile(path);
    const rows = await parquetHeadRows(file);
    yield* readTable({ source: parquetSource(file), rows, name: path }, options);
  },
});

/** Whether a Parquet file of others is a table of books. */
async function isParquetOfBooks(file: ParquetFile): Promise<boolean> {
  return bookShapeOf(await parquetHeadRows(file)) !== undefined;
}

/** The names of the columns, and the first rows. */
async function parquetHeadRows(file: ParquetFile): Promise<readonly Row[]> {
  const header: Row = { number: 0, cells: file.columns };
  for await (const rows of parquetSource(file).rows()) return [header, ...rows.slice(0, headRowsMax)];
  return [header];
}

const headRowsMax = 400;
