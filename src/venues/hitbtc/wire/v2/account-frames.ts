import type { Balance } from '../../../../core/model/market.ts';
import { encodeRpcNotification } from '../socket-request.ts';
import type { WalletTransaction } from '../wallet-transaction.ts';
import { encodeV2Transaction } from './account-transactions.ts';
import { walletBalance } from '../resources/account.ts';

/** `updateTransaction`: a transaction as it is after a change. Source: v2-gaps, section 7. */
export function encodeV2TransactionUpdate(transaction: WalletTransaction): string {
  return encodeRpcNotification('updateTransaction', encodeV2Transaction(transaction, false));
}

/** `balance`: balances that changed. */
export function encodeV2BalanceNotice(balances: readonly Balance[]): string {
  return encodeRpcNotification(
    'balance',
    balances.map((one) => walletBalance.v2.write(one)),
  );
}
