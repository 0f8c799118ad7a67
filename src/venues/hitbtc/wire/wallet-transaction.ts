import type { Amount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';

/** Source: v3-gaps, section 6. */
export const transactionStatuses = ['CREATED', 'PENDING', 'FAILED', 'SUCCESS', 'ROLLED_BACK'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

export const transactionTypes = ['DEPOSIT', 'WITHDRAW', 'TRANSFER', 'SWAP'] as const;
export type TransactionType = (typeof transactionTypes)[number];

export const transactionSubtypes = [
  'UNCLASSIFIED',
  'BLOCKCHAIN',
  'AIRDROP',
  'AFFILIATE',
  'STAKING',
  'BUY_CRYPTO',
  'OFFCHAIN',
  'FIAT',
  'SUB_ACCOUNT',
  'WALLET_TO_SPOT',
  'SPOT_TO_WALLET',
  'WALLET_TO_DERIVATIVES',
  'DERIVATIVES_TO_WALLET',
  'CHAIN_SWITCH_FROM',
  'CHAIN_SWITCH_TO',
  'INSTANT_EXCHANGE',
] as const;
export type TransactionSubtype = (typeof transactionSubtypes)[number];

/** Why a withdrawal failed. Source: API v2, "Transaction"; v3-gaps, section 6. */
export type TransactionErrorCode = 'INVALID_ADDRESS' | 'INVALID_PAYMENT_ID' | 'BAD_PRECISION';

/** How far a deposit may be relied on. Source: API v2, "CommitRisk". */
export interface CommitRisk {
  /** 0 to 100; up to 50 the deposit may be considered committed. */
  readonly score: number;
  readonly rbf: boolean;
  readonly lowFee: boolean;
}

/** What moved, and where. Source: v3-gaps, section 6; API v2, "Transaction". */
export interface NativeTransaction {
  readonly txId: string;
  /** Grows with every change of any transaction. */
  readonly index: number;
  readonly currency: string;
  readonly amount: Amount;
  readonly fee: Amount | undefined;
  readonly address: string | undefined;
  readonly paymentId: string | undefined;
  readonly hash: string | undefined;
  readonly offchainId: string | undefined;
  readonly confirmations: number | undefined;
  readonly publicComment: string | undefined;
  readonly errorCode: string | undefined;
  readonly senders: readonly string[] | undefined;
  readonly operationType: string | undefined;
  readonly networkCode: string | undefined;
  readonly attemptHashes: readonly string[] | undefined;
}

/** One movement of the wallet, of either version of the API. Source: v3-gaps, section 6. */
export interface WalletTransaction {
  readonly id: number;
  readonly status: TransactionStatus;
  readonly type: TransactionType;
  readonly subtype: TransactionSubtype;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
  readonly lastActivityAt: Micros;
  /** The same for all transactions of one operation. */
  readonly operationId: string;
  /** Of deposits from a network only. */
  readonly commitRisk: CommitRisk | undefined;
  readonly native: NativeTransaction;
}
