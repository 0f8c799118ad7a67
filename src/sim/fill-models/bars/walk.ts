import type { Amount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { Ticks } from '../../../core/model/instrument.ts';
import type { Candle } from '../../../core/model/market.ts';
import type { BarAccount } from './account.ts';
import type { BarEngine } from './engine.ts';
import type { BarFunding } from './funding.ts';
import type { BarLiquidation } from './liquidation.ts';
import type { BarMarket, BarPlace } from './market.ts';
import type { BarNotifications } from './notifications.ts';
import { levelOf } from './orders.ts';
import { endOfBar } from './period.ts';
import type { BarRules, BarPath } from './rules.ts';

export interface BarWalkDeps {
  /** Lets time pass; timers of strategies fire on the way, and what they ask for is carried out. */
  readonly passTo: (time: Micros) => void;
  readonly rules: BarRules;
  readonly account: BarAccount;
  readonly engine: BarEngine;
  readonly notifications: BarNotifications;
  /** Carries out what strategies asked for meanwhile. */
  readonly serve: () => void;
  readonly liquidation: BarLiquidation | undefined;
  readonly funding: BarFunding | undefined;
}

/**
 * Moves the price along the path of a bar: open, one extreme, the other, close. Orders act where the price meets them;
 * what strategies then ask for meets the price of that moment.
 */
export class BarWalk {
  readonly #parts: BarWalkDeps;

  constructor(parts: BarWalkDeps) {
    this.#parts = parts;
  }

  /** The price stands at the open; leads it to the close. A leg takes a third of the bar's time. */
  toTheEnd(market: BarMarket): void {
    const { account, rules } = this.#parts;
    const bar = market.bar as Candle;
    const { orders } = market;
    const meets = orders.exist && orders.anyWithin(market.ticksIn(bar, 'min'), market.ticksIn(bar, 'max'));
    if (rules.points || meets || this.#concernsMargin(market, bar)) {
      const high = highComesFirst(market, bar, rules.path, account.position(market.instrument));
      const third = (endOfBar(bar) - bar.time) / 3;
      this.#leg(market, high ? 'max' : 'min', bar.time + third);
      this.#leg(market, high ? 'min' : 'max', bar.time + 2 * third);
      this.#leg(market, 'close', Math.max(bar.time, bar.time + 3 * third - 1));
    }
    market.moveToBar(bar, 'close');
    account.mark(market.instrument, market.ticks);
  }

  /** Everything that acts at the present price, what comes of it included. */
  actAll(market: BarMarket): void {
    const { orders } = market;
    for (let order = orders.actingAt(market.ticks); order !== undefined;) {
      this.#parts.engine.act(order);
      this.#parts.serve();
      order = orders.actingAt(market.ticks);
    }
  }

  /** Publishes the present price as a point of the path. */
  point(market: BarMarket): void {
    this.#parts.notifications.point(market.instrument, market.ticks, market.price);
    this.#parts.serve();
  }

  /** Whether the bar liquidates the account, or funding is due within it. */
  #concernsMargin(market: BarMarket, bar: Candle): boolean {
    const { account, funding, liquidation } = this.#parts;
    if (liquidation?.isDueAt(market, bar.min) === true || liquidation?.isDueAt(market, bar.max) === true)
      return true;
    const isDue = funding?.isDueBy(endOfBar(bar) - 1) === true;
    return isDue && account.position(market.instrument) !== 0;
  }

  /** Walks a leg: what happens on it happens at the time of its end. */
  #leg(market: BarMarket, place: BarPlace, time: number): void {
    const { passTo, engine, funding, liquidation, rules, serve } = this.#parts;
    const { orders } = market;
    const bar = market.bar as Candle;
    const to = bar[place];
    const ticks = market.ticksIn(bar, place);
    // An order on the leg may be cancelled while time passes, so it is looked up again.
    if (
      orders.metOnTheWay(ticks, to < market.price) !== undefined ||
      funding?.isDueBy(time) === true ||
      liquidation?.isDueAt(market, to) === true
    )
      passTo(Math.floor(time) as Micros);
    for (;;) {
      liquidation?.check(market);
      const falls = to < market.price;
      const met = orders.metOnTheWay(ticks, falls);
      const metAt = met === undefined ? undefined : levelOf(met);
      const level = liquidation?.levelTo(market, to);
      if (level !== undefined && !isMetBefore(market, metAt, level, falls)) {
        market.moveTo(level);
        continue;
      }
      if (met === undefined || metAt === undefined) break;
      market.moveToTicks(metAt);
      engine.act(met);
      serve();
      if (orders.exist) this.actAll(market);
    }
    market.moveTo(to);
    liquidation?.check(market);
    if (!rules.points) return;
    passTo(Math.floor(time) as Micros);
    this.point(market);
  }
}

/** Whether a price on its way meets an order at `metAt` before it meets `level`. */
function isMetBefore(
  { instrument }: BarMarket,
  metAt: Ticks | undefined,
  level: Amount,
  falls: boolean,
): boolean {
  if (metAt === undefined) return false;
  const met = instrument.priceAmount(metAt);
  return falls ? met > level : met < level;
}

/** Whether the price of a bar goes to its high before its low. `position`: what is held at the open, signed. */
function highComesFirst(market: BarMarket, bar: Candle, path: BarPath, position: number): boolean {
  switch (path) {
    case 'highFirst':
      return true;
    case 'lowFirst':
      return false;
    case 'nearest':
      return isHighNearer(bar);
    case 'pessimistic':
      return pessimistic(market, bar, position);
  }
}

function pessimistic(market: BarMarket, bar: Candle, position: number): boolean {
  const { orders } = market;
  const high = orders.stopWithin(market.ticksIn(bar, 'max'), false);
  const low = orders.stopWithin(market.ticksIn(bar, 'min'), true);
  if (high !== low) return high;
  if (high || low) return isHighNearer(bar);
  if (position !== 0) return position > 0;
  const limit = orders.firstLimit();
  return limit === undefined ? isHighNearer(bar) : limit.side === 'buy';
}

/** Equal distances: the low first. */
function isHighNearer({ open, max, min }: Candle): boolean {
  return max - open < open - min;
}
