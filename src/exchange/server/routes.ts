import { v2BuyCryptoRoutes, v3BuyCryptoRoutes } from '../buy-crypto/index.ts';
import { v3FuturesPublicRoutes } from '../futures/index.ts';
import type { RestBinding, RestFallback } from '../http/index.ts';
import { serveRoutes } from '../http/index.ts';
import { v2MarginRoutes, v3MarginRoutes } from '../margin/index.ts';
import { bookRoutes, priceRoutes, symbolRoutes, tradeRoutes } from '../market/index.ts';
import {
  v2HistoryRoutes,
  v3HistoryRoutes,
  v2SpotRoutes,
  v3SpotRoutes,
  v3UserRoutes,
} from '../orders/index.ts';
import { v2SubAccountRoutes, v3SubAccountRoutes } from '../sub-accounts/index.ts';
import { v2AccountRoutes, v3WalletRoutes } from '../wallet/index.ts';
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
