import { endpoint } from '../endpoint.ts';
import { paramsOf } from '../request.ts';
import {
  buyOrder,
  buyOrdersQuery,
  buyProvider,
  buyRates,
  providersQuery,
  purchase,
  ratesQuery,
} from '../resources/buy-crypto.ts';

const source = 'API v3, "Buy-crypto"';
const get = { method: 'GET', payload: 'query', right: 'R3', source } as const;

/** Buying crypto through providers. */
export const buyCryptoEndpoints = {
  buyCryptoProviders: endpoint({
    ...get,
    path: '/api/3/buy-crypto/provider',
    params: paramsOf(providersQuery, 'v3'),
    answer: buyProvider.v3.decodeList,
  }),
  buyCryptoRates: endpoint({
    ...get,
    path: '/api/3/buy-crypto/provider/{provider_id}/rate',
    params: paramsOf(ratesQuery, 'v3'),
    answer: buyRates.v3.decode,
  }),
  buyCryptoOrders: endpoint({
    ...get,
    path: '/api/3/buy-crypto/provider/{provider_id}/order',
    params: paramsOf(buyOrdersQuery, 'v3'),
    answer: buyOrder.v3.decodeList,
  }),
  buyCryptoNewOrder: endpoint({
    method: 'POST',
    payload: 'json',
    path: '/api/3/buy-crypto/provider/{provider_id}/order',
    right: 'R3',
    params: paramsOf(purchase, 'v3'),
    answer: buyOrder.v3.decode,
    source,
  }),
} as const;

const v2Source = 'API v2, "Buy-crypto"';
const v2Get = { method: 'GET', payload: 'query', right: 'R3', source: v2Source } as const;

/** Buying crypto through providers, v2. */
export const v2BuyCryptoEndpoints = {
  buyCryptoProviders: endpoint({
    ...v2Get,
    path: '/api/2/buy-crypto/provider',
    params: paramsOf(providersQuery, 'v2'),
    answer: buyProvider.v2.decodeList,
  }),
  buyCryptoRates: endpoint({
    ...v2Get,
    path: '/api/2/buy-crypto/provider/{providerID}/rate',
    params: paramsOf(ratesQuery, 'v2'),
    answer: buyRates.v2.decode,
  }),
  buyCryptoOrders: endpoint({
    ...v2Get,
    path: '/api/2/buy-crypto/provider/{providerID}/order',
    params: paramsOf(buyOrdersQuery, 'v2'),
    answer: buyOrder.v2.decodeList,
  }),
  buyCryptoNewOrder: endpoint({
    method: 'POST',
    payload: 'json',
    path: '/api/2/buy-crypto/provider/{providerID}/order',
    right: 'R3',
    params: paramsOf(purchase, 'v2'),
    answer: buyOrder.v2.decode,
    source: v2Source,
  }),
} as const;
