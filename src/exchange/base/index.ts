/** The core of the exchange with its markets, order logs, accounts, refusals and faults. */
export { feeRate, nonZeroBalances, statusReports, tradingBalance } from './account-views.ts';
export type { AccountAccess, ApiKey, ExchangeAccount, KeyRing } from './accounts.ts';
export { Accounts, emailOf } from './accounts.ts';
export type { Bar } from './candles.ts';
export { convertCandle } from './candles.ts';
export type { CoreListener, Markets, Matching } from './core.ts';
export { Core } from './core.ts';
export { Faults } from './faults.ts';
export type { KeptTrade } from './market.ts';
export { MarketState } from './market.ts';
export type {
  AccountOptions,
  AddressForm,
  CurrencyOptions,
  KeyRight,
  NetworkOptions,
  SubAccountOptions,
  SymbolOptions,
} from './options.ts';
export { networkOptions } from './options.ts';
export type { OrderHistoryEntry, OwnFill } from './order-log.ts';
export { averagePrice, isEnded, isPurged, shownRecords } from './order-log.ts';
export type { History, PageQuery } from './page.ts';
export {
  candleReading,
  historyOf,
  orderPageOf,
  ownTradeReading,
  pageOf,
  publicTradeReading,
} from './page.ts';
export type { BookChange, PublishedBook } from './published-book.ts';
export type { Bucket } from './rate-limits.ts';
export {
  RateLimiter,
  bucketOfMethod,
  bucketOfPath,
  bucketOfSocket,
  bucketOfV2Method,
} from './rate-limits.ts';
export {
  Refusal,
  badAmount,
  badParameter,
  badRequest,
  currencyNotFound,
  instrumentOf,
  isOfProduct,
  networkNotFound,
  notSpot,
  refusalOf,
  refuse,
  symbolNotFound,
  written,
} from './refusal.ts';
export { Ring } from './ring.ts';
