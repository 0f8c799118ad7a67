import type { Amount } from '../core/base/amount.ts';
import { add, multiply, parseAmount, subtract, zero } from '../core/base/amount.ts';
import type { Instrument, Instruments, Lots } from '../core/model/instrument.ts';
import type { Balance, BuyingPower } from '../core/model/market.ts';
import type { Side } from '../core/model/order.ts';
import type { Booking, Claim, SimAccount } from './account.ts';

/** State of one contract. */
interface Contract {
  readonly instrument: Instrument;
  /** Signed lots. */
  lots: number;
  /** Worth of sells less that of buys, less fees, in quote currency. */
  cash: Amount;
  /** Price that it is valued at, between ticks, too: as of the last order of the account, or its last execution. */
  mark: Amount;
  /** Without one, positions have no limit. */
  readonly leverage: Amount | undefined;
  /** Notional of orders that may still execute, by side. */
  buying: Amount;
  selling: Amount;
}

/**
 * A perpetual account, linear or inverse, settled in quote currency: positions either way, cash below zero while long
 * (above, of an inverse contract), no base currency at all. `PerpetualLiquidation` ends positions that it no longer bears.
 *
 * With a leverage, an order is refused when the position it may lead to is worth more than leverage times equity.
 * Its balance of a currency is the equity in it. The buying power beside it is the notional that new orders may still have,
 * and of the base currency as many units: order controls compare orders with these.
 */
export class PerpetualAccount implements SimAccount {
  readonly #wallets = new Map<string, Amount>();
  readonly #contracts: readonly Contract[];
  readonly #byId: (Contract | undefined)[] = [];
  /** How often a position or its cash has changed. */
  changes = 0;

  /** `leverageOf` answers `undefined` for a contract whose position has no limit. */
  constructor(
    { all }: Pick<Instruments, 'all'>,
    balances: readonly Balance[],
    leverageOf: (instrument: Instrument) => number | undefined,
  ) {
    for (const { currency, available, reserved } of balances)
      this.#wallets.set(currency, add(available, reserved));
    this.#contracts = all.map((instrument) => ({
      instrument,
      leverage: amountOf(leverageOf(instrument)),
      lots: 0,
      cash: zero,
      mark: zero,
      buying: zero,
      selling: zero,
    }));
    for (const contract of this.#contracts) this.#byId[contract.instrument.id] = contract;
  }

  mark(instrument: Instrument, price: Amount): void {
    this.#contract(instrument).mark = price;
  }

  need({ instrument, price, lots }: Claim): Amount {
    return instrument.notional(price, lots);
  }

  reserve(instrument: Instrument, side: Side, amount: Amount): boolean {
    const contract = this.#contract(instrument);
    if (contract.leverage !== undefined && amount > this.#capacity(contract, side)) return false;
    if (side === 'buy') contract.buying = add(contract.buying, amount);
    else contract.selling = add(contract.selling, amount);
    return true;
  }

  release(instrument: Instrument, side: Side, held: Amount): void {
    const contract = this.#contract(instrument);
    if (side === 'buy') contract.buying = subtract(contract.buying, held);
    else contract.selling = subtract(contract.selling, held);
  }

  book({ instrument, side, price, lots, fee }: Booking): void {
    const contract = this.#contract(instrument);
    const sign = side === 'buy' ? 1 : -1;
    contract.lots += sign * lots;
    contract.cash = (contract.cash - BigInt(sign) * instrument.contract.worth(price, lots) - fee) as Amount;
    contract.mark = instrument.priceAmount(price);
    this.changes += 1;
  }

  /** Signed lots; 0 of what is none of its contracts. */
  position(instrument: Instrument): number {
    return this.#byId[instrument.id]?.lots ?? 0;
  }

  /** Takes so much from the account for a position; below zero it receives. */
  pay(instrument: Instrument, amount: Amount): void {
    const contract = this.#contract(instrument);
    contract.cash = subtract(contract.cash, amount);
    this.changes += 1;
  }

  /** Cash in a currency: its wallet, and all that its contracts have paid and received. Positions are not in it. */
  cash(currency: string): Amount {
    let sum = this.#wallets.get(currency) ?? zero;
    for (const { instrument, cash } of this.#contracts)
      if (instrument.spec.quoteCurrency === currency) sum = add(sum, cash);
    return sum;
  }

  balances(): Balance[] {
    const powers = new Map<string, BuyingPower>();
    for (const contract of this.#contracts) {
      const { baseCurrency, quoteCurrency } = contract.instrument.spec;
      if (contract.leverage === undefined) {
        powers.set(quoteCurrency, 'unlimited').set(baseCurrency, 'unlimited');
        continue;
      }
      // Each contract has a limit of its own, and they share a currency: the highest counts, and the venue looks at each order.
      const before = powers.get(quoteCurrency) ?? zero;
      const buying = this.#capacity(contract, 'buy');
      if (before !== 'unlimited' && buying > before) powers.set(quoteCurrency, buying);
      else powers.set(quoteCurrency, before);
      const selling = this.#capacity(contract, 'sell');
      powers.set(
        baseCurrency,
        contract.mark === zero ? 'unlimited' : contract.instrument.contract.unitsFor(selling, contract.mark),
      );
    }
    return [...powers].map(([currency, buyingPower]) => ({
      currency,
      available: this.#equity(currency),
      reserved: zero,
      buyingPower,
    }));
  }

  /** The notional that orders of a side may still have. Without equity that is what closes the position. */
  #capacity(contract: Contract, side: Side): Amount {
    const { instrument, leverage = zero } = contract;
    const equity = this.#equity(instrument.spec.quoteCurrency);
    const allowed = equity > zero ? multiply(equity, leverage) : zero;
    const held = signedNotional(contract);
    const taken = side === 'buy' ? add(held, contract.buying) : subtract(contract.selling, held);
    const capacity = subtract(allowed, taken);
    return capacity > zero ? capacity : zero;
  }

  #equity(currency: string): Amount {
    let sum = this.cash(currency);
    for (const { instrument, mark, lots } of this.#contracts)
      if (instrument.spec.quoteCurrency === currency)
        sum = add(sum, instrument.contract.worthAt(mark, lots as Lots));
    return sum;
  }

  #contract(instrument: Instrument): Contract {
    return this.#byId[instrument.id] as Contract;
  }
}

function amountOf(leverage: number | undefined): Amount | undefined {
  return leverage === undefined ? undefined : parseAmount(String(leverage));
}

function signedNotional({ instrument, lots, mark }: Contract): Amount {
  return instrument.contract.worthOf(instrument.contract.worthAt(mark, lots as Lots));
}
