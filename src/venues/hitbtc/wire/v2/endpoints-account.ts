import { z } from 'zod';
import type { Amount } from '../../../../core/base/amount.ts';
import { decodeV2Address } from '../deposit-address.ts';
import { endpoint } from '../endpoint.ts';
import { amountField, parseList, parseWith } from '../fields.ts';
import * as answers from '../wallet-answers.ts';
import * as params from './account-params.ts';
import { decodeV2Transaction, decodeV2Transactions } from './account-transactions.ts';
import { walletBalance } from '../resources/account.ts';

const source = 'API v2, "Account management"';
const read = { method: 'GET', payload: 'query', right: 'R3', source } as const;
const change = { method: 'POST', payload: 'form', right: 'R3', source } as const;
const withdraw = { ...change, right: 'R4' } as const;
const base = '/api/2/account';

/** How fast a withdrawal is to be, and what it costs then. Source: API v2, "Fee level". */
export interface FeeLevel {
  readonly feeLevelId: number;
  readonly comment: string;
  readonly fee: Amount;
  readonly isDefault: boolean;
}

const level = z.object({
  feeLevelId: z.int(),
  comment: z.string().max(500).default(''),
  fee: amountField,
  isDefault: z.boolean(),
});

/** Account management of v2: what v3 calls the wallet. */
export const v2AccountEndpoints = {
  accountBalances: endpoint({
    ...read,
    path: `${base}/balance`,
    params: z.object({}),
    answer: walletBalance.v3.decodeList,
  }),
  accountAddress: endpoint({
    ...read,
    path: `${base}/crypto/address/{currency}`,
    params: params.addressParams,
    answer: decodeV2Address,
  }),
  accountNewAddress: endpoint({
    ...change,
    path: `${base}/crypto/address/{currency}`,
    params: params.addressParams,
    answer: decodeV2Address,
  }),
  accountAddresses: endpoint({
    ...read,
    path: `${base}/crypto/addresses/{currency}`,
    params: params.addressParams,
    answer: decodeAddresses,
  }),
  accountUsedAddresses: endpoint({
    ...read,
    path: `${base}/crypto/used-addresses/{currency}`,
    params: params.addressParams,
    answer: decodeAddresses,
  }),
  accountWithdraw: endpoint({
    ...withdraw,
    path: `${base}/crypto/withdraw`,
    params: params.withdrawParams,
    answer: answers.decodeMadeId,
  }),
  accountCommitWithdraw: endpoint({
    ...withdraw,
    method: 'PUT',
    path: `${base}/crypto/withdraw/{id}`,
    params: params.accountIdParams,
    answer: answers.decodeFlag,
  }),
  accountRollBackWithdraw: endpoint({
    ...withdraw,
    method: 'DELETE',
    path: `${base}/crypto/withdraw/{id}`,
    params: params.accountIdParams,
    answer: answers.decodeFlag,
  }),
  accountConvert: endpoint({
    ...change,
    path: `${base}/crypto/transfer-convert`,
    params: params.convertParams,
    answer: answers.decodeResultIds,
  }),
  accountEstimateWithdraw: endpoint({
    ...read,
    path: `${base}/crypto/estimate-withdraw`,
    params: params.estimateParams,
    answer: answers.decodeFee,
  }),
  accountEstimateWithdrawLevels: endpoint({
    ...read,
    path: `${base}/crypto/estimate-withdraw-levels`,
    params: params.estimateLevelsParams,
    answer: decodeFeeLevels,
  }),
  accountIsMine: endpoint({
    ...read,
    path: `${base}/crypto/is-mine/{address}`,
    params: params.isMineParams,
    answer: answers.decodeFlag,
  }),
  accountTransfer: endpoint({
    ...change,
    path: `${base}/transfer`,
    params: params.transferParams,
    answer: answers.decodeMadeId,
  }),
  accountTransferInternal: endpoint({
    ...withdraw,
    path: `${base}/transfer/internal`,
    params: params.internalParams,
    answer: answers.decodeResultId,
  }),
  accountTransactions: endpoint({
    ...read,
    path: `${base}/transactions`,
    params: params.transactionsParams,
    answer: decodeV2Transactions,
  }),
  accountTransaction: endpoint({
    ...read,
    path: `${base}/transactions/{id}`,
    params: params.accountIdParams,
    answer: decodeV2Transaction,
  }),
} as const;

function decodeAddresses(json: unknown) {
  return parseList(json, 'v2 addresses', decodeV2Address);
}

function decodeFeeLevels(json: unknown): readonly FeeLevel[] {
  return parseList(json, 'fee levels', (row) => parseWith(level, row, 'fee level'));
}
