import type { Amount } from '../../core/base/amount.ts';
import { amountDecimals, multiply } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { divide } from '../../core/model/margin-math.ts';
import type { Markets, MarketState } from '../base/index.ts';

const pathsMax = 10_000;
const one = 10n ** BigInt(amountDecimals);

/** One step of a path: the market and whether it is crossed from base to quote (else from quote to base). */
export interface RateStep {
  readonly market: MarketState;
  readonly forward: boolean;
}

/**
 * Worth of one unit of a currency in another, along the shortest path of symbols. Each step takes the
 * middle of best bid and ask, or the last price when a side is empty. Source: v3-gaps, section 4.3.
 */
export class Rates {
  readonly #core: Markets;
  readonly #paths = new Map<string, readonly RateStep[] | undefined>();

  constructor(core: Markets) {
    this.#core = core;
  }

  /** The rate now, or undefined when there is no path or a step has no price yet. */
  rate(from: string, to: string): Amount | undefined {
    const path = this.path(from, to);
    if (path === undefined) return undefined;
    let rate = one as Amount;
    for (const step of path) {
      const price = middle(step.market);
      if (price === undefined) return undefined;
      rate = step.forward ? multiply(rate, price) : divide(rate, price);
    }
    return rate;
  }

  /** When a price on the path last changed; what a currency is worth in itself is as new as can be. */
  changedAt(from: string, to: string): Micros {
    if (from === to) return this.#core.now();
    let time = 0 as Micros;
    for (const { market } of this.path(from, to) ?? []) if (market.changedAt > time) time = market.changedAt;
    return time;
  }

  /**
   * The shortest path over symbols that have a price, ties by the order of the symbols; empty for a currency to
   * itself. The shortest path of all is remembered and tried first.
   */
  path(from: string, to: string): readonly RateStep[] | undefined {
    const key = `${from} ${to}`;
    let path = this.#paths.get(key);
    if (path === undefined && !this.#paths.has(key)) {
      if (this.#paths.size >= pathsMax) this.#paths.clear();
      path = this.#search(from, to, () => true);
      this.#paths.set(key, path);
    }
    if (path === undefined || path.every(({ market }) => middle(market) !== undefined)) return path;
    return this.#search(from, to, (market) => middle(market) !== undefined);
  }

  #search(
    from: string,
    to: string,
    serves: (market: MarketState) => boolean,
  ): readonly RateStep[] | undefined {
    const reached = new Map<string, readonly RateStep[]>([[from, []]]);
    const queue = [from];
    for (let currency = queue.shift(); currency !== undefined; currency = queue.shift()) {
      const path = reached.get(currency) ?? [];
      if (currency === to) return path;
      for (const market of this.#core.markets) {
        const { type, baseCurrency, quoteCurrency } = market.instrument.spec;
        if (type !== 'spot') continue;
        const forward = baseCurrency === currency;
        if (!forward && quoteCurrency !== currency) continue;
        const next = forward ? quoteCurrency : baseCurrency;
        if (reached.has(next) || !serves(market)) continue;
        reached.set(next, [...path, { market, forward }]);
        queue.push(next);
      }
    }
    return undefined;
  }
}

/** The middle of best bid and ask, or the last price when a side is empty. */
export function middle(market: MarketState): Amount | undefined {
  const bid = market.book.best('buy');
  const ask = market.book.best('sell');
  const { instrument } = market;
  if (bid !== undefined && ask !== undefined) {
    return instrument.midAmount(bid.price, ask.price);
  }
  const last = market.trades.last;
  return last === undefined ? undefined : instrument.priceAmount(last.price);
}
