/** The public door for authors of strategies: `import { defineStrategy, z } from 'godwit/strategy'`. */
export { z } from 'zod';
export {
  bufferCount,
  combineLatestWith,
  distinctUntilChanged,
  filter,
  map,
  mergeWith,
  pairwise,
  scan,
  skip,
  startWith,
  take,
  takeWhile,
  tap,
  withLatestFrom,
} from 'rxjs';
export type { Observable, Subscription } from 'rxjs';
export type { Amount } from '../base/amount.ts';
export {
  add,
  amountToNumber,
  formatAmount,
  multiply,
  negate,
  parseAmount,
  subtract,
  zero,
} from '../base/amount.ts';
export type { Micros } from '../base/clock.ts';
export type { Denial, DenialCode } from '../model/denial.ts';
export type { Instrument, InstrumentId, Lots, Ticks } from '../model/instrument.ts';
export { candlePeriods } from '../model/market.ts';
export type {
  Balance,
  BuyingPower,
  BookStatus,
  BookView,
  Candle,
  CandlePeriod,
  Level,
  MarketTrade,
  Ticker,
} from '../model/market.ts';
export { isTerminal, mayBeLive } from '../model/order-life.ts';
export { opposite } from '../model/order.ts';
export type { ClientOrderId, Fill, Order, OrderState, OrderType, Side, TimeInForce } from '../model/order.ts';
export { contingencyTypes } from '../model/order-list.ts';
export type { ContingencyType } from '../model/order-list.ts';
export type { Position } from '../state/view.ts';
export type {
  Balances,
  Dice,
  Market,
  Orders,
  PlaceListRequest,
  PlaceRequest,
  PriceLike,
  QuantityLike,
  ReplaceRequest,
  StrategyContext,
  StrategyLog,
  StrategyTimerHandle,
  StrategyTimers,
} from './context.ts';
export { defineStrategy } from './define.ts';
export type { StrategyDefinition, StrategySource } from './define.ts';
export { hours, later, micros, millis, minutes, seconds } from './duration.ts';
export type { Duration } from './duration.ts';
export type { FeedRequest } from './feed-request.ts';
export type { Outage, StrategyHandlers } from './handlers.ts';
export {
  accumulation,
  adx,
  apo,
  aroon,
  atr,
  balanceOfPower,
  barValues,
  bollinger,
  cci,
  cmo,
  dpo,
  dx,
  ema,
  forecast,
  hma,
  kama,
  macd,
  mfi,
  momentum,
  natr,
  obv,
  ppo,
  priceNumber,
  roc,
  rsi,
  sma,
  stochastic,
  stochasticRsi,
  tema,
  trima,
  trix,
  trueRange,
  ultimateOscillator,
  vhf,
  vwap,
  vwma,
  wilders,
  williamsR,
  wma,
  zlema,
} from './indicators.ts';
export type {
  AroonValue,
  BandsValue,
  BarValues,
  Indicator,
  MacdValue,
  StochasticValue,
} from './indicators.ts';
