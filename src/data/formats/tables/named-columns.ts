import type { Recording } from '../../recording/index.ts';
import type { RowSource } from '../bars-rows.ts';
import type { OpenOptions } from '../format.ts';
import { refuseBarOptions } from '../format.ts';
import type { ColumnField } from './bars-columns.ts';
import { findColumns, headerAt } from './bars-columns.ts';
import { openBars } from './bars-recording.ts';
import { symbolOfPath, symbolOfText } from './bars-symbol.ts';
import { barFields } from './bars.ts';
import { openTrades } from './trades-recording.ts';
import { tradeFields } from './trades.ts';

/** A file whose columns have names of their own, and the rows of it as cells in the order of these. */
export interface NamedColumns {
  readonly columns: readonly string[];
  readonly source: RowSource;
}

/** Whether the columns, or the map of them, are those of bars or of trades; `undefined` for neither. */
export function tableKindOf(
  columns: readonly string[],
  { columns: wanted }: OpenOptions,
): 'bars' | 'trades' | undefined {
  const isOfTrades = wanted?.['price'] !== undefined || wanted?.['quantity'] !== undefined;
  if (!isOfTrades && isTableOf(barFields, columns, wanted)) return 'bars';
  return isTableOf(tradeFields, columns, wanted) ? 'trades' : undefined;
}

/** Opens files with named columns as bars or as trades: which of them `tableKindOf` says of the first one. */
export async function openNamedColumns(
  format: string,
  kind: 'bars' | 'trades',
  files: readonly NamedColumns[],
  options: OpenOptions,
): Promise<Recording> {
  const fields = kind === 'bars' ? barFields : tradeFields;
  if (kind === 'trades') refuseBarOptions(format, options);
  const tables = files.map((file) => tableOf(file, fields, options));
  return await (kind === 'bars' ? openBars(format, tables, options) : openTrades(format, tables, options));
}

function isTableOf(
  fields: readonly ColumnField[],
  columns: readonly string[],
  wanted: OpenOptions['columns'],
): boolean {
  const needed = fields.filter((field) => field.needed).map(({ name }) => name);
  if (wanted !== undefined && needed.some((name) => name !== 'time' && wanted[name] !== undefined))
    return true;
  return headerAt([{ number: 1, cells: columns }], fields) !== undefined;
}

function tableOf({ columns, source }: NamedColumns, fields: readonly ColumnField[], options: OpenOptions) {
  const { path } = source;
  const { index } = findColumns([{ number: 1, cells: columns }], fields, options.columns, path);
  return {
    source,
    columns: { index, skip: 0 },
    symbol: options.symbol === undefined ? symbolOfPath(path) : symbolOfText(options.symbol),
    ...(options.symbol === undefined ? {} : { only: options.symbol }),
    ...(options.stamp === undefined ? {} : { stamp: options.stamp }),
  };
}
