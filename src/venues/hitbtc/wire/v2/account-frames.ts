import type { Balance } from '../../../../core/model/market.ts';
import { decodeBalances, encodeV2Balance } from '../balances.ts';
import type { SocketId } from '../market-sink.ts';
import { readRpcFrame } from '../rpc-frame.ts';
import type { Answer } from '../socket-reply.ts';
import { encodeRpcNotification, idMember } from '../socket-request.ts';
import type { WalletTransaction } from '../wallet-transaction.ts';
import type { V2AccountMethod } from './account-methods.ts';
import type { V2Transaction } from './account-transactions.ts';
import { decodeV2Transaction, encodeV2Transaction } from './account-transactions.ts';

/** What the v2 account socket says. */
export type V2AccountMessage =
  /** The answer to a request; `decodeBalances` and `decodeV2Transactions` read the results. */
  | ({ readonly kind: 'reply' } & Answer)
  | { readonly kind: 'transaction'; readonly transaction: V2Transaction }
  /** Balances that changed; after the subscription, all that are not zero. */
  | { readonly kind: 'balances'; readonly balances: readonly Balance[] }
  | { readonly kind: 'other'; readonly method: string };

/** Reads a frame of the v2 account socket. Throws `BadInput` naming the member. Source: v2-gaps, section 7. */
export function decodeV2Account(frame: string | Uint8Array): V2AccountMessage {
  const read = readRpcFrame(frame, 'v2 account');
  if (read.kind === 'reply') return read;
  const { method, params } = read;
  switch (method) {
    case 'updateTransaction':
      return { kind: 'transaction', transaction: decodeV2Transaction(params) };
    case 'balance':
      return { kind: 'balances', balances: decodeBalances(params) };
    default:
      return { kind: 'other', method };
  }
}

/** Any request of the v2 account socket; subscriptions are sent with empty params. */
export function encodeV2AccountRequest(
  method: V2AccountMethod,
  params: object,
  id: SocketId | undefined,
): string {
  return `{"method":"${method}","params":${JSON.stringify(params)}${idMember(id)}}`;
}

/** `updateTransaction`: a transaction as it is after a change. Source: v2-gaps, section 7. */
export function encodeV2TransactionUpdate(transaction: WalletTransaction): string {
  return encodeRpcNotification('updateTransaction', encodeV2Transaction(transaction, false));
}

/** `balance`: balances that changed. */
export function encodeV2BalanceNotice(balances: readonly Balance[]): string {
  return encodeRpcNotification('balance', balances.map(encodeV2Balance));
}
