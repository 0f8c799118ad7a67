import type { Amount } from '../base/amount.ts';
import { add, subtract, zero } from '../base/amount.ts';
import { assert } from '../base/assert.ts';
import type { AccountId } from './command.ts';
import type { Outcome } from './outcome.ts';

/** What one account has of one currency. Changed by the ledger only. */
export interface Purse {
  readonly account: AccountId;
  readonly currency: string;
  available: Amount;
  reserved: Amount;
  /** Values at the start of the command that touched it first. */
  availableBefore: Amount;
  reservedBefore: Amount;
  touched: boolean;
}

/**
 * Balances per account and currency, exact. Nothing is created or lost: the sum over accounts and collected fees
 * only changes by `deposit`.
 */
export class Ledger {
  readonly #collected = new Map<string, Amount>();
  /** Purses changed by the command under way; entries from `#touchedCount` on are old. */
  readonly #touched: Purse[] = [];
  #touchedCount = 0;

  open(account: AccountId, currency: string): Purse {
    return {
      account,
      currency,
      available: zero,
      reserved: zero,
      availableBefore: zero,
      reservedBefore: zero,
      touched: false,
    };
  }

  /** Fees collected in a currency; negative when rebates outweigh. */
  collected(currency: string): Amount {
    return this.#collected.get(currency) ?? zero;
  }

  /** Adds `change` (it may be negative) to what is available; false, and nothing is done, if that would go below zero. */
  deposit(purse: Purse, change: Amount): boolean {
    const available = add(purse.available, change);
    if (available < zero) return false;
    this.#touch(purse);
    purse.available = available;
    return true;
  }

  /** Moves `amount` from available to reserved; false, and nothing is done, if there is too little. */
  reserve(purse: Purse, amount: Amount): boolean {
    if (purse.available < amount) return false;
    this.#touch(purse);
    purse.available = subtract(purse.available, amount);
    purse.reserved = add(purse.reserved, amount);
    return true;
  }

  /** Moves `amount` back from reserved to available. */
  release(purse: Purse, amount: Amount): void {
    this.#touch(purse);
    purse.reserved = subtract(purse.reserved, amount);
    purse.available = add(purse.available, amount);
    assert(purse.reserved >= zero, 'more was released than had been reserved');
  }

  /** Takes `amount` out of what is reserved: it has been paid. */
  spend(purse: Purse, amount: Amount): void {
    this.#touch(purse);
    purse.reserved = subtract(purse.reserved, amount);
    assert(purse.reserved >= zero, 'more was paid than had been reserved');
  }

  /** Adds what a trade brought. */
  receive(purse: Purse, amount: Amount): void {
    this.#touch(purse);
    purse.available = add(purse.available, amount);
  }

  collect(currency: string, fee: Amount): void {
    this.#collected.set(currency, add(this.collected(currency), fee));
  }

  /** Appends one outcome per purse that differs from what it was when the command began. */
  flush(outcomes: Outcome[]): void {
    for (let i = 0; i < this.#touchedCount; i++) {
      const purse = this.#touched[i] as Purse;
      purse.touched = false;
      const { account, currency, available, reserved } = purse;
      if (available === purse.availableBefore && reserved === purse.reservedBefore) continue;
      outcomes.push({ kind: 'balance', account, currency, available, reserved });
    }
    this.#touchedCount = 0;
  }

  #touch(purse: Purse): void {
    if (purse.touched) return;
    purse.touched = true;
    purse.availableBefore = purse.available;
    purse.reservedBefore = purse.reserved;
    this.#touched[this.#touchedCount] = purse;
    this.#touchedCount += 1;
  }
}
