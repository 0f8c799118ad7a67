import type { Endpoint } from '../endpoint.ts';
import { readKeyed } from '../keyed.ts';
import type { Asked } from '../v3/readers.ts';
import { decodeV2Fee } from './fees.ts';
import * as market from './resources-market.ts';
import * as margin from './resources-notices.ts';
import * as orders from './resources-orders.ts';
import type { V2EndpointName } from './rest.ts';
import type { v2Endpoints } from './rest.ts';

const keyed = <Value>(what: string, read: (value: unknown, key: string) => Value) => {
  return (json: unknown) => readKeyed(json, what, read);
};

/** As `v3Readers`: where the row's own `decode` wants an instrument, tells less, or must know what was asked for. */
export const v2Readers = {
  publicSymbols: market.readV2Symbols,
  publicSymbol: market.readV2Symbol,
  publicTickers: market.readV2Tickers,
  publicTicker: market.readV2Ticker,
  publicTrades: keyed('v2 trades', market.readV2PublicTrades),
  publicTradesOfSymbol: market.readV2PublicTrades,
  publicOrderBooks: keyed('v2 order books', market.readV2OrderBook),
  publicOrderBook: market.readV2OrderBook,
  publicCandles: keyed('v2 candles', market.readV2Candles),
  publicCandlesOfSymbol: market.readV2Candles,
  activeOrders: orders.readV2Orders,
  activeOrder: orders.readV2Order,
  newOrder: orders.readV2Order,
  putOrder: orders.readV2Order,
  replaceOrder: orders.readV2Order,
  cancelOrders: orders.readV2Orders,
  cancelOrder: orders.readV2Order,
  tradingFee: (json: unknown, { symbol = '' }: Asked) => decodeV2Fee(json, symbol),
  orderHistory: orders.readV2Orders,
  tradeHistory: orders.readV2OwnTrades,
  orderTrades: orders.readV2OwnTrades,
  marginAccounts: margin.readV2MarginAccounts,
  marginCloseAccounts: margin.readV2MarginAccounts,
  marginAccount: margin.readV2MarginAccount,
  marginSetAccount: margin.readV2MarginAccount,
  marginCloseAccount: margin.readV2MarginAccount,
  marginPositions: margin.readV2Positions,
  marginClosePositions: margin.readV2Positions,
  marginPosition: margin.readV2Position,
  marginClosePosition: margin.readV2Positions,
  marginOrders: orders.readV2Orders,
  marginOrder: orders.readV2Order,
  marginNewOrder: orders.readV2Order,
  marginPutOrder: orders.readV2Order,
  marginCancelOrders: orders.readV2Orders,
  marginCancelOrder: orders.readV2Order,
} satisfies { readonly [Name in V2EndpointName]?: (json: unknown, asked: Asked) => unknown };

type Own = typeof v2Readers;

/** What a caller without instruments gets of an endpoint. */
export type V2Value<Name extends V2EndpointName> = Name extends keyof Own
  ? ReturnType<Own[Name]>
  : (typeof v2Endpoints)[Name] extends Endpoint<infer _Params, (json: unknown) => infer Value, infer _Input>
    ? Value
    : never;
