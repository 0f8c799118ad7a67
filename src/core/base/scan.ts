/**
 * Reads a plain non-negative decimal as an integer in units of 10^-decimals.
 *
 * Returns NaN (the caller then takes the slow path or refuses) on an empty text, a sign, an exponent, a second
 * point, a non-zero digit beyond `decimals`, or a value above 2^53 - 1. Never rounds.
 */
export function scanDecimal(text: string, decimals: number): number {
  let value = 0;
  let digits = 0;
  let fraction = -1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i) - 48;
    if (code === -2) {
      if (fraction >= 0) return Number.NaN;
      fraction = 0;
    } else if (code < 0 || code > 9) {
      return Number.NaN;
    } else if (fraction >= decimals) {
      if (code !== 0) return Number.NaN;
      digits += 1;
    } else {
      value = value * 10 + code;
      if (value > Number.MAX_SAFE_INTEGER) return Number.NaN;
      digits += 1;
      if (fraction >= 0) fraction += 1;
    }
  }
  if (digits === 0) return Number.NaN;
  const padded = value * (powersOfTen[decimals - Math.max(0, fraction)] as number);
  return padded <= Number.MAX_SAFE_INTEGER ? padded : Number.NaN;
}

/** Prints an integer in units of 10^-decimals as a plain decimal with exactly `decimals` digits after the point. */
export function printDecimal(value: number, decimals: number): string {
  if (value < 0) return `-${printDecimal(-value, decimals)}`;
  const digits = String(value);
  if (decimals === 0) return digits;
  const padded = digits.length > decimals ? digits : digits.padStart(decimals + 1, '0');
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
}

/** How many digits stand after the point of a plain decimal: 2 for "0.10", 0 for "5". */
export function decimalsOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

/** 10^0 to 10^24 as doubles; exact up to 10^22. */
export const powersOfTen: readonly number[] = Array.from({ length: 25 }, (_, power) => 10 ** power);
