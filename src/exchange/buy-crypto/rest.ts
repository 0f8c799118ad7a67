import {
  buyOrder,
  buyProvider,
  buyRates,
  purchase,
  ratesQuery,
} from '../../venues/hitbtc/wire/resources/index.ts';
import type { RestRoute } from '../http/index.ts';
import { routeAccount, v2Route, v3Route } from '../http/index.ts';
import { written } from '../base/index.ts';
import type { BuyCryptoService, ParameterNaming } from './service.ts';

const fields = { ...purchase.fields, targetAmount: ratesQuery.fields.targetAmount };
const inV3: ParameterNaming = (name) => fields[name].v3;
const inV2: ParameterNaming = (name) => fields[name].v2;

/** Buying crypto, v3. Source: API v3, "Buy-crypto". */
export function v3BuyCryptoRoutes(service: BuyCryptoService): RestRoute[] {
  const { write } = buyOrder.v3;
  return [
    v3Route('buyCryptoProviders', (filter) => service.catalog.list(filter).map(buyProvider.v3.write)),
    v3Route('buyCryptoRates', (query) => written(service.rates(query, inV3), buyRates.v3.write)),
    v3Route('buyCryptoOrders', ({ from, till, limit, offset, sort, ...query }, call) => {
      const order = sort === 'asc' ? 'ASC' : 'DESC';
      const page = { by: 'timestamp', sort: order, from, till, limit, offset } as const;
      const orders = service.list(routeAccount(call), { ...query, page }, inV3);
      return written(orders, (list) => list.map(write));
    }),
    v3Route('buyCryptoNewOrder', (query, call) =>
      written(service.open(routeAccount(call), query, inV3), write),
    ),
  ];
}

/** Buying crypto, v2. Source: API v2, "Buy-crypto". */
export function v2BuyCryptoRoutes(service: BuyCryptoService): RestRoute[] {
  const { write } = buyOrder.v2;
  return [
    v2Route('buyCryptoProviders', (filter) => service.catalog.list(filter).map(buyProvider.v2.write)),
    v2Route('buyCryptoRates', (query) => written(service.rates(query, inV2), buyRates.v2.write)),
    v2Route('buyCryptoOrders', ({ from, till, limit, offset, ...query }, call) => {
      const page = { by: 'timestamp', sort: 'DESC', from, till, limit, offset } as const;
      const orders = service.list(routeAccount(call), { ...query, page }, inV2);
      return written(orders, (list) => list.map(write));
    }),
    v2Route('buyCryptoNewOrder', (query, call) =>
      written(service.open(routeAccount(call), query, inV2), write),
    ),
  ];
}
