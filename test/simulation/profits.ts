import type { Amount } from '../../src/core/base/amount.ts';
import { add, multiply, subtract, zero } from '../../src/core/base/amount.ts';
import type { Instrument, InstrumentId, Instruments, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { LossScope } from '../../src/core/model/loss.ts';
import type { PositionAccount } from '../../src/core/model/margin.ts';
import type { Side } from '../../src/core/model/order.ts';
import type { ExchangeTrade } from './exchange-money.ts';
import { keyOfTrade } from './exchange-money.ts';
import { placeOf } from './traded.ts';

/** What a holder has in a place: reckoned from executions, charges left out. */
export interface Holding {
  readonly holder: string;
  readonly instrument: InstrumentId;
  readonly account: PositionAccount;
  /** Signed: lots, or base currency where fees are taken in it. */
  size: bigint;
  /** What sales brought less what purchases cost. */
  cash: Amount;
  /** In the fee currency, and in quote currency. */
  fees: Amount;
  feesInQuote: Amount;
  fillCount: number;
  turnover: Amount;
  /** What the open size was worth when it was opened, not below 0. */
  openCost: Amount;
  realized: Amount;
  /** What closing since it was last flat brought, fees of then taken off. */
  sinceFlat: Amount;
}

/** The interface cuts fees after twelve decimals. */
const printedUnit = 10n ** 12n;

interface Move {
  readonly side: Side;
  /** Above 0, as `Holding.size`. */
  readonly size: bigint;
  /** What was paid or received, and of that the worth of `size`. */
  readonly paid: Amount;
  readonly worth: Amount;
}

/**
 * What the executions of each holder came to, reckoned a second time in the plainest way, from the exchange's own record of them.
 * Funding, interest, and losses that the exchange bore are not in it.
 */
export class Profits {
  readonly #holdings = new Map<string, Holding>();
  /** What was booked of each holding, in order, by the key of an execution where it is one. */
  readonly #booked = new Map<Holding, { readonly key: string; readonly book: () => void }[]>();
  /** Round trips are counted once. */
  #isAgain = false;
  readonly #losing = new Map<string, number>();
  readonly #instruments: Instruments;

  constructor(instruments: Instruments) {
    this.#instruments = instruments;
  }

  book(holder: string, trade: ExchangeTrade): void {
    const { instrument, account, side, fill } = trade;
    const holding = this.#holding(holder, instrument, account);
    const key = keyOfTrade({ instrument, side, tradeId: fill.tradeId });
    this.#enter(holding, key, () => this.#bookTrade(holding, trade));
  }

  /** Books what an execution came to in place of what was booked of it, as if it had been so before: nothing when left out. */
  correct(key: string, holds: ExchangeTrade | undefined): void {
    for (const [holding, entries] of this.#booked) {
      const at = entries.findIndex((entry) => entry.key === key);
      if (at < 0) continue;
      entries.splice(
        at,
        1,
        ...(holds === undefined ? [] : [{ key, book: () => this.#bookTrade(holding, holds) }]),
      );
      Object.assign(holding, blank());
      this.#isAgain = true;
      for (const { book } of entries) book();
      this.#isAgain = false;
    }
  }

  #enter(holding: Holding, key: string, book: () => void): void {
    const entries = this.#booked.get(holding) ?? [];
    this.#booked.set(holding, entries);
    entries.push({ key, book });
    book();
  }

  #bookTrade(holding: Holding, { instrument, account, side, fill }: ExchangeTrade): void {
    const grid = this.#instruments.at(instrument);
    const { price, quantity } = fill;
    const fee = (fill.fee - (fill.fee % printedUnit)) as Amount;
    const notional = grid.notional(price, quantity);
    const isInBase = grid.feesInBase && account === 'spot';
    const feeInQuote = isInBase ? multiply(fee, grid.priceAmount(price)) : fee;
    const gross = grid.quantityAmount(quantity);
    const size = !isInBase ? BigInt(quantity) : side === 'buy' ? gross - fee : gross + fee;
    const worth = isInBase ? multiply(size as Amount, grid.priceAmount(price)) : notional;
    holding.fees = add(holding.fees, fee);
    holding.feesInQuote = add(holding.feesInQuote, feeInQuote);
    holding.fillCount += 1;
    holding.turnover = add(holding.turnover, notional);
    holding.sinceFlat = subtract(holding.sinceFlat, feeInQuote);
    this.#move(holding, grid, { side, size, paid: notional, worth });
  }

  /** What a position has more than executions came to, as the trader took it over. */
  adopt(instrument: Instrument, account: PositionAccount, lots: number, price: Amount): void {
    const holding = this.#holding('external', instrument.id, account);
    const worth = multiply(instrument.quantityAmount(Math.abs(lots) as Lots), price);
    this.#enter(holding, '', () => {
      holding.fillCount += 1;
      holding.turnover = add(holding.turnover, worth);
      const side = lots > 0 ? 'buy' : 'sell';
      this.#move(holding, instrument, { side, size: BigInt(Math.abs(lots)), paid: worth, worth });
    });
  }

  find(holder: string, of: Pick<Holding, 'instrument' | 'account'>): Holding | undefined {
    return this.#holdings.get(`${holder} ${placeOf(of.instrument, of.account)}`);
  }

  all(): Iterable<Holding> {
    return this.#holdings.values();
  }

  /** Signed whole lots that a holder has in a place. */
  lotsOf(holder: string, place: string): number {
    const holding = this.#holdings.get(`${holder} ${place}`);
    return holding === undefined ? 0 : lotsIn(holding, this.#instruments.at(holding.instrument));
  }

  /** Signed whole lots of a place, of each holder apart. */
  netOf(place: string): number {
    let lots = 0;
    for (const holding of this.#holdings.values())
      if (placeOf(holding.instrument, holding.account) === place)
        lots += lotsIn(holding, this.#instruments.at(holding.instrument));
    return lots;
  }

  /** Round trips in a row that lost. */
  losing(scope: LossScope): number {
    return this.#losing.get(nameOfScope(scope)) ?? 0;
  }

  /** The count of losing round trips begins anew. */
  forgive(scope: LossScope): void {
    this.#losing.delete(nameOfScope(scope));
  }

  /** The profit of a scope; `middle` is of two prices in ticks the sum. `undefined` when something that is held has none. */
  of(scope: LossScope, middle: (id: InstrumentId) => number | undefined): Amount | undefined {
    let sum = zero;
    for (const holding of this.#holdings.values()) {
      const grid = this.#instruments.at(holding.instrument);
      if (!isOf(scope, holding.holder, grid)) continue;
      const profit = profitOf(holding, grid, middle(grid.id));
      if (profit === undefined) return undefined;
      sum = add(sum, profit);
    }
    return sum;
  }

  #holding(holder: string, instrument: InstrumentId, account: PositionAccount): Holding {
    const key = `${holder} ${placeOf(instrument, account)}`;
    let holding = this.#holdings.get(key);
    if (holding === undefined) {
      holding = { holder, instrument, account, ...blank() };
      this.#holdings.set(key, holding);
    }
    return holding;
  }

  /** What closes takes its part of what the open size cost, and the last part all that is left of that. */
  #move(holding: Holding, grid: Instrument, { side, size, paid, worth }: Move): void {
    const isBuy = side === 'buy';
    const open = isBuy ? -holding.size : holding.size;
    holding.cash = isBuy ? subtract(holding.cash, paid) : add(holding.cash, paid);
    holding.size += isBuy ? size : -size;
    const closes = open <= 0n ? 0n : open < size ? open : size;
    const brought = partOf(worth, closes, size);
    const cost = partOf(holding.openCost, closes, open);
    const profit = closes === 0n ? zero : isBuy ? subtract(cost, brought) : subtract(brought, cost);
    holding.realized = add(holding.realized, profit);
    holding.sinceFlat = add(holding.sinceFlat, profit);
    holding.openCost = add(subtract(holding.openCost, cost), subtract(worth, brought));
    if (closes === 0n || closes !== open) return;
    this.#closed(holding.holder, grid.spec.quoteCurrency, holding.sinceFlat);
    holding.sinceFlat = zero;
  }

  #closed(strategy: string, currency: string, result: Amount): void {
    if (result === zero || this.#isAgain) return;
    for (const scope of [
      { strategy, currency },
      { strategy: undefined, currency },
    ]) {
      if (result > zero) this.forgive(scope);
      else this.#losing.set(nameOfScope(scope), this.losing(scope) + 1);
    }
  }
}

function blank(): Omit<Holding, 'holder' | 'instrument' | 'account'> {
  const sums = { size: 0n, cash: zero, fees: zero, feesInQuote: zero, fillCount: 0, turnover: zero };
  return { ...sums, openCost: zero, realized: zero, sinceFlat: zero };
}

function partOf(amount: Amount, part: bigint, whole: bigint): Amount {
  if (part === 0n) return zero;
  return part === whole ? amount : (((amount * part) / whole) as Amount);
}

/** Signed whole lots of a holding. */
export function lotsIn({ size, account }: Holding, grid: Instrument): number {
  const isInBase = grid.feesInBase && account === 'spot';
  return Number(isInBase ? size / grid.quantityAmount(1 as Lots) : size);
}

/** Signed, in base currency, to the last digit. */
export function heldIn({ size, account }: Holding, grid: Instrument): Amount {
  const isInBase = grid.feesInBase && account === 'spot';
  return (isInBase ? size : size * grid.quantityAmount(1 as Lots)) as Amount;
}

/** What a holding came to, open size valued at half the sum of two prices; `undefined` without these. */
export function profitOf(holding: Holding, grid: Instrument, sum: number | undefined): Amount | undefined {
  const isInBase = grid.feesInBase && holding.account === 'spot';
  const settled = isInBase ? holding.cash : subtract(holding.cash, holding.fees);
  if (holding.size === 0n) return settled;
  if (sum === undefined) return undefined;
  const worth = multiply(heldIn(holding, grid), grid.priceAmount(sum as Ticks));
  return add(settled, (worth / 2n) as Amount);
}

/** Whether what a holder does with an instrument counts in a scope. */
export function isOf({ strategy, currency }: LossScope, holder: string, { spec }: Instrument): boolean {
  return (strategy === undefined || strategy === holder) && spec.quoteCurrency === currency;
}

export function nameOfScope({ strategy, currency }: LossScope): string {
  return `${strategy ?? 'the account'} in ${currency}`;
}

/** What signed lots are worth at half the sum of two prices. */
export function worthAt(grid: Instrument, lots: number, sum: number | undefined): Amount | undefined {
  return sum === undefined ? undefined : ((grid.notional(sum as Ticks, lots as Lots) / 2n) as Amount);
}
