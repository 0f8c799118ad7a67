/** Indicators of bars and prices. */
export { ema, hma, kama, sma, tema, trima, wilders, wma, zlema } from './averages.ts';
export type { Average } from './averages.ts';
export { barValues, priceNumber } from './bar-values.ts';
export type { AroonValue, StochasticValue } from './bar.ts';
export type { OfBars } from './bar.ts';
export {
  accumulation,
  adx,
  aroon,
  atr,
  balanceOfPower,
  cci,
  dx,
  mfi,
  natr,
  obv,
  stochastic,
  trueRange,
  ultimateOscillator,
  vwap,
  vwma,
  williamsR,
} from './bar.ts';
export type { BarValues, Indicator } from './indicator.ts';
export type { BandsValue, MacdValue } from './oscillators.ts';
export {
  apo,
  bollinger,
  cmo,
  dpo,
  forecast,
  macd,
  momentum,
  ppo,
  roc,
  rsi,
  stochasticRsi,
  trix,
  vhf,
} from './oscillators.ts';
