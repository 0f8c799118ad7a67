import {
  encodeV3BuyOrder,
  encodeV3BuyProvider,
  encodeV3BuyRates,
} from '../../venues/hitbtc/wire/v3/buy-crypto.ts';
import type { AppSetup } from '../app-setup.ts';
import { Refusal } from '../refusal.ts';
import type { RestRoute } from '../http/rest-route.ts';
import { accountOf, v3Route, v2Route } from '../http/rest-route.ts';
import {
  encodeV2BuyOrder,
  encodeV2BuyProvider,
  encodeV2BuyRates,
} from '../../venues/hitbtc/wire/v2/buy-crypto.ts';

const asWritten = (name: string): string => name;

/** Buying crypto, v3. Source: API v3, "Buy-crypto". */
export function v3BuyCryptoRoutes({ world: { buyCrypto: service } }: AppSetup): RestRoute[] {
  return [
    v3Route('buyCryptoProviders', (filter) => service.catalog.list(filter).map(encodeV3BuyProvider)),
    v3Route('buyCryptoRates', (query) => {
      const rates = service.rates(query, asWritten);
      return rates instanceof Refusal ? rates : encodeV3BuyRates(rates);
    }),
    v3Route('buyCryptoOrders', ({ from, till, limit, offset, sort, ...query }, call) => {
      const page = {
        by: 'timestamp',
        sort: sort === 'asc' ? 'ASC' : 'DESC',
        from,
        till,
        limit,
        offset,
      } as const;
      const orders = service.list(accountOf(call), { ...query, page }, asWritten);
      return orders instanceof Refusal ? orders : orders.map(encodeV3BuyOrder);
    }),
    v3Route('buyCryptoNewOrder', (query, call) => {
      const order = service.open(accountOf(call), query, asWritten);
      return order instanceof Refusal ? order : encodeV3BuyOrder(order);
    }),
  ];
}

const spellings: Readonly<Record<string, string>> = {
  provider_id: 'providerID',
  source_amount: 'sourceAmount',
  payment_method_id: 'paymentMethodId',
  target_network_code: 'targetNetworkCode',
};
const inV2 = (name: string): string => spellings[name] ?? name;

/** Buying crypto, v2. Source: API v2, "Buy-crypto". */
export function v2BuyCryptoRoutes({ world: { buyCrypto: service } }: AppSetup): RestRoute[] {
  return [
    v2Route('buyCryptoProviders', (filter) => service.catalog.list(filter).map(encodeV2BuyProvider)),
    v2Route('buyCryptoRates', (query) => {
      const rates = service.rates(query, inV2);
      return rates instanceof Refusal ? rates : encodeV2BuyRates(rates);
    }),
    v2Route('buyCryptoOrders', ({ from, till, limit, offset, ...query }, call) => {
      const page = { by: 'timestamp', sort: 'DESC', from, till, limit, offset } as const;
      const orders = service.list(accountOf(call), { ...query, page }, inV2);
      return orders instanceof Refusal ? orders : orders.map(encodeV2BuyOrder);
    }),
    v2Route('buyCryptoNewOrder', (query, call) => {
      const order = service.open(accountOf(call), query, inV2);
      return order instanceof Refusal ? order : encodeV2BuyOrder(order);
    }),
  ];
}
