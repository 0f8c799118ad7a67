import type { Row } from '../bars-rows.ts';
import { csvCells, csvSource, delimiterOf } from '../bars-rows.ts';
import type { FileHead, OpenOptions } from '../format.ts';
import type { Columns } from './bars-columns.ts';
import { findColumns, headerAt, headerWord } from './bars-columns.ts';
import { columnsByNumbers } from './bars-order.ts';
import { symbolOfPath } from './bars-symbol.ts';
import { readTableTime } from './bars-time.ts';
import type { BarTable } from './bars.ts';
import { barFields } from './bars.ts';
import { numberStyleOf, pointed } from './number-style.ts';
import type { TickerColumns } from './yfinance.ts';
import { tickerColumns, tickerFields, tickerRows } from './yfinance.ts';

/** Rows by which the order and the signs of numbers are told. */
export const sampleRows = 200;

/** A beginning of more letters may be that of a longer file: it has up to 64 KiB, of UTF-16 half as many letters. */
const wholeMax = 30_000;

/** The first rows of a text by which its columns are found. */
export function headRows(head: FileHead, delimiter: string, max = 8): readonly Row[] {
  const lines = head.text.replace(/^\uFEFF/, '').split('\n', max);
  // The last line may be cut where the beginning of a longer file ends.
  if (head.text.length > wholeMax && lines.length > 1 && lines.length < max) lines.pop();
  return lines
    .map((line, index) => ({ number: index + 1, cells: cellsOf(line, delimiter) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
}

function cellsOf(line: string, delimiter: string): readonly string[] {
  try {
    return csvCells(line.replace(/\r$/, ''), delimiter, '');
  } catch {
    return line.split(delimiter).map((cell) => cell.trim());
  }
}

/** Whether a text is a table of bars, by its header or by its numbers. */
export function isSheet(head: FileHead, path: string): boolean {
  const rows = headRows(head, delimiterOf(head.line), sampleRows);
  return (
    headerAt(rows, barFields) !== undefined ||
    tickerColumns(rows) !== undefined ||
    (!leanZip.test(path) && columnsWithout(rows) !== undefined)
  );
}

/** QuantConnect LEAN writes prices in parts of the currency, which its own format reads. */
const leanZip = /_(?:trade|quote)\.zip$/;

/** A text of bars as a table. Throws `BadInput` where its columns cannot be told. */
export function sheetOf(head: FileHead, path: string, options: OpenOptions): BarTable {
  const delimiter = delimiterOf(head.line);
  const rows = headRows(head, delimiter, sampleRows);
  const source = csvSource(path, delimiter);
  const symbol = symbolOfPath(head.name);
  const tickers = options.columns === undefined ? tickerColumns(rows) : undefined;
  if (tickers !== undefined)
    return { source: tickerRows(source, tickers), columns: ofTickers(tickers), symbol };
  const isTold = options.columns !== undefined || headerAt(rows, barFields) !== undefined;
  const columns =
    (isTold ? undefined : columnsWithout(rows)) ?? findColumns(rows, barFields, options.columns, path);
  const index = options.columns === undefined ? withTicks(rows, columns) : columns.index;
  return { source, columns: withStyle(rows, { ...columns, index }), symbol, ...daysOf(rows, columns) };
}

function ofTickers({ fields }: TickerColumns): Columns {
  const index = new Map<string, number>(tickerFields.map((name, at) => [name, at]));
  if (!fields.some((field) => /^adj close$/i.test(field))) index.delete('adjustedClose');
  return { index, skip: 0 };
}

/** Columns of rows without a header, whatever the signs in their numbers are. */
function columnsWithout(rows: readonly Row[]): Columns | undefined {
  const plain = columnsByNumbers(rows);
  if (plain !== undefined) return plain;
  const width = rows[0]?.cells.length ?? 0;
  const style = numberStyleOf(rows, Array.from({ length: width }, (_, at) => at).slice(1));
  if (style === 'point') return undefined;
  const pointedRows = rows.map(({ number, cells }) => ({
    number,
    cells: cells.map((cell, at) => (at === 0 ? cell : (pointed(cell, style) ?? cell))),
  }));
  return columnsByNumbers(pointedRows);
}

/** Bars of days begin at midnight of a zone, at another hour of UTC in summer: the day is meant. */
function daysOf(rows: readonly Row[], { index, skip }: Columns): Pick<BarTable, 'timeForm'> {
  const times = rows.slice(skip).map(({ cells }) => cells[index.get('time') ?? -1] ?? '');
  const areDays = times.length > 0 && times.every((time) => !Number.isNaN(readTableTime(time, 'localDay')));
  return areDays ? { timeForm: 'localDay' } : {};
}

/** MetaTrader 5 counts ticks beside a volume that is 0 where the broker knows none: then they are the volume, as in MetaTrader 4. */
function withTicks(rows: readonly Row[], { index, skip }: Columns): Columns['index'] {
  const ticks = rows[skip - 1]?.cells.findIndex((cell) => /^tick_?vol(?:ume)?$/.test(headerWord(cell))) ?? -1;
  const volume = index.get('volume');
  const isNone = volume !== undefined && rows.slice(skip).every(({ cells }) => Number(cells[volume]) === 0);
  return ticks >= 0 && isNone ? new Map([...index, ['volume', ticks]]) : index;
}

/** Columns with the signs that the numbers of the first rows have. */
export function withStyle(rows: readonly Row[], columns: Columns): Columns {
  const numeric = [...columns.index].flatMap(([name, at]) => (textFields.test(name) ? [] : [at]));
  const numbers = numberStyleOf(rows.slice(columns.skip), numeric);
  return numbers === 'point' ? columns : { ...columns, numbers };
}

const textFields = /^(?:time|date|symbol|id|side|maker|received|type)$/;
