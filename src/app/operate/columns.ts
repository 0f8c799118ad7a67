import { columnWidths, padLeft, padRight } from '../../core/base/display-width.ts';

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
