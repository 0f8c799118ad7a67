import { endpoint } from '../endpoint.ts';
import { order, ownTrade } from '../resources/order.ts';
import * as params from './rest-params.ts';
import { v2OrderParams, v2PutOrderParams, v2ReplaceParams } from './order-params.ts';
import { walletBalance, feeRates, feeOfSymbol } from '../resources/account.ts';

const orders = 'v2-gaps, section 1';
const trading = 'API v2, "Trading and history"';
const read = { method: 'GET', payload: 'query' } as const;
const change = { payload: 'form', right: 'R2', source: orders } as const;

/** Spot trading and its history, v2. */
export const v2TradingEndpoints = {
  activeOrders: endpoint({
    ...read,
    path: '/api/2/order',
    right: 'R2',
    params: params.optionalSymbolParams,
    answer: order.v2.readList,
    source: orders,
  }),
  activeOrder: endpoint({
    ...read,
    path: '/api/2/order/{clientOrderId}',
    right: 'R2',
    params: params.orderWaitParams,
    answer: order.v2.read,
    source: orders,
  }),
  newOrder: endpoint({
    ...change,
    method: 'POST',
    path: '/api/2/order',
    params: v2OrderParams,
    answer: order.v2.read,
  }),
  putOrder: endpoint({
    ...change,
    method: 'PUT',
    path: '/api/2/order/{clientOrderId}',
    params: v2PutOrderParams,
    answer: order.v2.read,
  }),
  replaceOrder: endpoint({
    ...change,
    method: 'PATCH',
    path: '/api/2/order/{clientOrderId}',
    params: v2ReplaceParams,
    answer: order.v2.read,
  }),
  cancelOrders: endpoint({
    ...change,
    method: 'DELETE',
    path: '/api/2/order',
    params: params.optionalSymbolParams,
    answer: order.v2.readList,
  }),
  cancelOrder: endpoint({
    ...change,
    method: 'DELETE',
    path: '/api/2/order/{clientOrderId}',
    params: params.orderParams,
    answer: order.v2.read,
  }),
  tradingBalances: endpoint({
    ...read,
    path: '/api/2/trading/balance',
    right: 'R1',
    params: params.noParams,
    answer: walletBalance.v3.decodeList,
    source: trading,
  }),
  tradingFees: endpoint({
    ...read,
    path: '/api/2/trading/fee/all',
    right: 'R2',
    params: params.noParams,
    answer: feeRates.v2.decodeList,
    source: orders,
  }),
  tradingFee: endpoint({
    ...read,
    path: '/api/2/trading/fee/{symbol}',
    right: 'R2',
    params: params.symbolParams,
    answer: (json, { symbol = '' }) => ({ symbol, ...feeOfSymbol.v2.decode(json) }),
    source: orders,
  }),
  orderHistory: endpoint({
    ...read,
    path: '/api/2/history/order',
    right: 'R1',
    params: params.orderHistoryParams,
    answer: order.v2.readList,
    source: orders,
  }),
  tradeHistory: endpoint({
    ...read,
    path: '/api/2/history/trades',
    right: 'R1',
    params: params.tradeHistoryParams,
    answer: ownTrade.v2.readList,
    source: trading,
  }),
  orderTrades: endpoint({
    ...read,
    path: '/api/2/history/order/{orderId}/trades',
    right: 'R1',
    params: params.orderTradesParams,
    answer: ownTrade.v2.readList,
    source: trading,
  }),
} as const;
