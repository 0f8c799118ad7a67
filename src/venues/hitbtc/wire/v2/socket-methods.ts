import { z } from 'zod';
import { candlePeriods } from '../../../../core/model/market.ts';
import {
  booleanParam,
  codeParam,
  integerParam,
  listParam,
  pageShape,
  toPage,
  noParams,
} from '../param-fields.ts';
import type { LimitRow } from '../limits.ts';
import { v2Rows } from '../limits.ts';
import {
  report,
  v2TransactionsParams,
  transaction,
  decodeV2Currencies,
  decodeV2Currency,
  v2ClosePositionParams,
  v2MarginAccountParams,
  v2MarginPutOrderParams,
  v2OneOrderParams,
  v2PutOrderParams,
  v2ReplaceParams,
  readV2Symbol,
  readV2Symbols,
  marginAccount,
  candlesNotice,
  ticker,
  tradesNotice,
  bookNotice,
  walletBalance,
} from '../resources/index.ts';
import type { SocketMethod } from '../socket-method.ts';
import { done, socketMethod } from '../socket-method.ts';

/** v2-gaps, section 4.1: these fail when params hold anything. */
const empty = z.strictObject({}, { error: 'Parameters must be empty' });
const symbol = z.object({ symbol: codeParam });
const trades = z.object({ symbol: codeParam, limit: integerParam(0, 1000).default(100) });
const candles = trades.extend({ period: z.enum(candlePeriods).default('M30') });
const page = { sort: 'DESC', by: 'timestamp', limit: 100, limitMin: 0 } as const;
const tradePage = z
  .object({ symbol: codeParam.optional(), ...pageShape(page) })
  .transform((given, context) => ({ symbol: given.symbol, page: toPage(given, page.by, context) }));
const read = { right: 'R1', params: noParams } as const;
const change = { right: 'R2', changesOrders: true } as const;
const open = { right: 'none', answer: done } as const;

/** Every method of the v2 market data socket. Source: API v2, "Socket methods". */
export const v2PublicMethods = {
  getCurrency: socketMethod({
    right: 'none',
    params: z.object({ currency: codeParam, extended: booleanParam.default(false) }),
    answer: decodeV2Currency,
  }),
  getCurrencies: socketMethod({
    right: 'none',
    params: z.object({ currency: listParam.optional(), extended: booleanParam.default(false) }),
    answer: decodeV2Currencies,
  }),
  getSymbol: socketMethod({ right: 'none', params: symbol, answer: readV2Symbol }),
  getSymbols: socketMethod({
    right: 'none',
    params: z.object({ symbol: listParam.optional() }),
    answer: readV2Symbols,
  }),
  getTrades: socketMethod({ right: 'none', params: tradePage, answer: tradesNotice.v2.read }),
  subscribeTicker: socketMethod({ ...open, params: symbol }),
  unsubscribeTicker: socketMethod({ ...open, params: symbol }),
  subscribeOrderbook: socketMethod({ ...open, params: symbol }),
  unsubscribeOrderbook: socketMethod({ ...open, params: symbol }),
  subscribeTrades: socketMethod({ ...open, params: trades }),
  unsubscribeTrades: socketMethod({ ...open, params: trades }),
  subscribeCandles: socketMethod({ ...open, params: candles }),
  unsubscribeCandles: socketMethod({ ...open, params: candles }),
} as const;

/** Spot on the v2 trading socket. Source: API v2, "Socket methods". */
const tradingMethods = {
  login: socketMethod({ right: 'none', params: z.looseObject({}), answer: done }),
  subscribeReports: socketMethod({ right: 'R1', params: empty, answer: done }),
  newOrder: socketMethod({ ...change, params: v2PutOrderParams, answer: report.v2.read }),
  cancelOrder: socketMethod({ ...change, params: v2OneOrderParams, answer: report.v2.read }),
  cancelReplaceOrder: socketMethod({ ...change, params: v2ReplaceParams, answer: report.v2.read }),
  getOrders: socketMethod({ ...read, answer: report.v2.readList }),
  getTradingBalance: socketMethod({ ...read, answer: walletBalance.v3.decodeList }),
} as const;

/** Margin on the v2 trading socket. Source: v2-gaps, section 6.1; API v2, "Socket methods". */
const marginMethods = {
  marginSubscribe: socketMethod({ ...read, answer: done }),
  marginAccountsGet: socketMethod({ ...read, answer: marginAccount.v2.readList }),
  marginAccountSet: socketMethod({
    right: 'R2',
    params: v2MarginAccountParams,
    answer: marginAccount.v2.read,
  }),
  marginPositionClose: socketMethod({
    ...change,
    params: v2ClosePositionParams,
    answer: marginAccount.v2.read,
  }),
  marginOrdersGet: socketMethod({ ...read, answer: report.v2.readList }),
  marginOrdersCancel: socketMethod({ ...change, params: noParams, answer: report.v2.readList }),
  marginOrderNew: socketMethod({ ...change, params: v2MarginPutOrderParams, answer: report.v2.read }),
  marginOrderCancel: socketMethod({ ...change, params: v2OneOrderParams, answer: report.v2.read }),
  marginOrderCancelReplace: socketMethod({ ...change, params: v2ReplaceParams, answer: report.v2.read }),
} as const;

const payment = { right: 'R3', params: noParams } as const;
const transactions = socketMethod({
  right: 'R3',
  params: v2TransactionsParams,
  answer: transaction.v2.readList,
});
const accountSubscription = socketMethod({ right: 'R3', params: empty, answer: done });

/**
 * Every method of the v2 account socket. The parameters of findTransactions and loadTransactions are not documented;
 * here they are those of `GET account/transactions`. Source: v2-gaps, section 7.
 */
const accountMethods = {
  subscribeTransactions: accountSubscription,
  unsubscribeTransactions: socketMethod({ ...payment, answer: done }),
  subscribeBalance: accountSubscription,
  unsubscribeBalance: socketMethod({ ...payment, answer: done }),
  getBalance: socketMethod({ ...payment, answer: walletBalance.v3.decodeList }),
  findTransactions: transactions,
  loadTransactions: transactions,
} as const;

/** Every method of the v2 sockets; the combined location serves all of them. */
export const v2Methods = {
  ...v2PublicMethods,
  ...tradingMethods,
  ...marginMethods,
  ...accountMethods,
} as const;

export type V2MethodName = keyof typeof v2Methods;

const publicNotices = {
  ticker: ticker.v2.read,
  snapshotOrderbook: bookNotice.v2.read,
  updateOrderbook: bookNotice.v2.read,
  snapshotTrades: tradesNotice.v2.read,
  updateTrades: tradesNotice.v2.read,
  snapshotCandles: candlesNotice.v2.read,
  updateCandles: candlesNotice.v2.read,
} as const;
const tradingNotices = {
  activeOrders: report.v2.readList,
  report: report.v2.read,
  marginOrders: report.v2.readList,
  marginOrderReport: report.v2.read,
  marginAccounts: marginAccount.v2.readList,
  marginAccountReport: marginAccount.v2.read,
} as const;
const accountNotices = {
  updateTransaction: transaction.v2.read,
  balance: walletBalance.v3.decodeList,
} as const;

/** Readers of every notification of the v2 sockets. Source: API v2, "Socket methods"; v2-gaps, sections 5 to 7. */
export const v2Notices = { ...publicNotices, ...tradingNotices, ...accountNotices } as const;

/** Methods and notifications by the location where they are served; `/api/2/ws` serves all. Source: API v2, "What the service does". */
export const v2Locations = {
  '/api/2/ws/public': { methods: v2PublicMethods, notices: publicNotices },
  '/api/2/ws/trading': { methods: { ...tradingMethods, ...marginMethods }, notices: tradingNotices },
  '/api/2/ws/account': {
    methods: { login: tradingMethods.login, ...accountMethods },
    notices: accountNotices,
  },
} as const;

const tradingNames: readonly string[] = [
  'newOrder',
  'cancelOrder',
  'cancelReplaceOrder',
  'getOrders',
  ...Object.keys(marginMethods).filter((method) => method !== 'marginSubscribe'),
];

/** The limit that a method counts against, known or not: that of the paths which do the same over REST. */
export function v2LimitOf(method: string): LimitRow {
  if (Object.hasOwn(v2PublicMethods, method)) return v2Rows.marketData;
  return tradingNames.includes(method) ? v2Rows.trading : v2Rows.other;
}

/** Parameters of a method as a server has read them. */
export type V2MethodParams<Name extends V2MethodName> =
  (typeof v2Methods)[Name] extends SocketMethod<infer Params, infer _Answer, infer _Input> ? Params : never;
