import type { Amount } from '../../../core/base/amount.ts';
import { add, subtract, zero } from '../../../core/base/amount.ts';
import { assert } from '../../../core/base/assert.ts';
import type { AccountId } from './command.ts';
import type { BalanceOutcome } from './outcome.ts';
import type { IntegerBalance } from './integer-balances.ts';
import { Wallet, empty, emptyCurrent, fill, amountOf, unitsMax } from './integer-balances.ts';

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
 * Every operation is there twice: for an amount of any size, and for a number of units (at most `unitsMax`) of an integer balance.
 */
export class Wallets {
  readonly #collected = new Map<string, Amount>();
  readonly #boxes: FeeBox[] = [];
  /** Wallets changed by the command under way; entries from `#touchedCount` on are old. */
  readonly #touched: Wallet[] = [];
  #touchedCount = 0;

  open(account: AccountId, currency: string): Wallet {
    return new Wallet(account, currency);
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
  deposit(wallet: Wallet, change: Amount): boolean {
    if (add(wallet.available, change) < zero) return false;
    this.#touch(wallet);
    if (change < zero) empty(wallet);
    wallet.restAvailable = add(wallet.restAvailable, change);
    return true;
  }

  /** Moves `amount` from available to reserved; false, and nothing is done, if there is too little. */
  reserve(wallet: Wallet, amount: Amount): boolean {
    if (wallet.available < amount) return false;
    this.#touch(wallet);
    empty(wallet);
    wallet.restAvailable = subtract(wallet.restAvailable, amount);
    wallet.restReserved = add(wallet.restReserved, amount);
    return true;
  }

  /** Moves `amount` back from reserved to available. */
  release(wallet: Wallet, amount: Amount): void {
    this.#touch(wallet);
    wallet.restReserved = subtract(wallet.restReserved, amount);
    wallet.restAvailable = add(wallet.restAvailable, amount);
    assert(wallet.reserved >= zero, 'more was released than had been reserved');
  }

  /** Takes `amount` out of what is reserved: it has been paid. */
  spend(wallet: Wallet, amount: Amount): void {
    this.#touch(wallet);
    wallet.restReserved = subtract(wallet.restReserved, amount);
    assert(wallet.reserved >= zero, 'more was paid than had been reserved');
  }

  /** Adds what a trade brought. */
  receive(wallet: Wallet, amount: Amount): void {
    this.#touch(wallet);
    wallet.restAvailable = add(wallet.restAvailable, amount);
  }

  collect(currency: string, fee: Amount): void {
    this.#collected.set(currency, add(this.#collected.get(currency) ?? zero, fee));
  }

  reserveUnits(integer: IntegerBalance, units: number): boolean {
    this.#turnTo(integer);
    if (integer.available < units && !fill(integer, units)) return false;
    integer.available -= units;
    integer.reserved += units;
    return true;
  }

  releaseUnits(integer: IntegerBalance, units: number): void {
    this.#turnTo(integer);
    integer.reserved -= units;
    integer.available += units;
    assert(integer.reserved >= 0, 'more was released than had been reserved');
    if (integer.available > unitsMax) emptyCurrent(integer);
  }

  spendUnits(integer: IntegerBalance, units: number): void {
    this.#turnTo(integer);
    integer.reserved -= units;
    assert(integer.reserved >= 0, 'more was paid than had been reserved');
  }

  receiveUnits(integer: IntegerBalance, units: number): void {
    this.#turnTo(integer);
    integer.available += units;
    if (integer.available > unitsMax) emptyCurrent(integer);
  }

  collectUnits(box: FeeBox, units: number): void {
    box.units += units;
    if (Math.abs(box.units) <= unitsMax) return;
    this.collect(box.currency, amountOf(box.units, box.unit));
    box.units = 0;
  }

  /** Appends one outcome per wallet that differs from what it was when the command began. */
  flush(outcomes: { push(outcome: BalanceOutcome): void }): void {
    for (let i = 0; i < this.#touchedCount; i++) {
      const wallet = this.#touched[i] as Wallet;
      wallet.touched = false;
      if (wallet.isChanged) outcomes.push(new BalanceChange(wallet));
    }
    this.#touchedCount = 0;
  }

  #turnTo(integer: IntegerBalance): void {
    const { wallet } = integer;
    if (!wallet.touched) this.#touch(wallet);
    if (wallet.current !== integer) wallet.turnTo(integer);
  }

  #touch(wallet: Wallet): void {
    if (wallet.touched) return;
    wallet.remember();
    this.#touched[this.#touchedCount] = wallet;
    this.#touchedCount += 1;
  }
}

/** A balance as it was when the command was over. Its amounts are made when they are read. */
export class BalanceChange implements BalanceOutcome {
  readonly kind = 'balance';
  readonly account: AccountId = 0 as AccountId;
  readonly currency: string = '';
  readonly #restAvailable: Amount = zero;
  readonly #restReserved: Amount = zero;
  readonly #unit: Amount = zero;
  readonly #available: number = 0;
  readonly #reserved: number = 0;

  constructor({ account, currency, restAvailable, restReserved, current }: Wallet) {
    this.account = account;
    this.currency = currency;
    this.#restAvailable = restAvailable;
    this.#restReserved = restReserved;
    this.#unit = current === undefined ? zero : current.unit;
    this.#available = current === undefined ? 0 : current.available;
    this.#reserved = current === undefined ? 0 : current.reserved;
  }

  get available(): Amount {
    return (this.#restAvailable + amountOf(this.#available, this.#unit)) as Amount;
  }

  get reserved(): Amount {
    return (this.#restReserved + amountOf(this.#reserved, this.#unit)) as Amount;
  }
}
