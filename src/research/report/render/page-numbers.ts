import { moneys, wholeMoneys } from '../../../core/model/pair.ts';

/** Currencies that are counted in hundredths, unless they have no fraction; all others have up to eight decimals. */
const counted: ReadonlySet<string> = new Set(moneys);

/** Decimals that an amount of a currency is shown with on the page; exact ones are in the JSON and under the pointer. */
export function pageDecimals(currency: string): number {
  if (wholeMoneys.has(currency)) return 0;
  return counted.has(currency) ? 2 : 8;
}

const number = /^-?\d+(?:\.\d+)?$/;

/** Digits in groups of three before the point: `1,234,567.89`. Other text comes back as it is. */
export function grouped(text: string): string {
  if (!number.test(text)) return text;
  const [digits = '', fraction] = text.split('.');
  const before = digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? before : `${before}.${fraction}`;
}

/** A plain decimal as an amount of a currency: rounded to its decimals, or to three digits where those would show nothing. */
export function amountOn(text: string, currency: string): string {
  if (!number.test(text)) return text;
  const decimals = pageDecimals(currency);
  const value = Number(text);
  const fixed = value.toFixed(decimals);
  if (value !== 0 && !/[1-9]/.test(fixed)) return plain(value);
  const short = decimals === 2 ? fixed : withoutZeros(fixed);
  return grouped(
    (text.split('.')[1]?.length ?? 0) <= decimals && decimals !== 2 ? withoutZeros(text) : short,
  );
}

/**
 * Numbers with a unit as the page shows them, such as `1 BTC`, `0.1 USDT to 2 USDT`, `12345 of 67890`. Anything that is no such
 * number stays as it is.
 */
export function shownOn(text: string): string {
  return text.replaceAll(
    /(?<![\w.:,-])(-?\d+(?:\.\d+)?)(?: ([A-Z][A-Z0-9]{1,9})\b)?(?![\w:]|[.,-]\d)/g,
    (_, digits, unit) =>
      unit === undefined
        ? grouped(String(digits))
        : `${amountOn(String(digits), String(unit))} ${String(unit)}`,
  );
}

function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** Three digits that mean something, without an exponent. */
function plain(value: number): string {
  const size = Math.floor(Math.log10(Math.abs(value)));
  return withoutZeros(value.toFixed(Math.min(20, 2 - size)));
}
