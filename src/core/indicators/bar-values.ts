import type { Amount } from '../base/amount.ts';
import { amountToNumber } from '../base/amount.ts';
import { candlePlaces, isUnchanged, KnownCandle, candleUnits } from '../model/known-candle.ts';
import type { BarValues } from './indicator.ts';

const billion = 1e9;

/** The double nearest to an amount. */
export function priceNumber(amount: Amount): number {
  return amountToNumber(amount);
}

/** The numbers of a candle, as indicators read them; at next to no cost for the bars of a recording. */
export function barValues(candle: {
  readonly open: Amount;
  readonly close: Amount;
  readonly max: Amount;
  readonly min: Amount;
  readonly volume: Amount;
}): BarValues {
  if (!(candle instanceof KnownCandle) || !isUnchanged(candle)) {
    return {
      open: priceNumber(candle.open),
      high: priceNumber(candle.max),
      low: priceNumber(candle.min),
      close: priceNumber(candle.close),
      volume: priceNumber(candle.volume),
    };
  }
  return {
    open: numberOf(candleUnits(candle, candlePlaces.open), candle.open),
    high: numberOf(candleUnits(candle, candlePlaces.max), candle.max),
    low: numberOf(candleUnits(candle, candlePlaces.min), candle.min),
    close: numberOf(candleUnits(candle, candlePlaces.close), candle.close),
    volume: numberOf(candleUnits(candle, candlePlaces.volume), candle.volume),
  };
}

/** One division turns whole billionths into the nearest double. */
function numberOf(units: number, amount: Amount): number {
  return Number.isNaN(units) ? amountToNumber(amount) : units / billion;
}
