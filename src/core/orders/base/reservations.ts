import type { Amount } from '../../base/amount.ts';
import { add, multiply, subtract, zero } from '../../base/amount.ts';
import type { Micros } from '../../base/clock.ts';
import { microsPerSecond } from '../../base/clock.ts';
import { SmallMap } from '../../base/small-map.ts';
import type { OrderReport } from '../../model/event.ts';
import type { Instrument, Lots, Ticks } from '../../model/instrument.ts';
import type { ClientOrderId, Order, OrderRequest, Side } from '../../model/order.ts';
import type { Balance } from '../../model/market.ts';

/** What an order may take, of which currency. */
export interface Reservation {
  readonly currency: string;
  readonly amount: Amount;
  /** Not answered yet: the venue's reserved balance may not hold it. */
  readonly inFlight: boolean;
  /** What `amount` was reckoned for: lots at a price. Left out when it is something else. */
  readonly lots?: Lots;
  readonly price?: Ticks | undefined;
}

interface Account {
  all: Amount;
  inFlight: Amount;
  /** Spent by fills that the last balance does not show yet. */
  spent: Amount;
  /** By `uptime`. */
  spentAt: number;
  /** Time of the last such fill at the venue. */
  filledAt: number;
  balancesAt: number;
  /** `all` and `inFlight`, rounded. */
  roughAll: number;
  roughInFlight: number;
  /** The balance last asked for, and what it says, rounded. */
  balance: Balance | undefined;
  roughAvailable: number;
  roughReserved: number;
}

/** A fill is forgotten here after this long even if no balance came: reads bring balances anyway. */
const spentMax = 5 * microsPerSecond;

/** Far more than the rounding error of a sum of a few doubles, relative to the largest of them. */
const rounding = 1e-9;

/**
 * What own orders that may be live hold back of each currency, kept per order event, so that a funds check costs
 * a few additions. Source: API v3, "Funds rule"; faults, section 6 (7).
 */
export class Reservations {
  readonly #reservations = new SmallMap<ClientOrderId, Reservation>();
  readonly #accounts = new Map<string, Account>();

  /** The hold of one order, if it has one. */
  of(id: ClientOrderId): Reservation | undefined {
    return this.#reservations.get(id);
  }

  /** The sum of reservations in a currency of orders the venue has answered for: what its reserved balance shows of us. */
  answered(currency: string): Amount {
    const account = this.#accounts.get(currency);
    return account === undefined ? zero : subtract(account.all, account.inFlight);
  }

  /** Sets what an order may take; `undefined` when nothing more. */
  set(id: ClientOrderId, hold: Reservation | undefined): void {
    const old = this.#reservations.get(id);
    if (old !== undefined) this.#shift(old, false);
    if (hold === undefined) {
      this.#reservations.delete(id);
      return;
    }
    this.#reservations.set(id, hold);
    this.#shift(hold, true);
  }

  /** Sets only whether the order's hold is in flight. */
  turn(id: ClientOrderId, hold: Reservation, inFlight: boolean): void {
    if (hold.inFlight === inFlight) return;
    const account = this.#account(hold.currency);
    const { amount } = hold;
    account.inFlight = inFlight ? add(account.inFlight, amount) : subtract(account.inFlight, amount);
    account.roughInFlight = Number(account.inFlight);
    this.#reservations.set(id, { ...hold, inFlight });
  }

  /** Notes what a fill took out of the account, unless a later balance has come already. */
  spend(report: OrderReport, instrument: Instrument, now: Micros): void {
    const { fill, order } = report;
    if (fill === undefined) return;
    this.take(costOf(order, instrument, fill.price, fill.quantity), fill.time, now);
    if (instrument.feesInThird && fill.fee > zero)
      this.take({ currency: instrument.spec.feeCurrency, amount: fill.fee }, fill.time, now);
  }

  /** Notes what the venue took out of the account at `time`, unless a later balance has come already. */
  take(
    { currency, amount }: { readonly currency: string; readonly amount: Amount },
    time: Micros,
    now: Micros,
  ): void {
    const account = this.#account(currency);
    if (account.balancesAt >= time) return;
    account.spent = add(now - account.spentAt > spentMax ? zero : account.spent, amount);
    account.spentAt = now;
    account.filledAt = Math.max(account.filledAt, time);
  }

  /** Takes balances as of `time`: they include every fill up to then. */
  updateBalances(balances: readonly Balance[], time: Micros): void {
    for (const { currency } of balances) {
      const account = this.#account(currency);
      account.balancesAt = Math.max(account.balancesAt, time);
      if (account.balancesAt >= account.filledAt) account.spent = zero;
    }
  }

  /**
   * What may still be spent of a currency under every reading: the smaller of "available less what is in flight"
   * and "all there is less every hold", less fills the balance does not show yet.
   */
  free(balance: Balance, now: Micros): Amount {
    const account = this.#accounts.get(balance.currency);
    if (account === undefined) return balance.available;
    const reported = subtract(balance.available, account.inFlight);
    const computed = subtract(add(balance.available, balance.reserved), account.all);
    const least = reported < computed ? reported : computed;
    return now - account.spentAt > spentMax ? least : subtract(least, account.spent);
  }

  /**
   * Whether `cost`, a rounded amount, is covered beyond doubt: far more is free than rounding can hide. False says
   * nothing; `free` does.
   */
  plainlyCover(cost: number, balance: Balance, now: Micros): boolean {
    const account = this.#accounts.get(balance.currency);
    // What fills took is weighed exactly.
    if (account === undefined || (account.spent !== zero && now - account.spentAt <= spentMax)) return false;
    if (account.balance !== balance) {
      account.balance = balance;
      account.roughAvailable = Number(balance.available);
      account.roughReserved = Number(balance.reserved);
    }
    const { roughAvailable, roughReserved, roughAll, roughInFlight } = account;
    const reported = roughAvailable - roughInFlight;
    const computed = roughAvailable + roughReserved - roughAll;
    const doubt = (roughAvailable + roughReserved + roughAll + roughInFlight + cost) * rounding;
    return Math.min(reported, computed) - doubt > cost;
  }

  #shift({ currency, amount, inFlight }: Reservation, more: boolean): void {
    const account = this.#account(currency);
    account.all = more ? add(account.all, amount) : subtract(account.all, amount);
    account.roughAll = Number(account.all);
    if (!inFlight) return;
    account.inFlight = more ? add(account.inFlight, amount) : subtract(account.inFlight, amount);
    account.roughInFlight = Number(account.inFlight);
  }

  #account(currency: string): Account {
    let account = this.#accounts.get(currency);
    if (account === undefined) {
      account = {
        all: zero,
        inFlight: zero,
        spent: zero,
        spentAt: Number.NEGATIVE_INFINITY,
        filledAt: 0,
        balancesAt: 0,
        roughAll: 0,
        roughInFlight: 0,
        balance: undefined,
        roughAvailable: 0,
        roughReserved: 0,
      };
      this.#accounts.set(currency, account);
    }
    return account;
  }
}

/**
 * The currency and the most that executing `lots` of an order at `price` takes: of a buy with the larger of both fee rates where the fee is
 * in that currency. Of a sale the quantity alone, also where fees are in base currency: the documents name a reserve for fees of
 * buys only, and whether a venue wants more is its word. Source: API v3, "Funds rule".
 */
export function costOf(
  { side, takeRate, makeRate }: Pick<OrderRequest, 'side' | 'takeRate' | 'makeRate'>,
  instrument: Instrument,
  price: Ticks,
  lots: Lots,
): { readonly currency: string; readonly amount: Amount } {
  const { baseCurrency, quoteCurrency, feeCurrency } = instrument.spec;
  const currency = side === 'buy' ? quoteCurrency : baseCurrency;
  const amount = side === 'buy' ? instrument.notional(price, lots) : instrument.quantityAmount(lots);
  if (side === 'sell' || feeCurrency !== currency) return { currency, amount };
  return { currency, amount: add(amount, multiply(amount, worstRate(instrument, takeRate, makeRate))) };
}

/** What `costOf` says of one lot at one tick (of one lot, for a sell), rounded; NaN where it does not grow with the price. */
export function roughUnitCost(instrument: Instrument, side: Side): number {
  if (instrument.contract.isInverse && side === 'buy') return Number.NaN;
  const many = 1_000_000;
  const { amount } = costOf({ side }, instrument, many as Ticks, many as Lots);
  return Number(amount) / many / (side === 'buy' ? many : 1);
}

/** What an order that may be live still reserves, at a price it cannot exceed. */
export function reservationOf(
  order: Order,
  instrument: Instrument,
  price: Ticks | undefined,
): Reservation | undefined {
  const lots = (order.quantity - order.cumulative) as Lots;
  if (!(lots > 0) || (price === undefined && order.side === 'buy')) return undefined;
  const inFlight = isUnanswered(order);
  const { currency, amount } = costOf(order, instrument, price ?? (0 as Ticks), lots);
  return { currency, amount, inFlight, lots, price };
}

/** Whether the venue has yet to say anything of the order. */
export function isUnanswered({ state }: Order): boolean {
  return state === 'pending' || state === 'unknown';
}

/** The larger of both fee rates, not below 0. What an order asks for is added to them. Source: API v3, take_rate and make_rate. */
export function worstRate(instrument: Instrument, takeMarkup = zero, makeMarkup = zero): Amount {
  const taking = takeMarkup > zero ? add(instrument.takeRate, takeMarkup) : instrument.takeRate;
  const making = makeMarkup > zero ? add(instrument.makeRate, makeMarkup) : instrument.makeRate;
  const worse = taking > making ? taking : making;
  return worse > zero ? worse : zero;
}
