import type { Micros } from '../../../core/base/clock.ts';
import type { Side } from '../../../core/model/order.ts';
import type { Columns, ColumnField } from './bars-columns.ts';
import type { Row, RowSource } from '../bars-rows.ts';
import { CellReader, shownCell } from './cell-reader.ts';
import type { SymbolGuess } from './bars-symbol.ts';
import type { Rounded } from './price-rounding.ts';
import type { TimeForm } from './bars-time.ts';
import { timeFormOf } from './bars-time.ts';
import { OtherKind } from '../fields.ts';
import { SideOrder } from './side-order.ts';
import { readTableRecords } from '../table-records.ts';

/** The columns of a table of trades. */
export const tradeFields: readonly ColumnField[] = [
  {
    name: 'time',
    headers: [
      'time',
      'timestamp',
      'transacttime',
      'date',
      'datetime',
      'ts',
      'tsevent',
      'exchangetime',
      'timeexchange',
      'createdtime',
      'createtimems',
      'createtime',
      'participanttimestamp',
      'siptimestamp',
    ],
    needed: true,
  },
  { name: 'price', headers: ['price', 'p', 'px', 'rate'], needed: true },
  {
    name: 'quantity',
    headers: ['quantity', 'qty', 'amount', 'size', 'volume', 'q', 'sz', 'baseamount'],
    needed: true,
  },
  {
    name: 'id',
    headers: ['id', 'tradeseq', 'tradeid', 'aggtradeid', 'tid', 'trdmatchid', 'execid'],
    needed: false,
  },
  { name: 'side', headers: ['side', 'takerside', 'aggressor', 'direction'], needed: false },
  { name: 'maker', headers: ['isbuyermaker', 'buyermaker', 'maker', 'm'], needed: false },
  {
    name: 'received',
    headers: ['localtimestamp', 'receivetime', 'tsrecv', 'localtime', 'timecoinapi', 'siptimestamp'],
    needed: false,
  },
  { name: 'action', headers: ['action'], needed: false },
  // Tables of levels of a book have one of these.
  {
    name: 'level',
    headers: [
      'level',
      'booklevel',
      'depthlevel',
      'isbid',
      'isask',
      'isbuy',
      'issnapshot',
      'bookside',
      'updatetype',
      'changetype',
      'ordercount',
      'orderscount',
      'numorders',
      'orders',
      'lastupdateid',
      'firstupdateid',
    ],
    needed: false,
  },
  { name: 'kind', headers: ['type', 'sidetype', 'bidask', 'askbid'], needed: false },
  // Where it is another than the quantity, that counts contracts.
  { name: 'coins', headers: ['homenotional', 'baseqty', 'basequantity'], needed: false },
  {
    name: 'symbol',
    headers: [
      'symbol',
      'ticker',
      'pair',
      'market',
      'instrument',
      'instrumentname',
      'instid',
      'currencypair',
      'contract',
      'productid',
    ],
    needed: false,
  },
];

/** A file of trades, and how its rows are to be read. */
export interface TradeTable {
  readonly source: RowSource;
  readonly columns: Columns;
  /** Symbol of rows that name none. */
  readonly symbol: SymbolGuess;
  /** The only symbol wanted of rows that name theirs. */
  readonly only?: string;
  /** Inferred from the first row when absent. */
  readonly timeForm?: TimeForm;
  /** The tick that prices are rounded to, where that is asked for. */
  readonly round?: string;
  readonly skip?: 'empty';
  /** Form of sides: `signed` sizes are below 0 of a seller, `maker` is the side of the maker, `sell1` is 1 for a seller and 2 for a buyer. */
  readonly sides?: 'signed' | 'maker' | 'sell1';
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
  /** The taker's; `undefined` when the table does not have it. */
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
const sellFirst: ReadonlyMap<string, Side> = new Map([
  ['1', 'sell'],
  ['2', 'buy'],
]);
/** Words for what is done to orders and levels of a book; Databento prints letters. */
const bookActions =
  /^(?:[acmrf]|add|new|insert|cancel|modify|change|update|delete|remove|clear|reset|fill|snapshot)$/i;
const trades =
  'a table of trades; name one of levels of a book with --format books-csv (time, side, price, size), and give single orders as DBN of Databento';
const levelsFound =
  'bids (or buys) below all asks (or sells) at one time, or one time of a price each, as in a book';
/** A difference of more is no matter of printing. */
const coinsTolerance = 0.001;
const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Reads the rows of one table. Every refusal is a `BadInput` with file, place, expectation and finding. */
export class TradeReader {
  readonly others = new Set<string>();
  skipped = 0;
  /** Trades whose quantity counts contracts, as another column tells. */
  contracts = 0;
  readonly #cells: CellReader;
  readonly #sides = new SideOrder();
  readonly #form: TradeTable['sides'];
  readonly #quantityAt: number;
  #timeForm: TimeForm | undefined;
  #receivedForm: TimeForm | undefined;

  constructor(table: TradeTable) {
    this.#timeForm = table.timeForm;
    this.#form = table.sides;
    this.#quantityAt = table.columns.index.get('quantity') ?? -1;
    this.#cells = new CellReader(table);
  }

  /** Numbers that carried the noise of binary fractions. */
  get noise(): number {
    return this.#cells.noise;
  }

  /** Whether prices were in fixed point. */
  get isFixed(): boolean {
    return this.#cells.isFixed;
  }

  /** Prices that were rounded, because that was asked for. */
  get rounded(): Rounded {
    return this.#cells.rounded;
  }

  /** Whether the row has neither price nor quantity. */
  isEmpty(row: Row): boolean {
    return this.#cells.isEmpty(row, ['price', 'quantity']);
  }

  read(written: Row): RawTrade {
    const isNegative = this.#form === 'signed' && written.cells[this.#quantityAt]?.startsWith('-') === true;
    const row = isNegative ? this.#positive(written) : written;
    this.#cells.checkWidth(row);
    this.#refuseBook(row);
    const timeText = this.#cells.timeCell(row);
    this.#timeForm ??= timeFormOf(timeText);
    const time = this.#cells.time(row, timeText, this.#timeForm);
    const receivedText = this.#cells.cell(row, 'received');
    if (receivedText !== undefined) this.#receivedForm ??= timeFormOf(receivedText);
    const trade: RawTrade = {
      number: row.number,
      symbol: this.#cells.cell(row, 'symbol') ?? '',
      time,
      received: receivedText === undefined ? time : this.#cells.time(row, receivedText, this.#receivedForm),
      id: this.#cells.cell(row, 'id') ?? '',
      price: this.#cells.decimal(row, 'price', true),
      quantity: this.#cells.decimal(row, 'quantity', false),
      side: this.#form === 'signed' ? (isNegative ? 'sell' : 'buy') : this.#side(row),
    };
    this.#noteContracts(row, trade.quantity);
    if (this.#sides.isBook(trade)) throw this.#other(row, trades, levelsFound);
    return trade;
  }

  #noteContracts(row: Row, quantity: string): void {
    const coins = Number(this.#cells.cell(row, 'coins') ?? quantity);
    if (Math.abs(coins - Number(quantity)) > coins * coinsTolerance) this.contracts += 1;
  }

  /** All rows were read. Throws `OtherKind` where they are levels of a book after all. */
  end(path: string): void {
    if (this.#sides.wasBook()) throw new OtherKind(`${path}: expected ${trades}, found ${levelsFound}`);
  }

  /** Tables of orders and of levels have the columns of trades, too. */
  #refuseBook(row: Row): void {
    const action = this.#cells.cell(row, 'action') ?? '';
    if (bookActions.test(action)) throw this.#other(row, trades, `the action ${JSON.stringify(action)}`);
    const header = this.#cells.has('level') ? 'a column of levels of a book in the header' : undefined;
    if (header !== undefined) throw this.#other(row, trades, header);
    const kind = this.#cells.cell(row, 'kind') ?? '';
    if (/^(?:bid|ask|snapshot|update|l2update|depth)s?$|^a$/i.test(kind))
      throw this.#other(row, trades, `the type ${JSON.stringify(kind)}`);
    const side = this.#cells.cell(row, 'side') ?? '';
    if (/^(?:bid|ask)s?$/i.test(side) && Number(this.#cells.cell(row, 'quantity')) === 0)
      throw this.#other(row, trades, `a ${side} of size 0`);
  }

  #side(row: Row): Side | undefined {
    const side = this.#cells.cell(row, 'side');
    if (side !== undefined) {
      // As Databento prints an unknown side.
      if (side === 'N') return undefined;
      const known = this.#form === 'sell1' ? sellFirst.get(side) : sides.get(side.toLowerCase());
      if (known !== undefined && this.#form === 'maker') return known === 'buy' ? 'sell' : 'buy';
      if (known === undefined) throw this.#cells.bad(row, 'the side as buy or sell', shownCell(side));
      return known;
    }
    const maker = this.#cells.cell(row, 'maker');
    if (maker === undefined) return undefined;
    const isBuyer = truths.get(maker.toLowerCase());
    if (isBuyer === undefined) {
      throw this.#cells.bad(row, 'true or false for whether the buyer was the maker', shownCell(maker));
    }
    return isBuyer ? 'sell' : 'buy';
  }

  #positive(row: Row): Row {
    const at = this.#quantityAt;
    return { ...row, cells: row.cells.with(at, row.cells[at]?.slice(1) ?? '') };
  }

  #other(row: Row, expectation: string, found: string): OtherKind {
    return new OtherKind(this.#cells.sentence(row, expectation, found));
  }
}

/** The trades of a table in the order of the file. Throws `BadInput` when it holds none. */
export function readTrades(
  table: TradeTable,
  reader = new TradeReader(table),
): AsyncGenerator<readonly RawTrade[], void, undefined> {
  return readTableRecords(table, reader, 'trades');
}
