import type { Account, OrderRecord } from '../../../exchange/matching/index.ts';
import { firesRising } from '../../../core/model/order.ts';
import type { InstrumentId, Ticks } from '../../../core/model/instrument.ts';

/** The account's orders that wait on one instrument, as a price meets them. All prices in ticks. */
export class WaitingOrders {
  readonly #account: Account;
  readonly #instrument: InstrumentId;
  readonly #strict: boolean;

  /** `strict`: resting limit orders act only beyond their price. */
  constructor(account: Account, instrument: InstrumentId, strict: boolean) {
    this.#account = account;
    this.#instrument = instrument;
    this.#strict = strict;
  }

  /** Whether any order lives, those that wait for another one of their list included. */
  get exist(): boolean {
    return this.#account.count > 0 && this.#account.countOf(this.#instrument) > 0;
  }

  /** Oldest first; those that wait for another one of their list are left out. */
  *all(): Generator<OrderRecord, void> {
    for (const record of this.#account.orders())
      if (record.instrument === this.#instrument && record.where !== 'nowhere') yield record;
  }

  /** The first order that acts at a price. */
  actingAt(price: number): OrderRecord | undefined {
    for (const record of this.all()) if (this.acts(record, price)) return record;
    return undefined;
  }

  /** Whether any order acts somewhere between two prices. */
  anyWithin(low: number, high: number): boolean {
    for (const record of this.all()) if (this.acts(record, waitsBelow(record) ? low : high)) return true;
    return false;
  }

  /** The order met first when the price falls, or rises, to `to`; of several at one price the oldest. */
  metOnTheWay(to: number, falls: boolean): OrderRecord | undefined {
    let first: OrderRecord | undefined;
    let before = 0;
    for (const record of this.all()) {
      const level = levelOf(record);
      if (level === undefined || waitsBelow(record) !== falls || !this.acts(record, to)) continue;
      if (first !== undefined && (falls ? level <= before : level >= before)) continue;
      first = record;
      before = level;
    }
    return first;
  }

  /** Whether a stop order, no take-profit order, acts when the price falls, or rises, to `price`. */
  stopWithin(price: number, falls: boolean): boolean {
    for (const record of this.all())
      if (isStop(record) && waitsBelow(record) === falls && this.acts(record, price)) return true;
    return false;
  }

  /** The oldest limit order. */
  firstLimit(): OrderRecord | undefined {
    for (const record of this.all()) if (record.where === 'book' && record.price !== undefined) return record;
    return undefined;
  }

  /** Whether a waiting order acts at a price. */
  acts(record: OrderRecord, price: number): boolean {
    const level = levelOf(record);
    if (level === undefined) return true;
    if (price === level) return !this.#strict || record.where === 'triggers';
    return waitsBelow(record) ? price < level : price > level;
  }
}

function isStop({ where, type }: OrderRecord): boolean {
  return where === 'triggers' && (type === 'stopLimit' || type === 'stopMarket');
}

/** The price that makes a waiting order act: its stop price, or its limit; `undefined` acts at any. */
export function levelOf({ where, stopPrice, price }: OrderRecord): Ticks | undefined {
  return where === 'triggers' ? stopPrice : price;
}

/** Whether a waiting order acts when the price is at or below its level; otherwise at or above. */
function waitsBelow({ where, type, side }: OrderRecord): boolean {
  return where === 'triggers' ? !firesRising(type, side) : side === 'buy';
}
