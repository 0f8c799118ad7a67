import { z } from 'zod';
import { numberField } from '../fields.ts';
import {
  amountKind,
  flagKind,
  nameKind,
  openWord,
  plainKind,
  textKind,
  timeKind,
  wholeKind,
  withDefault,
} from '../kinds.ts';
import type { ModelOf, ValueOf } from '../resource.ts';
import { optional, resource } from '../resource.ts';
import { reads, sentTo } from '../sent.ts';

// What the wallet shows: v3 "Wallet" and v2 "Account management". Source: v3-gaps, section 6; API v2, "Account management".

const addressText = plainKind(z.string().min(1).max(500));
const optionalText = optional(plainKind(z.string().max(500)));

/** Parts of an address beside its currency. */
export const addressFields = {
  address: { v3: 'address', v2: 'address', kind: addressText },
  paymentId: { v3: 'payment_id', v2: 'paymentId', kind: optionalText },
  publicKey: { v3: 'public_key', v2: 'publicKey', kind: optionalText },
  networkCode: { v3: 'network_code', v2: 'networkCode', kind: optionalText },
} as const;

/** An address for deposits, or one withdrawn to; v2 does not name its currency. */
export const address = resource(
  'address',
  {
    currency: { v3: 'currency', kind: nameKind },
    ...addressFields,
  },
  { spare: 'optional' },
);
/** `paymentId`: when present, a deposit needs it. */
export type DepositAddress = ValueOf<typeof address.fields, 'v3'>;

/** An address that withdrawals may go to without further questions. */
export const whiteListEntry = resource(
  'white-listed address',
  {
    address: { v3: 'address', kind: addressText },
    currency: { v3: 'currency', kind: nameKind },
    name: { v3: 'name', kind: withDefault(textKind, '') },
    network: { v3: 'network', kind: nameKind },
  },
  { spare: 'optional' },
);
export type WhiteListEntry = ValueOf<typeof whiteListEntry.fields, 'v3'>;

/** An airdrop, which can be claimed once. The shape is ours: sources know the paths only (v3-gaps, sections 6 and 14). */
export const airdrop = resource(
  'airdrop',
  {
    id: { v3: 'id', kind: wholeKind },
    currency: { v3: 'currency', kind: nameKind },
    amount: { v3: 'amount', kind: amountKind },
    description: { v3: 'description', kind: withDefault(textKind, '') },
    status: { v3: 'status', kind: openWord(['available', 'claimed']) },
    createdAt: { v3: 'created_at', kind: timeKind },
    claimedAt: { v3: 'claimed_at', kind: optional(timeKind) },
    txId: { v3: 'tx_id', kind: optional(plainKind(z.string().max(80))) },
  },
  { spare: 'optional' },
);
/** `txId`: the transaction that paid it out. */
export type Airdrop = ValueOf<typeof airdrop.fields, 'v3'>;

/** An amount that may not be withdrawn for a time. */
export const amountLock = resource(
  'amount lock',
  {
    id: { v3: 'id', kind: wholeKind },
    currency: { v3: 'currency', kind: nameKind },
    amount: { v3: 'amount', kind: amountKind },
    dateEnd: { v3: 'date_end', kind: timeKind },
    description: { v3: 'description', kind: withDefault(textKind, '') },
    cancelled: { v3: 'cancelled', kind: withDefault(flagKind, false) },
    cancelledAt: { v3: 'cancelled_at', kind: optional(timeKind) },
    cancelDescription: { v3: 'cancel_description', kind: optional(textKind) },
    createdAt: { v3: 'created_at', kind: timeKind },
  },
  { spare: 'optional' },
);
export type AmountLock = ValueOf<typeof amountLock.fields, 'v3'>;

/** The fee of one withdrawal among several; `networkFee` is the part that the network takes. */
export const feeEstimate = resource(
  'fee estimate',
  {
    fee: { v3: 'fee', kind: amountKind },
    networkFee: { v3: 'network_fee', kind: optional(amountKind) },
    amount: { v3: 'amount', kind: amountKind },
    currency: { v3: 'currency', kind: nameKind },
  },
  { spare: 'optional' },
);
export type FeeEstimate = ValueOf<typeof feeEstimate.fields, 'v3'>;

/** How fast a withdrawal is to be, and what it costs then. Source: API v2, "Fee level". */
export const feeLevel = resource(
  'fee level',
  {
    feeLevelId: { v2: 'feeLevelId', kind: plainKind(z.int()) },
    comment: { v2: 'comment', kind: withDefault(textKind, '') },
    isDefault: { v2: 'isDefault', kind: flagKind },
    fee: { v2: 'fee', kind: amountKind },
  },
  { spare: 'optional' },
);
export type FeeLevel = ValueOf<typeof feeLevel.fields, 'v2'>;

export const transactionStatuses = ['CREATED', 'PENDING', 'FAILED', 'SUCCESS', 'ROLLED_BACK'] as const;
export const transactionTypes = ['DEPOSIT', 'WITHDRAW', 'TRANSFER', 'SWAP'] as const;
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

const optionalLong = optional(textKind);
const textList: z.ZodType<readonly string[]> = z.array(z.string().max(500)).max(1_000);
const optionalTexts = optional(plainKind(textList));

/** How far a deposit may be relied on: up to a score of 50 of 100 it may be considered committed. Source: API v2, "CommitRisk". */
const commitRisk = resource(
  'commit risk',
  {
    score: { v3: 'score', v2: 'score', kind: plainKind(numberField) },
    rbf: { v3: 'rbf', v2: 'rbf', kind: flagKind },
    lowFee: { v3: 'low_fee', v2: 'lowFee', kind: flagKind },
  },
  { spare: 'optional' },
);
export type TransactionStatus = (typeof transactionStatuses)[number];
export type TransactionType = (typeof transactionTypes)[number];
export type TransactionSubtype = (typeof transactionSubtypes)[number];
/** Why a withdrawal failed. Source: API v2, "Transaction". */
export type TransactionErrorCode = 'INVALID_ADDRESS' | 'INVALID_PAYMENT_ID' | 'BAD_PRECISION';
export type CommitRisk = ValueOf<typeof commitRisk.fields, 'v3'>;

/** Money that moved, and where: `native` of v3, members of the transaction itself in v2. `index` grows with every change of any transaction. */
const nativeFields = {
  txId: { v3: 'tx_id', v2: 'id', kind: nameKind },
  index: { v3: 'index', v2: 'index', kind: wholeKind },
  currency: { v3: 'currency', v2: 'currency', kind: nameKind },
  amount: { v3: 'amount', v2: 'amount', kind: amountKind },
  fee: { v3: 'fee', v2: 'fee', kind: optional(amountKind) },
  address: { v3: 'address', v2: 'address', kind: optionalLong },
  paymentId: { v3: 'payment_id', v2: 'paymentId', kind: optionalLong },
  hash: { v3: 'hash', v2: 'hash', kind: optionalLong },
  offchainId: { v3: 'offchain_id', kind: optionalLong },
  confirmations: { v3: 'confirmations', v2: 'confirmations', kind: optional(wholeKind) },
  publicComment: { v3: 'public_comment', v2: 'publicComment', kind: optionalLong },
  errorCode: { v3: 'error_code', v2: 'errorCode', kind: optionalLong },
  senders: { v3: 'senders', kind: optionalTexts },
  operationType: { v3: 'operation_type', kind: optionalLong },
  networkCode: { v3: 'network_code', kind: optionalLong },
  attemptHashes: { v3: 'attempt_hashes', kind: optionalTexts },
} as const;
const native = resource('transaction', nativeFields, { spare: 'optional', title: 'native transaction' });
export type NativeTransaction = ValueOf<typeof native.fields, 'v3'>;

const risk = { v3: 'commit_risk', v2: 'commitRisk', part: commitRisk } as const;

/** One movement of the wallet, v3. */
const v3Transaction = resource(
  'transaction',
  {
    id: { v3: 'id', kind: wholeKind },
    status: { v3: 'status', kind: openWord(transactionStatuses) },
    type: { v3: 'type', kind: openWord(transactionTypes) },
    // The list may grow; what is new is of no class that we know.
    subtype: { v3: 'subtype', kind: plainKind(z.enum(transactionSubtypes).catch('UNCLASSIFIED')) },
    createdAt: { v3: 'created_at', kind: timeKind },
    updatedAt: { v3: 'updated_at', kind: timeKind },
    lastActivityAt: { v3: 'last_activity_at', kind: optional(timeKind) },
    operationId: { v3: 'operation_id', kind: withDefault(plainKind(z.string().max(200)), '') },
    commitRisk: risk,
    native: { v3: 'native', part: native, needed: true },
    meta: { v3: 'meta', kind: optional(plainKind(z.record(z.string(), z.unknown()))) },
  },
  { spare: 'optional' },
);

/** Lists of texts that some write as one text. */
const looseTexts = optional(plainKind(z.union([textList, z.string().transform((value) => [value])])));

/** The same, v2. Source: API v2, "Transaction". */
const v2Transaction = resource(
  'transaction',
  {
    ...nativeFields,
    type: { v2: 'type', kind: openWord(v2TransactionTypes) },
    subType: { v2: 'subType', kind: optionalLong },
    status: { v2: 'status', kind: openWord(v2TransactionStatuses) },
    senders: { v2: 'senders', kind: looseTexts },
    offchainId: { v2: 'offchainId', kind: looseTexts },
    createdAt: { v2: 'createdAt', kind: timeKind },
    updatedAt: { v2: 'updatedAt', kind: timeKind },
    commitRisk: risk,
  },
  {
    spare: 'optional',
    v2: [
      'txId',
      'index',
      'type',
      'subType',
      'status',
      'currency',
      'amount',
      'fee',
      'address',
      'paymentId',
      'hash',
      'senders',
      'offchainId',
      'confirmations',
      'publicComment',
      'errorCode',
    ],
  },
);
/** A transaction as v2 shows it. `subType` is `swap` or `offchain`; the list may grow. */
export type V2Transaction = ValueOf<typeof v2Transaction.fields, 'v2'>;

/** One movement of the wallet. `operationId` is the same for all transactions of one operation; `commitRisk` has a deposit from a network. */
export interface WalletTransaction extends ValueOf<typeof v3Transaction.fields, 'v3'> {
  readonly lastActivityAt: ValueOf<typeof v3Transaction.fields, 'v3'>['updatedAt'];
}

/** Both versions of a transaction: v3 as the exchange has it, v2 with words of its own for type and status. */
export const transaction = {
  v3: {
    ...v3Transaction.v3,
    read: reads(readV3, () => sentTo(v3Transaction.v3.read)),
    readList: reads(
      (json: unknown) => v3Transaction.v3.readList(json).map(withActivity),
      () => sentTo(v3Transaction.v3.readList),
    ),
  },
  v2: v2Transaction.v2,
};

function readV3(json: unknown): WalletTransaction {
  return withActivity(v3Transaction.v3.read(json));
}

function withActivity(read: ValueOf<typeof v3Transaction.fields, 'v3'>): WalletTransaction {
  return { ...read, lastActivityAt: read.lastActivityAt ?? read.updatedAt };
}

/** A transaction in the words of v2; `senders` only where they are asked for. */
export function inV2Words(
  given: WalletTransaction,
  showSenders: boolean,
): ModelOf<typeof v2Transaction.fields, 'v2'> {
  const { native, type, createdAt, updatedAt, commitRisk } = given;
  return {
    ...native,
    type: v2TypeOf(given),
    subType: subTypeOf(given),
    status: v2StatusOf(given),
    senders: showSenders && type === 'DEPOSIT' ? native.senders : undefined,
    offchainId: native.offchainId === undefined ? undefined : [native.offchainId],
    createdAt,
    updatedAt,
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
