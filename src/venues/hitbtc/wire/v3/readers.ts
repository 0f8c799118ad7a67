import { decodeBalance } from '../balances.ts';
import type { Endpoint } from '../endpoint.ts';
import { readKeyed } from '../keyed.ts';
import { decodeV3Currency } from './currencies.ts';
import * as futures from './futures-rows.ts';
import * as market from './resources-market.ts';
import * as margin from './resources-margin.ts';
import * as orders from './resources-orders.ts';
import type { V3EndpointName } from './rest.ts';
import type { v3Endpoints } from './rest.ts';

/** What was asked for, in wire spelling: answers do not repeat it. */
export type Asked = Readonly<Record<string, string>>;
type Reader<Value> = (json: unknown, asked: Asked) => Value;

const contracts = <Value>(
  read: (value: unknown, symbol: string) => Value,
): Reader<ReadonlyMap<string, Value>> => {
  return (json) => readKeyed(json, 'v3 futures', read);
};
const contract = <Value>(read: (value: unknown, symbol: string) => Value): Reader<Value> => {
  return (json, { symbol = '' }) => read(json, symbol);
};
const keyed = <Value>(what: string, read: (value: unknown, key: string) => Value) => {
  return (json: unknown) => readKeyed(json, what, read);
};

/**
 * Readers of answers for callers without a list of instruments, where the row's own `decode` reads onto the grid
 * of an instrument, tells less than the documents show, or needs to know what was asked for.
 */
export const v3Readers = {
  publicCurrency: (json: unknown, { currency = '' }: Asked) => decodeV3Currency(json, currency),
  publicSymbols: keyed('v3 symbols', market.readV3Symbol),
  publicSymbol: (json: unknown, { symbol = '' }: Asked) => market.readV3Symbol(json, symbol),
  publicTickers: keyed('v3 tickers', market.readV3Ticker),
  publicTicker: market.readV3Ticker,
  publicPriceTickers: keyed('v3 last prices', market.readV3LastPrice),
  publicPriceTicker: market.readV3LastPrice,
  publicTrades: keyed('v3 trades', market.readV3PublicTrades),
  publicTradesOfSymbol: market.readV3PublicTrades,
  publicOrderBooks: keyed('v3 order books', market.readV3OrderBook),
  publicOrderBook: market.readV3OrderBook,
  publicCandles: keyed('v3 candles', market.readV3Candles),
  publicCandlesOfSymbol: market.readV3Candles,
  publicConvertedCandles: market.readV3ConvertedCandles,
  publicConvertedCandlesOfSymbol: market.readV3ConvertedCandlesOf,
  publicFuturesInfos: contracts(futures.decodeV3FuturesState),
  publicFuturesInfo: contract(futures.decodeV3FuturesState),
  publicFundingHistory: contracts(futures.decodeV3Funding),
  publicFundingHistoryOfSymbol: contract(futures.decodeV3Funding),
  publicIndexPriceCandles: contracts(futures.decodeV3FuturesCandles),
  publicIndexPriceCandlesOfSymbol: contract(futures.decodeV3FuturesCandles),
  publicMarkPriceCandles: contracts(futures.decodeV3FuturesCandles),
  publicMarkPriceCandlesOfSymbol: contract(futures.decodeV3FuturesCandles),
  publicPremiumIndexCandles: contracts(futures.decodeV3FuturesCandles),
  publicPremiumIndexCandlesOfSymbol: contract(futures.decodeV3FuturesCandles),
  publicOpenInterestCandles: contracts(futures.decodeV3FuturesCandles),
  publicOpenInterestCandlesOfSymbol: contract(futures.decodeV3FuturesCandles),
  spotBalances: orders.readV3SpotBalances,
  spotBalance: (json: unknown, { currency = '' }: Asked) => orders.readV3SpotBalanceOf(json, currency),
  spotActiveOrders: orders.readV3Orders,
  spotActiveOrder: orders.readV3Order,
  spotNewOrder: orders.readV3Order,
  spotNewOrderList: orders.readV3Orders,
  spotReplaceOrder: orders.readV3Order,
  spotCancelOrders: orders.readV3Orders,
  spotCancelOrder: orders.readV3Order,
  spotOrderHistory: orders.readV3Orders,
  spotTradeHistory: orders.readV3OwnTrades,
  marginAccounts: margin.readV3MarginAccounts,
  marginIsolatedAccount: margin.readV3MarginAccount,
  marginCrossAccount: margin.readV3MarginAccount,
  marginSetAccount: margin.readV3MarginAccount,
  marginClosePositions: margin.readV3Positions,
  marginClosePosition: margin.readV3Position,
  marginActiveOrders: orders.readV3MarginOrders,
  marginActiveOrder: orders.readV3MarginOrder,
  marginNewOrder: orders.readV3MarginOrder,
  marginNewOrderList: orders.readV3MarginOrders,
  marginReplaceOrder: orders.readV3MarginOrder,
  marginCancelOrders: orders.readV3MarginOrders,
  marginCancelOrder: orders.readV3MarginOrder,
  marginConfig: margin.readV3MarginConfig,
  marginAmr: margin.readV3AmrSetting,
  marginOrderHistory: orders.readV3MarginOrders,
  marginTradeHistory: orders.readV3OwnTrades,
  marginPositionHistory: margin.readV3HistoryRows,
  marginClearingHistory: margin.readV3HistoryRows,
  futuresAccounts: margin.readV3MarginAccounts,
  futuresIsolatedAccount: margin.readV3MarginAccount,
  futuresCrossAccount: margin.readV3MarginAccount,
  futuresSetAccount: margin.readV3MarginAccount,
  futuresClosePositions: margin.readV3Positions,
  futuresClosePosition: margin.readV3Position,
  futuresActiveOrders: orders.readV3MarginOrders,
  futuresActiveOrder: orders.readV3MarginOrder,
  futuresNewOrder: orders.readV3MarginOrder,
  futuresNewOrderList: orders.readV3MarginOrders,
  futuresReplaceOrder: orders.readV3MarginOrder,
  futuresCancelOrders: orders.readV3MarginOrders,
  futuresCancelOrder: orders.readV3MarginOrder,
  futuresConfig: margin.readV3MarginConfig,
  futuresAmr: margin.readV3AmrSetting,
  futuresOrderHistory: orders.readV3MarginOrders,
  futuresTradeHistory: orders.readV3OwnTrades,
  futuresPositionHistory: margin.readV3HistoryRows,
  futuresClearingHistory: margin.readV3HistoryRows,
  futuresBalances: orders.readV3SpotBalances,
  futuresBalance: (json: unknown, { currency = '' }: Asked) => orders.readV3SpotBalanceOf(json, currency),
  walletBalance: (json: unknown, { currency = '' }: Asked) => decodeBalance(json, currency),
} satisfies { readonly [Name in V3EndpointName]?: Reader<unknown> };

type Own = typeof v3Readers;

/** What a caller without instruments gets of an endpoint. */
export type V3Value<Name extends V3EndpointName> = Name extends keyof Own
  ? ReturnType<Own[Name]>
  : (typeof v3Endpoints)[Name] extends Endpoint<infer _Params, (json: unknown) => infer Value, infer _Input>
    ? Value
    : never;
