import type { Amount } from '../../../core/base/amount.ts';
import { add, subtract, zero } from '../../../core/base/amount.ts';
import type { Wallet, IntegerBalance } from './wallet.ts';
import { amountOf, unitsMax } from './units.ts';

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
