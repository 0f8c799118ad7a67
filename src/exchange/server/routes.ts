import { v2BuyCryptoRoutes, v3BuyCryptoRoutes } from '../buy-crypto/rest.ts';
import { v3FuturesPublicRoutes } from '../futures/rest-v3.ts';
import type { RestBinding, RestFallback } from '../http/http.ts';
import { serveRoutes } from '../http/rest-api.ts';
import { v2MarginRoutes } from '../margin/rest-v2.ts';
import { v3MarginRoutes } from '../margin/rest-v3.ts';
import { bookRoutes } from '../market/rest-books.ts';
import { priceRoutes } from '../market/rest-prices.ts';
import { symbolRoutes } from '../market/rest-symbols.ts';
import { tradeRoutes } from '../market/rest-trades.ts';
import { v2HistoryRoutes, v3HistoryRoutes } from '../orders/rest-history.ts';
import { v2SpotRoutes, v3SpotRoutes, v3UserRoutes } from '../orders/rest.ts';
import { v2SubAccountRoutes } from '../sub-accounts/rest-v2.ts';
import { v3SubAccountRoutes } from '../sub-accounts/rest-v3.ts';
import { v2AccountRoutes } from '../wallet/rest-v2.ts';
import { v3WalletRoutes } from '../wallet/rest-v3.ts';
import type { AppSetup } from './app-setup.ts';

/** Every REST endpoint, and the answers where there is none. */
export function restApi({ world, faults, throttle, clock }: AppSetup): {
  bindings: readonly RestBinding[];
  fallback: RestFallback;
} {
  const { accounts, core, wallet, subAccounts, buyCrypto } = world;
  const parts = { ...world, faults, clock };
  const routes = [
    ...symbolRoutes(parts),
    ...priceRoutes(parts),
    ...bookRoutes(core),
    ...tradeRoutes(parts),
    ...v3FuturesPublicRoutes(parts),
    ...v3SpotRoutes(parts),
    ...v3HistoryRoutes(parts),
    ...v3MarginRoutes(parts),
    ...v2MarginRoutes(parts),
    ...v3WalletRoutes(wallet),
    ...v2AccountRoutes(wallet),
    ...v2SpotRoutes(parts),
    ...v2HistoryRoutes(parts),
    ...v3SubAccountRoutes(subAccounts, core),
    ...v2SubAccountRoutes(subAccounts, core),
    ...v3BuyCryptoRoutes(buyCrypto),
    ...v2BuyCryptoRoutes(buyCrypto),
    ...v3UserRoutes(),
  ];
  return serveRoutes(routes, { accounts, access: world.subAccountAccess, throttle, faults });
}
