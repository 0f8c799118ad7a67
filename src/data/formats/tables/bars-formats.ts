import { BadInput } from '../../../core/base/errors.ts';
import type { Recording } from '../../recording/index.ts';
import { findColumns } from './bars-columns.ts';
import { columnsByNumbers } from './bars-order.ts';
import { parsePeriod } from './bars-period.ts';
import { openBars } from './bars-recording.ts';
import { csvSource, jsonSource, rowsOfLists } from '../bars-rows.ts';
import { symbolOfPath, symbolOfText } from './bars-symbol.ts';
import { timeFormOf } from './bars-time.ts';
import type { BarTable } from './bars.ts';
import { barFields } from './bars.ts';
import { headRows, isSheet, sheetOf } from './sheet.ts';
import type { FileHead, Format, OpenOptions } from '../format.ts';
import { readHead } from '../opened-file.ts';

const epochMillis = /^\d{13}$|^\d{16}$/;
const decimal = /^\d+(\.\d+)?$/;
const signedDecimal = /^-?\d+(\.\d+)?$/;
const klineWidth = 12;

/** Bars of Binance's public archive: twelve columns, milliseconds or (since 2025) microseconds, a header or none. */
export const binanceKlines: Format = {
  name: 'binance-klines',
  bars: true,
  looksLike: "Binance's public archive of klines (BTCUSDT-1m-2023-03-10.zip or its CSV)",
  carries: 'bars with both volumes',
  detects: (head, path) => isKlines(head) && !isPremiumIndex(head, path),
  open: (paths, options) =>
    openTables('binance-klines', paths, options, async (path) => {
      const head = await readHead(path);
      const skip = /^\d/.test(head.line) ? 0 : 1;
      const period = /-(\d+[smhdw]|1mo)-/.exec(head.name)?.[1]?.replace('1mo', '1M');
      return {
        source: csvSource(path, ','),
        columns: {
          index: fixed(['time', 'open', 'high', 'low', 'close', 'volume'], { volumeQuote: 7 }),
          skip,
        },
        symbol: symbolOfPath(head.name),
        ...(period === undefined ? {} : { period: parsePeriod(period) }),
      };
    }),
};

function isKlines(head: FileHead): boolean {
  const cells = cellsOf(head);
  if (cells.length !== klineWidth) return false;
  if (/^open_?time,/i.test(head.line)) return true;
  const isTimed = epochMillis.test(cells[0] ?? '') && epochMillis.test(cells[6] ?? '');
  return isTimed && cells.every((one) => signedDecimal.test(one));
}

/**
 * Test of a file for Binance's premium index, whose klines have no price: no volume and a value below 0 among the first rows, or a path of the
 * archive's folder `premiumIndexKlines`.
 */
export function isPremiumIndex(head: FileHead, path: string): boolean {
  if (!isKlines(head)) return false;
  if (/premiumIndex/i.test(path)) return true;
  const rows = head.text.split('\n').map((line) => line.split(',').map((cell) => cell.trim()));
  const data = rows.filter(({ length, 0: time = '' }) => length === klineWidth && /^\d/.test(time));
  // Nothing is traded at an index.
  return (
    data.every((cells) => Number(cells[5]) === 0) &&
    data.some((cells) => cells.slice(1, 5).some((cell) => /^-\d/.test(cell)))
  );
}

/** Kraken's OHLCVT archive: seconds, prices, volume, number of trades; no header. Periods without trades are left out. */
export const krakenOhlcvt: Format = {
  name: 'kraken-ohlcvt',
  bars: true,
  looksLike: "Kraken's OHLCVT archive (XBTUSD_1440.csv)",
  carries: 'bars',
  detects: (head) => {
    const cells = cellsOf(head);
    return (
      cells.length === 7 &&
      timeFormOf(cells[0] ?? '') === 'seconds' &&
      cells.every((one) => decimal.test(one)) &&
      /^\d+$/.test(cells[6] ?? '')
    );
  },
  open: (paths, options) =>
    openTables('kraken-ohlcvt', paths, options, async (path) => {
      const { name } = await readHead(path);
      const minutes = /_(\d{1,5})\.csv/.exec(name)?.[1];
      return {
        source: csvSource(path, ','),
        columns: { index: fixed(['time', 'open', 'high', 'low', 'close', 'volume']), skip: 0 },
        symbol: symbolOfPath(name),
        timeForm: 'seconds',
        ...(minutes === undefined ? {} : { period: parsePeriod(`${minutes}m`) }),
      };
    }),
};

/** CryptoDataDownload: a title above the header, newest first, volumes named for their currencies. */
export const cryptoDataDownload: Format = {
  name: 'cryptodatadownload',
  bars: true,
  looksLike:
    'a CSV of CryptoDataDownload: its address in the first line, the header in the second, newest first',
  carries: 'bars with both volumes',
  detects: (head) => /cryptodatadownload\.com/i.test(head.line),
  open: (paths, options) =>
    openTables('cryptodatadownload', paths, options, async (path) => {
      const head = await readHead(path);
      const rows = headRows(head, ',');
      const { index, skip } = findColumns(rows, barFields, options.columns, path);
      const header = rows[skip - 1]?.cells ?? [];
      const symbol = symbolOfText(rows[skip]?.cells[index.get('symbol') ?? -1] ?? symbolOfPath(path).symbol);
      const volumes = header.flatMap((cell, at) =>
        /^volume/i.test(cell) ? [{ cell: cell.toUpperCase(), at }] : [],
      );
      const base =
        volumes.find(({ cell }) => cell.endsWith(symbol.pair?.base ?? symbol.symbol)) ?? volumes[0];
      const quote = volumes.find(({ at }) => at !== base?.at);
      const columns = new Map(index);
      if (base !== undefined) columns.set('volume', base.at);
      if (quote !== undefined) columns.set('volumeQuote', quote.at);
      return { source: csvSource(path, ','), columns: { index: columns, skip }, symbol };
    }),
};

/** Lists of numbers as JSON: freqtrade's `[[ms, open, high, low, close, volume], ...]`, and those of venues in orders of their own. */
export const freqtradeBars: Format = {
  name: 'freqtrade-bars',
  bars: true,
  looksLike:
    "freqtrade's JSON of candles (XRP_ETH-1m.json), and other JSON lists of numbers in one of the known orders",
  carries: 'bars',
  detects: (head) =>
    /^\s*\[\s*\[\s*\d{10,13}\s*,(?:\s*[\d.eE+-]+\s*[,\]]){4,5}/.test(head.text.slice(0, 400)),
  open: (paths, options) =>
    openTables('freqtrade-bars', paths, options, async (path) => {
      const head = await readHead(path);
      const usual = { index: fixed(['time', 'open', 'high', 'low', 'close', 'volume']), skip: 0 };
      const columns = columnsByNumbers(rowsOfLists(head.text)) ?? usual;
      return { source: jsonSource(path), columns, symbol: symbolOfPath(head.name) };
    }),
};

/**
 * Any table of bars with a header that names time, open, high, low and close, with a map of its columns, or without a header where the
 * numbers tell which column is what.
 */
export const barsCsv: Format = {
  name: 'bars-csv',
  columns: true,
  bars: true,
  looksLike:
    'any CSV of bars: a header with time, open, high, low, close (and volume), numbers that tell their order, or --columns',
  carries: 'bars',
  detects: (head, path) =>
    ![cryptoDataDownload, binanceKlines, krakenOhlcvt].some((one) => one.detects(head, path)) &&
    isSheet(head, path),
  open: (paths, options) =>
    openTables('bars-csv', paths, options, async (path) => sheetOf(await readHead(path), path, options)),
};

/** Opens files of bars by the tables that `tableOf` makes of them, with what the options add. */
export async function openTables(
  format: string,
  paths: readonly string[],
  options: OpenOptions,
  tableOf: (path: string) => Promise<BarTable>,
): Promise<Recording> {
  const tables: BarTable[] = [];
  for (const path of paths) {
    const table = await tableOf(path);
    const stamp = options.stamp === undefined ? {} : { stamp: options.stamp };
    const named =
      options.symbol === undefined ? {} : { symbol: symbolOfText(options.symbol), only: options.symbol };
    tables.push({ ...table, ...named, ...stamp });
  }
  if (tables.length === 0) throw new BadInput('expected the path of a file with bars, found none');
  return await openBars(format, tables, options);
}

/** Fields in the order of the first columns, and others by their number. */
export function fixed(
  first: readonly string[],
  others: Readonly<Record<string, number>> = {},
): ReadonlyMap<string, number> {
  return new Map([...first.map((name, at) => [name, at] as const), ...Object.entries(others)]);
}

function cellsOf(head: FileHead): readonly string[] {
  return head.line.split(',').map((cell) => cell.trim());
}
