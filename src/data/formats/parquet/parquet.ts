import { BadInput } from '../../../core/base/errors.ts';
import type { Recording } from '../../recording/contract.ts';
import type { ColumnField } from '../tables/bars-columns.ts';
import { findColumns, headerAt } from '../tables/bars-columns.ts';
import { openBars } from '../tables/bars-recording.ts';
import { symbolOfPath, symbolOfText } from '../tables/bars-symbol.ts';
import { barFields } from '../tables/bars.ts';
import type { Format, OpenOptions } from '../format.ts';
import { refuseBarOptions, refuseRounding } from '../format.ts';
import { packingOfFile } from '../opened-file.ts';
import { openOwnParquet } from './read.ts';
import type { ParquetFile } from './source.ts';
import { openParquetFile, parquetSource } from './source.ts';
import { parquetKey, readParquetHead } from './table.ts';
import { openTrades } from '../tables/trades-recording.ts';
import { tradeFields } from '../tables/trades.ts';

/**
 * Apache Parquet: the tables `writeParquet` writes, read back event for event; bars and trades of other people, by the
 * names of their columns or by a map of them.
 */
export const parquet: Format = {
  name: 'parquet',
  columns: true,
  bars: true,
  looksLike: 'a Parquet file: one of ours, or a table of bars or trades',
  carries: 'books, trades and bars of ours; bars or trades of others',
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
  if (isTableOf(barFields, first, options)) {
    return await openBars(
      'parquet',
      files.map((file) => tableOf(file, barFields, options)),
      options,
    );
  }
  if (isTableOf(tradeFields, first, options)) {
    refuseBarOptions('parquet', options);
    return await openTrades(
      'parquet',
      files.map((file) => tableOf(file, tradeFields, options)),
      options,
    );
  }
  throw new BadInput(
    `${first.path}: expected columns of bars (time, open, high, low, close) or trades (time, price, quantity), found ${first.columns.join(', ')}; say which column is what`,
  );
}

/** Whether the columns, or the map of them, are those of such a table. */
function isTableOf(fields: readonly ColumnField[], file: ParquetFile, options: OpenOptions): boolean {
  const needed = fields.filter((field) => field.needed).map(({ name }) => name);
  const { columns } = options;
  if (columns !== undefined && needed.every((name) => columns[name] !== undefined)) return true;
  return headerAt([{ number: 1, cells: file.columns }], fields) !== undefined;
}

function tableOf(file: ParquetFile, fields: readonly ColumnField[], options: OpenOptions) {
  const { index } = findColumns([{ number: 1, cells: file.columns }], fields, options.columns, file.path);
  return {
    source: parquetSource(file),
    columns: { index, skip: 0 },
    symbol: options.symbol === undefined ? symbolOfPath(file.path) : symbolOfText(options.symbol),
    ...(options.symbol === undefined ? {} : { only: options.symbol }),
    ...(options.stamp === undefined ? {} : { stamp: options.stamp }),
  };
}
