import type { Instruments } from '../../../../core/model/instrument.ts';
import { decodeBalance, decodeBalances } from '../balances.ts';
import { endpoint } from '../endpoint.ts';
import { parseList } from '../fields.ts';
import { decodeV3Fee, decodeV3Fees } from './fees.ts';
import { decodeV3ListedOrder, decodeV3Order, decodeV3OrderWithFills, decodeV3OwnTrade } from './orders.ts';
import { v3OrderListParams, v3OrderParams, v3ReplaceParams } from './order-params.ts';
import * as params from './rest-params.ts';

const get = { method: 'GET', payload: 'query' } as const;

/** Spot trading. */
export const spotEndpoints = {
  spotBalances: endpoint({
    ...get,
    path: '/api/3/spot/balance',
    right: 'R1',
    params: params.noParams,
    decode: decodeBalances,
    source: 'API v3, "Spot trading"',
  }),
  spotBalance: endpoint({
    ...get,
    path: '/api/3/spot/balance/{currency}',
    right: 'R1',
    params: params.currencyParams,
    decode: decodeBalance,
    source: 'API v3, "Spot trading"',
  }),
  spotActiveOrders: endpoint({
    ...get,
    path: '/api/3/spot/order',
    right: 'R1',
    params: params.optionalSymbolParams,
    decode: decodeOrders,
    source: 'API v3, "Spot trading"',
  }),
  spotActiveOrder: endpoint({
    ...get,
    path: '/api/3/spot/order/{client_order_id}',
    right: 'R1',
    params: params.orderParams,
    decode: decodeV3OrderWithFills,
    source: 'API v3, "Spot trading"',
  }),
  spotNewOrder: endpoint({
    method: 'POST',
    payload: 'form',
    path: '/api/3/spot/order',
    right: 'R2',
    params: v3OrderParams,
    decode: decodeV3OrderWithFills,
    source: 'API v3, "Spot trading"',
  }),
  spotNewOrderList: endpoint({
    method: 'POST',
    payload: 'json',
    path: '/api/3/spot/order/list',
    right: 'R2',
    params: v3OrderListParams,
    decode: decodeListedOrders,
    source: 'API v3, "Spot trading"',
  }),
  spotReplaceOrder: endpoint({
    method: 'PATCH',
    payload: 'form',
    path: '/api/3/spot/order/{client_order_id}',
    right: 'R2',
    params: v3ReplaceParams,
    decode: decodeV3OrderWithFills,
    source: 'API v3, "Spot trading"',
  }),
  spotCancelOrders: endpoint({
    method: 'DELETE',
    payload: 'form',
    path: '/api/3/spot/order',
    right: 'R2',
    params: params.optionalSymbolParams,
    decode: decodeOrders,
    source: 'API v3, "Spot trading"',
  }),
  spotCancelOrder: endpoint({
    method: 'DELETE',
    payload: 'form',
    path: '/api/3/spot/order/{client_order_id}',
    right: 'R2',
    params: params.orderParams,
    decode: decodeV3OrderWithFills,
    source: 'API v3, "Spot trading"',
  }),
  spotFees: endpoint({
    ...get,
    path: '/api/3/spot/fee',
    right: 'R1',
    params: params.noParams,
    decode: decodeV3Fees,
    source: 'API v3, "Spot trading"',
  }),
  spotFee: endpoint({
    ...get,
    path: '/api/3/spot/fee/{symbol}',
    right: 'R2',
    params: params.symbolParams,
    decode: decodeV3Fee,
    source: 'API v3, "Spot trading"',
  }),
  spotOrderHistory: endpoint({
    ...get,
    path: '/api/3/spot/history/order',
    right: 'R1',
    params: params.orderHistoryParams,
    decode: decodeOrders,
    source: 'API v3, "Spot trading"',
  }),
  spotTradeHistory: endpoint({
    ...get,
    path: '/api/3/spot/history/trade',
    right: 'R1',
    params: params.tradeHistoryParams,
    decode: decodeOwnTrades,
    source: 'API v3, "Spot trading"',
  }),
} as const;

function decodeOrders(json: unknown, instruments: Instruments) {
  return parseList(json, 'v3 orders', (row) => decodeV3Order(row, instruments));
}

function decodeListedOrders(json: unknown, instruments: Instruments) {
  return parseList(json, 'v3 order list', (row) => decodeV3ListedOrder(row, instruments));
}

function decodeOwnTrades(json: unknown, instruments: Instruments) {
  return parseList(json, 'v3 trades', (row) => decodeV3OwnTrade(row, instruments));
}
