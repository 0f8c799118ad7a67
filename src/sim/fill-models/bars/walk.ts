import type { Amount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { Candle } from '../../../core/model/market.ts';
import type { BarAccount } from './account.ts';
import type { BarOrderManager } from './order-manager.ts';
import type { BarFunding } from './funding.ts';
import type { BarLiquidation } from './liquidation.ts';
import type { BarMarket } from './market.ts';
import type { BarNotifications } from './notifications.ts';
import type { BarOrder } from './order.ts';
import { endOfBar } from './period.ts';
import type { BarRules, BarPath } from './rules.ts';

export interface BarWalkParts {
  /** Lets time pass; timers of strategies fire on the way, and what they ask for is carried out. */
  readonly passTo: (time: Micros) => void;
  readonly rules: BarRules;
  readonly account: BarAccount;
  readonly manager: BarOrderManager;
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
  readonly #parts: BarWalkParts;

  constructor(parts: BarWalkParts) {
    this.#parts = parts;
  }

  /** The price stands at the open; leads it to the close. A leg takes a third of the bar's time. */
  toTheEnd(market: BarMarket): void {
    const { account, rules } = this.#parts;
    const bar = market.bar as Candle;
    const meets = market.orders.size > 0 && market.orders.anyWithin(bar.min, bar.max);
    if (rules.points || meets || this.#concernsMargin(market, bar)) {
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
      this.#parts.manager.act(market, order);
      this.#parts.serve();
      order = market.orders.actingAt(market.price);
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
    const isDue = funding?.isDueBy(endOfBar(bar.period, bar.time) - 1) === true;
    return isDue && account.position(market.instrument) !== 0;
  }

  /** What happens on a leg happens at the time of its end. */
  #leg(market: BarMarket, to: Amount, time: number): void {
    const { passTo, manager, funding, liquidation, rules, serve } = this.#parts;
    const { orders } = market;
    // An order on the leg may be cancelled while time passes, so it is looked up again.
    if (
      orders.metBetween(market.price, to) !== undefined ||
      funding?.isDueBy(time) === true ||
      liquidation?.isDueAt(market, to) === true
    )
      passTo(Math.floor(time) as Micros);
    for (;;) {
      liquidation?.check(market);
      const met = orders.metBetween(market.price, to);
      const level = liquidation?.levelTo(market, to);
      if (level !== undefined && !isMetBefore(met, level, to < market.price)) {
        market.moveTo(level);
        continue;
      }
      if (met === undefined) break;
      market.moveTo(met.level ?? to);
      manager.act(market, met);
      serve();
      if (orders.size > 0) this.actAll(market);
    }
    market.moveTo(to);
    liquidation?.check(market);
    if (!rules.points) return;
    passTo(Math.floor(time) as Micros);
    this.point(market);
  }
}

/** Whether a price on its way meets the order before it meets `level`. */
function isMetBefore(order: BarOrder | undefined, level: Amount, falls: boolean): boolean {
  if (order?.level === undefined) return false;
  return falls ? order.level > level : order.level < level;
}

/** Whether the price of a bar goes to its high before its low. `position`: what is held at the open, signed. */
export function highComesFirst(
  bar: Candle,
  path: BarPath,
  resting: { readonly orders: readonly BarOrder[]; readonly position: number },
): boolean {
  switch (path) {
    case 'highFirst':
      return true;
    case 'lowFirst':
      return false;
    case 'nearest':
      return isHighNearer(bar);
    case 'pessimistic':
      return pessimistic(bar, resting.orders, resting.position);
  }
}

function pessimistic(bar: Candle, orders: readonly BarOrder[], position: number): boolean {
  const stops = orders.filter((order) => order.isStop && !order.triggered);
  const high = stops.some((order) => !order.below && order.actsAt(bar.max, false));
  const low = stops.some((order) => order.below && order.actsAt(bar.min, false));
  if (high !== low) return high;
  if (high || low) return isHighNearer(bar);
  if (position !== 0) return position > 0;
  const limit = orders.find((order) => order.isLimit && !order.inactive);
  return limit === undefined ? isHighNearer(bar) : limit.below;
}

/** Equal distances: the low first. */
function isHighNearer({ open, max, min }: Candle): boolean {
  return max - open < open - min;
}
