import * as answers from '../answers.ts';
import { endpoint } from '../endpoint.ts';
import * as wallet from '../resources/wallet.ts';
import { currencyParams, noParams } from '../param-fields.ts';
import * as requests from '../resources/wallet-request.ts';
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
    params: requests.v3AddressesParams,
    answer: wallet.address.v3.readList,
  }),
  walletNewAddress: endpoint({
    ...change,
    path: `${base}/crypto/address`,
    params: requests.v3AddressParams,
    answer: wallet.address.v3.read,
  }),
  walletRecentDepositAddresses: endpoint({
    ...read,
    path: `${base}/crypto/address/recent-deposit`,
    params: requests.v3AddressParams,
    answer: wallet.address.v3.readList,
  }),
  walletRecentWithdrawAddresses: endpoint({
    ...read,
    path: `${base}/crypto/address/recent-withdraw`,
    params: requests.v3AddressParams,
    answer: wallet.address.v3.readList,
  }),
  walletIsMine: endpoint({
    ...read,
    path: `${base}/crypto/address/check-mine`,
    params: requests.isMineParams,
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
    params: requests.v3WithdrawParams,
    answer: answers.readMadeId,
  }),
  walletCommitWithdraw: endpoint({
    ...withdraw,
    method: 'PUT',
    path: `${base}/crypto/withdraw/{id}`,
    params: requests.oneIdParams,
    answer: answers.readFlag,
  }),
  walletRollBackWithdraw: endpoint({
    ...withdraw,
    method: 'DELETE',
    path: `${base}/crypto/withdraw/{id}`,
    params: requests.oneIdParams,
    answer: answers.readFlag,
  }),
  walletEstimateFee: endpoint({
    ...read,
    path: `${base}/crypto/fee/estimate`,
    params: requests.v3EstimateParams,
    answer: answers.readFee,
  }),
  walletEstimateFees: endpoint({
    ...change,
    payload: 'list',
    path: `${base}/crypto/fees/estimate`,
    params: requests.v3EstimatesParams,
    answer: wallet.feeEstimate.v3.readList,
  }),
  walletEstimateFeesBulk: endpoint({
    ...change,
    payload: 'list',
    path: `${base}/crypto/fee/estimate/bulk`,
    params: requests.v3EstimatesParams,
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
    params: requests.v3ConvertParams,
    answer: answers.readResultIds,
  }),
  walletTransfer: endpoint({
    ...change,
    path: `${base}/transfer`,
    params: requests.v3TransferParams,
    answer: answers.readTransferId,
  }),
  walletInternalWithdraw: endpoint({
    ...withdraw,
    path: `${base}/internal/withdraw`,
    params: requests.internalWithdrawParams,
    answer: answers.readResultId,
  }),
  walletOffchainAvailable: endpoint({
    ...change,
    path: `${base}/crypto/check-offchain-available`,
    params: requests.v3OffchainParams,
    answer: answers.readFlag,
  }),
  walletTransactions: endpoint({
    ...read,
    path: `${base}/transactions`,
    params: requests.v3TransactionsParams,
    answer: wallet.transaction.v3.readList,
  }),
  walletTransaction: endpoint({
    ...read,
    path: `${base}/transactions/{tx_id}`,
    params: requests.v3TransactionParams,
    answer: wallet.transaction.v3.read,
  }),
  walletAmountLocks: endpoint({
    ...read,
    path: `${base}/amount-locks`,
    params: requests.v3AmountLocksParams,
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
    params: requests.oneIdParams,
    answer: wallet.airdrop.v3.read,
  }),
} as const;
