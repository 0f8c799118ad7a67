import type { Amount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { Candle } from '../model/market.ts';
import type { BarAccount } from './bar-account.ts';
import type { BarDesk } from './bar-desk.ts';
import type { BarMarket } from './bar-market.ts';
import type { BarNews } from './bar-news.ts';
import { highComesFirst } from './bar-path.ts';
import { endOfBar } from './bar-period.ts';
import type { BarRules } from './bar-rules.ts';

export interface BarWalkParts {
  /** Lets time pass; timers of strategies fire on the way, and what they ask for is carried out. */
  readonly passTo: (time: Micros) => void;
  readonly rules: BarRules;
  readonly account: BarAccount;
  readonly desk: BarDesk;
  readonly news: BarNews;
  /** Carries out what strategies asked for meanwhile. */
  readonly serve: () => void;
}

/**
 * Moves the price along the path of a bar: open, one extreme, the other, close. Orders act where the price meets them;
 * what strategies then ask for meets the price of that moment.
 */
export class BarWalk {
  readonly #parts: BarWalkParts;

  constructor(parts: BarWalkParts) {
    this.#parts = parts;
  }

  /** The price stands at the open; leads it to the close. A leg takes a third of the bar's time. */
  toTheEnd(market: BarMarket): void {
    const { account, rules } = this.#parts;
    const bar = market.bar as Candle;
    if (rules.points || (market.orders.size > 0 && market.orders.anyWithin(bar.min, bar.max))) {
      const position = account.position(market.instrument);
      const high = highComesFirst(bar, rules.path, { orders: market.orders.all(), position });
      const third = (endOfBar(bar.period, bar.time) - bar.time) / 3;
      this.#leg(market, high ? bar.max : bar.min, bar.time + third);
      this.#leg(market, high ? bar.min : bar.max, bar.time + 2 * third);
      this.#leg(market, bar.close, bar.time + 3 * third - 1);
    }
    market.moveToBar(bar, 'close');
    account.mark(market.instrument, market.ticks);
  }

  /** Everything that acts at the present price, what comes of it included. */
  actAll(market: BarMarket): void {
    for (let order = market.orders.actingAt(market.price); order !== undefined;) {
      this.#parts.desk.act(market, order);
      this.#parts.serve();
      order = market.orders.actingAt(market.price);
    }
  }

  /** Tells the present price as a point of the path. */
  point(market: BarMarket): void {
    this.#parts.news.point(market.instrument, market.ticks, market.price);
    this.#parts.serve();
  }

  /** What happens on a leg happens at the time of its end. */
  #leg(market: BarMarket, to: Amount, time: number): void {
    const { passTo, desk, rules, serve } = this.#parts;
    const { orders } = market;
    // Whoever is met may be cancelled while time passes, so that it is looked for again.
    if (orders.metBetween(market.price, to) !== undefined) passTo(Math.floor(time) as Micros);
    for (let met = orders.metBetween(market.price, to); met !== undefined;) {
      market.moveTo(met.level ?? to);
      desk.act(market, met);
      serve();
      if (orders.size > 0) this.actAll(market);
      met = orders.metBetween(market.price, to);
    }
    market.moveTo(to);
    if (!rules.points) return;
    passTo(Math.floor(time) as Micros);
    this.point(market);
  }
}
