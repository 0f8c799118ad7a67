import type { Amount } from '../../core/base/amount.ts';
import type { Desk } from './desk.ts';
import type { Execution } from './execution.ts';
import type { OrderRecord } from './order-record.ts';
import type { Till } from './purse.ts';
import { amountOf, unitsMax } from './units.ts';

// Holding and paying for spot orders that stand alone, in units of their seat's tills: what `holding.ts` and `match.ts`
// do in amounts for orders of lists, margin orders, and whatever is too large or too fine to be counted.

/** The units an order needs; `NaN` when it cannot be counted in units. */
export function unitsNeeded(record: OrderRecord): number {
  const { side, price, remaining, list } = record;
  const { tills, terms } = record.seat;
  if (tills === undefined || list !== undefined) return Number.NaN;
  if (side === 'sell') return fitting(tills.base, remaining);
  const at = price ?? (record.state === 'suspended' ? record.stopPrice : undefined);
  return at === undefined ? Number.NaN : fitting(tills.quote, at * remaining * terms.needUnits);
}

/** Reserves for an order that holds nothing; false, and the balance is as it was, when that is too low. */
export function reserveUnits(desk: Desk, record: OrderRecord, units: number): boolean {
  const till = tillOf(record);
  if (till === undefined || !desk.ledger.reserveUnits(till, units)) return false;
  record.heldUnits = units;
  record.counted = true;
  return true;
}

/** Gives back a part of what is held for a counted order. */
export function releaseUnits(desk: Desk, record: OrderRecord, units: number): void {
  const till = tillOf(record);
  if (units === 0 || till === undefined) return;
  desk.ledger.releaseUnits(till, units);
  record.heldUnits -= units;
}

/** Gives back what a counted buy no longer needs: better prices, and the fee it did not pay. */
export function releaseSpare(desk: Desk, record: OrderRecord): void {
  const { side, price, remaining, heldUnits } = record;
  if (side === 'sell' || price === undefined) return;
  releaseUnits(desk, record, heldUnits - price * remaining * record.seat.terms.needUnits);
}

/** Pays for one execution of a counted order; its fee. */
export function payUnits(desk: Desk, record: OrderRecord, execution: Execution, taker: boolean): Amount {
  const { ledger } = desk;
  const { tills, terms, quote } = record.seat;
  const { price, quantity } = execution;
  if (tills === undefined) return terms.fee(price, quantity, taker);
  const volume = price * quantity * terms.volumeUnits;
  const fee = price * quantity * (taker ? terms.takeUnits : terms.makeUnits);
  if (record.side === 'buy') {
    ledger.spendUnits(tills.quote, volume + fee);
    record.heldUnits -= volume + fee;
    ledger.receiveUnits(tills.base, quantity);
  } else {
    ledger.spendUnits(tills.base, quantity);
    record.heldUnits -= quantity;
    if (volume > unitsMax || volume - fee > unitsMax) {
      // A sell is not held by its price: it may bring more than can be counted.
      const exact = terms.fee(price, quantity, taker);
      ledger.receive(quote, (terms.volume(price, quantity) - exact) as Amount);
      ledger.collect(tills.fees.currency, exact);
      return exact;
    }
    ledger.receiveUnits(tills.quote, volume - fee);
  }
  ledger.collectUnits(tills.fees, fee);
  return amountOf(fee, terms.unit);
}

function tillOf({ seat: { tills }, side }: OrderRecord): Till | undefined {
  return side === 'buy' ? tills?.quote : tills?.base;
}

/** `units`, or `NaN` when the till cannot count so many more; what is no number is too much as well. */
function fitting(till: Till, units: number): number {
  return units <= unitsMax && till.reserved + units <= unitsMax ? units : Number.NaN;
}
