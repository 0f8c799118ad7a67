/** Rows of the REST endpoints, both versions. */
export { buyCryptoEndpoints, v2BuyCryptoEndpoints } from './buy-crypto.ts';
export { futuresTradingEndpoints, marginEndpoints, v2MarginEndpoints } from './margin.ts';
export { futuresPublicEndpoints, publicEndpoints, v2PublicEndpoints } from './public.ts';
export { subAccountEndpoints, userEndpoints, v2SubAccountEndpoints } from './sub-accounts.ts';
export { spotEndpoints, v2TradingEndpoints } from './trading.ts';
export { v2AccountEndpoints, walletEndpoints } from './wallet.ts';
