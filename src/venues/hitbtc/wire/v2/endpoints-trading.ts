import type { Instruments } from '../../../../core/model/instrument.ts';
import { decodeBalances } from '../balances.ts';
import { endpoint } from '../endpoint.ts';
import { parseList } from '../fields.ts';
import { decodeV2Fee, decodeV2Fees } from './fees.ts';
import { decodeV2HistoryOrder, decodeV2Order, decodeV2OrderWithFills, decodeV2OwnTrade } from './orders.ts';
import * as params from './rest-params.ts';
import { v2OrderParams, v2PutOrderParams, v2ReplaceParams } from './trading-methods.ts';

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
    decode: decodeOrders,
    source: orders,
  }),
  activeOrder: endpoint({
    ...read,
    path: '/api/2/order/{clientOrderId}',
    right: 'R2',
    params: params.orderWaitParams,
    decode: decodeV2Order,
    source: orders,
  }),
  newOrder: endpoint({
    ...change,
    method: 'POST',
    path: '/api/2/order',
    params: v2OrderParams,
    decode: decodeV2OrderWithFills,
  }),
  putOrder: endpoint({
    ...change,
    method: 'PUT',
    path: '/api/2/order/{clientOrderId}',
    params: v2PutOrderParams,
    decode: decodeV2OrderWithFills,
  }),
  replaceOrder: endpoint({
    ...change,
    method: 'PATCH',
    path: '/api/2/order/{clientOrderId}',
    params: v2ReplaceParams,
    decode: decodeV2OrderWithFills,
  }),
  cancelOrders: endpoint({
    ...change,
    method: 'DELETE',
    path: '/api/2/order',
    params: params.optionalSymbolParams,
    decode: decodeOrders,
  }),
  cancelOrder: endpoint({
    ...change,
    method: 'DELETE',
    path: '/api/2/order/{clientOrderId}',
    params: params.orderParams,
    decode: decodeV2Order,
  }),
  tradingBalances: endpoint({
    ...read,
    path: '/api/2/trading/balance',
    right: 'R1',
    params: params.noParams,
    decode: decodeBalances,
    source: trading,
  }),
  tradingFees: endpoint({
    ...read,
    path: '/api/2/trading/fee/all',
    right: 'R2',
    params: params.noParams,
    decode: decodeV2Fees,
    source: orders,
  }),
  tradingFee: endpoint({
    ...read,
    path: '/api/2/trading/fee/{symbol}',
    right: 'R2',
    params: params.symbolParams,
    decode: decodeV2Fee,
    source: orders,
  }),
  orderHistory: endpoint({
    ...read,
    path: '/api/2/history/order',
    right: 'R1',
    params: params.orderHistoryParams,
    decode: decodeHistory,
    source: orders,
  }),
  tradeHistory: endpoint({
    ...read,
    path: '/api/2/history/trades',
    right: 'R1',
    params: params.tradeHistoryParams,
    decode: decodeOwnTrades,
    source: trading,
  }),
  orderTrades: endpoint({
    ...read,
    path: '/api/2/history/order/{orderId}/trades',
    right: 'R1',
    params: params.orderTradesParams,
    decode: decodeOwnTrades,
    source: trading,
  }),
} as const;

function decodeOrders(json: unknown, instruments: Instruments) {
  return parseList(json, 'v2 orders', (row) => decodeV2Order(row, instruments));
}

function decodeHistory(json: unknown, instruments: Instruments) {
  return parseList(json, 'v2 order history', (row) => decodeV2HistoryOrder(row, instruments));
}

function decodeOwnTrades(json: unknown, instruments: Instruments) {
  return parseList(json, 'v2 trades', (row) => decodeV2OwnTrade(row, instruments));
}
