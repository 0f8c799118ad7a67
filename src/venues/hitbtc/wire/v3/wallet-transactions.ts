import { z } from 'zod';
import { formatAmount } from '../../../../core/base/amount.ts';
import {
  amountField,
  nameField,
  numberField,
  optionalAmountField,
  parseList,
  parseWith,
  timeField,
} from '../fields.ts';
import { printTimeShort } from '../formats.ts';
import type { WalletTransaction } from '../wallet-transaction.ts';
import { transactionStatuses, transactionSubtypes, transactionTypes } from '../wallet-transaction.ts';

const text = z
  .string()
  .max(2_000)
  .nullish()
  .transform((value) => value ?? undefined);
const texts = z
  .array(z.string().max(500))
  .max(1_000)
  .nullish()
  .transform((value) => value ?? undefined);

const nativeMembers = z.object({
  tx_id: nameField,
  index: z.int().nonnegative(),
  currency: nameField,
  amount: amountField,
  fee: optionalAmountField,
  address: text,
  payment_id: text,
  hash: text,
  offchain_id: text,
  confirmations: z
    .int()
    .nonnegative()
    .nullish()
    .transform((value) => value ?? undefined),
  public_comment: text,
  error_code: text,
  senders: texts,
  operation_type: text,
  network_code: text,
  attempt_hashes: texts,
});

const members = z.object({
  id: z.int().nonnegative(),
  status: z.enum(transactionStatuses),
  type: z.enum(transactionTypes),
  // The list may grow; what is new is of no class that we know.
  subtype: z.enum(transactionSubtypes).catch('UNCLASSIFIED'),
  created_at: timeField,
  updated_at: timeField,
  last_activity_at: timeField.optional(),
  operation_id: z.string().max(200).default(''),
  commit_risk: z.object({ score: numberField, rbf: z.boolean(), low_fee: z.boolean() }).nullish(),
  native: nativeMembers,
});

/** Reads a v3 transaction. Throws `BadInput` naming the member. Source: v3-gaps, section 6. */
export function decodeV3Transaction(json: unknown): WalletTransaction {
  const row = parseWith(members, json, 'v3 transaction');
  const { native } = row;
  return {
    id: row.id,
    status: row.status,
    type: row.type,
    subtype: row.subtype,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastActivityAt: row.last_activity_at ?? row.updated_at,
    operationId: row.operation_id,
    commitRisk: row.commit_risk
      ? { score: row.commit_risk.score, rbf: row.commit_risk.rbf, lowFee: row.commit_risk.low_fee }
      : undefined,
    native: {
      txId: native.tx_id,
      index: native.index,
      currency: native.currency,
      amount: native.amount,
      fee: native.fee,
      address: native.address,
      paymentId: native.payment_id,
      hash: native.hash,
      offchainId: native.offchain_id,
      confirmations: native.confirmations,
      publicComment: native.public_comment,
      errorCode: native.error_code,
      senders: native.senders,
      operationType: native.operation_type,
      networkCode: native.network_code,
      attemptHashes: native.attempt_hashes,
    },
  };
}

export function decodeV3Transactions(json: unknown): readonly WalletTransaction[] {
  return parseList(json, 'v3 transactions', decodeV3Transaction);
}

/** A transaction as v3 shows it. Source: v3-gaps, section 6. */
export function encodeV3Transaction(transaction: WalletTransaction): object {
  const { commitRisk, native } = transaction;
  return {
    id: transaction.id,
    status: transaction.status,
    type: transaction.type,
    subtype: transaction.subtype,
    created_at: printTimeShort(transaction.createdAt),
    updated_at: printTimeShort(transaction.updatedAt),
    last_activity_at: printTimeShort(transaction.lastActivityAt),
    operation_id: transaction.operationId,
    commit_risk: commitRisk && {
      score: commitRisk.score,
      rbf: commitRisk.rbf,
      low_fee: commitRisk.lowFee,
    },
    native: {
      tx_id: native.txId,
      index: native.index,
      currency: native.currency,
      amount: formatAmount(native.amount),
      fee: native.fee === undefined ? undefined : formatAmount(native.fee),
      address: native.address,
      payment_id: native.paymentId,
      hash: native.hash,
      offchain_id: native.offchainId,
      confirmations: native.confirmations,
      public_comment: native.publicComment,
      error_code: native.errorCode,
      senders: native.senders,
      operation_type: native.operationType,
      network_code: native.networkCode,
      attempt_hashes: native.attemptHashes,
    },
  };
}
