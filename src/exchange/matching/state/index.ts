/** State of the exchange: markets, accounts, orders and settings. */
export type { Account, MarginKey } from './accounts.ts';
export { endOfDay } from './live.ts';
export type { ExchangeMarket } from './market.ts';
export type { MatchingOptions } from './options.ts';
export { defaultMatchingOptions } from './options.ts';
export type { ExchangeOutcome } from './outcome.ts';
export type { Fills, OrderRecord } from './record.ts';
export { ContingentList, Met } from './record.ts';
export { ExchangeState } from './state.ts';
