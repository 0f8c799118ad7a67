import type { Cancel } from '../../core/base/clock.ts';
import type { AccountId } from '../matching/index.ts';
import type { WalletTransaction } from '../../venues/hitbtc/wire/resources/index.ts';

/** Is called with every change of a transaction of an account. */
type TransactionWatcher = (transaction: WalletTransaction) => void;

/** Is called with the currencies in which the wallet of an account changed, once per operation. */
type WalletBalanceWatcher = (currencies: readonly string[]) => void;

/** Delivers changes of wallets to their watchers: transactions at once, balances when an operation is done. */
export class WalletNotices {
  readonly #transactions = new Map<AccountId, Set<TransactionWatcher>>();
  readonly #balances = new Map<AccountId, Set<WalletBalanceWatcher>>();
  readonly #changed = new Map<AccountId, Set<string>>();

  watchTransactions(account: AccountId, watcher: TransactionWatcher): Cancel {
    return watch(this.#transactions, account, watcher);
  }

  watchBalances(account: AccountId, watcher: WalletBalanceWatcher): Cancel {
    return watch(this.#balances, account, watcher);
  }

  transactionChanged(account: AccountId, transaction: WalletTransaction): void {
    for (const watcher of this.#transactions.get(account) ?? []) watcher(transaction);
  }

  /** `settle` notifies of it. */
  balanceChanged(account: AccountId, currency: string): void {
    if (!this.#balances.has(account)) return;
    let currencies = this.#changed.get(account);
    if (currencies === undefined) this.#changed.set(account, (currencies = new Set()));
    currencies.add(currency);
  }

  /** Notifies of the balances that changed since the last call. */
  settle(): void {
    if (this.#changed.size === 0) return;
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const [account, currencies] of changed) {
      for (const watcher of this.#balances.get(account) ?? []) watcher([...currencies]);
    }
  }
}

function watch<Watcher>(sets: Map<AccountId, Set<Watcher>>, account: AccountId, watcher: Watcher): Cancel {
  let set = sets.get(account);
  if (set === undefined) sets.set(account, (set = new Set()));
  set.add(watcher);
  return () => {
    const current = sets.get(account);
    current?.delete(watcher);
    if (current?.size === 0) sets.delete(account);
  };
}
