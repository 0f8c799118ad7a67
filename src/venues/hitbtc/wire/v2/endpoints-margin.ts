import type { Instruments } from '../../../../core/model/instrument.ts';
import { endpoint } from '../endpoint.ts';
import { parseList } from '../fields.ts';
import * as margin from './margin-params.ts';
import { decodeV2MarginAccount, decodeV2Position } from './margin-rows.ts';
import { decodeV2Order, decodeV2OrderWithFills } from './orders.ts';
import * as params from './rest-params.ts';

const root = '/api/2/margin';
const common = { right: 'R2', source: 'v2-gaps, section 2' } as const;
const get = { ...common, method: 'GET', payload: 'query' } as const;
const remove = { ...common, method: 'DELETE', payload: 'form' } as const;
const accounts = (json: unknown) => parseList(json, 'v2 margin accounts', decodeV2MarginAccount);
const positions = (json: unknown) => parseList(json, 'v2 positions', decodeV2Position);
const orders = (json: unknown, instruments: Instruments) =>
  parseList(json, 'v2 orders', (row) => decodeV2Order(row, instruments));
const { noParams, symbolParams, optionalSymbolParams, orderParams } = params;

/** Margin trading of v2. */
export const v2MarginEndpoints = {
  marginAccounts: endpoint({ ...get, path: `${root}/account`, params: noParams, decode: accounts }),
  marginCloseAccounts: endpoint({ ...remove, path: `${root}/account`, params: noParams, decode: accounts }),
  marginAccount: endpoint({
    ...get,
    path: `${root}/account/{symbol}`,
    params: symbolParams,
    decode: decodeV2MarginAccount,
  }),
  marginSetAccount: endpoint({
    ...common,
    method: 'PUT',
    payload: 'form',
    path: `${root}/account/{symbol}`,
    params: margin.v2MarginAccountParams,
    decode: decodeV2MarginAccount,
  }),
  marginCloseAccount: endpoint({
    ...remove,
    path: `${root}/account/{symbol}`,
    params: symbolParams,
    decode: decodeV2MarginAccount,
  }),
  marginPositions: endpoint({ ...get, path: `${root}/position`, params: noParams, decode: positions }),
  marginClosePositions: endpoint({
    ...remove,
    path: `${root}/position`,
    params: noParams,
    decode: positions,
  }),
  marginPosition: endpoint({
    ...get,
    path: `${root}/position/{symbol}`,
    params: symbolParams,
    decode: decodeV2Position,
  }),
  marginClosePosition: endpoint({
    ...remove,
    path: `${root}/position/{symbol}`,
    params: margin.v2ClosePositionParams,
    decode: positions,
  }),
  marginOrders: endpoint({ ...get, path: `${root}/order`, params: optionalSymbolParams, decode: orders }),
  marginOrder: endpoint({
    ...get,
    path: `${root}/order/{clientOrderId}`,
    params: orderParams,
    decode: decodeV2Order,
  }),
  marginNewOrder: endpoint({
    ...common,
    method: 'POST',
    payload: 'form',
    path: `${root}/order`,
    params: margin.v2MarginOrderParams,
    decode: decodeV2OrderWithFills,
  }),
  marginPutOrder: endpoint({
    ...common,
    method: 'PUT',
    payload: 'form',
    path: `${root}/order/{clientOrderId}`,
    params: margin.v2MarginPutOrderParams,
    decode: decodeV2OrderWithFills,
  }),
  marginCancelOrders: endpoint({
    ...remove,
    path: `${root}/order`,
    params: optionalSymbolParams,
    decode: orders,
  }),
  marginCancelOrder: endpoint({
    ...remove,
    path: `${root}/order/{clientOrderId}`,
    params: orderParams,
    decode: decodeV2Order,
  }),
} as const;
