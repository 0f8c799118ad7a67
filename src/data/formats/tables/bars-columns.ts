import { BadInput } from '../../../core/base/errors.ts';
import type { Row } from '../bars-rows.ts';
import type { NumberStyle } from './number-style.ts';

/** A kind of column: its name in `--columns`, and the headers it is known by. */
export interface ColumnField {
  readonly name: string;
  /** Lower case, without spaces and underscores. */
  readonly headers: readonly string[];
  /** Headers that name a currency: `Volume BTC`. */
  readonly pattern?: RegExp;
  readonly needed: boolean;
}

/** The column of each kind. */
export interface Columns {
  /** Index by field name. */
  readonly index: ReadonlyMap<string, number>;
  /** Rows before the first of the data: titles and the header. */
  readonly skip: number;
  /** How many columns the header names; absent without one. */
  readonly width?: number;
  /** How many there are up to the last one with a name; absent without a header. */
  readonly named?: number;
  /** Signs in the numbers, where they are not a point alone. */
  readonly numbers?: NumberStyle;
  /** Unit of prices without a point, as the header tells it; absent where they are as they stand. */
  readonly fixedPoint?: FixedPoint;
}

/**
 * Prices without a point: `scaled` are counts of 10^-9, as Databento writes them by default; `unclear` may be such, because a
 * column has a name that Databento and others use.
 */
export type FixedPoint = 'scaled' | 'unclear';

/** Columns of Databento's tables alone, and those that other tools name so, too. */
const databentoWords = ['rtype', 'publisherid', 'instrumentid'];
const sharedWords = ['tsevent', 'tsrecv', 'tsindelta'];

function fixedPointOf(header: readonly string[]): FixedPoint | undefined {
  const words = new Set(header.map(headerWord));
  const own = databentoWords.filter((word) => words.has(word)).length;
  const isShared = sharedWords.some((word) => words.has(word));
  if (own > 1 || (own > 0 && isShared)) return 'scaled';
  return isShared ? 'unclear' : undefined;
}

/** The first cell of a row that no column of the header is for: numbers parted by commas have moved the others. */
export function surplusOf({ cells }: Row, { width }: Columns): string | undefined {
  if (width === undefined || cells.length <= width) return undefined;
  return cells.slice(width).find((cell) => cell !== '');
}

/** The last cell of a row that ends before the header does, where the last field is read from it: it may be cut in two. */
export function cutCell({ cells }: Row, { index, named }: Columns): string | undefined {
  if (named === undefined || cells.length >= named) return undefined;
  const last = cells.length - 1;
  return Math.max(...index.values()) === last ? cells[last] : undefined;
}

/** Reads a map of columns as people write it: `time=0,open=Open,...`. Throws `BadInput` with what is wrong in it. */
export function readColumnMap(text: string): Readonly<Record<string, string>> {
  const map: Record<string, string> = {};
  for (const part of text.split(',')) {
    const match = /^\s*([a-zA-Z]+)\s*=\s*(.*\S)\s*$/.exec(part);
    const [, name = '', column = ''] = match ?? [];
    if (match === null || map[name] !== undefined) {
      throw new BadInput(
        `expected columns as time=0,open=1 or time=Date,open=Open, each field once, found ${JSON.stringify(part)}`,
      );
    }
    map[name] = column;
  }
  return map;
}

/** A title may stand above the header. */
const titleRowsMax = 4;

/**
 * Finds the columns of a table from its first rows: by what `wanted` says (`time=0` or `time=Date`), otherwise by the
 * header. Throws `BadInput` with the place when a field is unknown or a needed one is in no column.
 */
export function findColumns(
  rows: readonly Row[],
  fields: readonly ColumnField[],
  wanted: Readonly<Record<string, string>> | undefined,
  path: string,
): Columns {
  if (wanted !== undefined) checkNames(wanted, fields, path);
  const byNumber = wanted !== undefined && Object.values(wanted).every((column) => /^\d+$/.test(column));
  const at = headerAt(rows, fields, byNumber ? undefined : wanted);
  const header = at === undefined ? undefined : rows[at]?.cells;
  if (header === undefined && (wanted === undefined || !byNumber)) {
    const shown = JSON.stringify(rows[0]?.cells.join(',').slice(0, 80) ?? '');
    const names = wanted === undefined ? neededOf(fields) : Object.values(wanted).join(', ');
    throw new BadInput(
      `${path}:${rows[0]?.number ?? 1}: expected a header with ${names}, found ${shown}; say which column is what, such as --columns time=0,...`,
    );
  }
  const index = new Map<string, number>();
  for (const field of fields) {
    const column = wanted?.[field.name];
    const found = column === undefined ? known(field, header, wanted) : columnOf(column, header);
    if (column === undefined) checkOnce(header, found, path);
    if (found >= 0) index.set(field.name, found);
    else if (column !== undefined || field.needed) throw missing(field, column, header, path);
  }
  if (header === undefined || at === undefined) return { index, skip: 0 };
  const date = dateBeside(header, index, wanted);
  if (date !== undefined) index.set('date', date);
  const named = header.findLastIndex((name) => name.trim() !== '') + 1;
  const fixedPoint = fixedPointOf(header);
  return {
    index,
    skip: at + 1,
    width: header.length,
    named,
    ...(fixedPoint === undefined ? {} : { fixedPoint }),
  };
}

/** The column of the date, where the time of day stands in another: `Date,Time,Open`. */
function dateBeside(
  header: readonly string[],
  index: ReadonlyMap<string, number>,
  wanted: Readonly<Record<string, string>> | undefined,
): number | undefined {
  const words = header.map(headerWord);
  const time = words[index.get('time') ?? -1];
  const date = words.findIndex((word) => /^(?:date|day|datum|tag)$/.test(word));
  const isOfDay = time === 'time' || time === 'uhrzeit' || time === 'zeit';
  return wanted?.['time'] === undefined && isOfDay && date >= 0 ? date : undefined;
}

/** Two columns of one name are ambiguous. */
function checkOnce(header: readonly string[] | undefined, found: number, path: string): void {
  const name = header?.[found];
  const again = name === undefined ? -1 : (header ?? []).lastIndexOf(name);
  if (name === undefined || again === found) return;
  throw new BadInput(
    `${path}: expected one column ${JSON.stringify(name)}, found it as column ${found} and ${again} (counted from 0); say which with --columns`,
  );
}

/** Where the header stands among the first rows, or `undefined`. */
export function headerAt(
  rows: readonly Row[],
  fields: readonly ColumnField[],
  wanted?: Readonly<Record<string, string>>,
): number | undefined {
  const at = rows
    .slice(0, titleRowsMax)
    .findIndex(({ cells }) =>
      wanted === undefined
        ? fields.every((field) => !field.needed || known(field, cells, undefined) >= 0)
        : Object.values(wanted).every((column) => /^\d+$/.test(column) || columnOf(column, cells) >= 0),
    );
  return at < 0 ? undefined : at;
}

/** A header as it is compared: lower case, without what only parts its words. */
export function headerWord(text: string): string {
  // OKX wrote each name a second time in Chinese, in an encoding of its own: `price/价格`.
  const own = text.replace(/\/[^\x20-\x7E].*$/, '');
  return own.toLowerCase().replaceAll(/[\s_.<>-]/g, '');
}

/** The needed fields that no column of a header is for. */
export function lackingIn(header: readonly string[], fields: readonly ColumnField[]): readonly string[] {
  return fields.flatMap((field) => (field.needed && known(field, header, undefined) < 0 ? [field.name] : []));
}

function known(
  field: ColumnField,
  header: readonly string[] | undefined,
  wanted: Readonly<Record<string, string>> | undefined,
): number {
  if (header === undefined) return -1;
  const words = header.map(headerWord);
  const taken = new Set(Object.values(wanted ?? {}).map((column) => columnOf(column, header)));
  for (const name of field.headers) {
    const at = words.indexOf(name);
    if (at >= 0 && !taken.has(at)) return at;
  }
  return words.findIndex((word, at) => field.pattern?.test(word) === true && !taken.has(at));
}

function columnOf(column: string, header: readonly string[] | undefined): number {
  const exact = header?.indexOf(column) ?? -1;
  if (exact >= 0) return exact;
  if (/^\d{1,4}$/.test(column)) return Number(column);
  return header?.map(headerWord).indexOf(headerWord(column)) ?? -1;
}

function checkNames(
  wanted: Readonly<Record<string, string>>,
  fields: readonly ColumnField[],
  path: string,
): void {
  const names = fields.map(({ name }) => name);
  const unknown = Object.keys(wanted).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new BadInput(
    `${path}: expected columns for ${names.join(', ')}, found one for ${JSON.stringify(unknown)}`,
  );
}

function missing(
  field: ColumnField,
  column: string | undefined,
  header: readonly string[] | undefined,
  path: string,
): BadInput {
  const found = header === undefined ? 'no header' : header.map((cell) => JSON.stringify(cell)).join(', ');
  const expected =
    column === undefined
      ? `a column for ${field.name} (one of ${field.headers.filter((one) => one !== '').join(', ')})`
      : `the column ${JSON.stringify(column)} for ${field.name}`;
  return new BadInput(`${path}: expected ${expected}, found ${found}`);
}

function neededOf(fields: readonly ColumnField[]): string {
  return fields.flatMap(({ name, needed }) => (needed ? name : [])).join(', ');
}
