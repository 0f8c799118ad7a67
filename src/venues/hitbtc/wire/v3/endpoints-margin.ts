import { endpoint } from '../endpoint.ts';
import { marginOrder, ownTrade } from '../resources/order.ts';
import * as margin from '../resources/margin-request.ts';
import * as requests from '../resources/order-request.ts';
import * as resources from '../resources/margin.ts';
import * as params from '../param-fields.ts';
import { feeRates, spotBalance, spotBalanceOfCurrency } from '../resources/account.ts';

const get = { method: 'GET', payload: 'query', right: 'R1', source: 'API v3, "Margin"' } as const;
const change = { payload: 'form', right: 'R2', source: 'API v3, "Margin"' } as const;

/** Accounts and positions of one product, at its prefix. Source: API v3, "Margin"; v3-gaps, section 8. */
function rowsOf(prefix: 'margin' | 'futures') {
  const root = `/api/3/${prefix}`;
  const none = params.noParams;
  return {
    accounts: endpoint({
      ...get,
      path: `${root}/account`,
      params: none,
      answer: resources.marginAccount.v3.readList,
    }),
    isolatedAccount: endpoint({
      ...get,
      path: `${root}/account/isolated/{symbol}`,
      params: params.symbolParams,
      answer: resources.marginAccount.v3.read,
    }),
    crossAccount: endpoint({
      ...get,
      path: `${root}/account/cross/{currency}`,
      params: params.currencyParams,
      answer: resources.marginAccount.v3.read,
    }),
    setAccount: endpoint({
      ...change,
      method: 'PUT',
      path: `${root}/account/{margin_mode}/{instrument}`,
      params: margin.v3MarginAccountParams,
      answer: resources.marginAccount.v3.read,
    }),
    closePositions: endpoint({
      ...change,
      method: 'DELETE',
      path: `${root}/position`,
      params: none,
      answer: resources.position.v3.readList,
    }),
    closePosition: endpoint({
      ...change,
      method: 'DELETE',
      path: `${root}/position/{margin_mode}/{symbol}`,
      params: margin.v3ClosePositionParams,
      answer: resources.position.v3.read,
    }),
  } as const;
}

/** Orders, settings and history of one product. */
function orderRowsOf(prefix: 'margin' | 'futures') {
  const root = `/api/3/${prefix}`;
  const none = params.noParams;
  return {
    orders: endpoint({
      ...get,
      path: `${root}/order`,
      params: params.optionalSymbolParams,
      answer: marginOrder.v3.readList,
    }),
    order: endpoint({
      ...get,
      path: `${root}/order/{client_order_id}`,
      params: requests.v3OneOrderParams,
      answer: marginOrder.v3.read,
    }),
    newOrder: endpoint({
      ...change,
      method: 'POST',
      path: `${root}/order`,
      params: requests.v3MarginOrderParams,
      answer: marginOrder.v3.read,
    }),
    newOrderList: endpoint({
      ...change,
      method: 'POST',
      payload: 'json',
      path: `${root}/order/list`,
      params: requests.v3MarginOrderListParams,
      answer: marginOrder.v3.readList,
    }),
    replaceOrder: endpoint({
      ...change,
      method: 'PATCH',
      path: `${root}/order/{client_order_id}`,
      params: requests.v3ReplaceParams,
      answer: marginOrder.v3.read,
    }),
    cancelOrders: endpoint({
      ...change,
      method: 'DELETE',
      path: `${root}/order`,
      params: params.optionalSymbolParams,
      answer: marginOrder.v3.readList,
    }),
    cancelOrder: endpoint({
      ...change,
      method: 'DELETE',
      path: `${root}/order/{client_order_id}`,
      params: requests.v3OneOrderParams,
      answer: marginOrder.v3.read,
    }),
    config: endpoint({ ...get, path: `${root}/config`, params: none, answer: resources.readMarginConfig }),
    amr: endpoint({
      ...change,
      method: 'PUT',
      path: `${root}/margin-settings/amr`,
      params: margin.amrParams,
      answer: resources.amrSetting.v3.read,
    }),
  } as const;
}

/** History of one product account. */
function historyRowsOf(prefix: 'margin' | 'futures') {
  const root = `/api/3/${prefix}`;
  return {
    orderHistory: endpoint({
      ...get,
      path: `${root}/history/order`,
      params: margin.marginOrderHistoryParams,
      answer: marginOrder.v3.readList,
    }),
    tradeHistory: endpoint({
      ...get,
      path: `${root}/history/trade`,
      params: margin.marginTradeHistoryParams,
      answer: ownTrade.v3.readList,
    }),
    positionHistory: endpoint({
      ...get,
      path: `${root}/history/positions`,
      params: margin.positionHistoryParams,
      answer: resources.readHistoryRows,
    }),
    clearingHistory: endpoint({
      ...get,
      path: `${root}/history/clearing`,
      params: margin.positionHistoryParams,
      answer: resources.readHistoryRows,
    }),
  } as const;
}

const m = { ...rowsOf('margin'), ...orderRowsOf('margin'), ...historyRowsOf('margin') };
const f = { ...rowsOf('futures'), ...orderRowsOf('futures'), ...historyRowsOf('futures') };

const marketData = 'v3-gaps, section 8';

/** Margin trading. */
export const marginEndpoints = {
  marginSettings: endpoint({
    ...get,
    path: '/api/3/margin-settings',
    params: params.noParams,
    answer: resources.marginSetting.v3.readList,
    source: marketData,
  }),
  marginAmm: endpoint({
    ...change,
    method: 'PUT',
    path: '/api/3/margin-settings/amm',
    params: margin.ammParams,
    answer: resources.marginSetting.v3.read,
    source: marketData,
  }),
  marginAccounts: m.accounts,
  marginIsolatedAccount: m.isolatedAccount,
  marginCrossAccount: m.crossAccount,
  marginSetAccount: m.setAccount,
  marginClosePositions: m.closePositions,
  marginClosePosition: m.closePosition,
  marginActiveOrders: m.orders,
  marginActiveOrder: m.order,
  marginNewOrder: m.newOrder,
  marginNewOrderList: m.newOrderList,
  marginReplaceOrder: m.replaceOrder,
  marginCancelOrders: m.cancelOrders,
  marginCancelOrder: m.cancelOrder,
  marginConfig: m.config,
  marginAmr: m.amr,
  marginOrderHistory: m.orderHistory,
  marginTradeHistory: m.tradeHistory,
  marginPositionHistory: m.positionHistory,
  marginClearingHistory: m.clearingHistory,
} as const;

/** Trading of contracts. */
export const futuresTradingEndpoints = {
  futuresBalances: endpoint({
    ...get,
    path: '/api/3/futures/balance',
    params: params.noParams,
    answer: spotBalance.v3.readList,
  }),
  futuresBalance: endpoint({
    ...get,
    path: '/api/3/futures/balance/{currency}',
    params: params.currencyParams,
    answer: (json, { currency = '' }) => ({ currency, ...spotBalanceOfCurrency.v3.read(json) }),
  }),
  futuresFees: endpoint({
    ...get,
    path: '/api/3/futures/fee',
    params: params.noParams,
    answer: feeRates.v3.decodeList,
  }),
  futuresFee: endpoint({
    ...get,
    path: '/api/3/futures/fee/{symbol}',
    params: params.symbolParams,
    answer: feeRates.v3.decode,
  }),
  futuresAccounts: f.accounts,
  futuresIsolatedAccount: f.isolatedAccount,
  futuresCrossAccount: f.crossAccount,
  futuresSetAccount: f.setAccount,
  futuresClosePositions: f.closePositions,
  futuresClosePosition: f.closePosition,
  futuresActiveOrders: f.orders,
  futuresActiveOrder: f.order,
  futuresNewOrder: f.newOrder,
  futuresNewOrderList: f.newOrderList,
  futuresReplaceOrder: f.replaceOrder,
  futuresCancelOrders: f.cancelOrders,
  futuresCancelOrder: f.cancelOrder,
  futuresConfig: f.config,
  futuresAmr: f.amr,
  futuresOrderHistory: f.orderHistory,
  futuresTradeHistory: f.tradeHistory,
  futuresPositionHistory: f.positionHistory,
  futuresClearingHistory: f.clearingHistory,
} as const;
