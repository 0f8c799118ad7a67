import { EMA, HMA, KAMA, SMA, TEMA, TRIMA, WMA, WSMA, ZLEMA } from 'trading-signals';
import type { Indicator } from './indicator.ts';
import { numberOf, Streaming } from './indicator.ts';

/** An indicator of numbers, one value each. */
export type Average = Indicator<number, number>;

/** The simple average of the last `period` values. */
export function sma(period: number): Average {
  return new Streaming(new SMA(period), numberOf);
}

/** Exponential average with weight `2 / (period + 1)`, seeded with the first value (TA-Lib: with a simple average). */
export function ema(period: number): Average {
  return new Streaming(new EMA(period), numberOf);
}

/** Linearly weighted average: the latest value counts most. */
export function wma(period: number): Average {
  return new Streaming(new WMA(period), numberOf);
}

/** Wilder's smoothing: weight `1 / period`, seeded with the simple average of the first `period` values. */
export function wilders(period: number): Average {
  return new Streaming(new WSMA(period), numberOf);
}

/** Triple exponential average. */
export function tema(period: number): Average {
  return new Streaming(new TEMA(period), numberOf);
}

/** Hull's average: fast, and smooth. */
export function hma(period: number): Average {
  return new Streaming(new HMA(period), numberOf);
}

/** Kaufman's adaptive average: slow where the price goes nowhere. */
export function kama(period: number): Average {
  return new Streaming(new KAMA(period), numberOf);
}

/** Triangular average: the middle of the window counts most. */
export function trima(period: number): Average {
  return new Streaming(new TRIMA(period), numberOf);
}

/** Exponential average of prices from which their lag was taken out. */
export function zlema(period: number): Average {
  return new Streaming(new ZLEMA(period), numberOf);
}
