import type { Micros } from '../../../core/base/clock.ts';
import { moneys, quoteCoins } from '../../../core/model/pair.ts';
import type { Columns, ColumnField } from './bars-columns.ts';
import { plainDecimal } from './bars-decimal.ts';
import type { BarPeriod } from './bars-period.ts';
import type { Row, RowSource } from '../bars-rows.ts';
import { CellReader, shownCell } from './cell-reader.ts';
import type { SymbolGuess } from './bars-symbol.ts';
import type { Rounded } from './price-rounding.ts';
import type { TimeForm } from './bars-time.ts';
import { readTableTime, timeFormOf, timeFormsInWords } from './bars-time.ts';
import { readTableRecords } from '../table-records.ts';

const money = moneys.join('|').toLowerCase();
const coin = [...quoteCoins, 'LINK', 'AVAX', 'UNI'].join('|').toLowerCase();
/** `Volume_(Currency)`, `Volume USDT`. */
const moneyVolume = new RegExp(`^volume(?:\\(currency\\)|\\(?(?:${money})\\)?)$`);
/** `Volume_(BTC)`, `Volume ETH`; of two such the first is the base. */
const coinVolume = new RegExp(`^volume(?:\\((?!(?:currency|${money})\\))[a-z0-9]+\\)|${coin})$`);

/** The columns of a table of bars. */
export const barFields: readonly ColumnField[] = [
  {
    name: 'time',
    headers: [
      'timeopen',
      'opentime',
      'uhrzeit',
      'zeit',
      'time',
      'timestamp',
      'date',
      'datetime',
      'datum',
      'unix',
      'ts',
      'mts',
      'gmttime',
      'localtime',
      'starttime',
      'startat',
      'start',
      'begin',
      'windowstart',
      'candlebegintime',
      'tsevent',
      'timeperiodstart',
      't',
      '',
    ],
    needed: true,
  },
  {
    name: 'open',
    headers: ['open', 'o', 'priceopen', 'pxopen', 'erster', 'anfang'],
    pattern: /^er.{1,3}ffnung(?:skurs)?$/,
    needed: true,
  },
  {
    name: 'high',
    headers: ['high', 'h', 'pricehigh', 'pxhigh', 'hoch', 'höchst', 'tageshoch'],
    needed: true,
  },
  { name: 'low', headers: ['low', 'l', 'pricelow', 'pxlow', 'tief', 'tiefst', 'tagestief'], needed: true },
  {
    name: 'close',
    headers: ['close', 'c', 'priceclose', 'pxclose', 'schluss', 'schlusskurs', 'schluß'],
    needed: true,
  },
  {
    name: 'volume',
    headers: [
      'volume',
      'v',
      'vol',
      'volumebase',
      'basevolume',
      'volumetraded',
      'volumefrom',
      'volumen',
      'stücke',
      'umsatz',
      'tickvol',
      'tickvolume',
    ],
    pattern: coinVolume,
    needed: false,
  },
  {
    name: 'volumeQuote',
    headers: ['volumequote', 'quotevolume', 'quoteassetvolume', 'turnover', 'volumeto'],
    pattern: moneyVolume,
    needed: false,
  },
  { name: 'symbol', headers: ['symbol', 'ticker', 'pair', 'market'], needed: false },
  { name: 'adjustedClose', headers: ['adjclose', 'adjustedclose'], needed: false },
  { name: 'split', headers: ['stocksplits', 'splitratio', 'splitfactor'], needed: false },
];

/** A file of bars, and how its rows are to be read. */
export interface BarTable {
  readonly source: RowSource;
  readonly columns: Columns;
  /** Symbol of rows that name none. */
  readonly symbol: SymbolGuess;
  /** The only symbol wanted of rows that name theirs. */
  readonly only?: string;
  /** Inferred from the first row when absent. */
  readonly timeForm?: TimeForm;
  /** For times that count milliseconds of a day: when that day began. */
  readonly day?: Micros;
  /** Decimals by which prices were multiplied: 4 for deci-cents. */
  readonly scale?: number;
  /** When the format says it; otherwise it is inferred. */
  readonly period?: BarPeriod;
  /** Whether a time is the beginning of its bar (usual) or its end. */
  readonly stamp?: 'open' | 'close';
  /** The tick that prices are rounded to, where that is asked for. */
  readonly round?: string;
  readonly skip?: 'empty';
}

/** Adjustments that a table tells beside its prices. */
export interface Adjustments {
  /** Rows whose adjusted close is another than their close. */
  adjusted: number;
  /** Rows with a split. */
  splits: number;
}

/** One bar as it was read: plain decimals, nothing inferred yet. */
export interface RawBar {
  readonly number: number;
  /** Empty when the table has no column for it. */
  readonly symbol: string;
  /** As written: begin or end of the bar. */
  readonly time: Micros;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  /** `0` where the table does not have it. */
  readonly volumeQuote: string;
}

/** Reads the rows of one table. Every refusal is a `BadInput` with file, place, expectation and finding. */
export class BarReader {
  readonly others = new Set<string>();
  skipped = 0;
  readonly adjustments: Adjustments = { adjusted: 0, splits: 0 };
  readonly #table: BarTable;
  readonly #cells: CellReader;
  #form: TimeForm | undefined;

  constructor(table: BarTable) {
    this.#table = table;
    this.#form = table.timeForm;
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

  /** Whether nothing traded: the row has a time and no prices. */
  isEmpty(row: Row): boolean {
    return this.#cells.isEmpty(row, ['open', 'high', 'low', 'close']);
  }

  read(row: Row): RawBar {
    this.#cells.checkWidth(row);
    const open = this.#decimal(row, 'open', true);
    const high = this.#decimal(row, 'high', true);
    const low = this.#decimal(row, 'low', true);
    const close = this.#decimal(row, 'close', true);
    if (Number(high) < Number(low)) {
      throw this.#cells.bad(row, `the high not to be below the low`, `high ${high} and low ${low}`);
    }
    this.#noteAdjustments(row);
    return {
      number: row.number,
      symbol: this.#cells.cell(row, 'symbol') ?? '',
      time: this.time(row),
      open,
      high,
      low,
      close,
      volume: this.#decimal(row, 'volume', false),
      volumeQuote: this.#decimal(row, 'volumeQuote', false),
    };
  }

  /** The time of a row as written. */
  time(row: Row): Micros {
    const text = this.#cells.timeCell(row);
    if (this.#table.day !== undefined) {
      const millis = /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN;
      if (!(millis < 86_400_000))
        throw this.#cells.bad(row, 'the milliseconds of a day', JSON.stringify(text));
      return (this.#table.day + millis * 1_000) as Micros;
    }
    this.#form ??= timeFormOf(text);
    if (this.#form === undefined) {
      throw this.#cells.bad(row, `the time as ${timeFormsInWords}`, shownCell(text));
    }
    const time = readTableTime(text, this.#form);
    if (Number.isNaN(time)) {
      throw this.#cells.bad(row, `a time of the same form as in the rows before`, shownCell(text));
    }
    return time as Micros;
  }

  /** A decimal that is no less than 0; without a column for it, `0`. */
  #decimal(row: Row, field: string, isPrice: boolean): string {
    const cell = isPrice ? this.#cells.priceCell(row, field) : this.#cells.numberCell(row, field);
    if (cell === undefined) return '0';
    const decimal = plainDecimal(isPrice ? scaled(cell, this.#table.scale) : cell);
    if (decimal === undefined || decimal.startsWith('-')) {
      throw this.#cells.bad(row, `the ${field} to be a number not below 0`, shownCell(cell));
    }
    if (Number(decimal) > Number.MAX_SAFE_INTEGER)
      throw this.#cells.bad(row, `the ${field} to be at most ${Number.MAX_SAFE_INTEGER}`, shownCell(cell));
    return isPrice ? this.#cells.price(row, decimal) : this.#cells.clean(decimal);
  }

  #noteAdjustments(row: Row): void {
    const adjusted = Number(this.#cells.cell(row, 'adjustedClose') ?? Number.NaN);
    const close = Number(this.#cells.cell(row, 'close'));
    if (Math.abs(adjusted - close) > close * adjustedMin) this.adjustments.adjusted += 1;
    const split = Number(this.#cells.cell(row, 'split') ?? 0);
    if (split > 0 && split !== 1) this.adjustments.splits += 1;
  }
}

/** Less is a matter of printing. */
const adjustedMin = 1e-6;

function scaled(cell: string, decimals: number | undefined): string {
  return decimals === undefined || cell === '' ? cell : `${cell}e-${decimals}`;
}

/** The bars of a table in the order of the file. Throws `BadInput` when it holds none. */
export function readBars(
  table: BarTable,
  reader = new BarReader(table),
): AsyncGenerator<readonly RawBar[], void, undefined> {
  return readTableRecords(table, reader, 'bars');
}
