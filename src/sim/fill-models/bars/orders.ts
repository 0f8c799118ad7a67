import type { Amount } from '../../../core/base/amount.ts';
import type { ClientOrderId } from '../../../core/model/order.ts';
import type { BarOrder } from './order.ts';

/** The orders that rest on one instrument, in the order they came. */
export class BarOrders {
  readonly #strict: boolean;
  #orders: BarOrder[] = [];

  /** `strict`: limit orders act only beyond their price. */
  constructor(strict: boolean) {
    this.#strict = strict;
  }

  get size(): number {
    return this.#orders.length;
  }

  all(): readonly BarOrder[] {
    return this.#orders;
  }

  add(order: BarOrder): void {
    this.#orders.push(order);
  }

  find(id: ClientOrderId): BarOrder | undefined {
    return this.#orders.find((order) => order.request.clientOrderId === id);
  }

  remove(order: BarOrder): void {
    const at = this.#orders.indexOf(order);
    if (at >= 0) this.#orders.splice(at, 1);
  }

  /** The first order that acts at a price. */
  actingAt(price: Amount): BarOrder | undefined {
    for (const order of this.#orders) if (order.actsAt(price, this.#strict)) return order;
    return undefined;
  }

  /** Whether any order acts somewhere between two prices. */
  anyWithin(low: Amount, high: Amount): boolean {
    for (const order of this.#orders) {
      if (order.actsAt(order.below ? low : high, this.#strict)) return true;
    }
    return false;
  }

  /** The order met first when the price moves from `from` to `to`; of several at one price the one that came first. */
  metBetween(from: Amount, to: Amount): BarOrder | undefined {
    const falls = to < from;
    let first: BarOrder | undefined;
    for (const order of this.#orders) {
      const { level } = order;
      if (order.below !== falls || level === undefined || !order.actsAt(to, this.#strict)) continue;
      const before = first?.level;
      if (before === undefined || (falls ? level > before : level < before)) first = order;
    }
    return first;
  }

  /** Takes out what expires at or before `now`. */
  takeExpired(now: number): readonly BarOrder[] {
    if (!this.#orders.some(({ expiresAt }) => expiresAt <= now)) return none;
    const expired = this.#orders.filter(({ expiresAt }) => expiresAt <= now);
    this.#orders = this.#orders.filter(({ expiresAt }) => expiresAt > now);
    return expired;
  }
}

const none: readonly BarOrder[] = [];
