import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import type { Row, RowSource } from '../bars-rows.ts';
import type { BookSide } from '../order-levels.ts';
import type { TimeForm } from '../tables/index.ts';
import { timeFormOf, CellReader, shownCell } from '../tables/index.ts';
import type { BookColumns, LevelChange } from './columns.ts';
import { levelChangeOf, changesInWords, sideOfWord, truthOf } from './columns.ts';

/** A table of books, and the symbol of rows that name none. */
export interface BookTable {
  readonly source: RowSource;
  readonly columns: BookColumns;
  readonly symbol: string;
}

/** One level as it was read: plain decimals. */
export interface BookLevel {
  readonly side: BookSide;
  readonly price: string;
  readonly size: string;
}

const none = /^(?:|0|nan|nat|null|none)$/i;

/** Common part of rows of all shapes: their symbol and their two times. */
export class RowHead {
  readonly cells: CellReader;
  readonly #symbol: string;
  readonly #has: { readonly symbol: boolean; readonly received: boolean };
  #timeForm: TimeForm | undefined;
  #receivedForm: TimeForm | undefined;

  constructor({ source, columns: { columns }, symbol }: BookTable) {
    this.cells = new CellReader({ source, columns });
    this.#symbol = symbol;
    this.#has = { symbol: this.cells.has('symbol'), received: this.cells.has('received') };
  }

  read(row: Row): { readonly symbol: string; readonly time: Micros; readonly receiveTime: Micros } {
    this.cells.checkWidth(row);
    const symbol = this.#has.symbol ? (this.cells.cell(row, 'symbol') ?? '') : this.#symbol;
    const received = this.#has.received ? (this.cells.cell(row, 'received') ?? '') : '';
    const text = this.cells.timeCell(row);
    // Venues that send no time have none, or 0: that of arrival stands in.
    const isTimed = !none.test(text) || received === '';
    if (isTimed) this.#timeForm ??= timeFormOf(text);
    if (!none.test(received)) this.#receivedForm ??= timeFormOf(received);
    const sent = isTimed ? this.cells.time(row, text, this.#timeForm) : undefined;
    const receiveTime = none.test(received) ? sent : this.cells.time(row, received, this.#receivedForm);
    const time = sent ?? receiveTime;
    if (time === undefined) throw this.cells.bad(row, 'a time', shownCell(text));
    return { symbol, time, receiveTime: receiveTime ?? time };
  }
}

/** A level of a table with a row for each. */
export interface ReadLevel extends BookLevel {
  readonly number: number;
  readonly symbol: string;
  readonly time: Micros;
  readonly receiveTime: Micros;
  /** `undefined` where the table has no marks. */
  readonly mark: LevelChange | undefined;
  readonly first: number | undefined;
  readonly last: number | undefined;
  readonly previous: number | undefined;
}

/** Reads rows of a level each. */
export class LevelReader {
  readonly head: RowHead;
  readonly #sideField: 'side' | 'isBid' | 'isAsk' | 'type';
  readonly #changeField: 'change' | 'type' | undefined;
  readonly #hasSnapshot: boolean;

  constructor(table: BookTable) {
    this.head = new RowHead(table);
    const { cells } = this.head;
    this.#sideField = (['side', 'isBid', 'isAsk'] as const).find((name) => cells.has(name)) ?? 'type';
    const free = this.#sideField !== 'type' && cells.has('type') ? 'type' : undefined;
    this.#changeField = cells.has('change') ? 'change' : free;
    this.#hasSnapshot = cells.has('snapshot');
    if (!cells.has(this.#sideField))
      throw new BadInput(
        `${table.source.path}: expected a column with the side of each level, such as side or is_bid, found none`,
      );
  }

  /** Whether rows say what they do. */
  get hasMarks(): boolean {
    return this.#changeField !== undefined || this.#hasSnapshot;
  }

  /** The level of a row; `undefined` for a row without price and size, with which tables are filled up. */
  read(row: Row): ReadLevel | undefined {
    const { cells } = this.head;
    const head = this.head.read(row);
    if (Number(cells.cell(row, 'price')) === 0 && Number(cells.cell(row, 'quantity')) === 0) return undefined;
    const mark = this.#mark(row);
    return {
      ...head,
      number: row.number,
      side: this.#side(row),
      price: cells.decimal(row, 'price', true),
      size: mark === 'delete' ? '0' : cells.decimal(row, 'quantity', false),
      mark,
      first: this.#id(row, 'first'),
      last: this.#id(row, 'last'),
      previous: this.#id(row, 'previous'),
    };
  }

  #side(row: Row): BookSide {
    const { cells } = this.head;
    const word = cells.cell(row, this.#sideField) ?? '';
    if (this.#sideField === 'side' || this.#sideField === 'type') {
      const side = sideOfWord(word);
      if (side === undefined) throw cells.bad(row, 'the side as bid or ask', shownCell(word));
      return side;
    }
    const truth = truthOf(word);
    if (truth === undefined) throw cells.bad(row, 'true or false for the side', shownCell(word));
    return truth === (this.#sideField === 'isBid') ? 0 : 1;
  }

  #mark(row: Row): LevelChange | undefined {
    const { cells } = this.head;
    const change = this.#changeField === undefined ? undefined : this.#change(row, this.#changeField);
    if (!this.#hasSnapshot || change === 'delete') return change;
    const word = cells.cell(row, 'snapshot') ?? '';
    const truth = truthOf(word);
    if (truth === undefined) throw cells.bad(row, 'true or false for a whole book', shownCell(word));
    return truth ? 'whole' : 'set';
  }

  #change(row: Row, field: string): LevelChange {
    const word = this.head.cells.cell(row, field) ?? '';
    const change = levelChangeOf(word);
    if (change !== undefined) return change;
    throw this.head.cells.bad(row, `what is done to a level as ${changesInWords}`, shownCell(word));
  }

  #id(row: Row, field: string): number | undefined {
    const { cells } = this.head;
    const text = cells.has(field) ? (cells.cell(row, field) ?? '') : '';
    if (none.test(text)) return undefined;
    // An update that follows none is said to follow -1.
    if (text === '-1') return undefined;
    const id = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(id)) throw cells.bad(row, 'an update id', shownCell(text));
    return id;
  }
}
