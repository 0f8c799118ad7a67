/** The matching core, as its users see it. */
export type {
  AccountId,
  AccountPort,
  BalanceOutcome,
  ExchangeCommand,
  Execution,
  LevelOutcome,
  ListedOrder,
  MarginOutcome,
  Outcome,
  PaidOrder,
  PlaceListCommand,
  RefusalCode,
  RefusedOutcome,
  ReportOutcome,
  TradeOutcome,
} from './accounts/index.ts';
export {
  MarginAccount,
  futuresAccountOf,
  isFuturesAccount,
  isProductAccount,
  marginAccountOf,
  refusalNumbers,
  spotAccountOf,
} from './accounts/index.ts';
export type { OrderBook, OrderQueue } from './book/index.ts';
export { noOwner, none } from './book/index.ts';
export { Exchange } from './exchange.ts';
export {
  FifoFills,
  activateFired,
  admit,
  capOf,
  collectFired,
  endAndReport,
  enter,
  giveBack,
  isReducing,
  leftBook,
  reserveFor,
  settleExecution,
} from './execution/index.ts';
export { fundingOf, watchMargins } from './margin/index.ts';
export type { Account, ExchangeMarket, Fills, MatchingOptions, Met, OrderRecord } from './state/index.ts';
export { ExchangeState, defaultMatchingOptions } from './state/index.ts';
