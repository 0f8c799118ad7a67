import { BadInput } from '../../../core/base/errors.ts';
import type { Members } from '../../../core/base/members.ts';
import { isMembers } from '../../../core/base/members.ts';
import { pairOf } from '../../../core/model/pair.ts';
import type { Row } from '../bars-rows.ts';
import { rowsOfLists } from '../bars-rows.ts';
import type { Format } from '../format.ts';
import { readHead, readWhole } from '../opened-file.ts';
import { headerWord } from './bars-columns.ts';
import { fixed, freqtradeBars, openTables } from './bars-formats.ts';
import { columnsByNumbers } from './bars-order.ts';
import { symbolOfPath } from './bars-symbol.ts';
import { timeFormOf } from './bars-time.ts';
import { barFields } from './bars.ts';

const documentBytesMax = 256 * 1024 * 1024;
const depthMax = 6;

/** Fields of the rows that a document is made into. */
const fields = ['time', 'open', 'high', 'low', 'close', 'volume', 'volumeQuote', 'symbol'] as const;
type Cells = Partial<Record<(typeof fields)[number], string>>;

/**
 * Saved replies of candles as JSON: lists of numbers, records, records by their time and columns, however deep they stand in the reply; and
 * records of pandas, a list of them or one a line. Numbers keep their digits.
 */
export const barsJson: Format = {
  name: 'bars-json',
  bars: true,
  looksLike:
    'a saved reply of candles as JSON (Binance, Kraken, OKX, Polygon, Alpha Vantage, ...), or records of pandas',
  carries: 'bars',
  detects: (head, path) =>
    /^\s*[[{]/.test(head.text) && !freqtradeBars.detects(head, path) && looksLikeBars(head.text),
  open: (paths, options) =>
    openTables('bars-json', paths, options, async (path) => {
      const { name } = await readHead(path);
      const named = symbolOfPath(name);
      const found = barsOf(
        await documentOf(path),
        named.pair === undefined || named.pair.base === named.symbol ? '' : named.symbol,
      );
      if (found.length === 0)
        throw new BadInput(`${path}: expected candles with a time, open, high, low and close, found none`);
      const rows = found.map((cells, at): Row => ({
        number: at + 1,
        cells: fields.map((field) => cells[field] ?? '0'),
      }));
      return {
        source: { path, unit: 'row', rows: () => batched(rows) },
        columns: {
          index: fixed(rows.some(({ cells }) => cells[7] !== '0') ? fields : fields.slice(0, 7)),
          skip: 0,
        },
        symbol: named,
      };
    }),
};

async function* batched(rows: readonly Row[]): AsyncGenerator<readonly Row[], void, undefined> {
  yield rows;
}

/** Recognises bars in the beginning of a document: in the lists of numbers, the records and the columns that stand in it whole. */
function looksLikeBars(text: string): boolean {
  const lists = rowsOfLists(text).filter(({ cells }) => cells.length > 4);
  if (lists.length > 1 && columnsOfLists(lists) !== undefined) return true;
  const [record] = /\{[^{}[\]]*"?(?:o|open|1\. open)"\s*:[^{}[\]]*\}/i.exec(text) ?? [];
  if (record !== undefined) {
    const names = [...record.matchAll(/"([^"]+)"\s*:/g)].map(([, name = '']) => name);
    return namesOf(names).open !== undefined && !names.includes('min');
  }
  return ['o|open', 'h|high', 'l|low', 'c|close'].every((name) =>
    new RegExp(`"(?:${name})"\\s*:\\s*\\[`).test(text),
  );
}

async function documentOf(path: string): Promise<unknown> {
  const text = (await readWhole(path, documentBytesMax)).toString('utf8');
  try {
    return parsed(text);
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    try {
      if (lines.length > 1) return lines.map(parsed);
    } catch {
      // The sentence about the whole says more.
    }
    throw new BadInput(
      `${path}: expected a whole JSON document, found ${(error as Error).message.slice(0, 120)}`,
      {
        cause: error,
      },
    );
  }
}

/** JSON in which numbers are the texts that they were written as. */
function parsed(text: string): unknown {
  const keep = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value;
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown);
}

/** All bars in a document; `fromName` is the symbol in the name of its file. */
function barsOf(value: unknown, fromName: string, symbol = '', depth = 0): readonly Cells[] {
  if (Array.isArray(value)) return barsOfList(value, symbol === '' ? fromName : symbol);
  if (!isMembers(value) || depth > depthMax) return [];
  const own = symbolIn(value) ?? symbol;
  const columns = barsOfColumns(value, own === '' ? fromName : own);
  if (columns.length > 0) return columns;
  const entries = Object.entries(value);
  const byTime = entries.flatMap(([time, record]) =>
    isMembers(record) && timeFormOf(time) !== undefined ? (cellsOf({ ...record, time }, own) ?? []) : [],
  );
  if (byTime.length > 0) return byTime;
  return entries.flatMap(([name, part]) => {
    // A word in small letters is a member of the reply: bars is no pair of B and ARS.
    const isName = own === '' && fromName === '' && /^[A-Z\d/_-]+$/.test(name) && pairOf(name) !== undefined;
    return barsOf(part, fromName, isName ? name : own, depth + 1);
  });
}

function barsOfList(list: readonly unknown[], symbol: string): readonly Cells[] {
  if (isMembers(list[0])) return list.flatMap((one) => (isMembers(one) ? (cellsOf(one, symbol) ?? []) : []));
  if (!Array.isArray(list[0])) return [];
  const rows = list.map((one, at): Row => ({
    number: at + 1,
    cells: (one as readonly unknown[]).map(String),
  }));
  const index = columnsOfLists(rows.slice(0, 200));
  if (index === undefined) return [];
  return rows.map(({ cells }) => ({
    ...Object.fromEntries([...index].map(([name, at]) => [name, cells[at] ?? ''])),
    ...(symbol === '' ? {} : { symbol }),
  }));
}

/** Columns of lists; those of Binance's API end with the time at which the bar does, and have more behind it. */
function columnsOfLists(rows: readonly Row[]): ReadonlyMap<string, number> | undefined {
  const [first] = rows;
  if (first?.cells.length === 12 && /^\d{13}$/.test(first.cells[6] ?? ''))
    return fixed(['time', 'open', 'high', 'low', 'close', 'volume'], { volumeQuote: 7 });
  return columnsByNumbers(rows)?.index;
}

/** Members of a reply in which venues name the symbol of their candles. */
const symbolNames = /^(?:symbol|ticker|pair|instrument_name|instid|2\. symbol|currency_pair|product_id)$/i;

function symbolIn(record: Members): string | undefined {
  const inside = [record, record['Meta Data'], record['meta']].filter(isMembers);
  const found = inside.flatMap((one) => Object.entries(one)).find(([name]) => symbolNames.test(name));
  // Polygon writes X:BTCUSD.
  return typeof found?.[1] === 'string' ? found[1].replace(/^[A-Z]:/, '') : undefined;
}

/** Members of a record by the fields of a bar: `1. open` of Alpha Vantage is the open. */
function namesOf(names: readonly string[]): Partial<Record<string, string>> {
  const plain = names.map((name) => name.replace(/^\d+[a-z]?\. /, ''));
  const words = plain.map(headerWord);
  const isHuobi = words.includes('id') && words.includes('amount') && words.includes('vol');
  const found = Object.fromEntries(
    barFields.flatMap((field) => {
      const at = field.headers.map((word) => words.indexOf(word)).find((one) => one >= 0);
      return at === undefined || at < 0 ? [] : [[field.name, names[at] as string] as const];
    }),
  );
  return isHuobi ? { ...found, time: 'id', volume: 'amount', volumeQuote: 'vol' } : found;
}

function cellsOf(record: Members, symbol: string): Cells | undefined {
  const names = namesOf(Object.keys(record));
  const isBar = ['time', 'open', 'high', 'low', 'close'].every((field) => names[field] !== undefined);
  if (!isBar) return undefined;
  const cells = Object.fromEntries(
    fields.flatMap((field) => {
      const value = record[names[field] ?? ''];
      return typeof value === 'string' ? [[field, value] as const] : [];
    }),
  );
  return { ...(symbol === '' ? {} : { symbol }), ...cells };
}

/** Bars of lists by field: `{ t: [...], o: [...] }` of TradingView's charts, Deribit and Finnhub. */
function barsOfColumns(record: Members, symbol: string): readonly Cells[] {
  const names = namesOf(Object.keys(record));
  const time = names['time'] ?? (Array.isArray(record['ticks']) ? 'ticks' : undefined);
  const times = record[time ?? ''];
  if (!Array.isArray(times) || !Array.isArray(record[names['open'] ?? ''])) return [];
  const lists = fields.flatMap((field) => {
    const list = field === 'time' ? times : record[names[field] ?? ''];
    return Array.isArray(list) ? [[field, list as readonly unknown[]] as const] : [];
  });
  return times.map((_, at) => ({
    ...(symbol === '' ? {} : { symbol }),
    ...Object.fromEntries(lists.map(([field, list]) => [field, textIn(list[at])])),
  }));
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
