import { zero } from '../core/base/amount.ts';
import { endOfDay } from '../exchange/matching/expiries.ts';
import type { Lots, Ticks } from '../core/model/instrument.ts';
import { needsStopPrice } from '../core/model/order.ts';
import type { QueueDesk } from './queue-desk.ts';
import type { OwnMarket } from './own-market.ts';
import { midPrice } from './own-market.ts';
import type { QueueOrder } from './queue-order.ts';
import type { PlannedFill } from './walk-book.ts';
import { consume, crosses, planWalk, planWhole } from './walk-book.ts';

/** How orders take. */
export interface TakeRules {
  /** Whether orders fill in parts. Without, whatever reaches an order fills it whole. */
  readonly partial: boolean;
  /** Whether what we take is missing until the recording next changes that level. */
  readonly impact: boolean;
}

/** The way of orders to the market: funded, parked until their stop price is reached, executed, at rest. */
export class QueueEntry {
  readonly #desk: QueueDesk;
  readonly #rules: TakeRules;

  constructor(desk: QueueDesk, rules: TakeRules) {
    this.#desk = desk;
    this.#rules = rules;
  }

  /**
   * Keeps back what an order needs: at its limit, while it waits for a stop price at that, else at the worst price it is
   * about to fill at. False when the account does not bear it.
   */
  fund(order: QueueOrder): boolean {
    const desk = this.#desk;
    const { side, price, stopPrice } = order.request;
    const market = desk.market(order);
    const waits = order.state === 'suspended' ? stopPrice : undefined;
    const at = (price ?? waits ?? this.plan(order).at(-1)?.price ?? 1) as Ticks;
    const { instrument, fees } = market;
    this.#mark(market, at);
    const claim = { instrument, side, price: at, lots: order.remaining as Lots, fees };
    return desk.claim(order, desk.account.need(claim));
  }

  /** Values every market at its middle; that of an order at what it asks for, where a side of its book is empty. */
  #mark(own: OwnMarket, at: Ticks): void {
    const { account, markets } = this.#desk;
    if (account.mark === undefined) return;
    for (const market of markets) {
      const { instrument } = market;
      const mid = midPrice(market) ?? (market === own ? instrument.priceAmount(at) : undefined);
      if (mid !== undefined) account.mark(instrument, mid);
    }
  }

  /** A funded order goes to the market, or waits for its stop price. */
  begin(order: QueueOrder, report: 'new' | 'replaced'): void {
    if (order.state === 'suspended') this.#park(order, report === 'new' ? 'suspended' : report);
    else this.enter(order, report);
  }

  /** Reports an order, executes what can be, and rests or expires what is left. */
  enter(order: QueueOrder, report: 'new' | 'replaced'): void {
    const desk = this.#desk;
    const { postOnly, side, price } = order.request;
    const market = desk.market(order);
    if (postOnly && crosses(market.book, side, price)) {
      desk.end(order, 'expired');
      return;
    }
    const plan = this.plan(order);
    order.state = order.cumulative > 0 ? 'partiallyFilled' : 'new';
    desk.report(order, report, undefined);
    this.#fillOrRest(order, plan);
  }

  /** The executions an order would have now. */
  plan(order: QueueOrder): readonly PlannedFill[] {
    const { side, price, postOnly } = order.request;
    const { book } = this.#desk.market(order);
    if (postOnly || !crosses(book, side, price)) return [];
    const taker = { side, price, lots: order.remaining };
    return this.#rules.partial ? planWalk(book, taker) : planWhole(book, taker);
  }

  /** Executes what was planned. */
  take(order: QueueOrder, plan: readonly PlannedFill[]): void {
    for (const fill of plan) this.#desk.execute(order, fill, true);
    if (this.#rules.impact) consume(this.#desk.market(order).book, order.request.side, plan);
  }

  /** Ends by itself at its time. */
  awaitExpiry(order: QueueOrder): void {
    const { timeInForce, expireTime } = order.request;
    if (order.expiresAt !== 0) return;
    if (timeInForce === 'GTD') order.expiresAt = expireTime ?? 0;
    else if (timeInForce === 'Day') order.expiresAt = endOfDay(order.createdAt);
  }

  /** Lets all orders act whose time has come: each may bring that of others. */
  settle(): void {
    const desk = this.#desk;
    for (let order = desk.takeFired(); order !== undefined; order = desk.takeFired())
      if (order.isLive) this.#activate(order);
  }

  /** An order without a limit is funded anew, one that held nothing at all; what the account does not bear is canceled. */
  #activate(order: QueueOrder): void {
    const desk = this.#desk;
    order.updatedAt = desk.now;
    const wakes = order.inactive;
    order.inactive = false;
    if (!wakes || !needsStopPrice(order.request.type)) order.state = 'new';
    if (wakes || order.request.price === undefined) {
      desk.claim(order, zero);
      if (!this.fund(order)) {
        desk.end(order, 'canceled');
        return;
      }
    }
    this.begin(order, 'new');
  }

  #park(order: QueueOrder, report: 'suspended' | 'replaced'): void {
    this.#desk.park(order);
    this.awaitExpiry(order);
    this.#desk.report(order, report, undefined);
  }

  #fillOrRest(order: QueueOrder, plan: readonly PlannedFill[]): void {
    const desk = this.#desk;
    const { timeInForce, price } = order.request;
    if (timeInForce === 'FOK' && lotsOf(plan) < order.remaining) {
      desk.end(order, 'expired');
      return;
    }
    this.take(order, plan);
    if (order.remaining === 0) return;
    if (price === undefined || timeInForce === 'IOC' || timeInForce === 'FOK') {
      desk.end(order, 'expired');
      return;
    }
    this.awaitExpiry(order);
    desk.market(order).rest(order);
  }
}

/** How much is planned. */
export function lotsOf(plan: readonly PlannedFill[]): number {
  return plan.reduce((sum, { lots }) => sum + lots, 0);
}
