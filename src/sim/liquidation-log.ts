import type { Amount } from '../core/base/amount.ts';
import type { Micros } from '../core/base/clock.ts';

/** One liquidation: all positions of a currency at once. */
export interface Liquidation {
  readonly time: Micros;
  readonly currency: string;
  /** How many positions were closed. */
  readonly positions: number;
  /** Equity that was left; below zero when the price went too far at once. */
  readonly equity: Amount;
}

const rememberedMax = 1_000;

/** The liquidations of a run. */
export class LiquidationLog {
  readonly #list: Liquidation[] = [];
  /** How many there were. */
  count = 0;
  /** The lowest equity left by one, by currency. */
  readonly lowest = new Map<string, Amount>();

  /** The first thousand of them, oldest first. */
  get list(): readonly Liquidation[] {
    return this.#list;
  }

  add(liquidation: Liquidation): void {
    const { currency, equity } = liquidation;
    this.count += 1;
    if (equity < (this.lowest.get(currency) ?? equity + 1n)) this.lowest.set(currency, equity);
    if (this.#list.length < rememberedMax) this.#list.push(liquidation);
  }
}
