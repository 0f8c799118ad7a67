import {
  encodeV3BuyOrder,
  encodeV3BuyProvider,
  encodeV3BuyRates,
} from '../../venues/hitbtc/wire/v3/buy-crypto.ts';
import type { DoorSetup } from '../door-setup.ts';
import { Refusal } from '../refusal.ts';
import type { RestRoute } from '../http/rest-route.ts';
import { accountOf, v3Route } from '../http/rest-route.ts';

const asWritten = (name: string): string => name;

/** Buying crypto, v3. Source: API v3, "Buy-crypto". */
export function v3BuyCryptoRoutes({ world: { buyCrypto: desk } }: DoorSetup): RestRoute[] {
  return [
    v3Route('buyCryptoProviders', (filter) => desk.catalog.list(filter).map(encodeV3BuyProvider)),
    v3Route('buyCryptoRates', (query) => {
      const rates = desk.rates(query, asWritten);
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
      const orders = desk.list(accountOf(call), { ...query, page }, asWritten);
      return orders instanceof Refusal ? orders : orders.map(encodeV3BuyOrder);
    }),
    v3Route('buyCryptoNewOrder', (query, call) => {
      const order = desk.open(accountOf(call), query, asWritten);
      return order instanceof Refusal ? order : encodeV3BuyOrder(order);
    }),
  ];
}
