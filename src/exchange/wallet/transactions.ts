import type { Clock } from '../../core/base/clock.ts';
import type { Amount } from '../../core/base/amount.ts';
import type { Random } from '../../core/base/random.ts';
import type { AccountId } from '../matching/index.ts';
import type {
  CommitRisk,
  NativeTransaction,
  TransactionStatus,
  TransactionSubtype,
  TransactionType,
  WalletTransaction,
  TransactionsParams,
} from '../../venues/hitbtc/wire/resources/index.ts';
import { makeUuid } from './address-forms.ts';

/** Numbers of transactions are exchange-wide and begin here. */
const numberStart = 100_001;

/** What a new transaction is made of; everything else comes from the log. */
interface NewTransaction {
  readonly account: AccountId;
  readonly status: TransactionStatus;
  readonly type: TransactionType;
  readonly subtype: TransactionSubtype;
  readonly currency: string;
  readonly amount: Amount;
  /** A new operation when missing. */
  readonly operationId?: string;
  readonly commitRisk?: CommitRisk;
  readonly native?: Partial<Omit<NativeTransaction, 'txId' | 'index' | 'currency' | 'amount'>>;
}

/** What changes of a transaction. */
interface TransactionChange {
  readonly status?: TransactionStatus;
  readonly commitRisk?: CommitRisk;
  readonly native?: NewTransaction['native'];
}

interface TransactionLogDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** Kept per account; unfinished ones are kept in any case. */
  readonly max: number;
  readonly onChange: (account: AccountId, transaction: WalletTransaction) => void;
}

/** The transactions of all accounts, newest last. Entries are replaced, not changed. */
export class TransactionLog {
  readonly #setup: TransactionLogDeps;
  readonly #logs = new Map<AccountId, Map<string, WalletTransaction>>();
  readonly #unfinished = new Map<AccountId, number>();
  #number = numberStart;
  #index = numberStart;

  constructor(setup: TransactionLogDeps) {
    this.#setup = setup;
  }

  /** A new identifier of an operation or transaction. */
  newId(): string {
    return makeUuid(this.#setup.random);
  }

  add(entry: NewTransaction): WalletTransaction {
    const { account, status, type, subtype, currency, amount } = entry;
    const now = this.#setup.clock.now();
    const transaction: WalletTransaction = {
      id: this.#number++,
      status,
      type,
      subtype,
      createdAt: now,
      updatedAt: now,
      lastActivityAt: now,
      operationId: entry.operationId ?? this.newId(),
      commitRisk: entry.commitRisk,
      native: {
        ...noMembers,
        ...entry.native,
        txId: this.newId(),
        index: this.#index++,
        currency,
        amount,
      },
    };
    const log = this.#log(account);
    log.set(transaction.native.txId, transaction);
    if (!isFinal(transaction)) this.#count(account, 1);
    if (log.size > this.#setup.max) forgetOne(log);
    this.#setup.onChange(account, transaction);
    return transaction;
  }

  /** Replaces a transaction by what has become of it. Nothing happens when it is no longer kept. */
  change(account: AccountId, txId: string, change: TransactionChange): WalletTransaction | undefined {
    const log = this.#log(account);
    const before = log.get(txId);
    if (before === undefined) return undefined;
    const now = this.#setup.clock.now();
    const after: WalletTransaction = {
      ...before,
      status: change.status ?? before.status,
      commitRisk: change.commitRisk ?? before.commitRisk,
      // A further confirmation is activity, but does not update the transaction itself.
      updatedAt: change.status === undefined ? before.updatedAt : now,
      lastActivityAt: now,
      native: { ...before.native, ...change.native, index: this.#index++ },
    };
    log.set(txId, after);
    if (!isFinal(before) && isFinal(after)) this.#count(account, -1);
    this.#setup.onChange(account, after);
    return after;
  }

  get(account: AccountId, txId: string): WalletTransaction | undefined {
    return this.#logs.get(account)?.get(txId);
  }

  /** By its identifier or by its number. */
  find(account: AccountId, id: string): WalletTransaction | undefined {
    const found = this.get(account, id);
    if (found !== undefined || !/^\d{1,15}$/.test(id)) return found;
    return this.all(account).find((transaction) => transaction.id === Number(id));
  }

  /** Oldest first. */
  all(account: AccountId): readonly WalletTransaction[] {
    return [...(this.#logs.get(account)?.values() ?? [])];
  }

  /** How many of an account are still under way. */
  unfinished(account: AccountId): number {
    return this.#unfinished.get(account) ?? 0;
  }

  #count(account: AccountId, change: number): void {
    this.#unfinished.set(account, this.unfinished(account) + change);
  }

  #log(account: AccountId): Map<string, WalletTransaction> {
    let log = this.#logs.get(account);
    if (log === undefined) this.#logs.set(account, (log = new Map()));
    return log;
  }
}

/** Whether nothing more can come of it. */
function isFinal({ status }: WalletTransaction): boolean {
  return status === 'SUCCESS' || status === 'FAILED' || status === 'ROLLED_BACK';
}

const noMembers = {
  fee: undefined,
  address: undefined,
  paymentId: undefined,
  hash: undefined,
  offchainId: undefined,
  confirmations: undefined,
  publicComment: undefined,
  errorCode: undefined,
  senders: undefined,
  operationType: undefined,
  networkCode: undefined,
  attemptHashes: undefined,
} as const;

function forgetOne(log: Map<string, WalletTransaction>): void {
  for (const [txId, transaction] of log) {
    if (!isFinal(transaction)) continue;
    log.delete(txId);
    return;
  }
}

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
