import type { Amount } from '../../core/base/amount.ts';
import { add, subtract, zero } from '../../core/base/amount.ts';
import { assert } from '../../core/base/assert.ts';
import type { AccountId } from '../matching/index.ts';
import type { Balance } from '../../core/model/market.ts';

interface MutableBalance {
  available: Amount;
  reserved: Amount;
}

/**
 * Balances beside the trading ones (the wallet's, those of derivatives), exact. Nothing is created or lost but by
 * `deposit` and `spend`, so that the caller accounts for the other side of the entry.
 */
export class HeldBalances {
  readonly #balances = new Map<AccountId, Map<string, MutableBalance>>();
  readonly #onChange: (account: AccountId, currency: string) => void;

  constructor(onChange: (account: AccountId, currency: string) => void = () => {}) {
    this.#onChange = onChange;
  }

  /** What an account has of a currency; zeros when it never had any. */
  balance(account: AccountId, currency: string): Balance {
    const held = this.#balances.get(account)?.get(currency);
    return { currency, available: held?.available ?? zero, reserved: held?.reserved ?? zero };
  }

  /** Balances that are not zero, in the order in which the account first had them. */
  balances(account: AccountId): readonly Balance[] {
    const balances: Balance[] = [];
    for (const [currency, { available, reserved }] of this.#balances.get(account) ?? []) {
      if (available !== zero || reserved !== zero) balances.push({ currency, available, reserved });
    }
    return balances;
  }

  /** Adds `change` (it may be negative) to what is available; false, and nothing is done, if that would go below zero. */
  deposit(account: AccountId, currency: string, change: Amount): boolean {
    const available = add(this.balance(account, currency).available, change);
    if (available < zero) return false;
    this.#held(account, currency).available = available;
    this.#onChange(account, currency);
    return true;
  }

  /** Moves from available to reserved; false, and nothing is done, if there is too little. */
  reserve(account: AccountId, currency: string, amount: Amount): boolean {
    if (this.balance(account, currency).available < amount) return false;
    const held = this.#held(account, currency);
    held.available = subtract(held.available, amount);
    held.reserved = add(held.reserved, amount);
    this.#onChange(account, currency);
    return true;
  }

  /** Moves from reserved back to available. */
  release(account: AccountId, currency: string, amount: Amount): void {
    const held = this.#held(account, currency);
    assert(amount >= zero && held.reserved >= amount, 'more was released than was reserved');
    held.reserved = subtract(held.reserved, amount);
    held.available = add(held.available, amount);
    this.#onChange(account, currency);
  }

  /** Takes from what is reserved: it leaves these balances. */
  spend(account: AccountId, currency: string, amount: Amount): void {
    const held = this.#held(account, currency);
    assert(amount >= zero && held.reserved >= amount, 'more was spent than was reserved');
    held.reserved = subtract(held.reserved, amount);
    this.#onChange(account, currency);
  }

  /** Available and reserved of all accounts together. */
  total(currency: string): Amount {
    let total = zero;
    for (const balances of this.#balances.values()) {
      const held = balances.get(currency);
      if (held !== undefined) total = add(total, add(held.available, held.reserved));
    }
    return total;
  }

  #held(account: AccountId, currency: string): MutableBalance {
    let balances = this.#balances.get(account);
    if (balances === undefined) this.#balances.set(account, (balances = new Map()));
    let held = balances.get(currency);
    if (held === undefined) balances.set(currency, (held = { available: zero, reserved: zero }));
    return held;
  }
}
