import type { Amount } from '../../../core/base/amount.ts';
import { add, multiply, subtract } from '../../../core/base/amount.ts';
import type { Clock } from '../../../core/base/clock.ts';
import type { Lots, Ticks } from '../../../core/model/instrument.ts';
import type { BarAccount } from './account.ts';
import type { BarEngine } from './engine.ts';
import type { BarMarket } from './market.ts';
import { LiquidationLog } from '../../liquidation-log.ts';

export interface BarLiquidationDeps {
  readonly clock: Clock;
  readonly account: BarAccount;
  readonly engine: BarEngine;
  /** Markets by instrument. */
  readonly markets: readonly BarMarket[];
  /** Carries out what strategies asked for meanwhile. */
  readonly serve: () => void;
}

/**
 * Closes all positions of a quote currency when its equity is at or below a share of the locked margin: first the resting
 * orders of their markets expire, then every position is closed at the present price of its market.
 */
export class BarLiquidation {
  readonly #parts: BarLiquidationDeps;
  readonly #rate: Amount;
  readonly log = new LiquidationLog();

  /** `rate`: the share of the locked margin. */
  constructor(rate: Amount, parts: BarLiquidationDeps) {
    this.#rate = rate;
    this.#parts = parts;
  }

  /** The price of the market has moved: liquidates when it is time to. */
  check(market: BarMarket): void {
    const { account, serve } = this.#parts;
    if (account.position(market.instrument) === 0) return;
    account.mark(market.instrument, market.ticks);
    if (this.settle(market.instrument.spec.quoteCurrency)) serve();
  }

  /** Liquidates a currency when it is time to, at prices that were marked; says whether it did. */
  settle(currency: string): boolean {
    const held = this.#heldIn(currency);
    if (held.length === 0 || this.#spare(currency) > 0n) return false;
    this.#liquidate(currency, held);
    return true;
  }

  /** Whether it would be time to if the price of the market were `price`. */
  isDueAt(market: BarMarket, price: Amount): boolean {
    const { account } = this.#parts;
    const { instrument } = market;
    const lots = account.position(instrument);
    if (lots === 0) return false;
    const worthAt = (at: Amount): Amount => instrument.contract.worthAt(at, lots as Lots);
    const moved = subtract(worthAt(price), worthAt(market.price));
    return add(this.#spareNow(market), moved) <= 0n;
  }

  /**
   * The price on the way to `to` at which the account is liquidated, exact to the tick. `undefined` where several positions share the
   * currency, or when liquidation is due already.
   */
  levelTo(market: BarMarket, to: Amount): Amount | undefined {
    const { instrument, ticks } = market;
    const lots = this.#parts.account.position(instrument);
    if (lots === 0 || this.#heldIn(instrument.spec.quoteCurrency).length > 1) return undefined;
    const spare = this.#spareNow(market);
    if (spare <= 0n || lots > 0 !== to < market.price) return undefined;
    const perTick = instrument.notional(1 as Ticks, Math.abs(lots) as Lots);
    const steps = Number((spare + perTick - 1n) / perTick);
    const level = instrument.priceAmount((lots > 0 ? ticks - steps : ticks + steps) as Ticks);
    return level <= 0n || (lots > 0 ? level < to : level > to) ? undefined : level;
  }

  #liquidate(currency: string, held: readonly BarMarket[]): void {
    const { account, clock, engine } = this.#parts;
    engine.liquidate(held);
    const positions = held.filter(({ instrument }) => account.position(instrument) === 0).length;
    if (positions === 0) return;
    const { equity } = account.figures(currency);
    this.log.add({ time: clock.now(), currency, positions, equity });
  }

  #spareNow(market: BarMarket): Amount {
    this.#parts.account.mark(market.instrument, market.ticks);
    return this.#spare(market.instrument.spec.quoteCurrency);
  }

  /** Amount by which equity is above the share of the margin. */
  #spare(currency: string): Amount {
    const { equity, locked } = this.#parts.account.figures(currency);
    return subtract(equity, multiply(locked, this.#rate));
  }

  #heldIn(currency: string): readonly BarMarket[] {
    const { account, markets } = this.#parts;
    return markets.filter(
      ({ instrument }) => instrument.spec.quoteCurrency === currency && account.position(instrument) !== 0,
    );
  }
}
