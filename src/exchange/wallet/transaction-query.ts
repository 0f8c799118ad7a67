import type { TransactionsParams } from '../../venues/hitbtc/wire/wallet-params.ts';
import type { WalletTransaction } from '../../venues/hitbtc/wire/wallet-transaction.ts';

/** The transactions asked for, in the order asked for. `all` is oldest first. Source: v3-gaps, section 6. */
export function selectTransactions(
  all: readonly WalletTransaction[],
  params: TransactionsParams,
): readonly WalletTransaction[] {
  const keyOf = keyReader(params.orderBy);
  const found = all.filter((transaction) => fits(transaction, params, keyOf));
  const sign = params.sort === 'ASC' ? 1 : -1;
  found.sort((a, b) => sign * (keyOf(a) - keyOf(b) || a.id - b.id));
  const ordered = params.groupTransactions ? grouped(found) : found;
  return ordered.slice(params.offset, params.offset + params.limit);
}

type KeyReader = (transaction: WalletTransaction) => number;

function keyReader(orderBy: TransactionsParams['orderBy']): KeyReader {
  if (orderBy === 'index') return ({ native }) => native.index;
  return (transaction) => transaction[orderBy];
}

function fits(transaction: WalletTransaction, params: TransactionsParams, keyOf: KeyReader): boolean {
  const { id, native, type, subtype, status } = transaction;
  const key = keyOf(transaction);
  return (
    (params.from === undefined || key >= params.from) &&
    (params.till === undefined || key <= params.till) &&
    (params.idFrom === undefined || id >= params.idFrom) &&
    (params.idTill === undefined || id <= params.idTill) &&
    isAmong(params.types, type) &&
    isAmong(params.subtypes, subtype) &&
    isAmong(params.statuses, status) &&
    isAmong(params.currencies, native.currency) &&
    isAmong(params.networks, native.networkCode ?? '') &&
    (params.txIds === undefined || params.txIds.includes(native.txId) || params.txIds.includes(String(id)))
  );
}

function isAmong<Value>(wanted: readonly Value[] | undefined, value: Value): boolean {
  return wanted === undefined || wanted.includes(value);
}

/** Transactions of one operation stand where its first one stands. */
function grouped(transactions: readonly WalletTransaction[]): WalletTransaction[] {
  const operations = new Map<string, WalletTransaction[]>();
  for (const transaction of transactions) {
    const group = operations.get(transaction.operationId);
    if (group === undefined) operations.set(transaction.operationId, [transaction]);
    else group.push(transaction);
  }
  return [...operations.values()].flat();
}
