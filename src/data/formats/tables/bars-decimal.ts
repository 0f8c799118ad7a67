import { nineCode, pointCode, zeroCode } from '../../../core/base/number-text.ts';

const plain = /^-?\d{1,40}(?:\.\d{0,40})?$/;
const anyNumber = /^([+-]?)(\d{0,40})(?:\.(\d{0,40}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Decimals that money carries. */
const decimalsMax = 24;

/**
 * The plain decimal that a number of a table stands for, without zeros that say nothing: `1.50` is `1.5`, `1e-05` is
 * `0.00001`, `5.` is `5`. `undefined` when it is no finite number or has more than 24 decimals.
 */
export function plainDecimal(text: string): string | undefined {
  return shortDecimal(text) ?? longDecimal(text);
}

/** The same of few digits without a sign, nearly all there are: without a pattern to match; `undefined` of others. */
function shortDecimal(text: string): string | undefined {
  const { length } = text;
  if (length === 0 || length > decimalsMax) return undefined;
  let point = -1;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= zeroCode && code <= nineCode) continue;
    if (code !== pointCode || point >= 0) return undefined;
    point = at;
  }
  const whole = point < 0 ? length : point;
  // A zero that begins a number says nothing, unless it is all there is before the point.
  if (whole === 0 || (whole > 1 && text.charCodeAt(0) === zeroCode)) return undefined;
  if (point < 0) return text;
  let end = length;
  while (text.charCodeAt(end - 1) === zeroCode) end -= 1;
  if (end - 1 === point) end = point;
  return end === length ? text : text.slice(0, end);
}

function longDecimal(text: string): string | undefined {
  if (plain.test(text)) return withoutZeros(text);
  const match = anyNumber.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point > 40 || point < -64) return undefined;
  const moved =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : `${digits.slice(0, point).padEnd(point, '0')}.${digits.slice(point)}`;
  return withoutZeros(`${sign === '-' ? '-' : ''}${moved}`);
}

/** How many digits after the point a plain decimal without trailing zeros has. */
export function usedDecimals(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/**
 * The decimal behind a number that was printed from a binary double, perhaps after a sum: `24.426957669999997` was
 * `24.42695767`, `110.0829000000005` was `110.0829`. Numbers of less than 16 digits, and those that rounding to 15, 14 or
 * 13 digits does not make much shorter, are their own decimal.
 */
export function withoutBinaryNoise(text: string): string {
  if (text.length < 16) return text;
  const digits = text.replace(/^-?0*\.?0*/, '').replace('.', '').length;
  if (digits < 16 || digits > 17) return text;
  for (let precision = 15; precision >= 13; precision--) {
    const rounded = plainDecimal(Number(text).toPrecision(precision));
    if (rounded !== undefined && digits - precision + 3 <= text.length - rounded.length) return rounded;
  }
  return text;
}

function withoutZeros(text: string): string | undefined {
  const point = text.indexOf('.');
  if (point < 0) return stripped(text);
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end -= 1;
  if (end - 1 - point > decimalsMax) return undefined;
  return stripped(text.slice(0, end - 1 === point ? point : end));
}

function stripped(text: string): string {
  const found = /^(-?)0+(?=\d)/.exec(text);
  const short = found === null ? text : `${found[1]}${text.slice(found[0].length)}`;
  return short === '-0' ? '0' : short;
}
