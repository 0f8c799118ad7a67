import type { Balance } from '../../../../core/model/market.ts';
import { encodeRpcNotification } from '../socket-request.ts';
import type { WalletTransaction } from '../wallet-transaction.ts';
import { encodeV3Transaction } from './wallet-transactions.ts';
import { walletBalance } from '../resources/account.ts';

/** `transaction_update`: a transaction as it is after a change. */
export function encodeTransactionUpdate(transaction: WalletTransaction): string {
  return encodeRpcNotification('transaction_update', encodeV3Transaction(transaction));
}

/** `wallet_balances`: every balance that is not zero, once after the subscription. */
export function encodeWalletBalances(balances: readonly Balance[]): string {
  return encodeRpcNotification(
    'wallet_balances',
    balances.map((one) => walletBalance.v2.write(one)),
  );
}

/** `wallet_balance_update`: one balance that changed, also to zero. */
export function encodeWalletBalanceUpdate(balance: Balance): string {
  return encodeRpcNotification('wallet_balance_update', walletBalance.v2.write(balance));
}
