import {
  AD,
  ADX,
  Aroon,
  ATR,
  BOP,
  CCI,
  DX,
  MFI,
  NATR,
  OBV,
  StochasticOscillator,
  TR,
  UltimateOscillator,
  VWAP,
  VWMA,
  WilliamsR,
} from 'trading-signals';
import type { BarValues, Indicator } from './indicator.ts';
import { numberOf, Streaming } from './indicator.ts';

/** An indicator of bars, one value each. */
export type OfBars = Indicator<BarValues, number>;

/** How far the price went, the gap from the last close included. */
export function trueRange(): OfBars {
  return new Streaming(new TR(), numberOf);
}

/** Average true range by Wilder's smoothing, seeded with a simple average. TA-Lib leaves the first bar out of the seed. */
export function atr(period = 14): OfBars {
  return new Streaming(new ATR(period), numberOf);
}

/** Average true range in per cent of the close. */
export function natr(period = 14): OfBars {
  return new Streaming(new NATR(period), numberOf);
}

/** Directional movement index, 0 to 100. */
export function dx(period = 14): OfBars {
  return new Streaming(new DX(period), numberOf);
}

/** Average directional movement: how strong a trend is, whichever way, 0 to 100. */
export function adx(period = 14): OfBars {
  return new Streaming(new ADX(period), numberOf);
}

/** Distance of the typical price from its average in mean deviations. */
export function cci(period = 20): OfBars {
  return new Streaming(new CCI(period), numberOf);
}

/** Where the close stands in the range of `period` bars, -100 to 0. */
export function williamsR(period = 14): OfBars {
  return new Streaming(new WilliamsR(period), numberOf);
}

export interface StochasticValue {
  readonly k: number;
  readonly d: number;
}

/** Where the close stands in the range of `period` bars (0 to 100), smoothed once (k) and twice (d). */
export function stochastic(period = 14, slowing = 3, smoothing = 3): Indicator<BarValues, StochasticValue> {
  const library = new StochasticOscillator({ kPeriod: period, kSlowingPeriod: slowing, dPeriod: smoothing });
  const pick = (found: { readonly stochK: number; readonly stochD: number }): StochasticValue => ({
    k: found.stochK,
    d: found.stochD,
  });
  return new Streaming(library, pick, period + slowing + smoothing - 2);
}

export interface AroonValue {
  readonly up: number;
  readonly down: number;
}

/** How long ago the extremes of the window were, 100 is now. */
export function aroon(period = 14): Indicator<BarValues, AroonValue> {
  return new Streaming(
    new Aroon(period),
    (found: { readonly aroonUp: number; readonly aroonDown: number }) => ({
      up: found.aroonUp,
      down: found.aroonDown,
    }),
  );
}

/** Gain of buyers in the range of the bar, -1 to 1. */
export function balanceOfPower(): OfBars {
  return new Streaming(new BOP(), numberOf);
}

/** On-balance volume: added on bars that rise, taken off on bars that fall. The first bar counts 0. */
export function obv(): OfBars {
  return new Streaming(new OBV(2), numberOf);
}

/** Accumulation and distribution: volume by where in its range the bar closed. */
export function accumulation(): OfBars {
  return new Streaming(new AD(), numberOf);
}

/** Money flow index: relative strength weighted by volume, 0 to 100. */
export function mfi(period = 14): OfBars {
  return new Streaming(new MFI(period), numberOf);
}

/** Average of the close weighted by volume. */
export function vwma(period: number): OfBars {
  return new Streaming(new VWMA(period), numberOf);
}

/** Volume-weighted average of the typical price since the beginning. Make a new one where a session begins. */
export function vwap(): OfBars {
  return new Streaming(new VWAP(), numberOf);
}

/** Buying pressure over three windows, 0 to 100. */
export function ultimateOscillator(short = 7, medium = 14, long = 28): OfBars {
  return new Streaming(
    new UltimateOscillator({ shortPeriod: short, mediumPeriod: medium, longPeriod: long }),
    numberOf,
  );
}
