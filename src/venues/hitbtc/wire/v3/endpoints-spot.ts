import { endpoint } from '../endpoint.ts';
import { order, ownTrade } from '../resources/order.ts';
import { v3OrderListParams, v3OrderParams, v3ReplaceParams } from './order-params.ts';
import * as params from './rest-params.ts';
import { feeRates, spotBalance, spotBalanceOfCurrency } from '../resources/account.ts';

const get = { method: 'GET', payload: 'query' } as const;

/** Spot trading. */
export const spotEndpoints = {
  spotBalances: endpoint({
    ...get,
    path: '/api/3/spot/balance',
    right: 'R1',
    params: params.noParams,
    answer: spotBalance.v3.readList,
    source: 'API v3, "Spot trading"',
  }),
  spotBalance: endpoint({
    ...get,
    path: '/api/3/spot/balance/{currency}',
    right: 'R1',
    params: params.currencyParams,
    answer: (json, { currency = '' }) => ({ currency, ...spotBalanceOfCurrency.v3.read(json) }),
    source: 'API v3, "Spot trading"',
  }),
  spotActiveOrders: endpoint({
    ...get,
    path: '/api/3/spot/order',
    right: 'R1',
    params: params.optionalSymbolParams,
    answer: order.v3.readList,
    source: 'API v3, "Spot trading"',
  }),
  spotActiveOrder: endpoint({
    ...get,
    path: '/api/3/spot/order/{client_order_id}',
    right: 'R1',
    params: params.orderParams,
    answer: order.v3.read,
    source: 'API v3, "Spot trading"',
  }),
  spotNewOrder: endpoint({
    method: 'POST',
    payload: 'form',
    path: '/api/3/spot/order',
    right: 'R2',
    params: v3OrderParams,
    answer: order.v3.read,
    source: 'API v3, "Spot trading"',
  }),
  spotNewOrderList: endpoint({
    method: 'POST',
    payload: 'json',
    path: '/api/3/spot/order/list',
    right: 'R2',
    params: v3OrderListParams,
    answer: order.v3.readList,
    source: 'API v3, "Spot trading"',
  }),
  spotReplaceOrder: endpoint({
    method: 'PATCH',
    payload: 'form',
    path: '/api/3/spot/order/{client_order_id}',
    right: 'R2',
    params: v3ReplaceParams,
    answer: order.v3.read,
    source: 'API v3, "Spot trading"',
  }),
  spotCancelOrders: endpoint({
    method: 'DELETE',
    payload: 'form',
    path: '/api/3/spot/order',
    right: 'R2',
    params: params.optionalSymbolParams,
    answer: order.v3.readList,
    source: 'API v3, "Spot trading"',
  }),
  spotCancelOrder: endpoint({
    method: 'DELETE',
    payload: 'form',
    path: '/api/3/spot/order/{client_order_id}',
    right: 'R2',
    params: params.orderParams,
    answer: order.v3.read,
    source: 'API v3, "Spot trading"',
  }),
  spotFees: endpoint({
    ...get,
    path: '/api/3/spot/fee',
    right: 'R1',
    params: params.noParams,
    answer: feeRates.v3.decodeList,
    source: 'API v3, "Spot trading"',
  }),
  spotFee: endpoint({
    ...get,
    path: '/api/3/spot/fee/{symbol}',
    right: 'R2',
    params: params.symbolParams,
    answer: feeRates.v3.decode,
    source: 'API v3, "Spot trading"',
  }),
  spotOrderHistory: endpoint({
    ...get,
    path: '/api/3/spot/history/order',
    right: 'R1',
    params: params.orderHistoryParams,
    answer: order.v3.readList,
    source: 'API v3, "Spot trading"',
  }),
  spotTradeHistory: endpoint({
    ...get,
    path: '/api/3/spot/history/trade',
    right: 'R1',
    params: params.tradeHistoryParams,
    answer: ownTrade.v3.readList,
    source: 'API v3, "Spot trading"',
  }),
} as const;
