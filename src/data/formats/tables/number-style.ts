import type { Row } from '../bars-rows.ts';
import { plainDecimal } from './bars-decimal.ts';

/** Signs in numbers: a point before the decimals; a comma before them (and points between thousands); or a point, and commas between thousands. */
export type NumberStyle = 'point' | 'comma' | 'grouped';

const withComma =
  /^[+-]?\d{1,3}(?:\.\d{3})+,\d+$|^[+-]?\d+,(?:\d{1,2}|\d{4,})$|^[+-]?\d{1,3}(?:\.\d{3}){2,}$/;
const withGroups = /^[+-]?\d{1,3}(?:,\d{3})+\.\d+$|^[+-]?\d{1,3}(?:,\d{3}){2,}$/;

/** The style of the cells in some columns of the first rows; `point` where none shows another, or some show one and some another. */
export function numberStyleOf(rows: readonly Row[], columns: readonly number[]): NumberStyle {
  const cells = rows.flatMap((row) => columns.map((at) => row.cells[at] ?? ''));
  const isComma = cells.some((cell) => withComma.test(cell));
  const isGrouped = cells.some((cell) => withGroups.test(cell));
  if (isComma === isGrouped) return 'point';
  return isComma ? 'comma' : 'grouped';
}

const commaNumber = /^[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?(?:[eE][+-]?\d{1,3})?$/;
const groupedNumber = /^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d*)?(?:[eE][+-]?\d{1,3})?$/;

/** A number of that style with a point and no other signs; `undefined` for one of another style, which is no number of ours then. */
export function pointed(cell: string, style: NumberStyle): string | undefined {
  if (style === 'comma')
    return commaNumber.test(cell) ? cell.replaceAll('.', '').replace(',', '.') : undefined;
  return groupedNumber.test(cell) ? cell.replaceAll(',', '') : undefined;
}

/** Words for the sentence about a number of another style than that of its table; `undefined` where it is none of any style. */
export function otherStyleIn(cell: string, style: NumberStyle): string | undefined {
  if (style === 'point')
    return withComma.test(cell) || withGroups.test(cell) ? 'a decimal point alone' : undefined;
  const isNumber = plainDecimal(cell) !== undefined || commaNumber.test(cell) || groupedNumber.test(cell);
  if (!isNumber) return undefined;
  return style === 'comma' ? 'a decimal comma' : 'commas between thousands, and a decimal point';
}
