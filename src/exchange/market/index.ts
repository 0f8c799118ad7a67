/** Public market data, and the seeded flow of orders. */
export { Flow } from './flow.ts';
export { Rates } from './rates.ts';
export { bookRoutes } from './rest-books.ts';
export { priceRoutes } from './rest-prices.ts';
export { symbolRoutes } from './rest-symbols.ts';
export { tradeRoutes } from './rest-trades.ts';
export { v2PublicSocketMethods } from './socket-v2.ts';
export { V3PublicSession } from './socket-v3.ts';
export { V2Feeds } from './v2-feeds.ts';
export { V3Feeds } from './v3-feeds.ts';
