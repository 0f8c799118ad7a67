import type { Amount } from '../../../core/base/amount.ts';
import { zero, add, subtract } from '../../../core/base/amount.ts';
import type { AccountId } from './command.ts';

/** As many units as are counted in one number: two such numbers still add up exactly in a double. */
export const unitsMax = 2 ** 52;

/** `units` times `unit`, exact; `units` is a safe integer, of either sign. */
export function amountOf(units: number, unit: Amount): Amount {
  return (BigInt(units) * unit) as Amount;
}

/** How many `unit` an amount is, `NaN` when it is no whole number of them that a double holds. */
export function unitsOf(amount: Amount, unit: Amount): number {
  if (amount % unit !== 0n) return Number.NaN;
  const units = Number(amount / unit);
  return Number.isSafeInteger(units) ? units : Number.NaN;
}

/** The greatest amount that all of these are whole multiples of; zero when all are zero. */
export function commonUnit(...amounts: readonly Amount[]): Amount {
  let unit = 0n;
  for (const amount of amounts) {
    for (let rest: bigint = amount < 0n ? -amount : amount; rest !== 0n;) [unit, rest] = [rest, unit % rest];
  }
  return unit as Amount;
}

/** Part of a wallet that orders of one instrument use, in whole units of `unit`: counted in doubles, exactly. */
export class IntegerBalance {
  readonly wallet: Wallet;
  readonly unit: Amount;
  available = 0;
  reserved = 0;

  constructor(wallet: Wallet, unit: Amount) {
    this.wallet = wallet;
    this.unit = unit;
  }
}

/**
 * Money of one account in one currency. Changed by the wallets only.
 *
 * Orders of an instrument draw on a integer balance of their own, so that nearly everything is counted in doubles; the rest is
 * exact money of any size. At any time one integer balance, `current`, is counted apart:
 *
 *     balance = rest (what is in no integer balance, and what is in the other integer balances) + current integer balance
 */
export class Wallet {
  readonly account: AccountId;
  readonly currency: string;
  readonly integers: IntegerBalance[] = [];
  current: IntegerBalance | undefined = undefined;
  restAvailable: Amount = zero;
  restReserved: Amount = zero;
  /** Whether the command under way has touched it, and what was here before. */
  touched = false;
  #currentBefore: IntegerBalance | undefined = undefined;
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

  /** An integer balance for amounts of whole `unit`. */
  integer(unit: Amount): IntegerBalance {
    const integer = new IntegerBalance(this, unit);
    this.integers.push(integer);
    return integer;
  }

  /** Counts `integer balance` apart from now on. */
  turnTo(integer: IntegerBalance): void {
    const { current } = this;
    if (current === integer) return;
    if (current !== undefined) {
      this.restAvailable = sum(this.restAvailable, current.available, current.unit);
      this.restReserved = sum(this.restReserved, current.reserved, current.unit);
    }
    this.restAvailable = sum(this.restAvailable, -integer.available, integer.unit);
    this.restReserved = sum(this.restReserved, -integer.reserved, integer.unit);
    this.current = integer;
  }
}

function sum(rest: Amount, units: number, unit: Amount): Amount {
  return units === 0 ? rest : ((rest + amountOf(units, unit)) as Amount);
}

/** Brings `units` into the current integer balance from elsewhere in its wallet; false, and the balance is as it was, if there is less. */
export function fill(integer: IntegerBalance, units: number): boolean {
  const { wallet, unit } = integer;
  const missing = amountOf(units - integer.available, unit);
  if (missing > wallet.restAvailable) return false;
  let free = subtract(wallet.restAvailable, inOthers(wallet));
  if (missing > free) {
    emptyOthers(wallet);
    free = wallet.restAvailable;
  }
  // Half of what is in no integer balance, so that other instruments find some there too.
  const half = (free / 2n) as Amount;
  const wanted = half > missing ? half : missing;
  const capacity = amountOf(unitsMax - integer.available, unit);
  const drawn = Number((wanted < capacity ? wanted : capacity) / unit);
  wallet.restAvailable = subtract(wallet.restAvailable, amountOf(drawn, unit));
  integer.available += drawn;
  return true;
}

/** Puts what is available in integer balances to the rest, all of which is free then. */
export function empty(wallet: Wallet): void {
  emptyOthers(wallet);
  if (wallet.current !== undefined) emptyCurrent(wallet.current);
}

/** Puts what is available in the current integer balance to the rest of its wallet. */
export function emptyCurrent(integer: IntegerBalance): void {
  const { wallet } = integer;
  wallet.restAvailable = add(wallet.restAvailable, amountOf(integer.available, integer.unit));
  integer.available = 0;
}

/** Empties other integer balances, which are counted with the rest already. */
function emptyOthers({ integers, current }: Wallet): void {
  for (const integer of integers) if (integer !== current) integer.available = 0;
}

function inOthers({ integers, current }: Wallet): Amount {
  let total = zero;
  for (const integer of integers)
    if (integer !== current) total = add(total, amountOf(integer.available, integer.unit));
  return total;
}
