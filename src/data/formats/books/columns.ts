import type { FileHead } from '../format.ts';
import type { Row } from '../bars-rows.ts';
import { delimiterOf } from '../bars-rows.ts';
import type { ColumnField, Columns } from '../tables/index.ts';
import {
  findColumns,
  headerAt,
  headerWord,
  headRows,
  barFields,
  SideOrder,
  tradeFields,
} from '../tables/index.ts';
import type { BookSide } from '../order-levels.ts';

/**
 * How a table holds books: `wide` has a row for each book, with columns for each level; `lists` the same with one list of levels a
 * side; `rows` has a row for each level.
 */
export type BookShape = 'wide' | 'lists' | 'rows';

/** The columns of one level of one side, by the names of their fields. */
export interface LevelColumns {
  readonly side: BookSide;
  readonly price: string;
  readonly size: string;
}

/** The columns of a table of books. */
export interface BookColumns {
  readonly shape: BookShape;
  readonly columns: Columns;
  /** Columns of the shape `wide`: bids, then asks, the best first. */
  readonly levels: readonly LevelColumns[];
}

const field = (name: string, ...more: readonly string[]): ColumnField => {
  const known = tradeFields.find((one) => one.name === name);
  return { name, headers: [...(known?.headers ?? []), ...more], needed: known?.needed ?? false };
};
const own = (name: string, ...headers: readonly string[]): ColumnField => ({ name, headers, needed: false });

/** Names of arrivals stand for the time as well, where a table has no other. */
const arrivals = ['receivedtime', 'receipttimestamp', 'tscollection', 'collectiontime'];
const commonFields: readonly ColumnField[] = [
  field(
    'time',
    'origintime',
    'tsexchange',
    'transactiontime',
    'eventtime',
    'gmttime',
    ...arrivals,
    'localtimestamp',
  ),
  field('received', ...arrivals),
  field('symbol'),
];

/** Fields of a table with a row for each level. */
const rowFields: readonly ColumnField[] = [
  ...commonFields,
  field('price', 'entrypx'),
  field('quantity', 'entrysx'),
  own('side', 'side', 'bookside', 'sidetype', 'bidask', 'askbid'),
  own('isBid', 'isbid', 'isbuy', 'sideisbid'),
  own('isAsk', 'isask'),
  own('type', 'type'),
  own('change', 'updatetype', 'changetype', 'action', 'kind'),
  own('snapshot', 'issnapshot', 'snapshot'),
  own('first', 'firstupdateid'),
  own('last', 'lastupdateid', 'finalupdateid'),
  own('previous', 'pu', 'prevupdateid'),
  own('level', ...(tradeFields.find(({ name }) => name === 'level')?.headers ?? [])),
  own('order', 'orderid'),
];

/** Fields of a table with a row for each book; Databento's have the trade or change that led to it as well. */
const wideFields: readonly ColumnField[] = [
  ...commonFields,
  own('action', 'action'),
  own('side', 'side'),
  own('price', 'price'),
  own('quantity', 'size'),
];

const listFields: readonly ColumnField[] = [
  ...commonFields,
  { name: 'bids', headers: ['bids'], needed: true },
  { name: 'asks', headers: ['asks'], needed: true },
];

/** Act of a row of a level: it is of a whole book, sets the size of a level, or deletes one. */
export type LevelChange = 'whole' | 'set' | 'delete';

const changes: ReadonlyMap<string, LevelChange> = new Map([
  ...['snapshot', 'snap', 'partial'].map((word) => [word, 'whole'] as const),
  ...['set', 'update', 'l2update', 'delta', 'diff', 'change', 'insert', 'new'].map(
    (word) => [word, 'set'] as const,
  ),
  ...['delete', 'remove', 'del'].map((word) => [word, 'delete'] as const),
]);

/** The words of `LevelChange` in tables, for sentences. */
export const changesInWords = 'snapshot, set, update, insert or delete';

export function levelChangeOf(word: string): LevelChange | undefined {
  return changes.get(word.toLowerCase());
}

const sides: ReadonlyMap<string, BookSide> = new Map([
  ...['b', 'bid', 'bids', 'buy'].map((word) => [word, 0] as const),
  ...['a', 'ask', 'asks', 's', 'sell', 'offer'].map((word) => [word, 1] as const),
]);

export function sideOfWord(word: string): BookSide | undefined {
  return sides.get(word.toLowerCase());
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['t', true],
  ['1', true],
  ['false', false],
  ['f', false],
  ['0', false],
]);

export function truthOf(word: string): boolean | undefined {
  return truths.get(word.toLowerCase());
}

const priceWord = '(?:price|px|p)';
const sizeWord = '(?:size|sz|s|qty|quantity|q|amount|amt|volume|vol|v)';
const level = '(?:l|level)?(\\d{1,4})';
const side = '(?:best)?(bid|ask)s?';
/** Such as `bids[0].price`, `bid_0_price`, `bid_px_00`, `askPrice1`, `bid1`, `L1-BidPrice`; without a number that of the best level. */
const shapes: readonly { readonly what: 'price' | 'size'; readonly shape: RegExp }[] = [
  {
    what: 'price',
    shape: new RegExp(`^${side}(?:${level}${priceWord}?|${priceWord}?${level}|${priceWord})?$`),
  },
  { what: 'size', shape: new RegExp(`^${side}(?:${level}${sizeWord}|${sizeWord}${level}|${sizeWord})$`) },
  { what: 'price', shape: new RegExp(`^(?:l|level)(\\d{1,4})${side}${priceWord}?$`) },
  { what: 'size', shape: new RegExp(`^(?:l|level)(\\d{1,4})${side}${sizeWord}$`) },
];

interface Named {
  readonly side: BookSide;
  readonly number: number;
  readonly what: 'price' | 'size';
}

function named(header: string): Named | undefined {
  const word = headerWord(header).replaceAll(/[[\]()/]/g, '');
  for (const { what, shape } of shapes) {
    const match = shape.exec(word);
    if (match === null) continue;
    const parts = match.slice(1).filter((part) => part !== undefined);
    const number = parts.find((part) => /^\d+$/.test(part));
    return { side: parts.includes('bid') ? 0 : 1, number: number === undefined ? -1 : Number(number), what };
  }
  return undefined;
}

/** The columns of levels in a header, and where each stands: those that have a price and a size. */
function levelsIn(header: readonly string[]): {
  readonly levels: readonly LevelColumns[];
  readonly index: ReadonlyMap<string, number>;
} {
  const index = new Map<string, number>();
  const found = new Map<string, Named>();
  for (const [at, cell] of header.entries()) {
    const one = named(cell);
    if (one === undefined) continue;
    const key = `${one.side === 0 ? 'bid' : 'ask'} ${one.what}${one.number < 0 ? '' : ` ${one.number}`}`;
    if (!index.has(key)) index.set(key, at);
    found.set(key, one);
  }
  const levels = [...found.values()]
    .filter(({ what }) => what === 'price')
    .toSorted((a, b) => a.side - b.side || a.number - b.number)
    .map((one): LevelColumns => {
      const [word, number] = [one.side === 0 ? 'bid' : 'ask', one.number < 0 ? '' : ` ${one.number}`];
      return { side: one.side, price: `${word} price${number}`, size: `${word} size${number}` };
    })
    .filter(({ size }) => index.has(size));
  const numbered = levels.filter(({ price }) => /\d$/.test(price));
  // A best bid beside its levels is the first of them again.
  return { levels: numbered.length > 0 ? numbered : levels, index };
}

/** The rows by which the shape of a table is known: of the beginning of a text. */
const headRowsMax = 400;

/** The first rows of a text, without the last one, which may be cut. */
export function bookHeadRows(head: FileHead): readonly Row[] {
  const rows = headRows(head, delimiterOf(head.line), headRowsMax);
  return rows.length > 2 && !head.text.endsWith('\n') ? rows.slice(0, -1) : rows;
}

/** How a table with these first rows holds books; `undefined` where it is no table of books. */
export function bookShapeOf(rows: readonly Row[]): BookShape | undefined {
  if (headerAt(rows, listFields) !== undefined) return 'lists';
  const at = headerAt(rows, commonFields);
  const header = at === undefined ? undefined : rows[at]?.cells;
  if (at === undefined || header === undefined) return undefined;
  if (isWide(rows, header)) return 'wide';
  const isTable = headerAt(rows, rowFields) === at && headerAt(rows, barFields) === undefined;
  return isTable && areLevels(rows, at) ? 'rows' : undefined;
}

function isWide(rows: readonly Row[], header: readonly string[]): boolean {
  const { levels } = levelsIn(header);
  const deep = [0, 1].map((one) => levels.filter((level) => level.side === one).length);
  if (deep.includes(0)) return false;
  if (deep.every((count) => count > 1)) return true;
  if (headerAt(rows, barFields) !== undefined) return false;
  // A trade with the best prices beside it is a trade.
  if (headerAt(rows, tradeFields) === undefined) return true;
  const action = header.map(headerWord).indexOf('action');
  return action >= 0 && rows.slice(1).some(({ cells }) => /^[acmrf]$/i.test(cells[action] ?? ''));
}

/** Whether rows with a price and a quantity each are levels of books, and neither trades nor single orders. */
function areLevels(rows: readonly Row[], at: number): boolean {
  const { index } = findColumns(rows, rowFields, undefined, '');
  if (index.has('order') || rows.length <= at + 1) return false;
  const order = new SideOrder();
  let seen = 0;
  let isMarked = ['level', 'snapshot', 'isBid', 'isAsk', 'change'].some((name) => index.has(name));
  for (const { cells } of rows.slice(at + 1)) {
    const cell = (name: string): string => cells[index.get(name) ?? -1] ?? '';
    const [word, type] = [cell('side'), cell('type')];
    const known = sideOfWord(index.has('side') ? word : type);
    if (index.has('side') && known === undefined) return false;
    if (index.has('change') && levelChangeOf(cell('change')) === undefined) return false;
    const isOfBook = /^(?:bid|ask)s?$/i.test(word);
    isMarked ||= /^(?:bids?|asks?|a)$/i.test(type) || (isOfBook && levelChangeOf(type) !== undefined);
    isMarked ||= isOfBook && Number(cell('quantity')) === 0;
    if (known === undefined) continue;
    seen |= known === 0 ? 1 : 2;
    const sided = { symbol: cell('symbol'), time: cell('time'), price: cell('price') };
    isMarked ||= order.isBook({ ...sided, side: known === 0 ? 'buy' : 'sell' });
  }
  // Prices of one side at one time may be those of a large order that was executed.
  return isMarked || (seen === 3 && order.wasBook());
}

/**
 * The columns of a table of books with these first rows. Throws `BadInput` with the place when a needed one is missing, or one that
 * `wanted` names.
 */
export function bookColumnsOf(
  rows: readonly Row[],
  wanted: Readonly<Record<string, string>> | undefined,
  path: string,
): BookColumns {
  const isNamed = ['price', 'quantity', 'side'].some((name) => wanted?.[name] !== undefined);
  const shape = isNamed ? 'rows' : bookShapeOf(rows);
  if (shape === 'lists') return { shape, columns: findColumns(rows, listFields, wanted, path), levels: [] };
  if (shape !== 'wide')
    return { shape: 'rows', columns: findColumns(rows, rowFields, wanted, path), levels: [] };
  const columns = findColumns(rows, wideFields, wanted, path);
  const { levels, index } = levelsIn(rows[columns.skip - 1]?.cells ?? []);
  return { shape, columns: { ...columns, index: new Map([...columns.index, ...index]) }, levels };
}
