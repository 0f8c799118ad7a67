import { BadInput } from '../../../core/base/errors.ts';
import type { Members } from '../../../core/base/members.ts';
import { isMembers } from '../../../core/base/members.ts';
import type { Row, RowSource } from '../bars-rows.ts';
import { csvSource } from '../bars-rows.ts';
import { plainNumber } from '../fields.ts';
import type { FileHead, Format } from '../format.ts';
import { readWhole } from '../opened-file.ts';
import { findColumns, headerAt, headerWord } from './bars-columns.ts';
import { fixed } from './bars-formats.ts';
import { headRows } from './sheet.ts';
import { symbolOfPath, symbolOfText } from './bars-symbol.ts';
import { timeFormOf } from './bars-time.ts';
import { barFields } from './bars.ts';
import { openTradeTables } from './trades-formats.ts';
import type { TradeTable } from './trades.ts';
import { tradeFields } from './trades.ts';

const decimal = /^\d+(?:\.\d+)?$/;
const digits = /^\d+$/;

/** Layout of a table without a header. */
interface BareLayout extends Pick<TradeTable, 'sides'> {
  /** Test of each cell of a row, in their order. */
  readonly cells: readonly ((cell: string) => boolean)[];
  readonly fields: ReadonlyMap<string, number>;
}

const isDecimal = (cell: string): boolean => decimal.test(cell);
const isSeconds = (cell: string): boolean => timeFormOf(cell) === 'seconds';
const isId = (cell: string): boolean => digits.test(cell);

/** Kraken's downloads of time and sales: seconds, price, volume. Source: Kraken, "Downloadable historical market data". */
export const krakenTrades: Format = bareFormat({
  name: 'kraken-trades',
  looksLike: "Kraken's archive of time and sales (XBTUSD.csv): seconds, price, volume, no header",
  layouts: [{ cells: [isSeconds, isDecimal, isDecimal], fields: fixed(['time', 'price', 'quantity']) }],
});

/**
 * Gate.io's archive, spot deals and trades of futures: seconds, id, price, then amount and side (1 sell, 2 buy), or a size whose sign
 * is the side. Source: Gate.io, "Historical quotation data".
 */
export const gateTrades: Format = bareFormat({
  name: 'gate-trades',
  looksLike:
    "Gate.io's archive of deals or trades (BTC_USDT-202304.csv.gz): seconds, id, price, amount, side",
  layouts: [
    {
      cells: [isSeconds, isId, isDecimal, isDecimal, (cell) => cell === '1' || cell === '2'],
      fields: fixed(['time', 'id', 'price', 'quantity', 'side']),
      sides: 'sell1',
    },
    {
      cells: [isSeconds, isId, isDecimal, (cell) => decimal.test(cell.replace(/^-/, ''))],
      fields: fixed(['time', 'id', 'price', 'quantity']),
      sides: 'signed',
    },
  ],
});

/** OKX's archive before 2022, which has no header: id, side, size, price, milliseconds. Later files are `trades-csv`. */
export const okxTrades: Format = bareFormat({
  name: 'okx-trades',
  looksLike: "OKX's archive of trades before 2022: id, side, size, price, milliseconds, no header",
  layouts: [
    {
      cells: [
        isId,
        (cell) => /^(?:buy|sell)$/i.test(cell),
        isDecimal,
        isDecimal,
        (cell) => /^\d{13}$/.test(cell),
      ],
      fields: fixed(['id', 'side', 'quantity', 'price', 'time']),
    },
  ],
});

function bareFormat({
  layouts,
  ...format
}: Pick<Format, 'name' | 'looksLike'> & { readonly layouts: readonly BareLayout[] }): Format {
  const layoutOf = (head: FileHead): BareLayout | undefined => {
    const cells = head.line.split(',').map((cell) => cell.trim());
    return layouts.find(
      (one) => one.cells.length === cells.length && one.cells.every((is, at) => is(cells[at] ?? '')),
    );
  };
  return {
    ...format,
    carries: 'trades',
    trades: true,
    detects: (head) => layoutOf(head) !== undefined,
    open: (paths, options) =>
      openTradeTables(format.name, paths, options, (path, head) => {
        const layout = layoutOf(head);
        if (layout === undefined)
          throw new BadInput(
            `${path}:1: expected ${format.looksLike}, found ${JSON.stringify(head.line.slice(0, 80))}`,
          );
        const { fields, sides } = layout;
        return {
          source: csvSource(path, ','),
          columns: { index: fields, skip: 0 },
          symbol: symbolOfPath(head.name),
          ...(sides === undefined ? {} : { sides }),
        };
      }),
  };
}

/** Columns of the trades of Polygon. Its ids are unique for each exchange alone, so no repeats are known by them. */
const polygonFields = tradeFields.filter(({ name }) => name !== 'id' && name !== 'kind');

/** Polygon's (Massive's) flat files of trades: nanoseconds, all tickers of a day. Source: Polygon, "Flat Files", trades_v1. */
export const polygonTrades: Format = {
  name: 'polygon-trades',
  looksLike: "Polygon's flat files of trades (trades_v1: ticker,conditions,...,sip_timestamp,size)",
  carries: 'trades',
  trades: true,
  detects: (head) => {
    const words = head.line.split(',').map(headerWord);
    return (
      ['ticker', 'conditions', 'price', 'size'].every((word) => words.includes(word)) &&
      words.some((word) => /^(?:sip|participant)timestamp$/.test(word))
    );
  },
  open: (paths, options) =>
    openTradeTables('polygon-trades', paths, options, (path, head) => ({
      source: csvSource(path, ','),
      columns: findColumns(headRows(head, ','), polygonFields, undefined, path),
      symbol: symbolOfPath(head.name),
    })),
};

const documentBytesMax = 256 * 1024 * 1024;
/** Answers of Kraken: a pair with lists of price, volume, time, side, kind, remark and id. */
const krakenReply =
  /^\s*\{\s*"error"\s*:\s*\[\]\s*,\s*"result"\s*:\s*\{\s*"([^"]+)"\s*:\s*\[\s*\[\s*"[\d.]+"\s*,\s*"[\d.]+"\s*,\s*[\d.]+\s*,\s*"[bs]"/;
/** Answers of Bitfinex: lists of id, milliseconds, amount with its sign, price. */
const bitfinexReply = /^\s*\[\s*\[\s*\d{1,12}\s*,\s*\d{13}\s*,\s*-?[\d.eE-]+\s*,\s*[\d.eE]+\s*\]/;

/**
 * A saved reply of REST with trades of Kraken, Bitfinex, Deribit, Coinbase, OKX, Binance, Bybit, Gate.io or another venue whose
 * objects name time, price and quantity; newest or oldest first.
 */
export const tradesJson: Format = {
  name: 'trades-json',
  looksLike:
    'a saved reply of REST with trades: of Kraken, Bitfinex, Deribit, Coinbase, OKX, Binance, Bybit, Gate.io',
  carries: 'trades',
  trades: true,
  detects: (head) =>
    krakenReply.test(head.text.slice(0, 2_000)) ||
    bitfinexReply.test(head.text.slice(0, 400)) ||
    objectHeader(head) !== undefined,
  open: (paths, options) =>
    openTradeTables('trades-json', paths, options, (path, head) => jsonTable(path, head)),
};

function jsonTable(path: string, head: FileHead): TradeTable {
  const pair = krakenReply.exec(head.text.slice(0, 2_000))?.[1];
  const symbol = symbolOfPath(head.name);
  if (pair !== undefined) {
    const index = fixed(['price', 'quantity', 'time', 'side'], { id: 6 });
    return { source: replySource(path), columns: { index, skip: 0 }, symbol: symbolOfText(plainPair(pair)) };
  }
  if (bitfinexReply.test(head.text.slice(0, 400))) {
    const index = fixed(['id', 'time', 'quantity', 'price']);
    // A `t` before a symbol says that it is traded, an `f` that it is lent.
    const traded = /^t([A-Z0-9:]{6,})$/.exec(symbol.symbol)?.[1];
    const of = traded === undefined ? symbol : symbolOfText(traded);
    return { source: replySource(path), columns: { index, skip: 0 }, symbol: of, sides: 'signed' };
  }
  const header = objectHeader(head);
  if (header === undefined)
    throw new BadInput(
      `${path}: expected JSON of trades with time, price and quantity, found ${JSON.stringify(head.text.slice(0, 80))}`,
    );
  const { index } = findColumns([{ number: 1, cells: longNames(header) }], tradeFields, undefined, path);
  const table = { source: replySource(path, header), columns: { index, skip: 0 }, symbol };
  if (isCoinbase(header)) return { ...table, sides: 'maker' };
  return index.has('side') || index.has('maker') ? table : { ...table, sides: 'signed' };
}

/** Kraken writes `XXBTZUSD` for XBTUSD: X before a coin, Z before a currency of a state. */
function plainPair(pair: string): string {
  return pair.replace(/^[XZ]([A-Z0-9]{3})[XZ]([A-Z]{3})$/, '$1$2');
}

/** Coinbase tells the side of the maker. Source: Coinbase Exchange, "Get product trades". */
function isCoinbase(header: readonly string[]): boolean {
  const words = header.map(headerWord);
  return (
    ['tradeid', 'side', 'size', 'price', 'time'].every((word) => words.includes(word)) &&
    words.length < 10 &&
    !words.includes('symbol') &&
    !words.includes('timestamp')
  );
}

/** The members of the first object with a price; `undefined` where they are not those of a trade. */
function objectHeader(head: FileHead): readonly string[] | undefined {
  if (!/^\s*[[{]/.test(head.text)) return undefined;
  for (const [text] of head.text.slice(0, 16_000).matchAll(/\{[^{}]*\}/g)) {
    const names = memberNames(text);
    const rows = [{ number: 1, cells: longNames(names) }];
    if (headerAt(rows, tradeFields) === undefined) continue;
    const { index } = findColumns(rows, tradeFields, undefined, '');
    return headerAt(rows, barFields) === undefined && !index.has('level') ? names : undefined;
  }
  return undefined;
}

/** Names of one letter, as sockets and the aggregate trades of Binance have them. With `T` for the time, `t` is an id. */
function longNames(names: readonly string[]): readonly string[] {
  if (!['p', 'q'].every((name) => names.includes(name))) return names;
  const hasBoth = names.includes('T');
  const long: Readonly<Record<string, string>> = {
    a: 'aggTradeId',
    i: 'id',
    t: hasBoth ? 'id' : 'time',
    T: 'time',
    s: names.includes('e') ? 'symbol' : 'side',
  };
  return names.map((name) => long[name] ?? name);
}

function memberNames(text: string): readonly string[] {
  try {
    return Object.keys(JSON.parse(text) as Members);
  } catch {
    return [];
  }
}

/** The rows of a reply: its first list of lists, or of objects with the members that `header` names. */
function replySource(path: string, header?: readonly string[]): RowSource {
  return {
    path,
    unit: 'row',
    rows: async function* () {
      const text = (await readWhole(path, documentBytesMax)).toString('utf8');
      let reply: unknown;
      try {
        reply = JSON.parse(text);
      } catch (error) {
        throw new BadInput(
          `${path}: expected whole JSON, found its end or a mark that is none; fetch it again`,
          {
            cause: error,
          },
        );
      }
      const list = listIn(reply, header === undefined) ?? [];
      yield list.map((one, at): Row => ({
        number: at + 1,
        cells: cellsOf(one, header, `${path}: row ${at + 1}`),
      }));
    },
  };
}

/** The first list of lists, or of objects, in a reply. */
function listIn(value: unknown, ofLists: boolean, depth = 0): readonly unknown[] | undefined {
  if (Array.isArray(value))
    return value.length > 0 && (ofLists ? Array.isArray(value[0]) : isMembers(value[0])) ? value : undefined;
  if (!isMembers(value) || depth > 3) return undefined;
  for (const one of Object.values(value)) {
    const list = listIn(one, ofLists, depth + 1);
    if (list !== undefined) return list;
  }
  return undefined;
}

function cellsOf(one: unknown, header: readonly string[] | undefined, place: string): readonly string[] {
  if (header === undefined && Array.isArray(one)) return one.map(cellOf);
  if (header !== undefined && isMembers(one)) return header.map((name) => cellOf(one[name]));
  throw new BadInput(
    `${place}: expected a trade as those before it, found ${JSON.stringify(one)?.slice(0, 60)}`,
  );
}

function cellOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return plainNumber(value);
  return typeof value === 'boolean' ? String(value) : '';
}
