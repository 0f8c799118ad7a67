import { BadInput } from '../../../core/base/errors.ts';
import type { Recording } from '../../recording/index.ts';
import { findColumns, headerAt, headerWord } from './bars-columns.ts';
import { fixed } from './bars-formats.ts';
import { headRows, sampleRows, withStyle } from './sheet.ts';
import { csvSource, delimiterOf, jsonSource } from '../bars-rows.ts';
import { symbolOfPath, symbolOfText } from './bars-symbol.ts';
import { barFields } from './bars.ts';
import type { FileHead, Format, OpenOptions } from '../format.ts';
import { readHead } from '../opened-file.ts';
import { openTrades } from './trades-recording.ts';
import type { TradeTable } from './trades.ts';
import { tradeFields } from './trades.ts';

/** freqtrade's JSON: `[[ms, "id", type, "side", price, amount, cost], ...]`. */
export const freqtradeTrades: Format = {
  name: 'freqtrade-trades',
  looksLike: "freqtrade's JSON of trades (XRP_ETH-trades.json.gz)",
  carries: 'trades',
  trades: true,
  detects: (head) =>
    /^\s*\[\s*\[\s*\d{13}\s*,\s*(?:"[^"]*"|null|\d+)\s*,\s*(?:null|"[^"]*")\s*,\s*"(?:buy|sell)"/.test(
      head.text.slice(0, 400),
    ),
  open: (paths, options) =>
    openTradeTables('freqtrade-trades', paths, options, (path, head) => ({
      source: jsonSource(path),
      columns: { index: fixed(['time', 'id', 'type', 'side', 'price', 'quantity']), skip: 0 },
      symbol: symbolOfPath(head.name),
      timeForm: 'millis',
    })),
};

/**
 * The columns of Binance's public archive without a header: trades, aggregate trades of spot (both end with whether the price was the
 * best) and those of futures. As many columns may be trades of spot or aggregate trades of futures, so the content decides.
 */
const binanceLayouts: readonly ReadonlyMap<string, number>[] = [
  new Map(Object.entries({ id: 0, price: 1, quantity: 2, time: 4, maker: 5 })),
  new Map(Object.entries({ id: 0, price: 1, quantity: 2, time: 5, maker: 6 })),
];

/** Binance's public archive of trades and aggregate trades, with a header (futures) or without (spot). */
export const binanceTrades: Format = {
  name: 'binance-trades',
  looksLike: "Binance's public archive of trades or aggTrades (BTCUSDT-aggTrades-2023-03-10.zip or its CSV)",
  carries: 'trades',
  trades: true,
  detects: (head) => binanceLayout(head) !== undefined,
  open: (paths, options) =>
    openTradeTables('binance-trades', paths, options, (path, head) => {
      const columns = binanceLayout(head);
      if (columns === undefined) {
        throw new BadInput(
          `${path}:1: expected trades of Binance's public archive (6 to 8 columns, the buyer as maker true or false), found ${JSON.stringify(head.line.slice(0, 80))}`,
        );
      }
      return { source: csvSource(path, ','), columns, symbol: symbolOfPath(head.name) };
    }),
};

/** Any table of trades with a header that names time, price and quantity, or with a map of its columns. */
export const tradesCsv: Format = {
  name: 'trades-csv',
  columns: true,
  looksLike: 'any CSV of trades: a header with time, price and quantity (and id, side, symbol), or --columns',
  carries: 'trades',
  trades: true,
  detects: (head) => {
    const rows = headRows(head, delimiterOf(head.line));
    const words = rows[0]?.cells.map(headerWord) ?? [];
    // Tables of Tardis name both; books of theirs and others have a side and no trade of their own.
    const isOther =
      (words.includes('exchange') && words.includes('localtimestamp')) || words.includes('issnapshot');
    return (
      !isOther &&
      !/^\s*[[{]/.test(head.line) &&
      binanceLayout(head) === undefined &&
      headerAt(rows, tradeFields) !== undefined &&
      headerAt(rows, barFields) === undefined
    );
  },
  open: (paths, options) =>
    openTradeTables('trades-csv', paths, options, (path, head) => {
      const delimiter = delimiterOf(head.line);
      const rows = headRows(head, delimiter, sampleRows);
      return {
        source: csvSource(path, delimiter),
        columns: withStyle(rows, findColumns(rows, tradeFields, options.columns, path)),
        symbol: symbolOfPath(head.name),
      };
    }),
};

function binanceLayout(head: FileHead): TradeTable['columns'] | undefined {
  const cells = head.line.split(',').map((cell) => cell.trim());
  if (/^(agg_trade_id|id),price,(qty|quantity),/i.test(head.line) && /is_buyer_maker/i.test(head.line)) {
    return findColumns([{ number: 1, cells }], tradeFields, undefined, head.name);
  }
  if (cells.length < 6 || cells.length > 8) return undefined;
  const index = binanceLayouts.find((layout) => {
    const is = (field: string, shape: RegExp): boolean => shape.test(cells[layout.get(field) ?? -1] ?? '');
    return is('time', /^\d{13}$|^\d{16}$/) && is('maker', /^(true|false)$/i) && is('price', /^\d+(\.\d+)?$/);
  });
  return index === undefined ? undefined : { index, skip: 0 };
}

/** Opens files of trades by the tables that `tableOf` makes of them, with what the options add. */
export async function openTradeTables(
  format: string,
  paths: readonly string[],
  options: OpenOptions,
  tableOf: (path: string, head: FileHead) => TradeTable,
): Promise<Recording> {
  const tables: TradeTable[] = [];
  for (const path of paths) {
    const table = tableOf(path, await readHead(path));
    tables.push(
      options.symbol === undefined
        ? table
        : { ...table, symbol: symbolOfText(options.symbol), only: options.symbol },
    );
  }
  if (tables.length === 0) throw new BadInput('expected the path of a file with trades, found none');
  return await openTrades(format, tables, options);
}
