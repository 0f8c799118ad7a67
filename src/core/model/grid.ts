import type { Brand } from '../base/brand.ts';
import { Decimal } from '../base/decimal.ts';
import { withoutExponent } from '../base/exponent.ts';
import { BadInput } from '../base/errors.ts';
import { decimalsOf, scanDecimal } from '../base/scan.ts';

/** A price as a whole number of tick sizes of its instrument. */
export type Ticks = Brand<number, 'ticks'>;
/** A quantity as a whole number of quantity increments of its instrument. */
export type Lots = Brand<number, 'lots'>;
/** How a text that is not on the grid becomes one that is. `exact` refuses it. */
export type Rounding = 'exact' | 'down' | 'up' | 'nearest';

/** A step of a grid, as a whole number of units of its last decimal. Throws `BadInput` naming the symbol. */
export function gridUnits(symbol: string, what: string, text: string): number {
  const decimals = decimalsOf(text);
  const units = scanDecimal(text, decimals);
  if (!(units > 0) || decimals > 18) {
    throw new BadInput(
      `symbol ${symbol}: expected ${what} to be a positive plain decimal, found ${JSON.stringify(text)}`,
    );
  }
  return units;
}

const decimalRounding = {
  exact: Decimal.ROUND_DOWN,
  down: Decimal.ROUND_FLOOR,
  up: Decimal.ROUND_CEIL,
  nearest: Decimal.ROUND_HALF_UP,
} as const;

/**
 * How many steps a value is; an exponent, as decimal libraries print it, is written out. Throws `BadInput` when it is no
 * decimal of 0 or more, or (rounding `exact`) between two steps.
 */
export function toGrid(value: string | Decimal, step: string, rounding: Rounding, what: string): number {
  const text = withoutExponent(String(value));
  const shown = String(value).slice(0, 80);
  if (!/^\d{1,40}(\.\d{1,40})?$/.test(text)) {
    throw new BadInput(`expected the ${what} to be a decimal of 0 or more, found ${JSON.stringify(shown)}`);
  }
  const steps = new Decimal(text).dividedBy(step);
  if (rounding === 'exact' && !steps.isInteger()) {
    throw new BadInput(`expected the ${what} to be a multiple of ${step}, found ${shown}`);
  }
  const whole = steps.toDecimalPlaces(0, decimalRounding[rounding]).toNumber();
  if (!Number.isSafeInteger(whole)) throw new BadInput(`the ${what} is too large: ${shown}`);
  return whole;
}
