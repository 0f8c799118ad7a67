/** The exchange as a server: products put together. */
export type { ExchangeOptionsInput } from './options.ts';
export { ExchangeServer } from './server.ts';
