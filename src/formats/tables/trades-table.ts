import type { Micros } from '../../base/clock.ts';
import { BadInput } from '../../base/errors.ts';
import type { Side } from '../../model/order.ts';
import type { Columns, Field } from './bars-columns.ts';
import { cutOf, surplusOf } from './bars-columns.ts';
import { plainDecimal, withoutBinaryNoise } from './bars-decimal.ts';
import type { Row, RowSource } from '../bars-rows.ts';
import { placeOf } from '../bars-rows.ts';
import type { SymbolGuess } from './bars-symbol.ts';
import type { TimeForm } from './bars-time.ts';
import { readTime, timeFormOf, timeFormsInWords } from './bars-time.ts';
import { OtherKind } from '../other-kind.ts';
import { readRecords } from '../table-records.ts';

/** The columns of a table of trades. */
export const tradeFields: readonly Field[] = [
  {
    name: 'time',
    headers: ['time', 'timestamp', 'transacttime', 'date', 'datetime', 'ts', 'tsevent', 'exchangetime'],
    needed: true,
  },
  { name: 'price', headers: ['price', 'p', 'px', 'rate'], needed: true },
  { name: 'quantity', headers: ['quantity', 'qty', 'amount', 'size', 'volume', 'q'], needed: true },
  { name: 'id', headers: ['id', 'tradeid', 'aggtradeid', 'tid', 'trdmatchid'], needed: false },
  { name: 'side', headers: ['side', 'takerside', 'aggressor', 'direction'], needed: false },
  { name: 'maker', headers: ['isbuyermaker', 'buyermaker', 'maker', 'm'], needed: false },
  { name: 'received', headers: ['localtimestamp', 'receivetime', 'tsrecv', 'localtime'], needed: false },
  { name: 'action', headers: ['action'], needed: false },
  { name: 'rtype', headers: ['rtype'], needed: false },
  { name: 'symbol', headers: ['symbol', 'ticker', 'pair', 'market', 'instrument'], needed: false },
];

/** A file of trades, and how its rows are to be read. */
export interface TradeTable {
  readonly source: RowSource;
  readonly columns: Columns;
  /** Of rows that name no symbol. */
  readonly symbol: SymbolGuess;
  /** The only symbol wanted of rows that name theirs. */
  readonly only?: string;
  /** Told from the first row when absent. */
  readonly timeForm?: TimeForm;
}

/** One trade as it was read: plain decimals, nothing inferred yet. */
export interface RawTrade {
  readonly number: number;
  /** Empty when the table has no column for it. */
  readonly symbol: string;
  readonly time: Micros;
  readonly received: Micros;
  /** Empty when the table has no column for it. */
  readonly id: string;
  readonly price: string;
  readonly quantity: string;
  /** The taker's; `undefined` when the table does not tell. */
  readonly side: Side | undefined;
}

const sides: ReadonlyMap<string, Side> = new Map([
  ['buy', 'buy'],
  ['b', 'buy'],
  ['bid', 'buy'],
  ['1', 'buy'],
  ['sell', 'sell'],
  ['s', 'sell'],
  ['ask', 'sell'],
  ['a', 'sell'],
  ['-1', 'sell'],
]);
/** What is done to orders and levels of a book; Databento prints letters. */
const bookActions =
  /^(?:[acmrf]|add|new|insert|cancel|modify|change|update|delete|remove|clear|reset|fill|snapshot)$/i;
const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Reads the rows of one table. Every refusal is a `BadInput` with file, place, expectation and finding. */
export class TradeReader {
  readonly others = new Set<string>();
  readonly #table: TradeTable;
  readonly #index: Readonly<Record<string, number>>;
  #timeForm: TimeForm | undefined;
  #receivedForm: TimeForm | undefined;
  #noise = 0;

  constructor(table: TradeTable) {
    this.#table = table;
    this.#timeForm = table.timeForm;
    this.#index = Object.fromEntries(table.columns.index);
  }

  /** Numbers that carried the noise of binary fractions. */
  get noise(): number {
    return this.#noise;
  }

  read(row: Row): RawTrade {
    const surplus = surplusOf(row, this.#table.columns);
    if (surplus !== undefined) {
      throw this.#bad(row, 'no cell without a column of the header', JSON.stringify(surplus.slice(0, 60)));
    }
    const cut = cutOf(row, this.#table.columns);
    if (cut !== undefined) {
      throw this.#bad(
        row,
        'as many cells as the header',
        `the end of the row after ${JSON.stringify(cut.slice(0, 60))}`,
      );
    }
    this.#refuseBook(row);
    const timeText = this.#cell(row, 'time') ?? '';
    this.#timeForm ??= timeFormOf(timeText);
    const time = this.#time(row, timeText, this.#timeForm);
    const receivedText = this.#cell(row, 'received');
    if (receivedText !== undefined) this.#receivedForm ??= timeFormOf(receivedText);
    return {
      number: row.number,
      symbol: this.#cell(row, 'symbol') ?? '',
      time,
      received: receivedText === undefined ? time : this.#time(row, receivedText, this.#receivedForm),
      id: this.#cell(row, 'id') ?? '',
      price: this.#decimal(row, 'price'),
      quantity: this.#decimal(row, 'quantity'),
      side: this.#side(row),
    };
  }

  /** Tables of orders and of levels have the columns of trades, too. */
  #refuseBook(row: Row): void {
    const trades =
      'a table of trades; orders and levels of a book are not read from tables (of Databento: from DBN)';
    const action = this.#cell(row, 'action') ?? '';
    if (bookActions.test(action)) throw this.#other(row, trades, `the action ${JSON.stringify(action)}`);
    const side = this.#cell(row, 'side') ?? '';
    if (/^(?:bid|ask)s?$/i.test(side) && Number(this.#cell(row, 'quantity')) === 0)
      throw this.#other(row, trades, `a ${side} of size 0`);
    const price = this.#cell(row, 'price') ?? '';
    if (this.#index['rtype'] !== undefined && /^\d+$/.test(price))
      throw this.#other(row, 'a price with a point (Databento: pretty_px), or the file as DBN', price);
  }

  #time(row: Row, text: string, form: TimeForm | undefined): Micros {
    const time = form === undefined ? Number.NaN : readTime(text, form);
    if (!Number.isNaN(time)) return time as Micros;
    throw this.#bad(row, `the time as ${timeFormsInWords}`, JSON.stringify(text.slice(0, 60)));
  }

  #side(row: Row): Side | undefined {
    const side = this.#cell(row, 'side');
    if (side !== undefined) {
      // As Databento prints a side that nobody told.
      if (side === 'N') return undefined;
      const known = sides.get(side.toLowerCase());
      if (known === undefined)
        throw this.#bad(row, 'the side as buy or sell', JSON.stringify(side.slice(0, 60)));
      return known;
    }
    const maker = this.#cell(row, 'maker');
    if (maker === undefined) return undefined;
    const isBuyer = truths.get(maker.toLowerCase());
    if (isBuyer === undefined) {
      throw this.#bad(
        row,
        'true or false for whether the buyer was the maker',
        JSON.stringify(maker.slice(0, 60)),
      );
    }
    return isBuyer ? 'sell' : 'buy';
  }

  #decimal(row: Row, field: string): string {
    const cell = this.#cell(row, field) ?? '';
    const decimal = plainDecimal(cell);
    const isPrice = field === 'price';
    if (decimal === undefined || decimal.startsWith('-') || (isPrice && Number(decimal) === 0)) {
      const expected = isPrice ? 'above 0' : 'not below 0';
      throw this.#bad(row, `the ${field} to be a number ${expected}`, JSON.stringify(cell.slice(0, 60)));
    }
    const clean = withoutBinaryNoise(decimal);
    if (clean !== decimal) this.#noise += 1;
    return clean;
  }

  #cell(row: Row, field: string): string | undefined {
    const at = this.#index[field];
    if (at === undefined) return undefined;
    const cell = row.cells[at];
    if (cell === undefined) {
      throw this.#bad(row, `the ${field} in column ${at} (counted from 0)`, `${row.cells.length} columns`);
    }
    return cell;
  }

  #bad(row: Row, expectation: string, found: string): BadInput {
    return new BadInput(this.#sentence(row, expectation, found));
  }

  #other(row: Row, expectation: string, found: string): OtherKind {
    return new OtherKind(this.#sentence(row, expectation, found));
  }

  #sentence(row: Row, expectation: string, found: string): string {
    return `${placeOf(this.#table.source, row.number)}: expected ${expectation}, found ${found}`;
  }
}

/** The trades of a table in the order of the file. Throws `BadInput` when it holds none. */
export function readTrades(
  table: TradeTable,
  reader = new TradeReader(table),
): AsyncGenerator<readonly RawTrade[], void, undefined> {
  return readRecords(table, reader, 'trades');
}
