import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import type { Row, RowSource } from '../bars-rows.ts';
import { placeOf } from '../bars-rows.ts';
import type { Columns } from './bars-columns.ts';
import { cutCell, surplusOf } from './bars-columns.ts';
import { plainDecimal, withoutBinaryNoise } from './bars-decimal.ts';
import type { TimeForm } from './bars-time.ts';
import { readTableTime, timeFormsInWords } from './bars-time.ts';
import { otherStyleIn, pointed } from './number-style.ts';
import type { Rounded } from './price-rounding.ts';
import { PriceRounding } from './price-rounding.ts';

/** A table whose cells are found. */
export interface CellTable {
  readonly source: RowSource;
  readonly columns: Columns;
  /** The tick that prices are rounded to; they are left as they are when absent. */
  readonly round?: string;
}

/** Finds the cells of one table's rows. Every refusal is a `BadInput` with file, place, expectation and finding. */
export class CellReader {
  readonly #source: RowSource;
  readonly #columns: Columns;
  readonly #index: Readonly<Record<string, number>>;
  readonly #rounding: PriceRounding | undefined;
  /** Prices that were rounded, because that was asked for, and the largest difference. */
  readonly rounded: Rounded = { count: 0, furthest: 0 };
  #noise = 0;
  #isFixed: boolean | undefined;

  constructor({ source, columns, round }: CellTable) {
    this.#source = source;
    this.#columns = columns;
    this.#rounding = round === undefined ? undefined : new PriceRounding(round);
    this.#index = Object.fromEntries(columns.index);
  }

  /** Numbers that carried the noise of binary fractions. */
  get noise(): number {
    return this.#noise;
  }

  /** Throws where cells stand behind the header, or a row may be cut. */
  checkWidth(row: Row): void {
    const surplus = surplusOf(row, this.#columns);
    if (surplus !== undefined)
      throw this.bad(row, 'no cell without a column of the header', shownCell(surplus));
    const cut = cutCell(row, this.#columns);
    if (cut !== undefined)
      throw this.bad(row, 'as many cells as the header', `the end of the row after ${shownCell(cut)}`);
  }

  has(field: string): boolean {
    return this.#index[field] !== undefined;
  }

  /** The text of a field; `undefined` when the table has no column for it. */
  cell(row: Row, field: string): string | undefined {
    const at = this.#index[field];
    if (at === undefined) return undefined;
    const cell = row.cells[at];
    if (cell === undefined)
      throw this.bad(row, `the ${field} in column ${at} (counted from 0)`, `${row.cells.length} columns`);
    return cell;
  }

  /** The time of a row: of two cells, where the day stands in one of its own and the other is a time of day. */
  timeCell(row: Row): string {
    const time = this.cell(row, 'time') ?? '';
    const date = this.cell(row, 'date');
    if (date === undefined || !/^\d{1,2}(?::\d{2}){1,2}(?:[.,]\d+)?$|^\d{1,6}$/.test(time)) return time;
    if (time.includes(':')) return `${date} ${time.indexOf(':') === 1 ? '0' : ''}${time}`;
    return `${date} ${time.padStart(time.length > 4 ? 6 : 4, '0')}`;
  }

  /** A time of that form. Throws where it is of another one. */
  time(row: Row, text: string, form: TimeForm | undefined): Micros {
    const time = form === undefined ? Number.NaN : readTableTime(text, form);
    if (!Number.isNaN(time)) return time as Micros;
    throw this.bad(row, `the time as ${timeFormsInWords}`, shownCell(text));
  }

  /** A price above 0 or a quantity not below 0, as the plain decimal it stands for. */
  decimal(row: Row, field: string, isPrice: boolean): string {
    const cell = (isPrice ? this.priceCell(row, field) : this.numberCell(row, field)) ?? '';
    const decimal = plainDecimal(cell);
    if (decimal === undefined || decimal.startsWith('-') || (isPrice && Number(decimal) === 0)) {
      const expected = isPrice ? 'above 0' : 'not below 0';
      throw this.bad(row, `the ${field} to be a number ${expected}`, shownCell(cell));
    }
    return isPrice ? this.price(row, decimal) : this.clean(decimal);
  }

  /** Whether all of these cells are empty, or say that there is no number. */
  isEmpty(row: Row, fields: readonly string[]): boolean {
    return fields.every((field) => {
      const at = this.#index[field];
      return at === undefined || noNumber.test(row.cells[at] ?? '') || row.cells[at] === noPrice;
    });
  }

  /** The text of a number with a point and no other signs. Throws where it has other signs than the numbers before it. */
  numberCell(row: Row, field: string): string | undefined {
    const cell = this.cell(row, field);
    const { numbers = 'point' } = this.#columns;
    if (cell === undefined || (numbers === 'point' && !cell.includes(','))) return cell;
    const number = numbers === 'point' ? undefined : pointed(cell, numbers);
    if (number !== undefined) return number;
    const style = otherStyleIn(cell, numbers);
    if (style === undefined) return cell;
    throw this.bad(row, `the ${field} with ${style}, as other rows have it`, shownCell(cell));
  }

  /**
   * The text of a price in units of its currency. Throws where the unit is not known: of one without a point in a table that may
   * be in fixed point, and of one that has a point where the rows before have none.
   */
  priceCell(row: Row, field: string): string | undefined {
    const cell = this.numberCell(row, field);
    const { fixedPoint } = this.#columns;
    if (fixedPoint === undefined || cell === undefined || cell === '') return cell;
    const isWhole = /^-?\d+$/.test(cell);
    if (fixedPoint === 'unclear') {
      if (isWhole && Number(cell) >= unclearMin)
        throw this.bad(
          row,
          `the ${field} with a point, or columns such as rtype and publisher_id that tell fixed point (10^-9)`,
          shownCell(cell),
        );
      return cell;
    }
    if (cell === noPrice) throw this.bad(row, `the ${field}`, 'the mark of Databento for none (2^63 - 1)');
    this.#isFixed ??= isWhole;
    if (this.#isFixed !== isWhole)
      throw this.bad(
        row,
        `the ${field} ${isWhole ? 'with' : 'without'} a point, as in the rows before`,
        shownCell(cell),
      );
    return isWhole ? `${cell}e-9` : cell;
  }

  /** Whether prices were in fixed point. */
  get isFixed(): boolean {
    return this.#isFixed === true;
  }

  /** A plain decimal as it was meant. */
  clean(decimal: string): string {
    const clean = withoutBinaryNoise(decimal);
    if (clean !== decimal) this.#noise += 1;
    return clean;
  }

  /** A price as it was meant, on the tick where rounding is asked for. */
  price(row: Row, decimal: string): string {
    const clean = this.clean(decimal);
    if (this.#rounding === undefined) return clean;
    const rounded = this.#rounding.round(clean);
    if (rounded === undefined || (rounded === '0' && clean !== '0'))
      throw this.bad(row, 'a price that can be rounded to the tick that was given', shownCell(clean));
    if (rounded !== clean) {
      this.rounded.count += 1;
      this.rounded.furthest = Math.max(this.rounded.furthest, Math.abs(Number(rounded) - Number(clean)));
    }
    return rounded;
  }

  bad(row: Row, expectation: string, found: string): BadInput {
    return new BadInput(this.sentence(row, expectation, found));
  }

  sentence(row: Row, expectation: string, found: string): string {
    return `${placeOf(this.#source, row.number)}: expected ${expectation}, found ${found}`;
  }
}

/** How tables write that there is no number. */
const noNumber = /^(?:|nan|null|none|n\/?a|#n\/a|-|--)$/i;
/** Number that Databento writes where there is no price. */
const noPrice = '9223372036854775807';
/** Prices of 0.01 and more in fixed point; few are printed without a point in their own unit. */
const unclearMin = 10_000_000;

/** A cell in a sentence. */
export function shownCell(cell: string): string {
  return JSON.stringify(cell.slice(0, 60));
}
