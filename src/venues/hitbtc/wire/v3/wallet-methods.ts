import { z } from 'zod';
import { currencyParams } from './rest-params.ts';
import { transactionsParams } from './wallet-params.ts';

const none = z.object({});

/**
 * Every method of the v3 wallet socket: the right it needs and its parameters as a server reads them. Clients call
 * `transactions` by the name `get_transactions`. Source: v3-gaps, section 3; API v3, "Events".
 */
export const v3WalletMethods = {
  login: { right: 'none', params: z.looseObject({}) },
  subscribe_transactions: { right: 'R3', params: none },
  unsubscribe_transactions: { right: 'R3', params: none },
  subscribe_wallet_balances: { right: 'R3', params: none },
  unsubscribe_wallet_balances: { right: 'R3', params: none },
  wallet_balances: { right: 'R3', params: none },
  wallet_balance: { right: 'R3', params: currencyParams },
  transactions: { right: 'R3', params: transactionsParams },
  get_transactions: { right: 'R3', params: transactionsParams },
} as const;

export type V3WalletMethod = keyof typeof v3WalletMethods;
