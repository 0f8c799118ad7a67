import type { Amount } from '../../core/base/amount.ts';
import { add, subtract, zero } from '../../core/base/amount.ts';
import type { Purse, Till } from './purse.ts';
import { amountOf, unitsMax } from './units.ts';

/** Brings `units` into the current till from elsewhere in its purse; false, and the balance is as it was, if there is less. */
export function fill(till: Till, units: number): boolean {
  const { purse, unit } = till;
  const missing = amountOf(units - till.available, unit);
  if (missing > purse.restAvailable) return false;
  let free = subtract(purse.restAvailable, inOthers(purse));
  if (missing > free) {
    emptyOthers(purse);
    free = purse.restAvailable;
  }
  // Half of what is in no till, so that other instruments find some there too.
  const half = (free / 2n) as Amount;
  const wanted = half > missing ? half : missing;
  const room = amountOf(unitsMax - till.available, unit);
  const drawn = Number((wanted < room ? wanted : room) / unit);
  purse.restAvailable = subtract(purse.restAvailable, amountOf(drawn, unit));
  till.available += drawn;
  return true;
}

/** Puts what is available in tills to the rest, all of which is free then. */
export function empty(purse: Purse): void {
  emptyOthers(purse);
  if (purse.current !== undefined) emptyCurrent(purse.current);
}

/** Puts what is available in the current till to the rest of its purse. */
export function emptyCurrent(till: Till): void {
  const { purse } = till;
  purse.restAvailable = add(purse.restAvailable, amountOf(till.available, till.unit));
  till.available = 0;
}

/** What other tills have is counted with the rest already. */
function emptyOthers({ tills, current }: Purse): void {
  for (const till of tills) if (till !== current) till.available = 0;
}

function inOthers({ tills, current }: Purse): Amount {
  let total = zero;
  for (const till of tills) if (till !== current) total = add(total, amountOf(till.available, till.unit));
  return total;
}
