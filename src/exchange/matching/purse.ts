import type { Amount } from '../../core/base/amount.ts';
import { zero } from '../../core/base/amount.ts';
import type { AccountId } from './command.ts';
import { amountOf } from './units.ts';

/** What orders of one instrument use of a purse, in whole units of `unit`: counted in doubles, exactly. */
export class Till {
  readonly purse: Purse;
  readonly unit: Amount;
  available = 0;
  reserved = 0;

  constructor(purse: Purse, unit: Amount) {
    this.purse = purse;
    this.unit = unit;
  }
}

/**
 * What one account has of one currency. Changed by the ledger only.
 *
 * Orders of an instrument draw on a till of their own, so that nearly everything is counted in doubles; the rest is
 * exact money of any size. At any time one till, `current`, is counted apart:
 *
 *     balance = rest (what is in no till, and what is in the other tills) + current till
 */
export class Purse {
  readonly account: AccountId;
  readonly currency: string;
  readonly tills: Till[] = [];
  current: Till | undefined = undefined;
  restAvailable: Amount = zero;
  restReserved: Amount = zero;
  /** Whether the command under way has touched it, and what was here before. */
  touched = false;
  #currentBefore: Till | undefined = undefined;
  #restAvailableBefore: Amount = zero;
  #restReservedBefore: Amount = zero;
  #availableBefore = 0;
  #reservedBefore = 0;

  constructor(account: AccountId, currency: string) {
    this.account = account;
    this.currency = currency;
  }

  get available(): Amount {
    const { current, restAvailable } = this;
    return current === undefined ? restAvailable : sum(restAvailable, current.available, current.unit);
  }

  get reserved(): Amount {
    const { current, restReserved } = this;
    return current === undefined ? restReserved : sum(restReserved, current.reserved, current.unit);
  }

  /** Whether the balance differs from what was remembered. */
  get isChanged(): boolean {
    const { current } = this;
    if (
      current !== undefined &&
      current === this.#currentBefore &&
      this.restAvailable === this.#restAvailableBefore &&
      this.restReserved === this.#restReservedBefore
    )
      return current.available !== this.#availableBefore || current.reserved !== this.#reservedBefore;
    const unit = this.#currentBefore?.unit ?? zero;
    return (
      this.available !== sum(this.#restAvailableBefore, this.#availableBefore, unit) ||
      this.reserved !== sum(this.#restReservedBefore, this.#reservedBefore, unit)
    );
  }

  /** Remembers what the command finds here. */
  remember(): void {
    const { current } = this;
    this.touched = true;
    this.#currentBefore = current;
    this.#restAvailableBefore = this.restAvailable;
    this.#restReservedBefore = this.restReserved;
    this.#availableBefore = current === undefined ? 0 : current.available;
    this.#reservedBefore = current === undefined ? 0 : current.reserved;
  }

  /** A till for amounts of whole `unit`. */
  till(unit: Amount): Till {
    const till = new Till(this, unit);
    this.tills.push(till);
    return till;
  }

  /** Counts `till` apart from now on. */
  turnTo(till: Till): void {
    const { current } = this;
    if (current === till) return;
    if (current !== undefined) {
      this.restAvailable = sum(this.restAvailable, current.available, current.unit);
      this.restReserved = sum(this.restReserved, current.reserved, current.unit);
    }
    this.restAvailable = sum(this.restAvailable, -till.available, till.unit);
    this.restReserved = sum(this.restReserved, -till.reserved, till.unit);
    this.current = till;
  }
}

function sum(rest: Amount, units: number, unit: Amount): Amount {
  return units === 0 ? rest : ((rest + amountOf(units, unit)) as Amount);
}
