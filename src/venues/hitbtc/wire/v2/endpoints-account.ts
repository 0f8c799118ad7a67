import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import * as wallet from '../resources/wallet.ts';
import * as answers from '../answers.ts';
import * as requests from '../resources/wallet-request.ts';
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
    params: requests.v2AddressParams,
    answer: wallet.address.v2.read,
  }),
  accountNewAddress: endpoint({
    ...change,
    path: `${base}/crypto/address/{currency}`,
    params: requests.v2AddressParams,
    answer: wallet.address.v2.read,
  }),
  accountAddresses: endpoint({
    ...read,
    path: `${base}/crypto/addresses/{currency}`,
    params: requests.v2AddressParams,
    answer: wallet.address.v2.readList,
  }),
  accountUsedAddresses: endpoint({
    ...read,
    path: `${base}/crypto/used-addresses/{currency}`,
    params: requests.v2AddressParams,
    answer: wallet.address.v2.readList,
  }),
  accountWithdraw: endpoint({
    ...withdraw,
    path: `${base}/crypto/withdraw`,
    params: requests.v2WithdrawParams,
    answer: answers.readMadeId,
  }),
  accountCommitWithdraw: endpoint({
    ...withdraw,
    method: 'PUT',
    path: `${base}/crypto/withdraw/{id}`,
    params: requests.oneIdParams,
    answer: answers.readFlag,
  }),
  accountRollBackWithdraw: endpoint({
    ...withdraw,
    method: 'DELETE',
    path: `${base}/crypto/withdraw/{id}`,
    params: requests.oneIdParams,
    answer: answers.readFlag,
  }),
  accountConvert: endpoint({
    ...change,
    path: `${base}/crypto/transfer-convert`,
    params: requests.v2ConvertParams,
    answer: answers.readResultIds,
  }),
  accountEstimateWithdraw: endpoint({
    ...read,
    path: `${base}/crypto/estimate-withdraw`,
    params: requests.v2EstimateParams,
    answer: answers.readFee,
  }),
  accountEstimateWithdrawLevels: endpoint({
    ...read,
    path: `${base}/crypto/estimate-withdraw-levels`,
    params: requests.v2EstimateLevelsParams,
    answer: wallet.feeLevel.v2.readList,
  }),
  accountIsMine: endpoint({
    ...read,
    path: `${base}/crypto/is-mine/{address}`,
    params: requests.isMineParams,
    answer: answers.readFlag,
  }),
  accountTransfer: endpoint({
    ...change,
    path: `${base}/transfer`,
    params: requests.v2TransferParams,
    answer: answers.readMadeId,
  }),
  accountTransferInternal: endpoint({
    ...withdraw,
    path: `${base}/transfer/internal`,
    params: requests.internalWithdrawParams,
    answer: answers.readResultId,
  }),
  accountTransactions: endpoint({
    ...read,
    path: `${base}/transactions`,
    params: requests.v2TransactionsParams,
    answer: wallet.transaction.v2.readList,
  }),
  accountTransaction: endpoint({
    ...read,
    path: `${base}/transactions/{id}`,
    params: requests.oneIdParams,
    answer: wallet.transaction.v2.read,
  }),
} as const;
