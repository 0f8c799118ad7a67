import type { Micros } from '../../../core/base/clock.ts';
import { thrownBy } from '../../recording/index.ts';
import { OtherKind } from '../fields.ts';
import type { Row } from '../bars-rows.ts';
import type { SourceItem, WrittenTrade } from '../market-writer.ts';
import { isDamage } from '../partial-recording.ts';
import { plainDecimal, shownCell } from '../tables/index.ts';
import type { LevelColumns } from './columns.ts';
import { sideOfWord } from './columns.ts';
import type { BookLevel, BookTable, ReadLevel } from './levels.ts';
import { LevelReader, RowHead } from './levels.ts';

/**
 * One book, or one change of a book. `first`: a change of a table that marks no whole book, so that the first of them has to be
 * taken for one.
 */
export interface BookItem extends SourceItem {
  readonly symbol: string;
  readonly time: Micros;
  readonly kind: 'whole' | 'change' | 'first';
  readonly levels: readonly BookLevel[];
  /** The venue's number of the state after it, and of the state before, where the table has them. */
  readonly sequence?: number;
  readonly previous?: number;
  /** The trade that a row of Databento stands for. */
  readonly trade?: WrittenTrade;
  /** Whether a number carried the noise of binary fractions. */
  readonly isNoisy: boolean;
}

const rowsMax = 1_000_000;

/** The books and changes of a table. Throws `BadInput` with the place of what cannot be read. */
export async function* readBooks(table: BookTable): AsyncGenerator<readonly BookItem[], void, undefined> {
  const reader =
    table.columns.shape === 'rows' ? new LevelGroups(table, await ruleOf(table)) : new WideReader(table);
  for await (const items of dataOf(table)) {
    const made: BookItem[] = [];
    const refusal = thrownBy(() => {
      for (const row of items) reader.read(row, made);
    });
    if (made.length > 0) yield made;
    if (refusal !== undefined) throw refusal.error;
  }
  const last = reader.last();
  if (last !== undefined) yield [last];
}

/** The rows behind the header. */
async function* dataOf({ source, columns }: BookTable): AsyncGenerator<readonly Row[], void, undefined> {
  let left = columns.columns.skip;
  for await (const rows of source.rows()) {
    yield left > 0 ? rows.slice(left) : rows;
    left = Math.max(0, left - rows.length);
  }
}

interface BookReader {
  /** Reads a row; what it completes is added to `items`. */
  read(row: Row, items: BookItem[]): void;
  /** Item that the last rows made. */
  last(): BookItem | undefined;
}

/** A row is a whole book. */
class WideReader implements BookReader {
  readonly #head: RowHead;
  readonly #path: string;
  readonly #levels: readonly LevelColumns[];
  readonly #isLists: boolean;
  readonly #hasTrades: boolean;

  constructor(table: BookTable) {
    this.#head = new RowHead(table);
    this.#path = table.source.path;
    this.#levels = table.columns.levels;
    this.#isLists = table.columns.shape === 'lists';
    this.#hasTrades = ['action', 'side', 'price', 'quantity'].every((name) => this.#head.cells.has(name));
  }

  read(row: Row, items: BookItem[]): void {
    const { cells } = this.#head;
    const head = this.#head.read(row);
    const noise = cells.noise;
    const levels = this.#isLists ? this.#listed(row) : this.#columned(row);
    items.push({
      ...head,
      path: this.#path,
      number: row.number,
      kind: 'whole',
      levels,
      ...this.#sequenceOf(row),
      ...(this.#hasTrades && cells.cell(row, 'action') === 'T' ? { trade: this.#trade(row, head.time) } : {}),
      isNoisy: cells.noise > noise,
    });
  }

  last(): undefined {
    return undefined;
  }

  #sequenceOf(row: Row): { readonly sequence?: number } {
    const { cells } = this.#head;
    if (!cells.has('update')) return {};
    const text = cells.cell(row, 'update') ?? '';
    const sequence = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(sequence)) throw cells.bad(row, 'an update id', shownCell(text));
    return { sequence };
  }

  #columned(row: Row): readonly BookLevel[] {
    const { cells } = this.#head;
    const levels: BookLevel[] = [];
    for (const { side, price, size } of this.#levels) {
      // Tables are filled up with empty cells or zeros where a book is thin.
      if (this.#isFree(row, price) && this.#isFree(row, size)) continue;
      const level = { side, price: cells.decimal(row, price, true), size: cells.decimal(row, size, false) };
      if (level.size !== '0') levels.push(level);
    }
    return levels;
  }

  #isFree(row: Row, field: string): boolean {
    const { cells } = this.#head;
    return Number(cells.cell(row, field)) === 0 || cells.isEmpty(row, [field]);
  }

  #listed(row: Row): readonly BookLevel[] {
    const { cells } = this.#head;
    const levels: BookLevel[] = [];
    for (const [side, name] of [
      [0, 'bids'],
      [1, 'asks'],
    ] as const) {
      const text = cells.cell(row, name) ?? '';
      const pairs = pairsOf(text);
      if (pairs === undefined)
        throw cells.bad(
          row,
          `the ${name} as a list of prices and sizes, [[price, size], ...]`,
          shownCell(text),
        );
      for (const [price, size] of pairs) if (size !== '0') levels.push({ side, price, size });
    }
    return levels;
  }

  /** An unknown side is that of a buyer; such trades are few: auctions and trades off the book. */
  #trade(row: Row, time: Micros): WrittenTrade {
    const { cells } = this.#head;
    return {
      id: '',
      price: cells.decimal(row, 'price', true),
      quantity: cells.decimal(row, 'quantity', false),
      side: sideOfWord(cells.cell(row, 'side') ?? '') === 1 ? 'sell' : 'buy',
      time,
    };
  }
}

const list = /^\s*[[(]\s*(?:[[(][^[\]()]*[\])](?:\s*,)?\s*)*[\])]\s*$/;
const pair = /[[(]\s*["']?([\d.eE+-]+)["']?\s*,\s*["']?([\d.eE+-]+)["']?\s*(?:,[^[\]()]*)?[\])]/g;

/** The pairs of a list as JSON or Python print it; `undefined` where it is none, or has a number that is none. */
function pairsOf(text: string): readonly (readonly [price: string, size: string])[] | undefined {
  if (!list.test(text)) return undefined;
  const inner = text.trim().slice(1, -1);
  const pairs = [...inner.matchAll(pair)].map(
    ([, price = '', size = '']) => [plainDecimal(price), plainDecimal(size)] as const,
  );
  const isWhole = inner.replaceAll(pair, '').replaceAll(/[\s,]/g, '') === '';
  const known = pairs.filter(
    (one): one is readonly [string, string] =>
      one[0] !== undefined && one[1] !== undefined && Number(one[0]) > 0 && !one[1].startsWith('-'),
  );
  return isWhole && known.length === pairs.length ? known : undefined;
}

/** Finding where the first rows of a table are taken for a whole book. */
export const firstBooksNote =
  'times the rows of a first time are taken for a whole book, because none is marked as one: levels that stood before are missing';

/** Rule for a table without marks: whole books, or changes of which the first is taken for a whole book. */
type Rule = 'whole' | 'first';

/** Most times of a hundred at which whole books of thin markets may have one side alone. */
const oneSidedMax = 10;

/** Looks through a table without marks. Throws `BadInput` where nothing tells whole books from changes. */
async function ruleOf(table: BookTable): Promise<Rule> {
  const reader = new LevelReader(table);
  if (reader.hasMarks) return 'first';
  let key = '';
  let times = 0;
  let seen = 0;
  let both = 0;
  try {
    for await (const rows of dataOf(table)) {
      for (const row of rows) {
        const one = reader.read(row);
        if (one === undefined) continue;
        if (one.size === '0') return 'first';
        const next = `${one.time} ${one.symbol}`;
        if (next !== key) {
          times += 1;
          seen = 0;
        }
        key = next;
        const before = seen;
        seen |= one.side === 0 ? 1 : 2;
        if (seen === 3 && before !== 3) both += 1;
      }
    }
  } catch (error) {
    // The second reading meets what cannot be read again.
    if (!isDamage(error)) throw error;
  }
  if (times <= 1 || (times - both) * 100 <= times * oneSidedMax) return 'whole';
  throw new OtherKind(
    `${table.source.path}: expected levels that tell whole books from changes (a column such as is_snapshot or update_type, a size of 0 where a level ends, or both sides at each time), found ${times - both} of ${times} times with one side alone`,
  );
}

/** Rows that follow one another and are of one symbol, one time and one update are one book, or one change of it. */
class LevelGroups implements BookReader {
  readonly #reader: LevelReader;
  readonly #path: string;
  readonly #rule: Rule;
  #first: ReadLevel | undefined;
  #levels: ReadLevel[] = [];
  #noise = 0;

  constructor(table: BookTable, rule: Rule) {
    this.#reader = new LevelReader(table);
    this.#path = table.source.path;
    this.#rule = rule;
  }

  read(row: Row, items: BookItem[]): void {
    const one = this.#reader.read(row);
    if (one === undefined) return;
    const first = this.#first;
    if (first !== undefined && !isSame(first, one)) {
      const done = this.last();
      if (done !== undefined) items.push(done);
    }
    this.#first ??= one;
    if (this.#levels.length >= rowsMax)
      throw this.#reader.head.cells.bad(row, `at most ${rowsMax} levels of one time`, 'more');
    this.#levels.push(one);
  }

  last(): BookItem | undefined {
    const first = this.#first;
    if (first === undefined) return undefined;
    const levels = this.#levels;
    this.#first = undefined;
    this.#levels = [];
    const noise = this.#reader.head.cells.noise;
    const isNoisy = noise > this.#noise;
    this.#noise = noise;
    const kind = first.mark === undefined ? this.#rule : first.mark === 'whole' ? 'whole' : 'change';
    const previous = first.previous ?? (first.first === undefined ? undefined : first.first - 1);
    return {
      path: this.#path,
      number: first.number,
      symbol: first.symbol,
      time: first.time,
      receiveTime: first.receiveTime,
      kind,
      levels,
      ...(first.last === undefined ? {} : { sequence: first.last }),
      ...(first.last === undefined || previous === undefined || kind === 'whole' ? {} : { previous }),
      isNoisy,
    };
  }
}

function isSame(a: ReadLevel, b: ReadLevel): boolean {
  const isOne = a.receiveTime === b.receiveTime && a.time === b.time && a.symbol === b.symbol;
  return isOne && a.last === b.last && (a.mark === 'whole') === (b.mark === 'whole');
}
