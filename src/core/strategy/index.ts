/** The public entry for authors of strategies: `import { defineStrategy, z } from 'godwit/strategy'`. */
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
export type { Decimal } from '../base/decimal.ts';
export type { ContractInfo, EventTimes, SessionName, TradingMode } from '../model/event.ts';
export type { LossKind } from '../model/loss.ts';
export type { Denial, DenialCode } from '../model/denial.ts';
export type {
  Brand,
  Contract,
  ContractTerms,
  Instrument,
  InstrumentId,
  InstrumentSpec,
  InstrumentStatus,
  Lots,
  Rounding,
  Ticks,
} from '../model/instrument.ts';
export { candlePeriods } from '../model/market.ts';
export { barSpec } from '../state/index.ts';
export type {
  Balance,
  BarSpec,
  BuyingPower,
  BookStatus,
  BookView,
  Candle,
  CandlePeriod,
  Level,
  MarketTrade,
  OwnBar,
  StaleReason,
  Ticker,
  UnfitBook,
} from '../model/market.ts';
export type {
  Charge,
  MarginAccountKey,
  MarginAccountView,
  MarginChange,
  MarginMark,
  MarginMode,
  MarginReason,
  OpenMarginAccount,
  PositionAccount,
  PositionView,
} from '../model/margin.ts';
export { marginModes } from '../model/margin.ts';
export type { MarginProductName, Product } from '../model/product.ts';
export { isTerminal, mayBeLive } from '../model/order-life.ts';
export { opposite } from '../model/order.ts';
export type {
  ClientOrderId,
  /** The same by its short name. */
  ClientOrderId as OrderId,
  Fill,
  ListPlace,
  Order,
  OrderRequest,
  OrderState,
  OrderType,
  Side,
  TimeInForce,
  VenueOrderState,
} from '../model/order.ts';
export { contingencyTypes } from '../model/order-list.ts';
export type { ContingencyType } from '../model/order-list.ts';
export type { Position } from '../ledger/index.ts';
export type { MarginReported } from '../bus/index.ts';
export type {
  AmountLike,
  Balances,
  ClosePositionRequest,
  CloseRequest,
  KeptValue,
  ListedOrders,
  LogFields,
  Margin,
  MarginOrderRequest,
  MarginSetting,
  OrderTerms,
  QuantityTerms,
  SpotOrderRequest,
  StrategyRandom,
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
export type { KeptDeclaration, StrategyDefinition, StrategySource } from './define.ts';
export {
  hours,
  timeAfter as later,
  microsLong as micros,
  millisLong as millis,
  minutes,
  secondsLong as seconds,
} from './duration.ts';
export type { Duration } from './duration.ts';
export type { FeedRequest } from './feed-request.ts';
export { decimalColumn } from './series-request.ts';
export type { SeriesRequest, SeriesRowOf } from './series-request.ts';
export type { SeriesRow, SeriesValue, SeriesValues } from '../model/event.ts';
export type { FundingCharge, MarginRefusal, Outage, StrategyHandlers } from './handlers.ts';
// Streaming indicators, of the library trading-signals; see docs/indicators.md.
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
  barValues,
  priceNumber,
  ema,
  hma,
  kama,
  sma,
  tema,
  trima,
  wilders,
  wma,
  zlema,
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
} from '../indicators/index.ts';
export type {
  AroonValue,
  Average,
  OfBars,
  StochasticValue,
  BarValues,
  Indicator,
  BandsValue,
  MacdValue,
} from '../indicators/index.ts';
