import type { Amount } from '../base/amount.ts';
import { amountToNumber } from '../base/amount.ts';
import type { BarValues } from './indicator.ts';

/** The double nearest to an amount. */
export function priceNumber(amount: Amount): number {
  return amountToNumber(amount);
}

/** The numbers of a candle, as indicators read them. */
export function barValues(candle: {
  readonly open: Amount;
  readonly close: Amount;
  readonly max: Amount;
  readonly min: Amount;
  readonly volume: Amount;
}): BarValues {
  return {
    open: priceNumber(candle.open),
    high: priceNumber(candle.max),
    low: priceNumber(candle.min),
    close: priceNumber(candle.close),
    volume: priceNumber(candle.volume),
  };
}
