/** The exchange as a server: products put together. */
export type { ExchangeOptionsInput } from './options.ts';
export { socketLocations } from './locations.ts';
export { restApi } from './routes.ts';
export { ExchangeServer } from './server.ts';
export type { World } from './world.ts';
export { makeWorld, troubledExchange } from './world.ts';
