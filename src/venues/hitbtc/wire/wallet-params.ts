import type { Amount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { TransactionStatus, TransactionSubtype, TransactionType } from './resources/wallet.ts';

// What requests about wallets ask for, in either version, as a server has read them.

/** Source: v3-gaps, section 6 (withdraw); API v2, "Account management". */
export interface WithdrawParams {
  readonly currency: string;
  readonly amount: Amount;
  readonly address: string;
  readonly networkCode: string | undefined;
  readonly paymentId: string | undefined;
  /** Whether `amount` is all that is spent, the fee with it. */
  readonly includeFee: boolean;
  readonly autoCommit: boolean;
  readonly useOffchain: 'never' | 'optionally' | 'required';
  readonly publicComment: string | undefined;
}

export interface ConvertParams {
  readonly fromCurrency: string;
  readonly toCurrency: string;
  readonly amount: Amount;
  readonly idempotencyKey: string | undefined;
}

export const transferPlaces = ['wallet', 'spot', 'derivatives'] as const;
export type TransferPlace = (typeof transferPlaces)[number];

export interface TransferParams {
  readonly currency: string;
  readonly amount: Amount;
  readonly source: TransferPlace;
  readonly destination: TransferPlace;
}

export interface InternalWithdrawParams {
  readonly currency: string;
  readonly amount: Amount;
  readonly by: 'email' | 'username';
  readonly identifier: string;
}

/** What of the transactions is asked for. `from` and `till` are `Micros` or numbers, as `orderBy` says. */
export interface TransactionsParams {
  readonly txIds: readonly string[] | undefined;
  readonly types: readonly TransactionType[] | undefined;
  readonly subtypes: readonly TransactionSubtype[] | undefined;
  readonly statuses: readonly TransactionStatus[] | undefined;
  readonly currencies: readonly string[] | undefined;
  readonly networks: readonly string[] | undefined;
  readonly orderBy: 'createdAt' | 'updatedAt' | 'lastActivityAt' | 'id' | 'index';
  readonly from: number | undefined;
  readonly till: number | undefined;
  readonly idFrom: number | undefined;
  readonly idTill: number | undefined;
  readonly sort: 'ASC' | 'DESC';
  readonly limit: number;
  readonly offset: number;
  /** Whether the transactions of one operation stand together. */
  readonly groupTransactions: boolean;
}

export interface AmountLocksParams {
  readonly currency: string | undefined;
  readonly active: boolean | undefined;
  readonly from: Micros | undefined;
  readonly till: Micros | undefined;
  readonly limit: number;
  readonly offset: number;
}
