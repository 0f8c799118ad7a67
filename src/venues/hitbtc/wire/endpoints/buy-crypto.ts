import { get, postJson } from '../endpoint.ts';
import { paramsOf } from '../request.ts';
import {
  buyOrder,
  buyOrdersQuery,
  buyProvider,
  buyRates,
  providersQuery,
  purchase,
  ratesQuery,
} from '../resources/index.ts';

/** Buying crypto through providers. Source: API v3, "Buy-crypto". */
export const buyCryptoEndpoints = {
  buyCryptoProviders: get(
    '/api/3/buy-crypto/provider',
    'R3',
    paramsOf(providersQuery, 'v3'),
    buyProvider.v3.decodeList,
  ),
  buyCryptoRates: get(
    '/api/3/buy-crypto/provider/{provider_id}/rate',
    'R3',
    paramsOf(ratesQuery, 'v3'),
    buyRates.v3.decode,
  ),
  buyCryptoOrders: get(
    '/api/3/buy-crypto/provider/{provider_id}/order',
    'R3',
    paramsOf(buyOrdersQuery, 'v3'),
    buyOrder.v3.decodeList,
  ),
  buyCryptoNewOrder: postJson(
    '/api/3/buy-crypto/provider/{provider_id}/order',
    'R3',
    paramsOf(purchase, 'v3'),
    buyOrder.v3.decode,
  ),
} as const;

/** Buying crypto through providers, v2. Source: API v2, "Buy-crypto". */
export const v2BuyCryptoEndpoints = {
  buyCryptoProviders: get(
    '/api/2/buy-crypto/provider',
    'R3',
    paramsOf(providersQuery, 'v2'),
    buyProvider.v2.decodeList,
  ),
  buyCryptoRates: get(
    '/api/2/buy-crypto/provider/{providerID}/rate',
    'R3',
    paramsOf(ratesQuery, 'v2'),
    buyRates.v2.decode,
  ),
  buyCryptoOrders: get(
    '/api/2/buy-crypto/provider/{providerID}/order',
    'R3',
    paramsOf(buyOrdersQuery, 'v2'),
    buyOrder.v2.decodeList,
  ),
  buyCryptoNewOrder: postJson(
    '/api/2/buy-crypto/provider/{providerID}/order',
    'R3',
    paramsOf(purchase, 'v2'),
    buyOrder.v2.decode,
  ),
} as const;
