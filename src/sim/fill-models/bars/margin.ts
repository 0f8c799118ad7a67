import type { Amount } from '../../../core/base/amount.ts';
import { add, amountDecimals, amountToNumber, multiply, subtract, zero } from '../../../core/base/amount.ts';
import type { Instrument, Instruments, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { Balance, BuyingPower } from '../../../core/model/market.ts';
import type { AccountFigures, BarAccount, BarExecution } from './account.ts';
import type { BarAccountRules } from './rules.ts';

type MarginRules = Extract<BarAccountRules, { kind: 'margin' }>;

/** One position. `cost`: what its lots were bought (or sold) for, same sign as the lots. */
interface Held {
  readonly instrument: Instrument;
  /** One tick times one lot, as a double. */
  readonly unit: number;
  lots: number;
  cost: Amount;
  costNumber: number;
  locked: Amount;
  /** Ticks; NaN before the first price. */
  mark: number;
}

const one = 10n ** BigInt(amountDecimals);

/**
 * A linear margin account: positions either way, settled in quote currency. Resting orders hold nothing back; margin
 * is asked for when a position grows. An account that has lost everything can only close; the venue may liquidate it.
 *
 * Beside the free margin it reports buying power: in quote currency the notional that new orders may have, in base currency how
 * many more may be sold. Order controls compare orders with these. While a short position is open, or margin is per lot, it is
 * unlimited: closing must never be denied, and this account refuses by itself what is too much.
 */
export class BarMargin implements BarAccount {
  readonly #rules: MarginRules;
  readonly #held: readonly Held[];
  readonly #wallets = new Map<string, Amount>();
  #wallet: { currency: string; value: number } | undefined;

  constructor(instruments: Instruments, balances: readonly Balance[], rules: MarginRules) {
    this.#rules = rules;
    this.#held = instruments.all.map((instrument) => ({
      instrument,
      unit: amountToNumber(instrument.notional(1 as Ticks, 1 as Lots)),
      lots: 0,
      cost: zero,
      costNumber: 0,
      locked: zero,
      mark: Number.NaN,
    }));
    for (const { currency, available, reserved } of balances)
      this.#wallets.set(currency, add(available, reserved));
  }

  mark(instrument: Instrument, price: Ticks): void {
    this.#of(instrument).mark = price;
  }

  price(instrument: Instrument): number {
    return this.#of(instrument).mark;
  }

  need(): Amount {
    return zero;
  }

  reserve(): boolean {
    return true;
  }

  release(): void {
    // Nothing was held.
  }

  execute({ instrument, side, price, lots, fee }: BarExecution): boolean {
    const held = this.#of(instrument);
    const signed = side === 'buy' ? lots : -lots;
    const next = held.lots + signed;
    if (Math.abs(next) > this.#rules.lotsMax) return false;
    const { spec } = instrument;
    const notional = instrument.notional(price, signed as Lots);
    const against = held.lots * signed < 0 ? Math.min(Math.abs(held.lots), lots) : 0;
    // Closing a part takes the same part of the cost; the last part takes all that is left.
    const costClosed = (
      against === 0 ? 0n : (held.cost * BigInt(against)) / BigInt(Math.abs(held.lots))
    ) as Amount;
    const closedValue = (against === 0 ? 0n : (notional * BigInt(against)) / BigInt(lots)) as Amount;
    const gain = subtract(zero, add(costClosed, closedValue));
    const paid = instrument.feeInQuote(fee, price);
    const wallet = subtract(add(this.#walletOf(spec.quoteCurrency), against === 0 ? zero : gain), paid);
    const cost = add(subtract(held.cost, costClosed), subtract(notional, closedValue));
    const locked = this.#marginFor(cost, next);
    if (against < lots && !this.#bears(held, { price, next, cost, locked, wallet })) return false;
    held.lots = next;
    held.cost = cost;
    held.costNumber = amountToNumber(cost);
    held.locked = locked;
    held.mark = price;
    this.#wallets.set(spec.quoteCurrency, wallet);
    this.#wallet = undefined;
    return true;
  }

  /** Takes an amount off the wallet; below zero it is added. */
  pay(currency: string, amount: Amount): void {
    this.#wallets.set(currency, subtract(this.#walletOf(currency), amount));
    this.#wallet = undefined;
  }

  position(instrument: Instrument): number {
    return this.#of(instrument).lots;
  }

  balances(): readonly Balance[] {
    const rows: Balance[] = [];
    for (const currency of this.#wallets.keys()) {
      const { free, locked } = this.figures(currency);
      const isShort = this.#held.some(
        ({ instrument, lots }) => lots < 0 && instrument.spec.quoteCurrency === currency,
      );
      const buyingPower = isShort ? 'unlimited' : this.#buyingPower(free);
      rows.push({ currency, available: free, reserved: locked, buyingPower });
    }
    for (const { instrument, lots } of this.#held) {
      const buyingPower = instrument.quantityAmount((this.#rules.lotsMax + lots) as Lots);
      rows.push({ currency: instrument.spec.baseCurrency, available: zero, reserved: zero, buyingPower });
    }
    return rows;
  }

  figures(currency: string): AccountFigures {
    const total = this.#walletOf(currency);
    let locked = zero;
    let equity = total;
    for (const held of this.#held) {
      if (held.instrument.spec.quoteCurrency !== currency || held.lots === 0) continue;
      locked = add(locked, held.locked);
      equity = add(equity, openGain(held, held.lots, held.cost, held.mark as Ticks));
    }
    return { currency, total, locked, free: subtract(equity, locked), equity };
  }

  equity(currency: string): number {
    let wallet = this.#wallet;
    if (wallet?.currency !== currency) {
      wallet = { currency, value: amountToNumber(this.#walletOf(currency)) };
      this.#wallet = wallet;
    }
    let equity = wallet.value;
    for (const held of this.#held) {
      if (held.lots === 0 || held.instrument.spec.quoteCurrency !== currency) continue;
      equity += held.lots * held.mark * held.unit - held.costNumber;
    }
    return equity;
  }

  /** Whether all positions, this one as it would be, leave something free or at least nothing short. */
  #bears(
    held: Held,
    after: { price: Ticks; next: number; cost: Amount; locked: Amount; wallet: Amount },
  ): boolean {
    const { quoteCurrency } = held.instrument.spec;
    let free = subtract(after.wallet, after.locked);
    free = add(free, openGain(held, after.next, after.cost, after.price));
    for (const other of this.#held) {
      if (other === held || other.lots === 0 || other.instrument.spec.quoteCurrency !== quoteCurrency)
        continue;
      free = subtract(add(free, openGain(other, other.lots, other.cost, other.mark as Ticks)), other.locked);
    }
    return free >= 0n;
  }

  #marginFor(cost: Amount, lots: number): Amount {
    const { perLot, rate, leverage } = this.#rules;
    if (lots === 0) return zero;
    if (perLot !== undefined) return (BigInt(Math.abs(lots)) * perLot) as Amount;
    const notional = (cost < 0n ? -cost : cost) as Amount;
    return ((multiply(notional, rate) * one) / leverage) as Amount;
  }

  #buyingPower(free: Amount): BuyingPower {
    const { perLot, rate, leverage } = this.#rules;
    if (free <= 0n) return zero;
    if (perLot !== undefined || rate === zero) return 'unlimited';
    return ((multiply(free, leverage) * one) / rate) as Amount;
  }

  #walletOf(currency: string): Amount {
    return this.#wallets.get(currency) ?? zero;
  }

  #of(instrument: Instrument): Held {
    return this.#held[instrument.id] as Held;
  }
}

function openGain({ instrument }: Held, lots: number, cost: Amount, price: Ticks): Amount {
  return subtract(instrument.notional(price, lots as Lots), cost);
}
