import { z } from 'zod';
import { formatAmount } from '../../../../core/base/amount.ts';
import type { Amount } from '../../../../core/base/amount.ts';
import type { Micros } from '../../../../core/base/clock.ts';
import {
  amountField,
  nameField,
  numberField,
  optionalAmountField,
  parseList,
  parseWith,
  timeField,
} from '../fields.ts';
import { printTime } from '../formats.ts';
import type { CommitRisk, WalletTransaction } from '../wallet-transaction.ts';

/** Source: API v2, "Transaction". */
export const v2TransactionTypes = [
  'payout',
  'payin',
  'deposit',
  'withdraw',
  'bankToExchange',
  'exchangeToBank',
] as const;
export const v2TransactionStatuses = ['created', 'pending', 'failed', 'success'] as const;

/** A transaction as v2 shows it, in our types. */
export interface V2Transaction {
  readonly id: string;
  readonly index: number;
  readonly currency: string;
  readonly amount: Amount;
  readonly fee: Amount | undefined;
  readonly address: string | undefined;
  readonly paymentId: string | undefined;
  readonly hash: string | undefined;
  readonly status: (typeof v2TransactionStatuses)[number];
  readonly type: (typeof v2TransactionTypes)[number];
  /** `swap`, `offchain`; the list may grow. */
  readonly subType: string | undefined;
  readonly senders: readonly string[] | undefined;
  readonly offchainId: readonly string[] | undefined;
  readonly confirmations: number | undefined;
  readonly publicComment: string | undefined;
  readonly errorCode: string | undefined;
  readonly createdAt: Micros;
  readonly updatedAt: Micros;
  readonly commitRisk: CommitRisk | undefined;
}

const text = z
  .string()
  .max(2_000)
  .nullish()
  .transform((value) => value ?? undefined);
const texts = z
  .union([z.array(z.string().max(500)).max(1_000), z.string().transform((value) => [value])])
  .nullish()
  .transform((value) => value ?? undefined);

const members = z.object({
  id: nameField,
  index: z.int().nonnegative(),
  currency: nameField,
  amount: amountField,
  fee: optionalAmountField,
  address: text,
  paymentId: text,
  hash: text,
  status: z.enum(v2TransactionStatuses),
  type: z.enum(v2TransactionTypes),
  subType: text,
  senders: texts,
  offchainId: texts,
  confirmations: z
    .int()
    .nonnegative()
    .nullish()
    .transform((value) => value ?? undefined),
  publicComment: text,
  errorCode: text,
  createdAt: timeField,
  updatedAt: timeField,
  commitRisk: z
    .object({ score: numberField, rbf: z.boolean(), lowFee: z.boolean() })
    .nullish()
    .transform((value) => value ?? undefined),
});

/** Reads a v2 transaction. Throws `BadInput` naming the member. Source: API v2, "Transaction". */
export function decodeV2Transaction(json: unknown): V2Transaction {
  return parseWith(members, json, 'v2 transaction');
}

export function decodeV2Transactions(json: unknown): readonly V2Transaction[] {
  return parseList(json, 'v2 transactions', decodeV2Transaction);
}

/** A transaction as v2 shows it; `senders` only where they are asked for. Source: API v2, "Transaction". */
export function encodeV2Transaction(transaction: WalletTransaction, showSenders: boolean): object {
  const { native, commitRisk } = transaction;
  return {
    id: native.txId,
    index: native.index,
    type: v2TypeOf(transaction),
    subType: subTypeOf(transaction),
    status: v2StatusOf(transaction),
    currency: native.currency,
    amount: formatAmount(native.amount),
    fee: native.fee === undefined ? undefined : formatAmount(native.fee),
    address: native.address,
    paymentId: native.paymentId,
    hash: native.hash,
    senders: showSenders && transaction.type === 'DEPOSIT' ? native.senders : undefined,
    offchainId: native.offchainId === undefined ? undefined : [native.offchainId],
    confirmations: native.confirmations,
    publicComment: native.publicComment,
    errorCode: native.errorCode,
    createdAt: printTime(transaction.createdAt),
    updatedAt: printTime(transaction.updatedAt),
    commitRisk,
  };
}

/** v2 knows no status of what was rolled back: it failed. */
function v2StatusOf({ status }: WalletTransaction): V2Transaction['status'] {
  if (status === 'CREATED') return 'created';
  if (status === 'PENDING') return 'pending';
  return status === 'SUCCESS' ? 'success' : 'failed';
}

/** Networks are payin and payout, moves to trading bankToExchange and back; everything else deposit and withdraw. */
function v2TypeOf({ type, subtype, native }: WalletTransaction): V2Transaction['type'] {
  switch (subtype) {
    case 'BLOCKCHAIN':
      return type === 'DEPOSIT' ? 'payin' : 'payout';
    case 'WALLET_TO_SPOT':
    case 'WALLET_TO_DERIVATIVES':
      return 'bankToExchange';
    case 'SPOT_TO_WALLET':
    case 'DERIVATIVES_TO_WALLET':
      return 'exchangeToBank';
    default:
      if (type === 'WITHDRAW' && native.address !== undefined) return 'payout';
      if (native.operationType === 'sub_account_received') return 'deposit';
      return type === 'DEPOSIT' || native.operationType === 'swap_to' ? 'deposit' : 'withdraw';
  }
}

function subTypeOf({ type, subtype }: WalletTransaction): string | undefined {
  if (type === 'SWAP') return 'swap';
  return subtype === 'OFFCHAIN' ? 'offchain' : undefined;
}
