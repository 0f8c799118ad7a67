import type { Amount } from '../../base/amount.ts';
import { add, multiply, subtract, zero } from '../../base/amount.ts';
import type { Micros } from '../../base/clock.ts';
import { microsPerSecond } from '../../base/clock.ts';
import { SmallMap } from '../../base/small-map.ts';
import type { Instrument, Lots, Ticks } from '../../model/instrument.ts';
import type { ClientOrderId, Order, OrderRequest, Side } from '../../model/order.ts';
import type { Balance } from '../../model/market.ts';

/** Amount that an order may take of an account. */
export interface Reservation {
  /** The currency of a wallet, or the name of a margin account. */
  readonly account: string;
  readonly strategy: string;
  readonly amount: Amount;
  /** Not answered yet: what the venue shows as reserved may not hold it. */
  readonly inFlight: boolean;
  /** Basis of `amount`: lots at a price. Left out when it is something else. */
  readonly lots?: Lots;
  readonly price?: Ticks | undefined;
}

/** Money of an account as the venue shows it: a balance, or what orders of a margin account may use. */
interface ShownMoney {
  readonly available: Amount;
  /** For orders. */
  readonly reserved: Amount;
}

interface Spent {
  readonly amount: Amount;
  /** Time at which it was taken. */
  readonly time: Micros;
  /** Time at which it came to be known here, by `uptime`. */
  readonly since: Micros;
}

interface Account {
  all: Amount;
  inFlight: Amount;
  /** Sums that the venue took and that the account as last shown does not know yet, in the order in which it came to be known here. */
  spent: readonly Spent[];
  /** Up to when the account is known. */
  knownTo: number;
  /** `all` and `inFlight`, rounded where they have been asked for since they changed. */
  roughAll: number;
  roughInFlight: number;
  isRounded: boolean;
  /** The balance last asked for, and what it says, rounded. */
  balance: Balance | undefined;
  roughAvailable: number;
  roughReserved: number;
}

/**
 * A fill is forgotten here after this long even if nothing came of the account: reads bring it anyway, and the clock of the venue may be
 * another one than was measured.
 */
const spentMax = 5 * microsPerSecond;

/** Far more than the rounding error of a sum of a few doubles, relative to the largest of them. */
const rounding = 1e-9;

/**
 * Amounts that own orders that may be live hold back of each account: of a wallet by currency, of margin accounts by name. Kept per order
 * event, so that a funds check costs a few additions. Times are by this machine's clock. Source: API v3, "Funds rule"; v3-gaps, section 8.1; faults, section 6 (7).
 */
export class Reservations {
  readonly #reservations = new SmallMap<ClientOrderId, Reservation>();
  readonly #accounts = new Map<string, Account>();
  /** Sums by strategy, then by account. */
  readonly #byStrategy = new Map<string, Map<string, Amount>>();

  /** Reservation of one order, if it has one. */
  of(id: ClientOrderId): Reservation | undefined {
    return this.#reservations.get(id);
  }

  /** The sum of reservations of orders the venue has answered for: what it shows as reserved of ours. */
  answered(name: string): Amount {
    const account = this.#accounts.get(name);
    return account === undefined ? zero : subtract(account.all, account.inFlight);
  }

  /** The sum of reservations of one strategy. */
  heldBy(strategy: string, name: string): Amount {
    return this.#byStrategy.get(strategy)?.get(name) ?? zero;
  }

  /** Sets what an order may take; `undefined` when nothing more. */
  set(id: ClientOrderId, reservation: Reservation | undefined): void {
    const old = this.#reservations.get(id);
    if (old !== undefined) this.#shift(old, false);
    if (reservation === undefined) {
      this.#reservations.delete(id);
      return;
    }
    this.#reservations.set(id, reservation);
    this.#shift(reservation, true);
  }

  /** Sets only whether what the order may take is in flight. */
  turn(id: ClientOrderId, reservation: Reservation, inFlight: boolean): void {
    if (reservation.inFlight === inFlight) return;
    const account = this.#account(reservation.account);
    const { amount } = reservation;
    account.inFlight = inFlight ? add(account.inFlight, amount) : subtract(account.inFlight, amount);
    account.isRounded = false;
    this.#reservations.set(id, { ...reservation, inFlight });
  }

  /** Notes what the venue took out of an account at `time`, unless the account is known as of later already. */
  takeSpent(name: string, amount: Amount, time: Micros, now: Micros): void {
    const account = this.#account(name);
    if (account.knownTo >= time) return;
    account.spent = [
      ...account.spent.filter(({ since }) => now - since <= spentMax),
      { amount, time, since: now },
    ];
  }

  /** An account is known as of `time`: every fill up to then is in it. */
  update(name: string, time: Micros): void {
    know(this.#account(name), time);
  }

  /** Every account is known as of `time`. */
  updateAll(time: Micros): void {
    for (const account of this.#accounts.values()) know(account, time);
  }

  /** Whether a fill has come that the account as last shown does not know, and may yet. */
  isBehind(name: string, now: Micros): boolean {
    const account = this.#accounts.get(name);
    return account !== undefined && account.spent.some(({ since }) => now - since <= spentMax);
  }

  /**
   * Amount that may still be spent of an account under every reading: the smaller of "available less what is in flight" and "all there is
   * less every reservation", less fills that the account does not show yet. It may be below 0.
   */
  free(name: string, { available, reserved }: ShownMoney, now: Micros): Amount {
    const account = this.#accounts.get(name);
    if (account === undefined) return available;
    const reported = subtract(available, account.inFlight);
    const computed = subtract(add(available, reserved), account.all);
    let least = reported < computed ? reported : computed;
    for (const { amount, since } of account.spent)
      if (now - since <= spentMax) least = subtract(least, amount);
    return least;
  }

  /**
   * Whether `cost`, a rounded amount, is covered beyond doubt: far more is free than rounding can hide. False says
   * nothing; `free` does. Fast twin of `free`: row `reaction`, 1.1 times as fast.
   */
  plainlyCover(cost: number, balance: Balance, now: Micros): boolean {
    const account = this.#accounts.get(balance.currency);
    // What fills took is weighed exactly.
    if (account === undefined || this.isBehind(balance.currency, now)) return false;
    if (account.balance !== balance) {
      account.balance = balance;
      account.roughAvailable = Number(balance.available);
      account.roughReserved = Number(balance.reserved);
    }
    if (!account.isRounded) {
      account.roughAll = Number(account.all);
      account.roughInFlight = Number(account.inFlight);
      account.isRounded = true;
    }
    const { roughAvailable, roughReserved, roughAll, roughInFlight } = account;
    const reported = roughAvailable - roughInFlight;
    const computed = roughAvailable + roughReserved - roughAll;
    const doubt = (roughAvailable + roughReserved + roughAll + roughInFlight + cost) * rounding;
    return Math.min(reported, computed) - doubt > cost;
  }

  #shift({ account: name, strategy, amount, inFlight }: Reservation, more: boolean): void {
    let sums = this.#byStrategy.get(strategy);
    if (sums === undefined) this.#byStrategy.set(strategy, (sums = new Map()));
    const sum = sums.get(name) ?? zero;
    sums.set(name, more ? add(sum, amount) : subtract(sum, amount));
    const account = this.#account(name);
    account.all = more ? add(account.all, amount) : subtract(account.all, amount);
    account.isRounded = false;
    if (inFlight)
      account.inFlight = more ? add(account.inFlight, amount) : subtract(account.inFlight, amount);
  }

  #account(name: string): Account {
    let account = this.#accounts.get(name);
    if (account === undefined) {
      account = {
        all: zero,
        inFlight: zero,
        spent: [],
        knownTo: 0,
        roughAll: 0,
        roughInFlight: 0,
        isRounded: true,
        balance: undefined,
        roughAvailable: 0,
        roughReserved: 0,
      };
      this.#accounts.set(name, account);
    }
    return account;
  }
}

function know(account: Account, time: Micros): void {
  account.knownTo = Math.max(account.knownTo, time);
  if (account.spent.length > 0) account.spent = account.spent.filter((one) => one.time > account.knownTo);
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

/** Cost by `costOf` of one lot at one tick (of one lot, for a sell), rounded; NaN where it does not grow with the price. */
export function roughUnitCost(instrument: Instrument, side: Side): number {
  if (instrument.contract.isInverse && side === 'buy') return Number.NaN;
  const many = 1_000_000;
  const { amount } = costOf({ side }, instrument, many as Ticks, many as Lots);
  return Number(amount) / many / (side === 'buy' ? many : 1);
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
