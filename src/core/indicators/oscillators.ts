import {
  APO,
  BollingerBands,
  CMO,
  DPO,
  EMA,
  LinearRegression,
  MACD,
  MOM,
  PPO,
  ROC,
  RSI,
  StochasticRSI,
  TRIX,
  VHF,
} from 'trading-signals';
import type { Indicator } from './indicator.ts';
import { numberOf, Streaming } from './indicator.ts';

/** Wilder's relative strength, 0 to 100. */
export function rsi(period = 14): Indicator<number, number> {
  return new Streaming(new RSI(period), numberOf);
}

/** The relative strength within its own range of the last `period` values, 0 to 1. */
export function stochasticRsi(period = 14): Indicator<number, number> {
  return new Streaming(new StochasticRSI(period), numberOf);
}

export interface MacdValue {
  readonly macd: number;
  readonly signal: number;
  readonly histogram: number;
}

/** MACD: fast EMA minus slow EMA, its signal EMA, and the histogram. */
export function macd(fast = 12, slow = 26, signal = 9): Indicator<number, MacdValue> {
  const library = new MACD(new EMA(fast), new EMA(slow), new EMA(signal));
  return new Streaming(library, (found: MacdValue) => found);
}

/** Difference of two exponential averages: absolute, and in per cent of the slow one. */
export function apo(fast = 12, slow = 26): Indicator<number, number> {
  return new Streaming(new APO({ fastPeriod: fast, slowPeriod: slow }), numberOf);
}

/** Difference of two exponential averages in per cent of the slow one. */
export function ppo(fast = 12, slow = 26): Indicator<number, number> {
  return new Streaming(new PPO({ fastPeriod: fast, slowPeriod: slow }), numberOf);
}

export interface BandsValue {
  readonly lower: number;
  readonly middle: number;
  readonly upper: number;
}

/** A simple average and `deviations` population standard deviations around it. */
export function bollinger(period = 20, deviations = 2): Indicator<number, BandsValue> {
  return new Streaming(new BollingerBands(period, deviations), (found: BandsValue) => found);
}

/** Change over `period` values, as a fraction. */
export function roc(period: number): Indicator<number, number> {
  return new Streaming(new ROC(period), numberOf);
}

/** Change over `period` values. */
export function momentum(period: number): Indicator<number, number> {
  return new Streaming(new MOM(period), numberOf);
}

/** Chande's momentum, -100 to 100. */
export function cmo(period: number): Indicator<number, number> {
  return new Streaming(new CMO(period), numberOf);
}

/** The price against its own shifted average. */
export function dpo(period: number): Indicator<number, number> {
  return new Streaming(new DPO(period), numberOf);
}

/** Rate of change of a triple smoothed average, in per cent. */
export function trix(period: number): Indicator<number, number> {
  return new Streaming(new TRIX(period), numberOf);
}

/** The line through the last `period` values, one step ahead. */
export function forecast(period: number): Indicator<number, number> {
  return new Streaming(
    new LinearRegression(period),
    (found: { readonly prediction: number }) => found.prediction,
  );
}

/** Vertical horizontal filter: high in a trend, low in a range. */
export function vhf(period: number): Indicator<number, number> {
  return new Streaming(new VHF(period), numberOf);
}
