import { endpoint } from '../endpoint.ts';
import { order } from '../resources/order.ts';
import * as margin from '../resources/margin-request.ts';
import * as resources from '../resources/margin.ts';
import * as requests from '../resources/order-request.ts';
import * as params from '../param-fields.ts';

const root = '/api/2/margin';
const common = { right: 'R2', source: 'v2-gaps, section 2' } as const;
const get = { ...common, method: 'GET', payload: 'query' } as const;
const remove = { ...common, method: 'DELETE', payload: 'form' } as const;
const { noParams, symbolParams, optionalSymbolParams } = params;

/** Margin trading of v2. */
export const v2MarginEndpoints = {
  marginAccounts: endpoint({
    ...get,
    path: `${root}/account`,
    params: noParams,
    answer: resources.marginAccount.v2.readList,
  }),
  marginCloseAccounts: endpoint({
    ...remove,
    path: `${root}/account`,
    params: noParams,
    answer: resources.marginAccount.v2.readList,
  }),
  marginAccount: endpoint({
    ...get,
    path: `${root}/account/{symbol}`,
    params: symbolParams,
    answer: resources.marginAccount.v2.read,
  }),
  marginSetAccount: endpoint({
    ...common,
    method: 'PUT',
    payload: 'form',
    path: `${root}/account/{symbol}`,
    params: margin.v2MarginAccountParams,
    answer: resources.marginAccount.v2.read,
  }),
  marginCloseAccount: endpoint({
    ...remove,
    path: `${root}/account/{symbol}`,
    params: symbolParams,
    answer: resources.marginAccount.v2.read,
  }),
  marginPositions: endpoint({
    ...get,
    path: `${root}/position`,
    params: noParams,
    answer: resources.position.v2.readList,
  }),
  marginClosePositions: endpoint({
    ...remove,
    path: `${root}/position`,
    params: noParams,
    answer: resources.position.v2.readList,
  }),
  marginPosition: endpoint({
    ...get,
    path: `${root}/position/{symbol}`,
    params: symbolParams,
    answer: resources.position.v2.read,
  }),
  marginClosePosition: endpoint({
    ...remove,
    path: `${root}/position/{symbol}`,
    params: margin.v2ClosePositionParams,
    answer: resources.position.v2.readList,
  }),
  marginOrders: endpoint({
    ...get,
    path: `${root}/order`,
    params: optionalSymbolParams,
    answer: order.v2.readList,
  }),
  marginOrder: endpoint({
    ...get,
    path: `${root}/order/{clientOrderId}`,
    params: requests.v2OneOrderParams,
    answer: order.v2.read,
  }),
  marginNewOrder: endpoint({
    ...common,
    method: 'POST',
    payload: 'form',
    path: `${root}/order`,
    params: requests.v2MarginOrderParams,
    answer: order.v2.read,
  }),
  marginPutOrder: endpoint({
    ...common,
    method: 'PUT',
    payload: 'form',
    path: `${root}/order/{clientOrderId}`,
    params: requests.v2MarginPutOrderParams,
    answer: order.v2.read,
  }),
  marginCancelOrders: endpoint({
    ...remove,
    path: `${root}/order`,
    params: optionalSymbolParams,
    answer: order.v2.readList,
  }),
  marginCancelOrder: endpoint({
    ...remove,
    path: `${root}/order/{clientOrderId}`,
    params: requests.v2OneOrderParams,
    answer: order.v2.read,
  }),
} as const;
