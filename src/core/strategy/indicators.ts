/** Streaming indicators for authors, of the library trading-signals; see docs/indicators.md. */
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
} from '../indicators/bar.ts';
export type { AroonValue, StochasticValue } from '../indicators/bar.ts';
export { barValues, priceNumber } from '../indicators/bar-values.ts';
export { ema, hma, kama, sma, tema, trima, wilders, wma, zlema } from '../indicators/averages.ts';
export type { BarValues, Indicator } from '../indicators/indicator.ts';
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
} from '../indicators/oscillators.ts';
export type { BandsValue, MacdValue } from '../indicators/oscillators.ts';
