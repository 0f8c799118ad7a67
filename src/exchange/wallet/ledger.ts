import type { Amount } from '../../core/base/amount.ts';
import { add, subtract, zero } from '../../core/base/amount.ts';
import { assert } from '../../core/base/assert.ts';
import type { AccountId } from '../matching/command.ts';
import type { Balance } from '../../core/model/market.ts';

interface Purse {
  available: Amount;
  reserved: Amount;
}

/**
 * Balances beside the trading ones (the wallet's, those of derivatives), exact. Nothing is created or lost but by
 * `deposit` and `spend`, so that whoever calls them answers for the other side of the entry.
 */
export class BalanceLedger {
  readonly #purses = new Map<AccountId, Map<string, Purse>>();
  readonly #onChange: (account: AccountId, currency: string) => void;

  constructor(onChange: (account: AccountId, currency: string) => void = () => {}) {
    this.#onChange = onChange;
  }

  /** What an account has of a currency; zeros when it never had any. */
  balance(account: AccountId, currency: string): Balance {
    const purse = this.#purses.get(account)?.get(currency);
    return { currency, available: purse?.available ?? zero, reserved: purse?.reserved ?? zero };
  }

  /** Balances that are not zero, in the order in which the account first had them. */
  balances(account: AccountId): readonly Balance[] {
    const balances: Balance[] = [];
    for (const [currency, { available, reserved }] of this.#purses.get(account) ?? []) {
      if (available !== zero || reserved !== zero) balances.push({ currency, available, reserved });
    }
    return balances;
  }

  /** Adds `change` (it may be negative) to what is available; false, and nothing is done, if that would go below zero. */
  deposit(account: AccountId, currency: string, change: Amount): boolean {
    const available = add(this.balance(account, currency).available, change);
    if (available < zero) return false;
    this.#purse(account, currency).available = available;
    this.#onChange(account, currency);
    return true;
  }

  /** Moves from available to reserved; false, and nothing is done, if there is too little. */
  reserve(account: AccountId, currency: string, amount: Amount): boolean {
    if (this.balance(account, currency).available < amount) return false;
    const purse = this.#purse(account, currency);
    purse.available = subtract(purse.available, amount);
    purse.reserved = add(purse.reserved, amount);
    this.#onChange(account, currency);
    return true;
  }

  /** Moves from reserved back to available. */
  release(account: AccountId, currency: string, amount: Amount): void {
    const purse = this.#purse(account, currency);
    assert(amount >= zero && purse.reserved >= amount, 'more was released than was reserved');
    purse.reserved = subtract(purse.reserved, amount);
    purse.available = add(purse.available, amount);
    this.#onChange(account, currency);
  }

  /** Takes from what is reserved: it leaves this ledger. */
  spend(account: AccountId, currency: string, amount: Amount): void {
    const purse = this.#purse(account, currency);
    assert(amount >= zero && purse.reserved >= amount, 'more was spent than was reserved');
    purse.reserved = subtract(purse.reserved, amount);
    this.#onChange(account, currency);
  }

  /** Available and reserved of all accounts together. */
  total(currency: string): Amount {
    let total = zero;
    for (const purses of this.#purses.values()) {
      const purse = purses.get(currency);
      if (purse !== undefined) total = add(total, add(purse.available, purse.reserved));
    }
    return total;
  }

  #purse(account: AccountId, currency: string): Purse {
    let purses = this.#purses.get(account);
    if (purses === undefined) this.#purses.set(account, (purses = new Map()));
    let purse = purses.get(currency);
    if (purse === undefined) purses.set(currency, (purse = { available: zero, reserved: zero }));
    return purse;
  }
}
