import type { Amount } from '../core/base/amount.ts';
import { add, multiply, subtract, zero } from '../core/base/amount.ts';
import type { Instrument, Lots, Ticks } from '../core/model/instrument.ts';
import type { Balance } from '../core/model/market.ts';
import type { Side } from '../core/model/order.ts';
import type { FeeSchedule } from './fee-schedule.ts';

/** One order, as an account judges it: at its limit, or at the worst price it is about to fill at. */
export interface Claim {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly price: Ticks;
  readonly lots: Lots;
  readonly fees: FeeSchedule;
}

/** One execution, as an account books it. */
export interface Booking {
  readonly instrument: Instrument;
  readonly side: Side;
  readonly price: Ticks;
  readonly lots: Lots;
  readonly fee: Amount;
}

/** Account that our orders are paid from. */
export interface SimAccount {
  /** Sets the price that positions of an instrument are valued at from now on; absent where nothing is valued. */
  mark?(instrument: Instrument, price: Amount): void;
  /** Amount that must be kept back for an order. */
  need(claim: Claim): Amount;
  /** Keeps back so much for orders of that side; false, and nothing is done, when the account does not bear it. */
  reserve(instrument: Instrument, side: Side, amount: Amount): boolean;
  /** Gives back what was kept for an order of that side. */
  release(instrument: Instrument, side: Side, held: Amount): void;
  book(booking: Booking): void;
  /** As the venue reports them, without zeros. */
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

  need({ instrument, side, price, lots, fees }: Claim): Amount {
    const isSell = side === 'sell';
    const paid = isSell ? instrument.quantityAmount(lots) : instrument.notional(price, lots);
    // The fee is taken from the same currency, or from what the order brings.
    return isSell === instrument.feesInBase ? add(paid, multiply(paid, fees.worstRate)) : paid;
  }

  reserve(instrument: Instrument, side: Side, amount: Amount): boolean {
    const currency = payingCurrency(instrument, side);
    const free = this.#available.get(currency) ?? zero;
    if (free < amount) return false;
    this.#available.set(currency, subtract(free, amount));
    this.#change(this.#reserved, currency, amount);
    return true;
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
    const [baseFee, quoteFee] = instrument.feesInBase ? [fee, 0n] : [0n, fee];
    this.#change(this.#available, baseCurrency, (sign * base - baseFee) as Amount);
    this.#change(this.#available, quoteCurrency, (-sign * quote - quoteFee) as Amount);
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

  #change(amounts: Map<string, Amount>, currency: string, change: Amount): void {
    amounts.set(currency, add(amounts.get(currency) ?? zero, change));
  }
}

function payingCurrency({ spec }: Instrument, side: Side): string {
  return side === 'buy' ? spec.quoteCurrency : spec.baseCurrency;
}
