/** Purchases by card. */
export { v2BuyCryptoRoutes, v3BuyCryptoRoutes } from './rest.ts';
export { BuyCryptoService } from './service.ts';
