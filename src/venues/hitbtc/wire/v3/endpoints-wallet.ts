import * as answers from '../answers.ts';
import { endpoint } from '../endpoint.ts';
import * as wallet from '../resources/wallet.ts';
import { currencyParams, noParams } from '../param-fields.ts';
import * as params from './wallet-params.ts';
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
    answer: wallet.address.v3.readList,
  }),
  walletNewAddress: endpoint({
    ...change,
    path: `${base}/crypto/address`,
    params: params.addressParams,
    answer: wallet.address.v3.read,
  }),
  walletRecentDepositAddresses: endpoint({
    ...read,
    path: `${base}/crypto/address/recent-deposit`,
    params: params.addressParams,
    answer: wallet.address.v3.readList,
  }),
  walletRecentWithdrawAddresses: endpoint({
    ...read,
    path: `${base}/crypto/address/recent-withdraw`,
    params: params.addressParams,
    answer: wallet.address.v3.readList,
  }),
  walletIsMine: endpoint({
    ...read,
    path: `${base}/crypto/address/check-mine`,
    params: params.checkMineParams,
    answer: answers.readFlag,
  }),
  walletWhiteList: endpoint({
    ...read,
    path: `${base}/crypto/address/white-list`,
    params: noParams,
    answer: wallet.whiteListEntry.v3.readList,
  }),
  walletWithdraw: endpoint({
    ...withdraw,
    path: `${base}/crypto/withdraw`,
    params: params.withdrawParams,
    answer: answers.readMadeId,
  }),
  walletCommitWithdraw: endpoint({
    ...withdraw,
    method: 'PUT',
    path: `${base}/crypto/withdraw/{id}`,
    params: params.walletIdParams,
    answer: answers.readFlag,
  }),
  walletRollBackWithdraw: endpoint({
    ...withdraw,
    method: 'DELETE',
    path: `${base}/crypto/withdraw/{id}`,
    params: params.walletIdParams,
    answer: answers.readFlag,
  }),
  walletEstimateFee: endpoint({
    ...read,
    path: `${base}/crypto/fee/estimate`,
    params: params.estimateParams,
    answer: answers.readFee,
  }),
  walletEstimateFees: endpoint({
    ...change,
    payload: 'list',
    path: `${base}/crypto/fees/estimate`,
    params: params.estimatesParams,
    answer: wallet.feeEstimate.v3.readList,
  }),
  walletEstimateFeesBulk: endpoint({
    ...change,
    payload: 'list',
    path: `${base}/crypto/fee/estimate/bulk`,
    params: params.estimatesParams,
    answer: wallet.feeEstimate.v3.readList,
  }),
  walletFeesHash: endpoint({
    ...read,
    path: `${base}/crypto/fee/withdraw/hash`,
    params: noParams,
    answer: answers.readFeesHash,
  }),
  walletConvert: endpoint({
    ...change,
    path: `${base}/convert`,
    params: params.convertParams,
    answer: answers.readResultIds,
  }),
  walletTransfer: endpoint({
    ...change,
    path: `${base}/transfer`,
    params: params.transferParams,
    answer: answers.readTransferId,
  }),
  walletInternalWithdraw: endpoint({
    ...withdraw,
    path: `${base}/internal/withdraw`,
    params: params.internalWithdrawParams,
    answer: answers.readResultId,
  }),
  walletOffchainAvailable: endpoint({
    ...change,
    path: `${base}/crypto/check-offchain-available`,
    params: params.offchainParams,
    answer: answers.readFlag,
  }),
  walletTransactions: endpoint({
    ...read,
    path: `${base}/transactions`,
    params: params.transactionsParams,
    answer: wallet.transaction.v3.readList,
  }),
  walletTransaction: endpoint({
    ...read,
    path: `${base}/transactions/{tx_id}`,
    params: params.transactionParams,
    answer: wallet.transaction.v3.read,
  }),
  walletAmountLocks: endpoint({
    ...read,
    path: `${base}/amount-locks`,
    params: params.amountLocksParams,
    answer: wallet.amountLock.v3.readList,
  }),
  walletAirdrops: endpoint({
    ...read,
    path: `${base}/airdrops`,
    params: noParams,
    answer: wallet.airdrop.v3.readList,
  }),
  walletClaimAirdrop: endpoint({
    ...change,
    path: `${base}/airdrops/{id}/claim`,
    params: params.walletIdParams,
    answer: wallet.airdrop.v3.read,
  }),
} as const;
