/** Wallets: balances, transactions, deposits and withdrawals. */
export { makeUuid } from './address-forms.ts';
export type { WalletAction, WalletContext } from './context.ts';
export { currencyOf } from './currencies.ts';
export type { Locks } from './locks.ts';
export { fitsUnit, networksOf, writtenDecimals } from './networks.ts';
export { v2AccountRoutes } from './rest-v2.ts';
export { v3WalletRoutes } from './rest-v3.ts';
export { v2AccountSocketMethods } from './socket-v2.ts';
export { v3WalletSocketMethods } from './socket-v3.ts';
export { WalletService } from './wallet.ts';
