import type { Endpoint } from '../endpoint.ts';
import { v2BuyCryptoEndpoints } from '../endpoints/buy-crypto.ts';
import { v2MarginEndpoints } from '../endpoints/margin.ts';
import { v2PublicEndpoints } from '../endpoints/public.ts';
import { v2SubAccountEndpoints } from '../endpoints/sub-accounts.ts';
import { v2TradingEndpoints } from '../endpoints/trading.ts';
import { v2AccountEndpoints } from '../endpoints/wallet.ts';

/** Every REST endpoint of v2 in scope, by our name. */
export const v2Endpoints = {
  ...v2PublicEndpoints,
  ...v2TradingEndpoints,
  ...v2SubAccountEndpoints,
  ...v2BuyCryptoEndpoints,
  ...v2AccountEndpoints,
  ...v2MarginEndpoints,
} as const;

export type V2EndpointName = keyof typeof v2Endpoints;

/** Parameters of an endpoint as a server has read them. */
export type V2Params<Name extends V2EndpointName> =
  (typeof v2Endpoints)[Name] extends Endpoint<infer Params> ? Params : never;
