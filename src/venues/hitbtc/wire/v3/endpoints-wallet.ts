import { decodeAirdrop, decodeAirdrops } from '../airdrop.ts';
import { decodeAmountLocks } from '../amount-lock.ts';
import { decodeV3Address } from '../deposit-address.ts';
import { endpoint } from '../endpoint.ts';
import * as answers from '../wallet-answers.ts';
import { currencyParams, noParams } from './rest-params.ts';
import * as params from './wallet-params.ts';
import { decodeV3Transaction, decodeV3Transactions } from './wallet-transactions.ts';
import { walletBalance, balanceOfCurrency } from '../resources/account.ts';

const read = {
  method: 'GET',
  payload: 'query',
  right: 'R3',
  source: 'v3-gaps, section 6',
} as const;
const change = { method: 'POST', payload: 'json', right: 'R3', source: 'v3-gaps, section 6' } as const;
const withdraw = { ...change, right: 'R4' } as const;
const base = '/api/3/wallet';

/** Wallet: balances, addresses, withdrawals, transfers, transactions. */
export const walletEndpoints = {
  walletBalances: endpoint({
    ...read,
    path: `${base}/balance`,
    params: noParams,
    answer: walletBalance.v3.decodeList,
    source: 'API v3, "Wallet"',
  }),
  walletBalance: endpoint({
    ...read,
    path: `${base}/balance/{currency}`,
    params: currencyParams,
    answer: (json, { currency = '' }) => ({ currency, ...balanceOfCurrency.v3.decode(json) }),
    source: 'API v3, "Wallet"',
  }),
  walletAddresses: endpoint({
    ...read,
    path: `${base}/crypto/address`,
    params: params.addressesParams,
    answer: answers.decodeV3Addresses,
  }),
  walletNewAddress: endpoint({
    ...change,
    path: `${base}/crypto/address`,
    params: params.addressParams,
    answer: decodeV3Address,
  }),
  walletRecentDepositAddresses: endpoint({
    ...read,
    path: `${base}/crypto/address/recent-deposit`,
    params: params.addressParams,
    answer: answers.decodeV3Addresses,
  }),
  walletRecentWithdrawAddresses: endpoint({
    ...read,
    path: `${base}/crypto/address/recent-withdraw`,
    params: params.addressParams,
    answer: answers.decodeV3Addresses,
  }),
  walletIsMine: endpoint({
    ...read,
    path: `${base}/crypto/address/check-mine`,
    params: params.checkMineParams,
    answer: answers.decodeFlag,
  }),
  walletWhiteList: endpoint({
    ...read,
    path: `${base}/crypto/address/white-list`,
    params: noParams,
    answer: answers.decodeWhiteList,
  }),
  walletWithdraw: endpoint({
    ...withdraw,
    path: `${base}/crypto/withdraw`,
    params: params.withdrawParams,
    answer: answers.decodeMadeId,
  }),
  walletCommitWithdraw: endpoint({
    ...withdraw,
    method: 'PUT',
    path: `${base}/crypto/withdraw/{id}`,
    params: params.walletIdParams,
    answer: answers.decodeFlag,
  }),
  walletRollBackWithdraw: endpoint({
    ...withdraw,
    method: 'DELETE',
    path: `${base}/crypto/withdraw/{id}`,
    params: params.walletIdParams,
    answer: answers.decodeFlag,
  }),
  walletEstimateFee: endpoint({
    ...read,
    path: `${base}/crypto/fee/estimate`,
    params: params.estimateParams,
    answer: answers.decodeFee,
  }),
  walletEstimateFees: endpoint({
    ...change,
    payload: 'list',
    path: `${base}/crypto/fees/estimate`,
    params: params.estimatesParams,
    answer: answers.decodeFeeEstimates,
  }),
  walletEstimateFeesBulk: endpoint({
    ...change,
    payload: 'list',
    path: `${base}/crypto/fee/estimate/bulk`,
    params: params.estimatesParams,
    answer: answers.decodeFeeEstimates,
  }),
  walletFeesHash: endpoint({
    ...read,
    path: `${base}/crypto/fee/withdraw/hash`,
    params: noParams,
    answer: answers.decodeFeesHash,
  }),
  walletConvert: endpoint({
    ...change,
    path: `${base}/convert`,
    params: params.convertParams,
    answer: answers.decodeResultIds,
  }),
  walletTransfer: endpoint({
    ...change,
    path: `${base}/transfer`,
    params: params.transferParams,
    answer: answers.decodeTransferId,
  }),
  walletInternalWithdraw: endpoint({
    ...withdraw,
    path: `${base}/internal/withdraw`,
    params: params.internalWithdrawParams,
    answer: answers.decodeResultId,
  }),
  walletOffchainAvailable: endpoint({
    ...change,
    path: `${base}/crypto/check-offchain-available`,
    params: params.offchainParams,
    answer: answers.decodeFlag,
  }),
  walletTransactions: endpoint({
    ...read,
    path: `${base}/transactions`,
    params: params.transactionsParams,
    answer: decodeV3Transactions,
  }),
  walletTransaction: endpoint({
    ...read,
    path: `${base}/transactions/{tx_id}`,
    params: params.transactionParams,
    answer: decodeV3Transaction,
  }),
  walletAmountLocks: endpoint({
    ...read,
    path: `${base}/amount-locks`,
    params: params.amountLocksParams,
    answer: decodeAmountLocks,
  }),
  walletAirdrops: endpoint({
    ...read,
    path: `${base}/airdrops`,
    params: noParams,
    answer: decodeAirdrops,
  }),
  walletClaimAirdrop: endpoint({
    ...change,
    path: `${base}/airdrops/{id}/claim`,
    params: params.walletIdParams,
    answer: decodeAirdrop,
  }),
} as const;
