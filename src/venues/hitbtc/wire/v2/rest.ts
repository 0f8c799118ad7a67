import type { Endpoint } from '../endpoint.ts';
import {
  v2BuyCryptoEndpoints,
  v2MarginEndpoints,
  v2PublicEndpoints,
  v2SubAccountEndpoints,
  v2TradingEndpoints,
  v2AccountEndpoints,
} from '../endpoints/index.ts';

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
