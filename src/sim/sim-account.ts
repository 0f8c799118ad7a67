import type { Amount } from '../base/amount.ts';
import { add, multiply, subtract, zero } from '../base/amount.ts';
import type { Instrument, Lots, Ticks } from '../model/instrument.ts';
import type { Balance } from '../model/market.ts';
import type { Side } from '../model/order.ts';
import type { FeeSchedule } from './fee-schedule.ts';

/** One order, as an account judges it: at its limit, or at the worst price it is about to fill at. */
export interface Claim {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly price: Ticks;
  readonly lots: Lots;
  readonly fees: FeeSchedule;
  /** What positions are valued at now. */
  readonly mark: Ticks;
}

/** One execution, as an account books it. */
export interface Booking {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly price: Ticks;
  readonly lots: Lots;
  readonly fee: Amount;
}

/** What our orders are paid from. */
export interface SimAccount {
  /** Keeps back what an order needs; the amount kept, or `undefined` when the account does not bear it. */
  hold(claim: Claim): Amount | undefined;
  /** Gives back what was kept for an order of that side. */
  release(instrument: Instrument, side: Side, held: Amount): void;
  book(booking: Booking): void;
  /** As the venue tells them, zeros left out. */
  balances(): Balance[];
}

/** A spot wallet: nothing can be sold that is not there, nothing bought without money. */
export class SpotAccount implements SimAccount {
  readonly #available = new Map<string, Amount>();
  readonly #reserved = new Map<string, Amount>();

  constructor(balances: readonly Balance[]) {
    for (const { currency, available, reserved } of balances)
      this.#available.set(currency, add(available, reserved));
  }

  hold({ instrument, side, price, lots, fees }: Claim): Amount | undefined {
    const currency = payingCurrency(instrument, side);
    const notional = instrument.notional(price, lots);
    const need =
      side === 'sell' ? instrument.quantityAmount(lots) : add(notional, multiply(notional, fees.worstRate));
    const free = this.#available.get(currency) ?? zero;
    if (free < need) return undefined;
    this.#available.set(currency, subtract(free, need));
    this.#change(this.#reserved, currency, need);
    return need;
  }

  release(instrument: Instrument, side: Side, held: Amount): void {
    const currency = payingCurrency(instrument, side);
    this.#change(this.#reserved, currency, -held as Amount);
    this.#change(this.#available, currency, held);
  }

  book({ instrument, side, price, lots, fee }: Booking): void {
    const { baseCurrency, quoteCurrency } = instrument.spec;
    const base = instrument.quantityAmount(lots);
    const quote = instrument.notional(price, lots);
    const sign = side === 'buy' ? 1n : -1n;
    this.#change(this.#available, baseCurrency, (sign * base) as Amount);
    this.#change(this.#available, quoteCurrency, (-sign * quote - fee) as Amount);
  }

  balances(): Balance[] {
    return [...this.#available.keys()]
      .map((currency) => ({
        currency,
        available: this.#available.get(currency) ?? zero,
        reserved: this.#reserved.get(currency) ?? zero,
      }))
      .filter(({ available, reserved }) => available !== zero || reserved !== zero);
  }

  #change(purses: Map<string, Amount>, currency: string, change: Amount): void {
    purses.set(currency, add(purses.get(currency) ?? zero, change));
  }
}

function payingCurrency({ spec }: Instrument, side: Side): string {
  return side === 'buy' ? spec.quoteCurrency : spec.baseCurrency;
}
