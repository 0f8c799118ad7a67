/** Resources of the Trading API: questions and answers of both versions. */
export type { FeeRate, V3SpotBalance } from './account.ts';
export {
  apiKeyRow,
  balanceOfCurrency,
  feeOfSymbol,
  feeRates,
  spotBalance,
  spotBalanceOfCurrency,
  walletBalance,
  withMargin,
} from './account.ts';
export type { ExactLevel, V2BookOf, V2OrderBook, V3ChannelBook, V3OrderBook } from './book.ts';
export { bookDepth, bookNotice, bookQuery, booksQuery, encodeBook, orderBook } from './book.ts';
export type {
  BuyCurrency,
  BuyMethod,
  BuyOrder,
  BuyOrderStatus,
  BuyProvider,
  BuyRates,
} from './buy-crypto.ts';
export {
  buyOrder,
  buyOrdersQuery,
  buyProvider,
  buyRates,
  providersQuery,
  purchase,
  ratesQuery,
} from './buy-crypto.ts';
export type { Currency, V2Currency } from './currency.ts';
export {
  decodeV2Currencies,
  decodeV2Currency,
  decodeV3Currencies,
  decodeV3Currency,
  encodeV2Currency,
  encodeV3Currency,
} from './currency.ts';
export type { FundingRow, FuturesSeries, FuturesState } from './futures.ts';
export {
  fundingRow,
  futuresCandleObject,
  futuresSeries,
  futuresState,
  readFunding,
  readFuturesCandles,
  readFuturesNotice,
  readFuturesState,
} from './futures.ts';
export type { AccountReport, PositionReport } from './margin-model.ts';
export { MarginObjects } from './margin-model.ts';
export type { MarginAccountParams } from './margin-request.ts';
export {
  ammParams,
  amrParams,
  encodeMarginChange,
  leverageParams,
  marginOrderHistoryParams,
  marginTradeHistoryParams,
  positionHistoryParams,
  v2ClosePositionParams,
  v2MarginAccountParams,
  v3ClosePositionParams,
  v3MarginAccountParams,
  v3MarginSetAccountParams,
} from './margin-request.ts';
export type {
  V2MarginAccount,
  V2Position,
  V3AmrSetting,
  V3HistoryRow,
  V3MarginAccount,
  V3MarginConfig,
  V3MarginSetting,
  V3Position,
} from './margin.ts';
export {
  amrSetting,
  marginAccount,
  marginConfig,
  marginSetting,
  position,
  readHistoryRows,
  readMarginConfig,
} from './margin.ts';
export type {
  PriceBar,
  V2Candle,
  V2CandlesOf,
  V2PublicTrade,
  V2Ticker,
  V2TradesOf,
  V3Candle,
  V3ChannelTicker,
  V3ChannelTop,
  V3Converted,
  V3LastPrice,
  V3PublicTrade,
  V3Ticker,
} from './market.ts';
export {
  candle,
  candlesNotice,
  convertedAnswer,
  convertedCandle,
  decodeV3RateHistory,
  decodeV3Rates,
  encodeCandle,
  encodePriceTicker,
  encodePublicTrade,
  encodeTicker,
  encodeV2Candles,
  encodeV2Trades,
  lastPrice,
  priceHistory,
  priceRate,
  priceTicker,
  publicTrade,
  readV2PublicTrades,
  readV3ChannelRate,
  readV3ConvertedCandles,
  readV3ConvertedCandlesOf,
  readV3PublicTrades,
  ticker,
  topOfBook,
  tradesNotice,
} from './market.ts';
export type { DecodedReport } from './order-model.ts';
export { encodeOrder, encodeOwnTrade, encodeReport, encodeReports } from './order-model.ts';
export { spellingOf } from './margin-model.ts';
export { toMarginMark, toOrderRequest, toPriceTicks, toReplacement } from './order-params.ts';
export type { MarginOrderParams, OrderListParams, OrderParams, ReplaceParams } from './order-request.ts';
export {
  encodeOneOrder,
  listedIds,
  onV2Margin,
  v2MarginOrderParams,
  v2MarginPutOrderParams,
  v2OneOrderParams,
  v2OrderParams,
  v2PutOrderParams,
  v2ReplaceParams,
  v3MarginOrderListParams,
  v3MarginOrderParams,
  v3OneOrderParams,
  v3OrderListParams,
  v3OrderParams,
  v3ReplaceParams,
} from './order-request.ts';
export type { V2Order, V2OwnTrade, V2Report, V3MarginOrder, V3Order, V3OwnTrade, V3Report } from './order.ts';
export { marginOrder, order, ownTrade, report } from './order.ts';
export type {
  SubAccount,
  SubAccountAcl,
  SubAccountAddress,
  SubAccountBalances,
  SubAccountStatus,
} from './sub-accounts.ts';
export {
  readBalances,
  subAccount,
  subAccountAcl,
  subAccountAddress,
  subAccountBalances,
} from './sub-accounts.ts';
export type { V2Symbol, V3Symbol } from './symbol.ts';
export { decodeV3Symbols, encodeSymbol, readV2Symbol, readV2Symbols, readV3Symbol } from './symbol.ts';
export type {
  AmountLocksParams,
  ConvertParams,
  EstimateParams,
  InternalWithdrawParams,
  TransactionsParams,
  TransferParams,
  TransferPlace,
  WithdrawParams,
} from './wallet-request.ts';
export {
  internalWithdrawParams,
  isMineParams,
  oneIdParams,
  v2AddressParams,
  v2ConvertParams,
  v2EstimateLevelsParams,
  v2EstimateParams,
  v2TransactionsParams,
  v2TransferParams,
  v2WithdrawParams,
  v3AddressParams,
  v3AddressesParams,
  v3AmountLocksParams,
  v3ConvertParams,
  v3EstimateParams,
  v3EstimatesParams,
  v3OffchainParams,
  v3TransactionParams,
  v3TransactionsParams,
  v3TransferParams,
  v3WithdrawParams,
} from './wallet-request.ts';
export type {
  Airdrop,
  AmountLock,
  CommitRisk,
  DepositAddress,
  NativeTransaction,
  TransactionErrorCode,
  TransactionStatus,
  TransactionSubtype,
  TransactionType,
  V2Transaction,
  WalletTransaction,
} from './wallet.ts';
export {
  address,
  airdrop,
  amountLock,
  feeEstimate,
  feeLevel,
  inV2Words,
  transaction,
  whiteListEntry,
} from './wallet.ts';
