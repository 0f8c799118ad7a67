import {
  readFee,
  readFeesHash,
  readFlag,
  readMadeId,
  readResultId,
  readResultIds,
  readTransferId,
} from '../answers.ts';
import { get, post, postJson, postList, put, putJson, remove, removeJson } from '../endpoint.ts';
import { addCode } from '../keyed.ts';
import {
  address,
  airdrop,
  amountLock,
  feeEstimate,
  feeLevel,
  transaction,
  whiteListEntry,
} from '../resources/wallet.ts';
import { currencyParams, noParams } from '../param-fields.ts';
import {
  internalWithdrawParams,
  isMineParams,
  oneIdParams,
  v2AddressParams,
  v2ConvertParams,
  v2EstimateLevelsParams,
  v2EstimateParams,
  v2TransactionsParams,
  v2TransferParams,
  v2WithdrawParams,
  v3AddressParams,
  v3AddressesParams,
  v3AmountLocksParams,
  v3ConvertParams,
  v3EstimateParams,
  v3EstimatesParams,
  v3OffchainParams,
  v3TransactionParams,
  v3TransactionsParams,
  v3TransferParams,
  v3WithdrawParams,
} from '../resources/wallet-request.ts';
import { walletBalance, balanceOfCurrency } from '../resources/account.ts';

/** Wallet: balances, addresses, withdrawals, transfers, transactions. Source: API v3, "Wallet"; v3-gaps, section 6. */
export const walletEndpoints = {
  walletBalances: get('/api/3/wallet/balance', 'R3', noParams, walletBalance.v3.decodeList),
  walletBalance: get(
    '/api/3/wallet/balance/{currency}',
    'R3',
    currencyParams,
    addCode('currency', balanceOfCurrency.v3.decode),
  ),
  walletAddresses: get('/api/3/wallet/crypto/address', 'R3', v3AddressesParams, address.v3.readList),
  walletNewAddress: postJson('/api/3/wallet/crypto/address', 'R3', v3AddressParams, address.v3.read),
  walletRecentDepositAddresses: get(
    '/api/3/wallet/crypto/address/recent-deposit',
    'R3',
    v3AddressParams,
    address.v3.readList,
  ),
  walletRecentWithdrawAddresses: get(
    '/api/3/wallet/crypto/address/recent-withdraw',
    'R3',
    v3AddressParams,
    address.v3.readList,
  ),
  walletIsMine: get('/api/3/wallet/crypto/address/check-mine', 'R3', isMineParams, readFlag),
  walletWhiteList: get('/api/3/wallet/crypto/address/white-list', 'R3', noParams, whiteListEntry.v3.readList),
  walletWithdraw: postJson('/api/3/wallet/crypto/withdraw', 'R4', v3WithdrawParams, readMadeId),
  walletCommitWithdraw: putJson('/api/3/wallet/crypto/withdraw/{id}', 'R4', oneIdParams, readFlag),
  walletRollBackWithdraw: removeJson('/api/3/wallet/crypto/withdraw/{id}', 'R4', oneIdParams, readFlag),
  walletEstimateFee: get('/api/3/wallet/crypto/fee/estimate', 'R3', v3EstimateParams, readFee),
  walletEstimateFees: postList(
    '/api/3/wallet/crypto/fees/estimate',
    'R3',
    v3EstimatesParams,
    feeEstimate.v3.readList,
  ),
  walletEstimateFeesBulk: postList(
    '/api/3/wallet/crypto/fee/estimate/bulk',
    'R3',
    v3EstimatesParams,
    feeEstimate.v3.readList,
  ),
  walletFeesHash: get('/api/3/wallet/crypto/fee/withdraw/hash', 'R3', noParams, readFeesHash),
  walletConvert: postJson('/api/3/wallet/convert', 'R3', v3ConvertParams, readResultIds),
  walletTransfer: postJson('/api/3/wallet/transfer', 'R3', v3TransferParams, readTransferId),
  walletInternalWithdraw: postJson(
    '/api/3/wallet/internal/withdraw',
    'R4',
    internalWithdrawParams,
    readResultId,
  ),
  walletOffchainAvailable: postJson(
    '/api/3/wallet/crypto/check-offchain-available',
    'R3',
    v3OffchainParams,
    readFlag,
  ),
  walletTransactions: get('/api/3/wallet/transactions', 'R3', v3TransactionsParams, transaction.v3.readList),
  walletTransaction: get(
    '/api/3/wallet/transactions/{tx_id}',
    'R3',
    v3TransactionParams,
    transaction.v3.read,
  ),
  walletAmountLocks: get('/api/3/wallet/amount-locks', 'R3', v3AmountLocksParams, amountLock.v3.readList),
  walletAirdrops: get('/api/3/wallet/airdrops', 'R3', noParams, airdrop.v3.readList),
  walletClaimAirdrop: postJson('/api/3/wallet/airdrops/{id}/claim', 'R3', oneIdParams, airdrop.v3.read),
} as const;

/** Account management of v2: what v3 calls the wallet. Source: API v2, "Account management". */
export const v2AccountEndpoints = {
  accountBalances: get('/api/2/account/balance', 'R3', noParams, walletBalance.v3.decodeList),
  accountAddress: get('/api/2/account/crypto/address/{currency}', 'R3', v2AddressParams, address.v2.read),
  accountNewAddress: post('/api/2/account/crypto/address/{currency}', 'R3', v2AddressParams, address.v2.read),
  accountAddresses: get(
    '/api/2/account/crypto/addresses/{currency}',
    'R3',
    v2AddressParams,
    address.v2.readList,
  ),
  accountUsedAddresses: get(
    '/api/2/account/crypto/used-addresses/{currency}',
    'R3',
    v2AddressParams,
    address.v2.readList,
  ),
  accountWithdraw: post('/api/2/account/crypto/withdraw', 'R4', v2WithdrawParams, readMadeId),
  accountCommitWithdraw: put('/api/2/account/crypto/withdraw/{id}', 'R4', oneIdParams, readFlag),
  accountRollBackWithdraw: remove('/api/2/account/crypto/withdraw/{id}', 'R4', oneIdParams, readFlag),
  accountConvert: post('/api/2/account/crypto/transfer-convert', 'R3', v2ConvertParams, readResultIds),
  accountEstimateWithdraw: get('/api/2/account/crypto/estimate-withdraw', 'R3', v2EstimateParams, readFee),
  accountEstimateWithdrawLevels: get(
    '/api/2/account/crypto/estimate-withdraw-levels',
    'R3',
    v2EstimateLevelsParams,
    feeLevel.v2.readList,
  ),
  accountIsMine: get('/api/2/account/crypto/is-mine/{address}', 'R3', isMineParams, readFlag),
  accountTransfer: post('/api/2/account/transfer', 'R3', v2TransferParams, readMadeId),
  accountTransferInternal: post(
    '/api/2/account/transfer/internal',
    'R4',
    internalWithdrawParams,
    readResultId,
  ),
  accountTransactions: get(
    '/api/2/account/transactions',
    'R3',
    v2TransactionsParams,
    transaction.v2.readList,
  ),
  accountTransaction: get('/api/2/account/transactions/{id}', 'R3', oneIdParams, transaction.v2.read),
} as const;
