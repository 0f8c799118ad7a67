import { BadInput } from '../../../core/base/errors.ts';
import type { Row, RowSource } from '../bars-rows.ts';
import { placeOf } from '../bars-rows.ts';
import type { Columns } from './bars-columns.ts';
import { cutOf, surplusOf } from './bars-columns.ts';
import { withoutBinaryNoise } from './bars-decimal.ts';

/** Finds the cells of one table's rows. Every refusal is a `BadInput` with file, place, expectation and finding. */
export class CellReader {
  readonly #source: RowSource;
  readonly #columns: Columns;
  readonly #index: Readonly<Record<string, number>>;
  #noise = 0;

  constructor({ source, columns }: { readonly source: RowSource; readonly columns: Columns }) {
    this.#source = source;
    this.#columns = columns;
    this.#index = Object.fromEntries(columns.index);
  }

  /** Numbers that carried the noise of binary fractions. */
  get noise(): number {
    return this.#noise;
  }

  /** Throws where cells stand behind the header, or a row may be cut. */
  checkWidth(row: Row): void {
    const surplus = surplusOf(row, this.#columns);
    if (surplus !== undefined) throw this.bad(row, 'no cell without a column of the header', shown(surplus));
    const cut = cutOf(row, this.#columns);
    if (cut !== undefined)
      throw this.bad(row, 'as many cells as the header', `the end of the row after ${shown(cut)}`);
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

  /** A plain decimal as it was meant. */
  clean(decimal: string): string {
    const clean = withoutBinaryNoise(decimal);
    if (clean !== decimal) this.#noise += 1;
    return clean;
  }

  bad(row: Row, expectation: string, found: string): BadInput {
    return new BadInput(this.sentence(row, expectation, found));
  }

  sentence(row: Row, expectation: string, found: string): string {
    return `${placeOf(this.#source, row.number)}: expected ${expectation}, found ${found}`;
  }
}

/** A cell in a sentence. */
export function shown(cell: string): string {
  return JSON.stringify(cell.slice(0, 60));
}
