import type { Amount } from '../../../core/base/amount.ts';
import type { ExchangeState } from '../state/index.ts';
import type { Execution, IntegerBalance } from '../accounts/index.ts';
import type { OrderRecord } from '../orders/index.ts';
import { amountOf, unitsMax } from '../accounts/index.ts';

// Reserving and paying for spot orders that stand alone, in units of their integer balances: as `reservations.ts` and
// `settle.ts` do in amounts for orders of lists, margin orders, and what is too large or too fine to be counted.
// Fast twin of both: row `matching-exchange`, 1.54 times as fast.

/** The units an order needs; `NaN` when it cannot be counted in units. */
export function unitsNeeded(record: OrderRecord): number {
  const { side, price, remaining, list } = record;
  const { integers, terms } = record.context;
  if (integers === undefined || list !== undefined) return Number.NaN;
  if (side === 'sell') return fitting(integers.base, remaining);
  const at = price ?? (record.state === 'suspended' ? record.stopPrice : undefined);
  return at === undefined ? Number.NaN : fitting(integers.quote, at * remaining * terms.needUnits);
}

/** Reserves for an order that holds nothing; false, and the balance is as it was, when that is too low. */
export function reserveUnits(exchange: ExchangeState, record: OrderRecord, units: number): boolean {
  const integer = integerOf(record);
  if (integer === undefined || !exchange.wallets.reserveUnits(integer, units)) return false;
  record.heldUnits = units;
  record.counted = true;
  return true;
}

/** Gives back a part of what is held for a counted order. */
export function releaseUnits(exchange: ExchangeState, record: OrderRecord, units: number): void {
  const integer = integerOf(record);
  if (units === 0 || integer === undefined) return;
  exchange.wallets.releaseUnits(integer, units);
  record.heldUnits -= units;
}

/** Gives back what a counted buy no longer needs: better prices, and the fee it did not pay. */
export function releaseSpare(exchange: ExchangeState, record: OrderRecord): void {
  const { side, price, remaining, heldUnits } = record;
  if (side === 'sell' || price === undefined) return;
  releaseUnits(exchange, record, heldUnits - price * remaining * record.context.terms.needUnits);
}

/** Pays for one execution of a counted order; its fee. */
export function payUnits(
  exchange: ExchangeState,
  record: OrderRecord,
  execution: Execution,
  taker: boolean,
): Amount {
  const { wallets } = exchange;
  const { integers, terms, quote } = record.context;
  const { price, quantity } = execution;
  if (integers === undefined) return terms.fee(price, quantity, taker);
  const volume = price * quantity * terms.volumeUnits;
  const fee = price * quantity * (taker ? terms.takeUnits : terms.makeUnits);
  if (record.side === 'buy') {
    wallets.spendUnits(integers.quote, volume + fee);
    record.heldUnits -= volume + fee;
    wallets.receiveUnits(integers.base, quantity);
  } else {
    wallets.spendUnits(integers.base, quantity);
    record.heldUnits -= quantity;
    if (volume > unitsMax || volume - fee > unitsMax) {
      // A sell is not held by its price: it may bring more than can be counted.
      const exact = terms.fee(price, quantity, taker);
      wallets.receive(quote, (terms.volume(price, quantity) - exact) as Amount);
      wallets.collect(integers.fees.currency, exact);
      return exact;
    }
    wallets.receiveUnits(integers.quote, volume - fee);
  }
  wallets.collectUnits(integers.fees, fee);
  return amountOf(fee, terms.unit);
}

function integerOf({ context: { integers }, side }: OrderRecord): IntegerBalance | undefined {
  return side === 'buy' ? integers?.quote : integers?.base;
}

/** `units`, or `NaN` when they do not fit the integer balance; `NaN` counts as too much. */
function fitting(integer: IntegerBalance, units: number): number {
  return units <= unitsMax && integer.reserved + units <= unitsMax ? units : Number.NaN;
}
