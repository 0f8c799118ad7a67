import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import * as wallet from '../resources/wallet.ts';
import * as answers from '../answers.ts';
import * as params from './account-params.ts';
import { walletBalance } from '../resources/account.ts';

const source = 'API v2, "Account management"';
const read = { method: 'GET', payload: 'query', right: 'R3', source } as const;
const change = { method: 'POST', payload: 'form', right: 'R3', source } as const;
const withdraw = { ...change, right: 'R4' } as const;
const base = '/api/2/account';

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
    answer: wallet.address.v2.read,
  }),
  accountNewAddress: endpoint({
    ...change,
    path: `${base}/crypto/address/{currency}`,
    params: params.addressParams,
    answer: wallet.address.v2.read,
  }),
  accountAddresses: endpoint({
    ...read,
    path: `${base}/crypto/addresses/{currency}`,
    params: params.addressParams,
    answer: wallet.address.v2.readList,
  }),
  accountUsedAddresses: endpoint({
    ...read,
    path: `${base}/crypto/used-addresses/{currency}`,
    params: params.addressParams,
    answer: wallet.address.v2.readList,
  }),
  accountWithdraw: endpoint({
    ...withdraw,
    path: `${base}/crypto/withdraw`,
    params: params.withdrawParams,
    answer: answers.readMadeId,
  }),
  accountCommitWithdraw: endpoint({
    ...withdraw,
    method: 'PUT',
    path: `${base}/crypto/withdraw/{id}`,
    params: params.accountIdParams,
    answer: answers.readFlag,
  }),
  accountRollBackWithdraw: endpoint({
    ...withdraw,
    method: 'DELETE',
    path: `${base}/crypto/withdraw/{id}`,
    params: params.accountIdParams,
    answer: answers.readFlag,
  }),
  accountConvert: endpoint({
    ...change,
    path: `${base}/crypto/transfer-convert`,
    params: params.convertParams,
    answer: answers.readResultIds,
  }),
  accountEstimateWithdraw: endpoint({
    ...read,
    path: `${base}/crypto/estimate-withdraw`,
    params: params.estimateParams,
    answer: answers.readFee,
  }),
  accountEstimateWithdrawLevels: endpoint({
    ...read,
    path: `${base}/crypto/estimate-withdraw-levels`,
    params: params.estimateLevelsParams,
    answer: wallet.feeLevel.v2.readList,
  }),
  accountIsMine: endpoint({
    ...read,
    path: `${base}/crypto/is-mine/{address}`,
    params: params.isMineParams,
    answer: answers.readFlag,
  }),
  accountTransfer: endpoint({
    ...change,
    path: `${base}/transfer`,
    params: params.transferParams,
    answer: answers.readMadeId,
  }),
  accountTransferInternal: endpoint({
    ...withdraw,
    path: `${base}/transfer/internal`,
    params: params.internalParams,
    answer: answers.readResultId,
  }),
  accountTransactions: endpoint({
    ...read,
    path: `${base}/transactions`,
    params: params.transactionsParams,
    answer: wallet.transaction.v2.readList,
  }),
  accountTransaction: endpoint({
    ...read,
    path: `${base}/transactions/{id}`,
    params: params.accountIdParams,
    answer: wallet.transaction.v2.read,
  }),
} as const;
