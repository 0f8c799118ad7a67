import { z } from 'zod';
import { get, patch, post, postJson, put, remove } from '../endpoint.ts';
import { addCode } from '../keyed.ts';
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
  order,
  ownTrade,
  v2OneOrderParams,
  v2OrderParams,
  v2PutOrderParams,
  v2ReplaceParams,
  v3OneOrderParams,
  v3OrderListParams,
  v3OrderParams,
  v3ReplaceParams,
} from '../resources/index.ts';

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

/** Spot trading. Source: API v3, "Spot trading". */
export const spotEndpoints = {
  spotBalances: get('/api/3/spot/balance', 'R1', noParams, spotBalance.v3.readList),
  spotBalance: get(
    '/api/3/spot/balance/{currency}',
    'R1',
    currencyParams,
    addCode('currency', spotBalanceOfCurrency.v3.read),
  ),
  spotActiveOrders: get('/api/3/spot/order', 'R1', optionalSymbolParams, order.v3.readList),
  spotActiveOrder: get('/api/3/spot/order/{client_order_id}', 'R1', v3OneOrderParams, order.v3.read),
  spotNewOrder: post('/api/3/spot/order', 'R2', v3OrderParams, order.v3.read),
  spotNewOrderList: postJson('/api/3/spot/order/list', 'R2', v3OrderListParams, order.v3.readList),
  spotReplaceOrder: patch('/api/3/spot/order/{client_order_id}', 'R2', v3ReplaceParams, order.v3.read),
  spotCancelOrders: remove('/api/3/spot/order', 'R2', optionalSymbolParams, order.v3.readList),
  spotCancelOrder: remove('/api/3/spot/order/{client_order_id}', 'R2', v3OneOrderParams, order.v3.read),
  spotFees: get('/api/3/spot/fee', 'R1', noParams, feeRates.v3.decodeList),
  spotFee: get('/api/3/spot/fee/{symbol}', 'R2', symbolParams, feeRates.v3.decode),
  spotOrderHistory: get('/api/3/spot/history/order', 'R1', v3OrderHistoryParams, order.v3.readList),
  spotTradeHistory: get('/api/3/spot/history/trade', 'R1', v3TradeHistoryParams, ownTrade.v3.readList),
} as const;

/** Spot trading and its history, v2. Source: API v2, "Trading and history"; v2-gaps, section 1. */
export const v2TradingEndpoints = {
  activeOrders: get('/api/2/order', 'R2', optionalSymbolParams, order.v2.readList),
  activeOrder: get('/api/2/order/{clientOrderId}', 'R2', orderWaitParams, order.v2.read),
  newOrder: post('/api/2/order', 'R2', v2OrderParams, order.v2.read),
  putOrder: put('/api/2/order/{clientOrderId}', 'R2', v2PutOrderParams, order.v2.read),
  replaceOrder: patch('/api/2/order/{clientOrderId}', 'R2', v2ReplaceParams, order.v2.read),
  cancelOrders: remove('/api/2/order', 'R2', optionalSymbolParams, order.v2.readList),
  cancelOrder: remove('/api/2/order/{clientOrderId}', 'R2', v2OneOrderParams, order.v2.read),
  tradingBalances: get('/api/2/trading/balance', 'R1', noParams, walletBalance.v3.decodeList),
  tradingFees: get('/api/2/trading/fee/all', 'R2', noParams, feeRates.v2.decodeList),
  tradingFee: get(
    '/api/2/trading/fee/{symbol}',
    'R2',
    symbolParams,
    addCode('symbol', feeOfSymbol.v2.decode),
  ),
  orderHistory: get('/api/2/history/order', 'R1', v2OrderHistoryParams, order.v2.readList),
  tradeHistory: get('/api/2/history/trades', 'R1', v2TradeHistoryParams, ownTrade.v2.readList),
  orderTrades: get('/api/2/history/order/{orderId}/trades', 'R1', orderTradesParams, ownTrade.v2.readList),
} as const;
