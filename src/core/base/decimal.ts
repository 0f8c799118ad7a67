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
