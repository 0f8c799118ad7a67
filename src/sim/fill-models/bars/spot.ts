import type { Amount } from '../../../core/base/amount.ts';
import { add, amountToNumber, negate, subtract, zero } from '../../../core/base/amount.ts';
import type { Instrument, Instruments, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { Balance } from '../../../core/model/market.ts';
import type { Side } from '../../../core/model/order.ts';
import type { AccountFigures, BarAccount, BarClaim, BarExecution } from './account.ts';

interface SpotBalance {
  available: Amount;
  reserved: Amount;
  /** As last reported; `undefined` when it has changed since. */
  reported: Balance | undefined;
}

/** A spot account: what is bought is paid, what is sold is there, and resting orders hold back what they may take. */
export class BarSpot implements BarAccount {
  readonly #instruments: Instruments;
  readonly #balances = new Map<string, SpotBalance>();
  /** Most that an order at a price would cost in fees. */
  readonly #feeOf: (instrument: Instrument, price: Ticks, lots: Lots) => Amount;
  /** Prices in ticks by instrument, NaN before the first. */
  readonly #marks: Float64Array;
  /** Whole lots of the base currency that are held, by instrument, and one tick times one lot as a double. */
  readonly #lots: Float64Array;
  readonly #units: Float64Array;
  #cash: { currency: string; value: number } | undefined;

  constructor(
    instruments: Instruments,
    balances: readonly Balance[],
    feeOf: (instrument: Instrument, price: Ticks, lots: Lots) => Amount,
  ) {
    this.#instruments = instruments;
    this.#feeOf = feeOf;
    this.#marks = new Float64Array(instruments.all.length).fill(Number.NaN);
    for (const { currency, available, reserved } of balances)
      this.#beginCurrency(currency, add(available, reserved));
    this.#lots = Float64Array.from(instruments.all, (one) => this.#lotsOf(one));
    this.#units = Float64Array.from(instruments.all, (one) =>
      amountToNumber(one.notional(1 as Ticks, 1 as Lots)),
    );
  }

  mark(instrument: Instrument, price: Ticks): void {
    this.#marks[instrument.id] = price;
  }

  price(instrument: Instrument): number {
    return this.#marks[instrument.id] ?? Number.NaN;
  }

  need({ instrument, side, price, lots }: BarClaim): Amount {
    const isSell = side === 'sell';
    const paid = isSell ? instrument.quantityAmount(lots) : instrument.notional(price, lots);
    // The fee is taken from the same currency, or from what the order brings.
    return isSell === instrument.feesInBase ? add(paid, this.#feeOf(instrument, price, lots)) : paid;
  }

  reserve(instrument: Instrument, side: Side, amount: Amount): boolean {
    const balance = this.#balanceOf(currencyOf(instrument, side));
    if (balance.available < amount) return false;
    this.#reserveAmount(balance, amount);
    return true;
  }

  release(instrument: Instrument, side: Side, held: Amount): void {
    this.#reserveAmount(this.#balanceOf(currencyOf(instrument, side)), negate(held));
  }

  execute({ instrument, side, price, lots, fee }: BarExecution): boolean {
    const base = this.#balanceOf(instrument.spec.baseCurrency);
    const quote = this.#balanceOf(instrument.spec.quoteCurrency);
    const quantity = instrument.quantityAmount(lots);
    const notional = instrument.notional(price, lots);
    const [gives, given, gets, gotten] =
      side === 'buy' ? [quote, notional, base, quantity] : [base, quantity, quote, notional];
    // The fee comes from the currency that is given, or from that which the order brings.
    const isOfGiven = (side === 'sell') === instrument.feesInBase;
    const cost = isOfGiven ? add(given, fee) : given;
    if (gives.available < cost || (!isOfGiven && add(gets.available, gotten) < fee)) return false;
    gives.available = subtract(gives.available, cost);
    gets.available = add(gets.available, isOfGiven ? gotten : subtract(gotten, fee));
    base.reported = undefined;
    quote.reported = undefined;
    this.#cash = undefined;
    // The quote currency may be the base currency of another one.
    for (const one of this.#instruments.all)
      if (isMoved(one, instrument)) this.#lots[one.id] = this.#lotsOf(one);
    return true;
  }

  /** Holding of the base currency, in whole lots. */
  position(instrument: Instrument): number {
    return this.#lots[instrument.id] ?? 0;
  }

  balances(): readonly Balance[] {
    const balances: Balance[] = [];
    this.#balances.forEach((balance, currency) => {
      const { available, reserved } = balance;
      balance.reported ??= { currency, available, reserved };
      balances.push(balance.reported);
    });
    return balances;
  }

  figures(currency: string): AccountFigures {
    const { available, reserved } = this.#balanceOf(currency);
    const total = add(available, reserved);
    let equity = total;
    for (const instrument of this.#instruments.all) {
      const price = this.#marks[instrument.id] as Ticks;
      if (instrument.spec.quoteCurrency !== currency || Number.isNaN(price)) continue;
      equity = add(equity, instrument.notional(price, this.position(instrument) as Lots));
    }
    return { currency, total, locked: reserved, free: available, equity };
  }

  equity(currency: string): number {
    let cash = this.#cash;
    if (cash?.currency !== currency) {
      const { available, reserved } = this.#balanceOf(currency);
      cash = { currency, value: amountToNumber(add(available, reserved)) };
      this.#cash = cash;
    }
    let equity = cash.value;
    for (const { id, spec } of this.#instruments.all) {
      const lots = this.#lots[id] as number;
      const price = this.#marks[id] as number;
      if (lots === 0 || spec.quoteCurrency !== currency || Number.isNaN(price)) continue;
      equity += lots * price * (this.#units[id] as number);
    }
    return equity;
  }

  #lotsOf(instrument: Instrument): number {
    const { available, reserved } = this.#balanceOf(instrument.spec.baseCurrency);
    return Number((available + reserved) / instrument.quantityAmount(1 as Lots));
  }

  #balanceOf(currency: string): SpotBalance {
    let balance = this.#balances.get(currency);
    if (balance === undefined) {
      balance = { available: zero, reserved: zero, reported: undefined };
      this.#balances.set(currency, balance);
    }
    return balance;
  }

  #beginCurrency(currency: string, available: Amount): void {
    this.#balances.set(currency, { available, reserved: zero, reported: undefined });
  }

  #reserveAmount(balance: SpotBalance, amount: Amount): void {
    balance.available = subtract(balance.available, amount);
    balance.reserved = add(balance.reserved, amount);
    balance.reported = undefined;
  }
}

/** Whether an execution of `traded` moves what is held of an instrument. */
function isMoved({ spec }: Instrument, { spec: traded }: Instrument): boolean {
  return spec.baseCurrency === traded.baseCurrency || spec.baseCurrency === traded.quoteCurrency;
}

function currencyOf({ spec }: Instrument, side: Side): string {
  return side === 'buy' ? spec.quoteCurrency : spec.baseCurrency;
}
