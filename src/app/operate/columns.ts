import { columnWidths, padLeft, padRight } from '../../core/base/display-width.ts';

const digitsMax = 8;

/** Rows as aligned text, with a line of titles. Numbers stand to the right. */
export function columns(
  rows: readonly Readonly<Record<string, unknown>>[],
  names: readonly string[],
): readonly string[] {
  const cells = rows.map((row) => names.map((name) => cellOf(row[name])));
  const widths = columnWidths([names, ...cells]);
  const isNumber = names.map((_, at) => cells.every((row) => /^(-?[\d.]+|-)?$/.test(row[at] ?? '')));
  const lineOf = (row: readonly string[]): string =>
    row
      .map((text, at) =>
        isNumber[at] === true ? padLeft(text, widths[at] ?? 0) : padRight(text, widths[at] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [lineOf(names), ...cells.map(lineOf)];
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return plainText(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Rows for a person: of each decimal the digits that matter. JSON has all of them. */
export function shownRows(
  rows: readonly Readonly<Record<string, unknown>>[],
): readonly Readonly<Record<string, unknown>>[] {
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shownDigits(value)])),
  );
}

/** A decimal of a line for a person, cut as `shownRows` cuts it. */
export function shownDecimal(value: string): string {
  return String(shownDigits(value));
}

/** A decimal cut as the page cuts it: to eight digits, of a small one at least four that are none of its zeros, and two behind the point. */
function shownDigits(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const match = /^(-?)(\d+)\.(\d+)$/.exec(String(value));
  if (match === null) return value;
  const [, sign = '', whole = '', fraction = ''] = match;
  const zeros = whole === '0' ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const digits = whole === '0' ? Math.max(digitsMax, zeros + 4) : Math.max(2, digitsMax - whole.length);
  return fraction.length <= digits ? value : `${sign}${whole}.${fraction.slice(0, digits)}`;
}

/** Control characters of what came from outside do not reach a terminal. */
export function plainText(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}

/** Profit by currency in a few words. */
export function profitText(profit: Readonly<Record<string, number>>): string {
  return (
    Object.entries(profit)
      .map(([currency, sum]) => `${sum.toPrecision(6)} ${currency}`)
      .join(', ') || 'none'
  );
}
