import type { Amount } from '../../core/base/amount.ts';
import { add, subtract, zero } from '../../core/base/amount.ts';
import { assert } from '../../core/base/assert.ts';
import { BalanceChange } from './balance-change.ts';
import type { AccountId } from './command.ts';
import type { BalanceOutcome } from './outcome.ts';
import type { Till } from './purse.ts';
import { Purse } from './purse.ts';
import { empty, emptyCurrent, fill } from './till-filling.ts';
import { amountOf, unitsMax } from './units.ts';

export type { Purse } from './purse.ts';

/** Fees of one instrument, in whole units of `unit`. */
export interface FeeBox {
  readonly currency: string;
  readonly unit: Amount;
  units: number;
}

/**
 * Balances per account and currency, exact. Nothing is created or lost: the sum over accounts and collected fees
 * only changes by `deposit`.
 *
 * Every operation is there twice: for an amount of any size, and for so many units (at most `unitsMax`) of a till.
 */
export class Ledger {
  readonly #collected = new Map<string, Amount>();
  readonly #boxes: FeeBox[] = [];
  /** Purses changed by the command under way; entries from `#touchedCount` on are old. */
  readonly #touched: Purse[] = [];
  #touchedCount = 0;

  open(account: AccountId, currency: string): Purse {
    return new Purse(account, currency);
  }

  /** Where the fees of an instrument go that are counted in units. */
  feeBox(currency: string, unit: Amount): FeeBox {
    const box = { currency, unit, units: 0 };
    this.#boxes.push(box);
    return box;
  }

  /** Fees collected in a currency; negative when rebates outweigh. */
  collected(currency: string): Amount {
    let total = this.#collected.get(currency) ?? zero;
    for (const box of this.#boxes) {
      if (box.currency === currency) total = add(total, amountOf(box.units, box.unit));
    }
    return total;
  }

  /** Adds `change` (it may be negative) to what is available; false, and nothing is done, if that would go below zero. */
  deposit(purse: Purse, change: Amount): boolean {
    if (add(purse.available, change) < zero) return false;
    this.#touch(purse);
    if (change < zero) empty(purse);
    purse.restAvailable = add(purse.restAvailable, change);
    return true;
  }

  /** Moves `amount` from available to reserved; false, and nothing is done, if there is too little. */
  reserve(purse: Purse, amount: Amount): boolean {
    if (purse.available < amount) return false;
    this.#touch(purse);
    empty(purse);
    purse.restAvailable = subtract(purse.restAvailable, amount);
    purse.restReserved = add(purse.restReserved, amount);
    return true;
  }

  /** Moves `amount` back from reserved to available. */
  release(purse: Purse, amount: Amount): void {
    this.#touch(purse);
    purse.restReserved = subtract(purse.restReserved, amount);
    purse.restAvailable = add(purse.restAvailable, amount);
    assert(purse.reserved >= zero, 'more was released than had been reserved');
  }

  /** Takes `amount` out of what is reserved: it has been paid. */
  spend(purse: Purse, amount: Amount): void {
    this.#touch(purse);
    purse.restReserved = subtract(purse.restReserved, amount);
    assert(purse.reserved >= zero, 'more was paid than had been reserved');
  }

  /** Adds what a trade brought. */
  receive(purse: Purse, amount: Amount): void {
    this.#touch(purse);
    purse.restAvailable = add(purse.restAvailable, amount);
  }

  collect(currency: string, fee: Amount): void {
    this.#collected.set(currency, add(this.#collected.get(currency) ?? zero, fee));
  }

  reserveUnits(till: Till, units: number): boolean {
    this.#turnTo(till);
    if (till.available < units && !fill(till, units)) return false;
    till.available -= units;
    till.reserved += units;
    return true;
  }

  releaseUnits(till: Till, units: number): void {
    this.#turnTo(till);
    till.reserved -= units;
    till.available += units;
    assert(till.reserved >= 0, 'more was released than had been reserved');
    if (till.available > unitsMax) emptyCurrent(till);
  }

  spendUnits(till: Till, units: number): void {
    this.#turnTo(till);
    till.reserved -= units;
    assert(till.reserved >= 0, 'more was paid than had been reserved');
  }

  receiveUnits(till: Till, units: number): void {
    this.#turnTo(till);
    till.available += units;
    if (till.available > unitsMax) emptyCurrent(till);
  }

  collectUnits(box: FeeBox, units: number): void {
    box.units += units;
    if (Math.abs(box.units) <= unitsMax) return;
    this.collect(box.currency, amountOf(box.units, box.unit));
    box.units = 0;
  }

  /** Appends one outcome per purse that differs from what it was when the command began. */
  flush(outcomes: { push(outcome: BalanceOutcome): void }): void {
    for (let i = 0; i < this.#touchedCount; i++) {
      const purse = this.#touched[i] as Purse;
      purse.touched = false;
      if (purse.isChanged) outcomes.push(new BalanceChange(purse));
    }
    this.#touchedCount = 0;
  }

  #turnTo(till: Till): void {
    const { purse } = till;
    if (!purse.touched) this.#touch(purse);
    if (purse.current !== till) purse.turnTo(till);
  }

  #touch(purse: Purse): void {
    if (purse.touched) return;
    purse.remember();
    this.#touched[this.#touchedCount] = purse;
    this.#touchedCount += 1;
  }
}
