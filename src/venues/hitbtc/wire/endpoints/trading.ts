import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { ignoringOthers, pagedParams, v2Page } from '../paged-params.ts';
import {
  codeParam,
  idBoundParam,
  idParam,
  integerParam,
  listParam,
  textParam,
  noParams,
  symbolParams,
  optionalSymbolParams,
  currencyParams,
} from '../param-fields.ts';
import {
  feeOfSymbol,
  feeRates,
  spotBalance,
  spotBalanceOfCurrency,
  walletBalance,
} from '../resources/account.ts';
import { order, ownTrade } from '../resources/order.ts';
import * as requests from '../resources/order-request.ts';

/** Source: API v3, GET /api/3/spot/history/order: with `client_order_id` everything else is ignored. */
const v3OrderHistoryParams = ignoringOthers(
  'client_order_id',
  pagedParams(
    { client_order_id: textParam.optional(), symbol: listParam.optional() },
    { sort: 'DESC', by: 'id', limit: 100, limitMin: 1 },
  ),
);
/** Source: API v3, GET /api/3/spot/history/trade. */
const v3TradeHistoryParams = pagedParams(
  { order_id: idParam.optional(), symbol: listParam.optional() },
  { sort: 'DESC', by: 'id', limit: 100, limitMin: 1 },
);

/** The longest a read waits for the end of an order, in milliseconds. Source: v2-gaps, section 1. */
const waitMsMax = 60_000;
const orderWaitParams = z.object({
  clientOrderId: textParam,
  wait: integerParam(0, waitMsMax).optional(),
});

/** With `clientOrderId` everything else is ignored. Source: v2-gaps, section 1. */
const v2OrderHistoryParams = ignoringOthers(
  'clientOrderId',
  pagedParams({ clientOrderId: textParam.optional(), symbol: codeParam.optional() }, v2Page),
);
/** Source: API v2, GET /api/2/history/trades. */
const v2TradeHistoryParams = pagedParams(
  {
    symbol: codeParam.optional(),
    margin: z
      .enum(['include', 'only', 'ignore'], { error: 'Parameter must be include, only or ignore' })
      .default('include'),
  },
  { ...v2Page, by: 'id' },
);
const orderTradesParams = z.object({ orderId: idBoundParam });

const get = { method: 'GET', payload: 'query' } as const;

/** Spot trading. */
export const spotEndpoints = {
  spotBalances: endpoint({
    ...get,
    path: '/api/3/spot/balance',
    right: 'R1',
    params: noParams,
    answer: spotBalance.v3.readList,
    source: 'API v3, "Spot trading"',
  }),
  spotBalance: endpoint({
    ...get,
    path: '/api/3/spot/balance/{currency}',
    right: 'R1',
    params: currencyParams,
    answer: (json, { currency = '' }) => ({ currency, ...spotBalanceOfCurrency.v3.read(json) }),
    source: 'API v3, "Spot trading"',
  }),
  spotActiveOrders: endpoint({
    ...get,
    path: '/api/3/spot/order',
    right: 'R1',
    params: optionalSymbolParams,
    answer: order.v3.readList,
    source: 'API v3, "Spot trading"',
  }),
  spotActiveOrder: endpoint({
    ...get,
    path: '/api/3/spot/order/{client_order_id}',
    right: 'R1',
    params: requests.v3OneOrderParams,
    answer: order.v3.read,
    source: 'API v3, "Spot trading"',
  }),
  spotNewOrder: endpoint({
    method: 'POST',
    payload: 'form',
    path: '/api/3/spot/order',
    right: 'R2',
    params: requests.v3OrderParams,
    answer: order.v3.read,
    source: 'API v3, "Spot trading"',
  }),
  spotNewOrderList: endpoint({
    method: 'POST',
    payload: 'json',
    path: '/api/3/spot/order/list',
    right: 'R2',
    params: requests.v3OrderListParams,
    answer: order.v3.readList,
    source: 'API v3, "Spot trading"',
  }),
  spotReplaceOrder: endpoint({
    method: 'PATCH',
    payload: 'form',
    path: '/api/3/spot/order/{client_order_id}',
    right: 'R2',
    params: requests.v3ReplaceParams,
    answer: order.v3.read,
    source: 'API v3, "Spot trading"',
  }),
  spotCancelOrders: endpoint({
    method: 'DELETE',
    payload: 'form',
    path: '/api/3/spot/order',
    right: 'R2',
    params: optionalSymbolParams,
    answer: order.v3.readList,
    source: 'API v3, "Spot trading"',
  }),
  spotCancelOrder: endpoint({
    method: 'DELETE',
    payload: 'form',
    path: '/api/3/spot/order/{client_order_id}',
    right: 'R2',
    params: requests.v3OneOrderParams,
    answer: order.v3.read,
    source: 'API v3, "Spot trading"',
  }),
  spotFees: endpoint({
    ...get,
    path: '/api/3/spot/fee',
    right: 'R1',
    params: noParams,
    answer: feeRates.v3.decodeList,
    source: 'API v3, "Spot trading"',
  }),
  spotFee: endpoint({
    ...get,
    path: '/api/3/spot/fee/{symbol}',
    right: 'R2',
    params: symbolParams,
    answer: feeRates.v3.decode,
    source: 'API v3, "Spot trading"',
  }),
  spotOrderHistory: endpoint({
    ...get,
    path: '/api/3/spot/history/order',
    right: 'R1',
    params: v3OrderHistoryParams,
    answer: order.v3.readList,
    source: 'API v3, "Spot trading"',
  }),
  spotTradeHistory: endpoint({
    ...get,
    path: '/api/3/spot/history/trade',
    right: 'R1',
    params: v3TradeHistoryParams,
    answer: ownTrade.v3.readList,
    source: 'API v3, "Spot trading"',
  }),
} as const;

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
    params: optionalSymbolParams,
    answer: order.v2.readList,
    source: orders,
  }),
  activeOrder: endpoint({
    ...read,
    path: '/api/2/order/{clientOrderId}',
    right: 'R2',
    params: orderWaitParams,
    answer: order.v2.read,
    source: orders,
  }),
  newOrder: endpoint({
    ...change,
    method: 'POST',
    path: '/api/2/order',
    params: requests.v2OrderParams,
    answer: order.v2.read,
  }),
  putOrder: endpoint({
    ...change,
    method: 'PUT',
    path: '/api/2/order/{clientOrderId}',
    params: requests.v2PutOrderParams,
    answer: order.v2.read,
  }),
  replaceOrder: endpoint({
    ...change,
    method: 'PATCH',
    path: '/api/2/order/{clientOrderId}',
    params: requests.v2ReplaceParams,
    answer: order.v2.read,
  }),
  cancelOrders: endpoint({
    ...change,
    method: 'DELETE',
    path: '/api/2/order',
    params: optionalSymbolParams,
    answer: order.v2.readList,
  }),
  cancelOrder: endpoint({
    ...change,
    method: 'DELETE',
    path: '/api/2/order/{clientOrderId}',
    params: requests.v2OneOrderParams,
    answer: order.v2.read,
  }),
  tradingBalances: endpoint({
    ...read,
    path: '/api/2/trading/balance',
    right: 'R1',
    params: noParams,
    answer: walletBalance.v3.decodeList,
    source: trading,
  }),
  tradingFees: endpoint({
    ...read,
    path: '/api/2/trading/fee/all',
    right: 'R2',
    params: noParams,
    answer: feeRates.v2.decodeList,
    source: orders,
  }),
  tradingFee: endpoint({
    ...read,
    path: '/api/2/trading/fee/{symbol}',
    right: 'R2',
    params: symbolParams,
    answer: (json, { symbol = '' }) => ({ symbol, ...feeOfSymbol.v2.decode(json) }),
    source: orders,
  }),
  orderHistory: endpoint({
    ...read,
    path: '/api/2/history/order',
    right: 'R1',
    params: v2OrderHistoryParams,
    answer: order.v2.readList,
    source: orders,
  }),
  tradeHistory: endpoint({
    ...read,
    path: '/api/2/history/trades',
    right: 'R1',
    params: v2TradeHistoryParams,
    answer: ownTrade.v2.readList,
    source: trading,
  }),
  orderTrades: endpoint({
    ...read,
    path: '/api/2/history/order/{orderId}/trades',
    right: 'R1',
    params: orderTradesParams,
    answer: ownTrade.v2.readList,
    source: trading,
  }),
} as const;
