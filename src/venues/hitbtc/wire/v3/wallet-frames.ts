import type { Balance } from '../../../../core/model/market.ts';
import { decodeBalances, encodeV2Balance } from '../balances.ts';
import type { SocketId } from '../market-sink.ts';
import { readRpcFrame } from '../rpc-frame.ts';
import type { Answer } from '../socket-reply.ts';
import { encodeRpcNotification, idMember } from '../socket-request.ts';
import type { WalletTransaction } from '../wallet-transaction.ts';
import type { V3WalletMethod } from './wallet-methods.ts';
import { decodeV3Transaction, encodeV3Transaction } from './wallet-transactions.ts';

/** What the v3 wallet socket says. */
export type V3WalletMessage =
  /** The answer to a request; `decodeBalances` and `decodeV3Transactions` read the results. */
  | ({ readonly kind: 'reply' } & Answer)
  | { readonly kind: 'transaction'; readonly transaction: WalletTransaction }
  /** `complete`: every balance that is not zero; else those that changed. */
  | { readonly kind: 'balances'; readonly complete: boolean; readonly balances: readonly Balance[] }
  | { readonly kind: 'other'; readonly method: string };

/** Reads a frame of the v3 wallet socket. Throws `BadInput` naming the member. Source: v3-gaps, section 3. */
export function decodeV3Wallet(frame: string | Uint8Array): V3WalletMessage {
  const read = readRpcFrame(frame, 'v3 wallet');
  if (read.kind === 'reply') return read;
  const { method, params } = read;
  switch (method) {
    case 'transaction_update':
      return { kind: 'transaction', transaction: decodeV3Transaction(params) };
    case 'wallet_balances':
      return { kind: 'balances', complete: true, balances: decodeBalances(params) };
    case 'wallet_balance_update':
      return { kind: 'balances', complete: false, balances: decodeBalances([params]) };
    default:
      return { kind: 'other', method };
  }
}

/** Any request of the v3 wallet socket; `params` in wire spelling. */
export function encodeV3WalletRequest(
  method: V3WalletMethod,
  params: object,
  id: SocketId | undefined,
): string {
  return `{"method":"${method}","params":${JSON.stringify(params)}${idMember(id)}}`;
}

/** `transaction_update`: a transaction as it is after a change. */
export function encodeTransactionUpdate(transaction: WalletTransaction): string {
  return encodeRpcNotification('transaction_update', encodeV3Transaction(transaction));
}

/** `wallet_balances`: every balance that is not zero, once after the subscription. */
export function encodeWalletBalances(balances: readonly Balance[]): string {
  return encodeRpcNotification('wallet_balances', balances.map(encodeV2Balance));
}

/** `wallet_balance_update`: one balance that changed, also to zero. */
export function encodeWalletBalanceUpdate(balance: Balance): string {
  return encodeRpcNotification('wallet_balance_update', encodeV2Balance(balance));
}
