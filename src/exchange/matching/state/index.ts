/** State of the exchange: markets, accounts and settings. */
export type { Account } from './account.ts';
export type { MarginKey } from './margin-accounts.ts';
export type { ExchangeMarket } from './market.ts';
export type { MatchingOptions } from './options.ts';
export { defaultMatchingOptions } from './options.ts';
export { ExchangeState } from './state.ts';
