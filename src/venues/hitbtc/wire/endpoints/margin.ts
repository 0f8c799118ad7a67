import { get, patch, post, postJson, put, remove } from '../endpoint.ts';
import { addCode } from '../keyed.ts';
import {
  ammParams,
  amrParams,
  marginOrderHistoryParams,
  marginTradeHistoryParams,
  positionHistoryParams,
  v2ClosePositionParams,
  v2MarginAccountParams,
  v3ClosePositionParams,
  v3MarginAccountParams,
  v2MarginOrderParams,
  v2MarginPutOrderParams,
  v2OneOrderParams,
  v3MarginOrderListParams,
  v3MarginOrderParams,
  v3OneOrderParams,
  v3ReplaceParams,
  amrSetting,
  marginAccount,
  marginSetting,
  position,
  readHistoryRows,
  readMarginConfig,
  feeRates,
  spotBalance,
  spotBalanceOfCurrency,
  marginOrder,
  order,
  ownTrade,
} from '../resources/index.ts';
import { currencyParams, noParams, optionalSymbolParams, symbolParams } from '../param-fields.ts';

/** Accounts, positions, orders and history of one product, at its prefix. */
function rowsOf(product: 'margin' | 'futures') {
  const root = `/api/3/${product}`;
  return {
    Accounts: get(`${root}/account`, 'R1', noParams, marginAccount.v3.readList),
    IsolatedAccount: get(`${root}/account/isolated/{symbol}`, 'R1', symbolParams, marginAccount.v3.read),
    CrossAccount: get(`${root}/account/cross/{currency}`, 'R1', currencyParams, marginAccount.v3.read),
    SetAccount: put(
      `${root}/account/{margin_mode}/{instrument}`,
      'R2',
      v3MarginAccountParams,
      marginAccount.v3.read,
    ),
    ClosePositions: remove(`${root}/position`, 'R2', noParams, position.v3.readList),
    ClosePosition: remove(
      `${root}/position/{margin_mode}/{symbol}`,
      'R2',
      v3ClosePositionParams,
      position.v3.read,
    ),
    ActiveOrders: get(`${root}/order`, 'R1', optionalSymbolParams, marginOrder.v3.readList),
    ActiveOrder: get(`${root}/order/{client_order_id}`, 'R1', v3OneOrderParams, marginOrder.v3.read),
    NewOrder: post(`${root}/order`, 'R2', v3MarginOrderParams, marginOrder.v3.read),
    NewOrderList: postJson(`${root}/order/list`, 'R2', v3MarginOrderListParams, marginOrder.v3.readList),
    ReplaceOrder: patch(`${root}/order/{client_order_id}`, 'R2', v3ReplaceParams, marginOrder.v3.read),
    CancelOrders: remove(`${root}/order`, 'R2', optionalSymbolParams, marginOrder.v3.readList),
    CancelOrder: remove(`${root}/order/{client_order_id}`, 'R2', v3OneOrderParams, marginOrder.v3.read),
    Config: get(`${root}/config`, 'R1', noParams, readMarginConfig),
    Amr: put(`${root}/margin-settings/amr`, 'R2', amrParams, amrSetting.v3.read),
    OrderHistory: get(`${root}/history/order`, 'R1', marginOrderHistoryParams, marginOrder.v3.readList),
    TradeHistory: get(`${root}/history/trade`, 'R1', marginTradeHistoryParams, ownTrade.v3.readList),
    PositionHistory: get(`${root}/history/positions`, 'R1', positionHistoryParams, readHistoryRows),
    ClearingHistory: get(`${root}/history/clearing`, 'R1', positionHistoryParams, readHistoryRows),
  };
}

/** The rows of a table, each under its name with a prefix. */
function named<Prefix extends string, Table extends object>(
  prefix: Prefix,
  table: Table,
): { readonly [Name in keyof Table & string as `${Prefix}${Name}`]: Table[Name] } {
  const entries = Object.entries(table).map(([name, row]) => [`${prefix}${name}`, row] as const);
  return Object.fromEntries(entries) as {
    readonly [Name in keyof Table & string as `${Prefix}${Name}`]: Table[Name];
  };
}

/** Margin trading, with settings of all accounts. Source: API v3, "Margin"; v3-gaps, section 8. */
export const marginEndpoints = {
  marginSettings: get('/api/3/margin-settings', 'R1', noParams, marginSetting.v3.readList),
  marginAmm: put('/api/3/margin-settings/amm', 'R2', ammParams, marginSetting.v3.read),
  ...named('margin', rowsOf('margin')),
} as const;

/** Trading of contracts. Source: API v3, "Margin"; v3-gaps, section 8. */
export const futuresTradingEndpoints = {
  futuresBalances: get('/api/3/futures/balance', 'R1', noParams, spotBalance.v3.readList),
  futuresBalance: get(
    '/api/3/futures/balance/{currency}',
    'R1',
    currencyParams,
    addCode('currency', spotBalanceOfCurrency.v3.read),
  ),
  futuresFees: get('/api/3/futures/fee', 'R1', noParams, feeRates.v3.decodeList),
  futuresFee: get('/api/3/futures/fee/{symbol}', 'R1', symbolParams, feeRates.v3.decode),
  ...named('futures', rowsOf('futures')),
} as const;

/** Margin trading of v2. Source: v2-gaps, section 2. */
export const v2MarginEndpoints = {
  marginAccounts: get('/api/2/margin/account', 'R2', noParams, marginAccount.v2.readList),
  marginCloseAccounts: remove('/api/2/margin/account', 'R2', noParams, marginAccount.v2.readList),
  marginAccount: get('/api/2/margin/account/{symbol}', 'R2', symbolParams, marginAccount.v2.read),
  marginSetAccount: put('/api/2/margin/account/{symbol}', 'R2', v2MarginAccountParams, marginAccount.v2.read),
  marginCloseAccount: remove('/api/2/margin/account/{symbol}', 'R2', symbolParams, marginAccount.v2.read),
  marginPositions: get('/api/2/margin/position', 'R2', noParams, position.v2.readList),
  marginClosePositions: remove('/api/2/margin/position', 'R2', noParams, position.v2.readList),
  marginPosition: get('/api/2/margin/position/{symbol}', 'R2', symbolParams, position.v2.read),
  marginClosePosition: remove(
    '/api/2/margin/position/{symbol}',
    'R2',
    v2ClosePositionParams,
    position.v2.readList,
  ),
  marginOrders: get('/api/2/margin/order', 'R2', optionalSymbolParams, order.v2.readList),
  marginOrder: get('/api/2/margin/order/{clientOrderId}', 'R2', v2OneOrderParams, order.v2.read),
  marginNewOrder: post('/api/2/margin/order', 'R2', v2MarginOrderParams, order.v2.read),
  marginPutOrder: put('/api/2/margin/order/{clientOrderId}', 'R2', v2MarginPutOrderParams, order.v2.read),
  marginCancelOrders: remove('/api/2/margin/order', 'R2', optionalSymbolParams, order.v2.readList),
  marginCancelOrder: remove('/api/2/margin/order/{clientOrderId}', 'R2', v2OneOrderParams, order.v2.read),
} as const;
