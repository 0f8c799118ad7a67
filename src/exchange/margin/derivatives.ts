import type { Amount } from '../../core/base/amount.ts';
import { add, zero } from '../../core/base/amount.ts';
import type { AccountId } from '../matching/command.ts';
import { futuresWing } from '../matching/wings.ts';
import type { Accounts } from '../accounts.ts';
import type { Core } from '../core.ts';

/** Money for derivatives: it lies with the futures wing of an account, so that margin of contracts comes from it. */
export class Derivatives {
  readonly #core: Core;
  readonly #accounts: Accounts;

  constructor(core: Core, accounts: Accounts) {
    this.#core = core;
    this.#accounts = accounts;
  }

  /** Adds `change` (it may be negative); false, and nothing is done, if what is available would go below zero. */
  deposit(account: AccountId, currency: string, change: Amount): boolean {
    const owner = futuresWing(account);
    const outcomes = this.#core.handle({ kind: 'adjustBalance', account: owner, currency, change });
    return outcomes.every(({ kind }) => kind !== 'refused');
  }

  /** What all accounts have of a currency, margin included. */
  total(currency: string): Amount {
    const { exchange } = this.#core;
    let sum = zero;
    for (const { id } of this.#accounts.all) {
      const { available, reserved } = exchange.balance(futuresWing(id), currency);
      sum = add(sum, add(available, reserved));
      for (const view of exchange.marginAccounts(futuresWing(id)))
        if (view.currency === currency) sum = add(sum, view.balance);
    }
    return sum;
  }
}
