import type { Endpoint } from '../endpoint.ts';
import {
  buyCryptoEndpoints,
  futuresTradingEndpoints,
  marginEndpoints,
  futuresPublicEndpoints,
  publicEndpoints,
  subAccountEndpoints,
  userEndpoints,
  spotEndpoints,
  walletEndpoints,
} from '../endpoints/index.ts';

/** Every REST endpoint of v3 in scope, by our name. */
export const v3Endpoints = {
  ...publicEndpoints,
  ...futuresPublicEndpoints,
  ...spotEndpoints,
  ...subAccountEndpoints,
  ...buyCryptoEndpoints,
  ...userEndpoints,
  ...walletEndpoints,
  ...marginEndpoints,
  ...futuresTradingEndpoints,
} as const;

export type V3EndpointName = keyof typeof v3Endpoints;

/** Parameters of an endpoint as a server has read them. */
export type V3Params<Name extends V3EndpointName> =
  (typeof v3Endpoints)[Name] extends Endpoint<infer Params> ? Params : never;
