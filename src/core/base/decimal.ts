import { Decimal as DecimalJs } from 'decimal.js';

/**
 * decimal.js, configured once: 60 significant digits, plain notation, half even.
 * For configuration, the authors' helpers and reports; never in `book`, `matching`, `state` or `orders`.
 */
export const Decimal = DecimalJs.clone({
  precision: 60,
  rounding: DecimalJs.ROUND_HALF_EVEN,
  toExpNeg: -60,
  toExpPos: 60,
});
export type Decimal = DecimalJs;

const exponential = /^-?\d{1,60}(?:\.\d{0,60})?[eE][+-]?\d{1,2}$/;

/** Decimal text without an exponent: `1e-7`, as other decimal libraries print it, is `0.0000001`. Other text stays as it is. */
export function withoutExponent(text: string): string {
  return exponential.test(text) ? new Decimal(text).toFixed() : text;
}
