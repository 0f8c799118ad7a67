import { z } from 'zod';
import type { Instruments } from '../../../../core/model/instrument.ts';
import { decodeBalance, decodeBalances } from '../balances.ts';
import { endpoint } from '../endpoint.ts';
import { parseList, parseWith } from '../fields.ts';
import { decodeV3Fee, decodeV3Fees } from './fees.ts';
import * as margin from './margin-params.ts';
import { decodeMarginAccount, decodePosition } from './margin-rows.ts';
import { v3ReplaceParams } from './order-params.ts';
import { decodeV3ListedOrder, decodeV3OrderWithFills } from './orders.ts';
import { readV3MarginSetting, readV3MarginSettings } from './resources-margin.ts';
import * as params from './rest-params.ts';

const records = z.array(z.record(z.string(), z.unknown()));
const decodeAccounts = (json: unknown) => parseList(json, 'margin accounts', decodeMarginAccount);
const decodePositions = (json: unknown) => parseList(json, 'positions', decodePosition);
const decodeOrders = (json: unknown, instruments: Instruments) =>
  parseList(json, 'v3 orders', (row) => decodeV3ListedOrder(row, instruments));
const decodeRecords = (json: unknown) => parseWith(records, json, 'history');
const decodeConfig = (json: unknown) => parseWith(z.object({ config: records }), json, 'config').config;
const decodeAmr = (json: unknown) =>
  parseWith(z.object({ margin_mode: z.string(), amr: z.boolean() }), json, 'amr');

const get = { method: 'GET', payload: 'query', right: 'R1', source: 'API v3, "Margin"' } as const;
const change = { payload: 'form', right: 'R2', source: 'API v3, "Margin"' } as const;

/** Accounts and positions of one wing, at its prefix. Source: API v3, "Margin"; v3-gaps, section 8. */
function rowsOf(prefix: 'margin' | 'futures') {
  const root = `/api/3/${prefix}`;
  const none = params.noParams;
  return {
    accounts: endpoint({ ...get, path: `${root}/account`, params: none, decode: decodeAccounts }),
    isolatedAccount: endpoint({
      ...get,
      path: `${root}/account/isolated/{symbol}`,
      params: params.symbolParams,
      decode: decodeMarginAccount,
    }),
    crossAccount: endpoint({
      ...get,
      path: `${root}/account/cross/{currency}`,
      params: params.currencyParams,
      decode: decodeMarginAccount,
    }),
    setAccount: endpoint({
      ...change,
      method: 'PUT',
      path: `${root}/account/{margin_mode}/{instrument}`,
      params: margin.marginAccountParams,
      decode: decodeMarginAccount,
    }),
    closePositions: endpoint({
      ...change,
      method: 'DELETE',
      path: `${root}/position`,
      params: none,
      decode: decodePositions,
    }),
    closePosition: endpoint({
      ...change,
      method: 'DELETE',
      path: `${root}/position/{margin_mode}/{symbol}`,
      params: margin.closePositionParams,
      decode: decodePosition,
    }),
  } as const;
}

/** Orders, settings and history of one wing. */
function orderRowsOf(prefix: 'margin' | 'futures') {
  const root = `/api/3/${prefix}`;
  const none = params.noParams;
  return {
    orders: endpoint({
      ...get,
      path: `${root}/order`,
      params: params.optionalSymbolParams,
      decode: decodeOrders,
    }),
    order: endpoint({
      ...get,
      path: `${root}/order/{client_order_id}`,
      params: params.orderParams,
      decode: decodeV3OrderWithFills,
    }),
    newOrder: endpoint({
      ...change,
      method: 'POST',
      path: `${root}/order`,
      params: margin.marginOrderParams,
      decode: decodeV3OrderWithFills,
    }),
    newOrderList: endpoint({
      ...change,
      method: 'POST',
      payload: 'json',
      path: `${root}/order/list`,
      params: margin.marginOrderListParams,
      decode: decodeOrders,
    }),
    replaceOrder: endpoint({
      ...change,
      method: 'PATCH',
      path: `${root}/order/{client_order_id}`,
      params: v3ReplaceParams,
      decode: decodeV3OrderWithFills,
    }),
    cancelOrders: endpoint({
      ...change,
      method: 'DELETE',
      path: `${root}/order`,
      params: params.optionalSymbolParams,
      decode: decodeOrders,
    }),
    cancelOrder: endpoint({
      ...change,
      method: 'DELETE',
      path: `${root}/order/{client_order_id}`,
      params: params.orderParams,
      decode: decodeV3OrderWithFills,
    }),
    config: endpoint({ ...get, path: `${root}/config`, params: none, decode: decodeConfig }),
    amr: endpoint({
      ...change,
      method: 'PUT',
      path: `${root}/margin-settings/amr`,
      params: margin.amrParams,
      decode: decodeAmr,
    }),
  } as const;
}

/** History of one wing. */
function historyRowsOf(prefix: 'margin' | 'futures') {
  const root = `/api/3/${prefix}`;
  return {
    orderHistory: endpoint({
      ...get,
      path: `${root}/history/order`,
      params: margin.marginOrderHistoryParams,
      decode: decodeOrders,
    }),
    tradeHistory: endpoint({
      ...get,
      path: `${root}/history/trade`,
      params: margin.marginTradeHistoryParams,
      decode: decodeRecords,
    }),
    positionHistory: endpoint({
      ...get,
      path: `${root}/history/positions`,
      params: margin.positionHistoryParams,
      decode: decodeRecords,
    }),
    clearingHistory: endpoint({
      ...get,
      path: `${root}/history/clearing`,
      params: margin.positionHistoryParams,
      decode: decodeRecords,
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
    decode: readV3MarginSettings,
    source: marketData,
  }),
  marginAmm: endpoint({
    ...change,
    method: 'PUT',
    path: '/api/3/margin-settings/amm',
    params: margin.ammParams,
    decode: readV3MarginSetting,
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
    decode: decodeBalances,
  }),
  futuresBalance: endpoint({
    ...get,
    path: '/api/3/futures/balance/{currency}',
    params: params.currencyParams,
    decode: decodeBalance,
  }),
  futuresFees: endpoint({
    ...get,
    path: '/api/3/futures/fee',
    params: params.noParams,
    decode: decodeV3Fees,
  }),
  futuresFee: endpoint({
    ...get,
    path: '/api/3/futures/fee/{symbol}',
    params: params.symbolParams,
    decode: decodeV3Fee,
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
