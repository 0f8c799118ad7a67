import type { Instruments } from '../../../core/model/instrument.ts';
import { pairOrShareIn } from '../../../core/model/pair.ts';
import type { Row, RowSource } from '../bars-rows.ts';
import { csvSource, delimiterOf } from '../bars-rows.ts';
import { decodedFormat } from '../decoded-recording.ts';
import type { Format, OpenOptions } from '../format.ts';
import type { Decoder, MarketWriter, WrittenBook } from '../market-writer.ts';
import { readHead } from '../opened-file.ts';
import { quoteNote, refuseNoSymbol, symbolOfPath } from '../tables/index.ts';
import { tardisHeader } from '../captures/index.ts';
import type { LevelColumns } from './columns.ts';
import { bookColumnsOf, bookHeadRows, bookShapeOf } from './columns.ts';
import type { BookItem } from './rows.ts';
import { firstBooksNote, readBooks } from './rows.ts';

/** Members that all tables of books have in common. */
export const tableOfBooks = {
  carries: 'books (no sequence)',
  printing: 'trimmed',
  notes: ['the table has no sequence numbers: lost updates cannot be seen'],
  notesOf: (instruments: Instruments, options: OpenOptions) => quoteNote(instruments, options),
  pairOf: (symbol: string) => pairOrShareIn(symbol),
  decoder,
} as const;

/**
 * Any table of books: a row for each book with columns for its levels (`bid_0_price`, `bids[0].price`, `bid_px_00`), or a row for each
 * level (time, side, price, size). Crypto Lake's, Kaiko's and CoinAPI's are such.
 */
export const booksCsv: Format = {
  ...decodedFormat({
    ...tableOfBooks,
    name: 'books-csv',
    looksLike:
      'any CSV of books: a row a book (bid_0_price, bid_0_size, ...), or a row a level (time, side, price, size), or --columns',
    detects: (head) =>
      !isBinance(head.line) &&
      !isBookTicker(head.line) &&
      !head.line.startsWith(tardisHeader) &&
      bookShapeOf(bookHeadRows(head)) !== undefined,
    read: readCsv,
  }),
  columns: true,
};

/** The header of Binance's historical order books, `T_DEPTH`. */
const binanceHeader = /^symbol,timestamp,first_update_id,last_update_id,side,update_type,price,qty\b/;

function isBinance(line: string): boolean {
  return binanceHeader.test(line);
}

/**
 * Binance's historical order books: `..._depth_snap.csv` and `..._depth_update.csv`, given together. Each update names its first and
 * last id, and on futures the one before (`pu`). Source: Binance, "Historical Data Download", T_DEPTH.
 */
export const binanceDepth: Format = decodedFormat({
  ...tableOfBooks,
  name: 'binance-depth',
  looksLike:
    "Binance's historical order books (BTCUSDT_T_DEPTH_2022-11-02_depth_snap.csv, ..._depth_update.csv)",
  carries: 'books (sequence proved)',
  notes: [],
  joins: true,
  detects: (head) => isBinance(head.line),
  read: readCsv,
});

/** The columns of the archive's `bookTicker`, by their place. */
const tickerIndex: ReadonlyMap<string, number> = new Map(
  Object.entries({ update: 0, 'bid price': 1, 'bid size': 2, 'ask price': 3, 'ask size': 4, time: 5 }),
);
const tickerHeader =
  /^update_id,best_bid_price,best_bid_qty,best_ask_price,best_ask_qty,transaction_time(?:,event_time)?\s*$/;
const tickerRow = /^\d{1,16}(?:,\d+(?:\.\d+)?){4},(?:\d{13}|\d{16})(?:,(?:\d{13}|\d{16}))?\s*$/;

function isBookTicker(line: string): boolean {
  return tickerHeader.test(line) || tickerRow.test(line);
}

/**
 * The best bid and ask of Binance's public archive, with a header or without, in milliseconds or microseconds. A row is a whole book of
 * one level a side, with the update id of the venue as its number. Source: binance-public-data, `futures/um/daily/bookTicker`.
 */
export const binanceBookTicker: Format = decodedFormat({
  ...tableOfBooks,
  name: 'binance-book-ticker',
  looksLike: "Binance's public archive of bookTicker (BTCUSDT-bookTicker-2024-01-01.zip or its CSV)",
  carries: 'books of one level',
  notes: ['books of one level: an order behind the best price finds no book there'],
  detects: (head) => isBookTicker(head.line),
  read: readBookTicker,
});

async function* readBookTicker(
  path: string,
  options: OpenOptions,
): AsyncGenerator<readonly BookItem[], void, undefined> {
  const head = await readHead(path);
  const skip = tickerHeader.test(head.line) ? 1 : 0;
  const symbol = options.symbol ?? onlyOf(options) ?? symbolOfPath(head.name).symbol;
  refuseNoSymbol(symbol);
  yield* readBooks({
    source: csvSource(path, ','),
    columns: { shape: 'wide', columns: { index: tickerIndex, skip }, levels: tickerLevels },
    symbol,
  });
}

const tickerLevels: readonly LevelColumns[] = [
  { side: 0, price: 'bid price', size: 'bid size' },
  { side: 1, price: 'ask price', size: 'ask size' },
];

/** The symbol of the one instrument that was given. */
function onlyOf({ instruments }: OpenOptions): string | undefined {
  return instruments?.length === 1 ? instruments[0]?.symbol : undefined;
}

async function* readCsv(
  path: string,
  options: OpenOptions,
): AsyncGenerator<readonly BookItem[], void, undefined> {
  const head = await readHead(path);
  const source = csvSource(path, delimiterOf(head.line));
  yield* readTable({ source, rows: bookHeadRows(head), name: head.name }, options);
}

/** A table whose first rows are known. */
export interface OpenTable {
  readonly source: RowSource;
  readonly rows: readonly Row[];
  /** Name of the file, which may name the symbol. */
  readonly name: string;
}

/** The books of a table. Throws `BadInput` with the place of what cannot be read. */
export function readTable(
  { source, rows, name }: OpenTable,
  options: OpenOptions,
): AsyncGenerator<readonly BookItem[], void, undefined> {
  const book = bookColumnsOf(rows, options.columns, source.path);
  // The header of Parquet is no row.
  const columns = rows[0]?.number === 0 ? { ...book.columns, skip: 0 } : book.columns;
  const symbol = options.symbol ?? onlyOf(options) ?? symbolOfPath(name).symbol;
  if (!columns.index.has('symbol')) refuseNoSymbol(symbol);
  return readBooks({ source, columns: { ...book, columns }, symbol });
}

function decoder(): Decoder<BookItem> {
  /** Symbols of tables without marks that have a book. */
  const begun = new Set<string>();
  return {
    accept: (item, writer) => {
      if (item.isNoisy)
        writer.anomaly(
          'rows with numbers printed from binary fractions, read as the decimals they stand for',
        );
      if (item.trade !== undefined) writer.trades(item.symbol, false, [item.trade]);
      if (!writer.begin(item.symbol)) return;
      for (const { side, price, size } of item.levels) writer.level(side, price, size);
      write(item, begun, writer);
    },
  };
}

function write(item: BookItem, begun: Set<string>, writer: MarketWriter): void {
  const { kind, symbol, sequence, previous } = item;
  const book: WrittenBook = {
    time: item.time,
    ...(sequence === undefined ? {} : { sequence }),
    ...(previous === undefined ? {} : { previous }),
  };
  const isFirst = kind === 'first' && !begun.has(symbol);
  if (isFirst) {
    begun.add(symbol);
    writer.anomaly(firstBooksNote);
  }
  if (kind === 'whole' || isFirst) writer.snapshot(book);
  else writer.update(book);
}
