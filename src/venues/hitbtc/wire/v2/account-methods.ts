import { z } from 'zod';
import { transactionsParams } from './account-params.ts';

/** v2-gaps, section 4.1: these fail when params hold anything. */
const empty = z.strictObject({}, { error: 'Parameters must be empty' });
const none = z.object({});

/**
 * Every method of the v2 account socket. The parameters of findTransactions and loadTransactions are known to
 * nobody; here they are those of `GET account/transactions`. Source: v2-gaps, section 7.
 */
export const v2AccountMethods = {
  login: { right: 'none', params: z.looseObject({}) },
  subscribeTransactions: { right: 'R3', params: empty },
  unsubscribeTransactions: { right: 'R3', params: none },
  subscribeBalance: { right: 'R3', params: empty },
  unsubscribeBalance: { right: 'R3', params: none },
  getBalance: { right: 'R3', params: none },
  findTransactions: { right: 'R3', params: transactionsParams },
  loadTransactions: { right: 'R3', params: transactionsParams },
} as const;

export type V2AccountMethod = keyof typeof v2AccountMethods;
