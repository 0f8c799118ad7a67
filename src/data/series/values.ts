import { BadInput } from '../../core/base/errors.ts';
import { hintOf } from '../../core/base/nearest.ts';
import type { SeriesColumn, SeriesDeclaration, SeriesValue, SeriesValues } from '../../core/model/event.ts';
import { placeOf } from '../formats/index.ts';
import { plainDecimal, shownCell } from '../formats/tables/index.ts';
import type { SeriesTable } from './table.ts';

/** Cells by which tables say that there is no value. */
const noValue = /^(?:|nan|null|none|n\/?a|#n\/a|-|--)$/i;

const asText: SeriesColumn = { kind: 'text', optional: false };

/** Table whose cells are read. */
type CellsOf = Pick<SeriesTable, 'path' | 'unit' | 'columns'>;

/** Reads the cells of rows as a strategy declares them. Throws `BadInput` with file, row and column. */
export class SeriesCells {
  readonly #table: CellsOf;
  readonly #columns: readonly { readonly name: string; readonly at: number; readonly type: SeriesColumn }[];

  /** Throws `BadInput` where the table lacks a column. */
  constructor({ name: series, columns }: SeriesDeclaration, table: CellsOf) {
    this.#table = table;
    const known = table.columns;
    this.#columns =
      columns === undefined
        ? known.flatMap((name, at) => (name === '' ? [] : [{ name, at, type: asText }]))
        : Object.entries(columns).map(([name, type]) => {
            const at = known.indexOf(name);
            if (at >= 0) return { name, at, type };
            const shown = known.slice(0, 12).map((one) => shownCell(one));
            throw new BadInput(
              `${table.path}: expected the column ${shownCell(name)} that a strategy reads of the series ${series}, found ${shown.join(', ')}; ${hintOf(name, known)}`,
            );
          });
  }

  /** Values of a row of the table; `place` is its line or row. */
  values(cellAt: (column: number) => string, place: number): SeriesValues {
    const values: Record<string, SeriesValue> = {};
    for (const { name, at, type } of this.#columns)
      values[name] = this.#value(cellAt(at), type, { name, place });
    return values;
  }

  #value(
    cell: string,
    type: SeriesColumn,
    at: { readonly name: string; readonly place: number },
  ): SeriesValue {
    const isEmpty = type.kind === 'text' ? cell === '' : noValue.test(cell);
    if (isEmpty && type.optional) return undefined;
    if (type.kind === 'text') {
      if (type.oneOf?.includes(cell) === false) throw this.#bad(at, `one of ${type.oneOf.join(', ')}`, cell);
      return cell;
    }
    const what = wordsOf(type);
    if (isEmpty) throw this.#bad(at, `${what} (optional() lets cells be empty)`, cell);
    const decimal = plainDecimal(cell);
    if (decimal === undefined) throw this.#bad(at, what, cell);
    if (type.kind === 'decimal') return decimal;
    const number = Number(decimal);
    if (!isWithin(number, type)) throw this.#bad(at, what, cell);
    return number;
  }

  #bad(
    { name, place }: { readonly name: string; readonly place: number },
    expected: string,
    cell: string,
  ): BadInput {
    const { path, unit } = this.#table;
    return new BadInput(
      `${placeOf({ path, unit }, place)}, column ${name}: expected ${expected}, found ${shownCell(cell)}`,
    );
  }
}

function isWithin(number: number, { whole, min, max, above, below }: SeriesColumn): boolean {
  return (
    (whole !== true || Number.isSafeInteger(number)) &&
    (min === undefined || number >= min) &&
    (max === undefined || number <= max) &&
    (above === undefined || number > above) &&
    (below === undefined || number < below)
  );
}

function wordsOf({ kind, whole, min, max, above, below }: SeriesColumn): string {
  const what = kind === 'decimal' ? 'a decimal' : whole === true ? 'a whole number' : 'a number';
  const inSafeRange = (bound: number | undefined): boolean =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const bounds = [
    inSafeRange(min) ? `at least ${min}` : '',
    above === undefined ? '' : `more than ${above}`,
    inSafeRange(max) ? `at most ${max}` : '',
    below === undefined ? '' : `less than ${below}`,
  ].filter((bound) => bound !== '');
  return bounds.length === 0 ? what : `${what} of ${bounds.join(' and ')}`;
}

const gapsMax = 10;
const gapsFactor = 3;

/**
 * Micros without a row after which a series is stale: as its file is said to be, otherwise three times the longest of the last ten gaps
 * before. `undefined` before the second row. `known`: when the rows so far were known, ascending.
 */
export function staleLimitOf(staleAfter: number | undefined, known: readonly number[]): number | undefined {
  if (staleAfter !== undefined) return staleAfter;
  let longest = 0;
  for (let at = Math.max(1, known.length - gapsMax); at < known.length; at++)
    longest = Math.max(longest, (known[at] as number) - (known[at - 1] as number));
  return longest === 0 ? undefined : longest * gapsFactor;
}
