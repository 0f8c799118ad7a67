import type { Micros } from '../base/clock.ts';
import { endOfDay } from '../matching/expiries.ts';
import type { Outcome } from '../matching/outcome.ts';
import type { ReplaceOrderCommand } from '../model/command.ts';
import { listIdOf } from '../model/command.ts';
import type { MarketEvent } from '../model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../model/instrument.ts';
import type { Balance } from '../model/market.ts';
import type { OrderRequest, VenueOrder } from '../model/order.ts';
import type { EngineSetup, OrderCommand, SimEngine } from './engine.ts';
import type { FeeSchedule } from './fee-schedule.ts';
import type { Fault } from './queue-admission.ts';
import { faultOf, noLists } from './queue-admission.ts';
import { QueueDesk } from './queue-desk.ts';
import { QueueMarket } from './queue-market.ts';
import { QueueOrder } from './queue-order.ts';
import type { QueueRule } from './queue-position.ts';
import type { RecordedBook } from './recorded-book.ts';
import type { SimAccount } from './sim-account.ts';
import type { PlannedFill } from './walk-book.ts';
import { consume, crosses, planWalk, planWhole } from './walk-book.ts';

/** What distinguishes one such engine from another. */
export interface QueueEngineSetup {
  readonly account: SimAccount;
  readonly rule: QueueRule;
  /** By instrument id. */
  readonly fees: readonly FeeSchedule[];
  /** Whether orders fill in parts. Without, whatever reaches an order fills it whole. */
  readonly partial: boolean;
  /** Whether what we take is missing until the recording next changes that level. */
  readonly impact: boolean;
}

/**
 * A fill model that estimates each order's place in its queue beside a recorded book: see `QueueMarket` for what fills a
 * resting order. An order that takes does so at the recorded prices. Limit and market orders.
 */
export class QueueEngine implements SimEngine {
  readonly #setup: QueueEngineSetup;
  readonly #desk: QueueDesk;
  readonly #markets: readonly QueueMarket[];
  readonly #happened: EngineSetup['happened'];
  #number = 1;

  constructor({ instruments, now, happened }: EngineSetup, setup: QueueEngineSetup) {
    const { account, rule, fees, partial } = setup;
    this.#setup = setup;
    this.#happened = happened;
    this.#desk = new QueueDesk(account, now);
    this.#markets = instruments.all.map(
      (instrument) =>
        new QueueMarket({
          instrument,
          fees: fees[instrument.id] as FeeSchedule,
          rule,
          partial,
          fill: (market, order, lots) => this.#filled(market, order, lots),
        }),
    );
  }

  fact(event: MarketEvent, now: Micros): void {
    this.#desk.now = now;
    const market = this.#market(event.instrument);
    if (event.kind === 'bookUpdate') market.update(event);
    else if (event.kind === 'bookSnapshot') market.snapshot(event);
    else if (event.kind === 'trades' && !event.snapshot) {
      for (const trade of event.trades) market.trade(trade);
    }
    if (this.#desk.hasNews) this.#happened(this.#desk.take(), now);
  }

  execute(command: OrderCommand, now: Micros): readonly Outcome[] {
    this.#desk.now = now;
    if (command.kind === 'newOrder') this.#place(command.request);
    else if (command.kind === 'cancelOrder') this.#cancel(command.clientOrderId);
    else if (command.kind === 'replaceOrder') this.#replace(command);
    else this.#desk.refuse(listIdOf(command), noLists.code, noLists.why);
    return this.#desk.take();
  }

  expire(now: Micros): readonly Outcome[] {
    const desk = this.#desk;
    desk.now = now;
    for (const order of desk.live.values()) {
      const isDue = order.expiresAt !== 0 && order.expiresAt <= now;
      if (isDue) desk.end(this.#market(order.request.instrument), order, 'expired');
    }
    return desk.take();
  }

  nextExpiry(): Micros | undefined {
    let next = Number.POSITIVE_INFINITY;
    for (const { expiresAt } of this.#desk.live.values())
      if (expiresAt !== 0 && expiresAt < next) next = expiresAt;
    return Number.isFinite(next) ? (next as Micros) : undefined;
  }

  balances(): Balance[] {
    return this.#desk.account.balances();
  }

  activeOrders(): VenueOrder[] {
    return [...this.#desk.live.values()].map((order) => order.snapshot());
  }

  #market(instrument: InstrumentId): QueueMarket {
    return this.#markets[instrument] as QueueMarket;
  }

  /** A resting order executes, at its own price and as maker. */
  #filled(market: QueueMarket, order: QueueOrder, lots: number): void {
    if (order.remaining === lots) market.own(order.request.side).remove(order);
    this.#desk.execute(market, order, { price: order.price, lots }, false);
  }

  #place(request: OrderRequest): void {
    const fault = faultOf(request, this.#desk.now) ?? this.#duplicate(request.clientOrderId);
    if (fault !== undefined) {
      this.#desk.refuse(request.clientOrderId, fault.code, fault.why);
      return;
    }
    const number = this.#number++;
    const { now } = this.#desk;
    this.#enter(
      new QueueOrder(request, { number, now, cumulative: 0, originalClientOrderId: undefined }),
      'new',
    );
  }

  /** Brings an order to the market; false when the account does not bear it. */
  #enter(order: QueueOrder, report: 'new' | 'replaced'): boolean {
    const desk = this.#desk;
    const { request } = order;
    const { side, clientOrderId } = request;
    const market = this.#market(request.instrument);
    const { instrument, fees } = market;
    const taking = crosses(market.book, side, request.price);
    const plan = taking && !request.postOnly ? this.#plan(market, order) : [];
    const price = (request.price ?? plan.at(-1)?.price ?? 1) as Ticks;
    const lots = order.remaining as Lots;
    const mark = (midOf(market.book) ?? price) as Ticks;
    const held = desk.account.hold({ instrument, side, price, lots, fees, mark });
    if (held === undefined) {
      desk.refuse(clientOrderId, 'INSUFFICIENT_FUNDS', 'the account does not bear the order');
      return false;
    }
    desk.admit(order, held);
    if (taking && request.postOnly) {
      desk.end(market, order, 'expired');
      return true;
    }
    order.state = order.cumulative > 0 ? 'partiallyFilled' : 'new';
    desk.report(order, report, undefined);
    this.#fillOrRest(market, order, plan);
    return true;
  }

  #fillOrRest(market: QueueMarket, order: QueueOrder, plan: readonly PlannedFill[]): void {
    const desk = this.#desk;
    const { timeInForce, price, side, expireTime } = order.request;
    const planned = plan.reduce((sum, { lots }) => sum + lots, 0);
    if (timeInForce === 'FOK' && planned < order.remaining) {
      desk.end(market, order, 'expired');
      return;
    }
    for (const fill of plan) desk.execute(market, order, fill, true);
    if (this.#setup.impact) consume(market.book, side, plan);
    if (order.remaining === 0) return;
    if (price === undefined || timeInForce === 'IOC' || timeInForce === 'FOK') {
      desk.end(market, order, 'expired');
      return;
    }
    if (order.expiresAt === 0 && timeInForce === 'GTD') order.expiresAt = expireTime ?? 0;
    if (order.expiresAt === 0 && timeInForce === 'Day') order.expiresAt = endOfDay(order.createdAt);
    market.rest(order);
  }

  #plan({ book }: QueueMarket, order: QueueOrder): PlannedFill[] {
    const { side, price } = order.request;
    const taker = { side, price, lots: order.remaining };
    return this.#setup.partial ? planWalk(book, taker) : planWhole(book, taker);
  }

  #cancel(clientOrderId: string): void {
    const order = this.#desk.live.get(clientOrderId);
    if (order === undefined) this.#desk.refuse(clientOrderId, 'ORDER_NOT_FOUND', notFound);
    else this.#desk.end(this.#market(order.request.instrument), order, 'canceled');
  }

  /** Cancel and new in one turn; what cannot be placed leaves the old order canceled. */
  #replace({ clientOrderId, newClientOrderId, quantity, price }: ReplaceOrderCommand): void {
    const desk = this.#desk;
    const old = desk.live.get(clientOrderId);
    if (old === undefined) {
      desk.refuse(clientOrderId, 'ORDER_NOT_FOUND', notFound);
      return;
    }
    const { request } = old;
    const next = { ...request, clientOrderId: newClientOrderId, quantity, price: price ?? request.price };
    const fault = faultOf({ ...next, timeInForce: 'GTC' }, desk.now) ?? this.#duplicate(newClientOrderId);
    if (fault !== undefined) {
      desk.refuse(clientOrderId, fault.code, fault.why);
      return;
    }
    const market = this.#market(request.instrument);
    const breaks = next.postOnly && crosses(market.book, next.side, next.price);
    if (breaks || quantity <= old.cumulative) {
      desk.end(market, old, 'canceled');
      return;
    }
    desk.withdraw(market, old);
    const { cumulative, createdAt, expiresAt } = old;
    const born = { number: this.#number++, now: createdAt, cumulative, originalClientOrderId: clientOrderId };
    const order = new QueueOrder(next, born);
    order.expiresAt = expiresAt;
    order.updatedAt = desk.now;
    if (this.#enter(order, 'replaced')) return;
    old.state = 'canceled';
    desk.report(old, 'canceled', undefined);
  }

  #duplicate(clientOrderId: string): Fault | undefined {
    if (!this.#desk.live.has(clientOrderId)) return undefined;
    return {
      code: 'DUPLICATE_CLIENT_ORDER_ID',
      why: `the client order id ${clientOrderId} belongs to an active order`,
    };
  }
}

/** The middle of the recorded book, to the tick below; `undefined` while a side is empty. */
function midOf({ bestBid, bestAsk }: RecordedBook): number | undefined {
  return Number.isFinite(bestBid) && Number.isFinite(bestAsk)
    ? Math.floor((bestBid + bestAsk) / 2)
    : undefined;
}

const notFound = 'there is no active order with that id';
