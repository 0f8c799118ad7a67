/** Futures: contracts, funding and public data. */
export { contractSpec, contractsOf } from './contract-specs.ts';
export { FuturesMarket } from './market.ts';
export { v3FuturesPublicRoutes } from './rest-v3.ts';
