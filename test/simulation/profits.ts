import type { Amount } from '../../src/core/base/amount.ts';
import { add, subtract, zero } from '../../src/core/base/amount.ts';
import type { Instrument, InstrumentId, Instruments, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { LossScope } from '../../src/core/model/loss.ts';
import type { Fill, Side } from '../../src/core/model/order.ts';

/** A trade that was booked, and whose it is. */
export interface BookedTrade {
  readonly instrument: InstrumentId | number;
  readonly holder: string;
  /** Names the position: see `placeOf`. */
  readonly place: string;
  readonly side: Side;
  readonly fill: Pick<Fill, 'price' | 'quantity' | 'fee'>;
}

interface Holding {
  readonly holder: string;
  readonly instrument: number;
  /** Signed. */
  lots: number;
  /** What sales brought less what purchases cost, and less fees: since the beginning, and since it was last flat. */
  money: Amount;
  sinceFlat: Amount;
}

/**
 * What the trades of each holder came to, reckoned a second time in the plainest way: money in, money out, fees. Funding and
 * interest are not in it.
 */
export class Profits {
  readonly #holdings = new Map<string, Holding>();
  readonly #losing = new Map<string, number>();

  book({ instrument, holder, place, side, fill }: BookedTrade, instruments: Instruments): void {
    const grid = instruments.at(instrument as InstrumentId);
    const key = `${holder} ${place}`;
    const holding = this.#holdings.get(key) ?? {
      holder,
      instrument,
      lots: 0,
      money: zero,
      sinceFlat: zero,
    };
    this.#holdings.set(key, holding);
    const sign = side === 'buy' ? 1 : -1;
    const before = holding.lots;
    const closes = before * sign < 0 ? Math.min(Math.abs(before), fill.quantity) : 0;
    const flow = (lots: number): Amount => grid.notional(fill.price, (-sign * lots) as Lots);
    holding.lots += sign * fill.quantity;
    holding.money = subtract(add(holding.money, flow(fill.quantity)), fill.fee);
    holding.sinceFlat = subtract(add(holding.sinceFlat, flow(closes)), fill.fee);
    if (closes > 0 && closes === Math.abs(before)) {
      this.#closed(holder, grid.spec.quoteCurrency, holding.sinceFlat);
      holding.sinceFlat = zero;
    }
    holding.sinceFlat = add(holding.sinceFlat, flow(fill.quantity - closes));
  }

  /** Signed lots that a holder has in a place. */
  lotsOf(holder: string, place: string): number {
    return this.#holdings.get(`${holder} ${place}`)?.lots ?? 0;
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
  of(
    scope: LossScope,
    instruments: Instruments,
    middle: (id: InstrumentId) => number | undefined,
  ): Amount | undefined {
    let sum = zero;
    for (const { holder, instrument, lots, money } of this.#holdings.values()) {
      const grid = instruments.at(instrument as InstrumentId);
      if (!isOf(scope, holder, grid)) continue;
      const worth = lots === 0 ? zero : worthAt(grid, lots, middle(grid.id));
      if (worth === undefined) return undefined;
      sum = add(sum, add(money, worth));
    }
    return sum;
  }

  #closed(strategy: string, currency: string, result: Amount): void {
    if (result === zero) return;
    for (const scope of [
      { strategy, currency },
      { strategy: undefined, currency },
    ]) {
      if (result > zero) this.forgive(scope);
      else this.#losing.set(nameOfScope(scope), this.losing(scope) + 1);
    }
  }
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
