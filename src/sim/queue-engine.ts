import type { Micros } from '../core/base/clock.ts';
import type { Outcome } from '../exchange/matching/outcome.ts';
import type { ReplaceOrderCommand } from '../core/model/command.ts';
import type { MarketEvent, TradesPrinted } from '../core/model/event.ts';
import type { Instrument } from '../core/model/instrument.ts';
import type { Balance } from '../core/model/market.ts';
import type { ClientOrderId, OrderRequest, VenueOrder } from '../core/model/order.ts';
import { needsStopPrice } from '../core/model/order.ts';
import type { EngineSetup, OrderCommand, SimEngine } from './engine.ts';
import type { FeeSchedule } from './fee-schedule.ts';
import { FifoMarket } from './fifo-market.ts';
import type { L3Rule } from './l3-fifo.ts';
import { l3Fifo, needOrders } from './l3-fifo.ts';
import type { FillOurs, OwnMarket } from './own-market.ts';
import type { Fault } from './queue-admission.ts';
import { faultOf, isBound, noFunds, notFound } from './queue-admission.ts';
import type { PerpetualFunding } from './perpetual-funding.ts';
import type { PerpetualLiquidation } from './perpetual-liquidation.ts';
import { QueueDesk } from './queue-desk.ts';
import { QueueEntry } from './queue-entry.ts';
import type { TakeRules } from './queue-entry.ts';
import type { ListSetup } from './queue-lists.ts';
import { placeList } from './queue-lists.ts';
import { QueueMarket } from './queue-market.ts';
import type { QueueOrder } from './queue-order.ts';
import type { QueueRule } from './queue-position.ts';
import type { SimAccount } from './account.ts';
import { crosses } from './walk-book.ts';

/** What distinguishes one such engine from another. */
export interface QueueEngineSetup extends TakeRules {
  readonly account: SimAccount;
  /** How places are estimated on an instrument; a rule by name when the recording tells single orders, and they are known. */
  readonly ruleOf: ((instrument: Instrument) => QueueRule) | L3Rule;
  /** By instrument id. */
  readonly fees: readonly FeeSchedule[];
  /** What positions pay for standing open; nothing when left out. */
  readonly funding?: ((markets: readonly OwnMarket[]) => PerpetualFunding) | undefined;
  /** What ends positions that the account no longer bears; nothing when left out. */
  readonly liquidation?: ((desk: QueueDesk, entry: QueueEntry) => PerpetualLiquidation) | undefined;
}

/**
 * A fill model that has each order's place in its queue beside a recorded book: see `QueueMarket` for places that are
 * estimated, `FifoMarket` for those that are known. An order that takes does so at the recorded prices. Stop orders
 * wait for the last price, lists follow the rules of the embedded exchange.
 */
export class QueueEngine implements SimEngine {
  readonly #desk: QueueDesk;
  readonly #entry: QueueEntry;
  readonly #lists: ListSetup;
  readonly #happened: EngineSetup['happened'];
  readonly #funding: PerpetualFunding | undefined;
  readonly #liquidation: PerpetualLiquidation | undefined;

  /** Throws `BadInput` when places need single orders and the data has none. */
  constructor({ instruments, now, happened, orders, tradesFrom }: EngineSetup, setup: QueueEngineSetup) {
    const { account, ruleOf, fees, partial, impact } = setup;
    if (typeof ruleOf === 'string') needOrders(orders);
    const desk = new QueueDesk(account, now, tradesFrom);
    this.#happened = happened;
    this.#desk = desk;
    this.#entry = new QueueEntry(desk, { partial, impact });
    this.#lists = {
      desk,
      entry: this.#entry,
      faultOf: (request) => this.#faultOf(request),
      open: (request) => this.#open(request),
    };
    const fill: FillOurs = (order, lots) => this.#filled(order, lots);
    for (const instrument of instruments.all) {
      const terms = { instrument, fees: fees[instrument.id] as FeeSchedule, partial, fill };
      desk.markets.push(
        typeof ruleOf === 'string'
          ? new FifoMarket({ ...terms, passing: ruleOf === l3Fifo })
          : new QueueMarket({ ...terms, rule: ruleOf(instrument) }),
      );
    }
    this.#funding = setup.funding?.(desk.markets);
    this.#liquidation = setup.liquidation?.(desk, this.#entry);
  }

  data(event: MarketEvent, now: Micros): void {
    const desk = this.#desk;
    desk.now = now;
    const market = desk.markets[event.instrument] as OwnMarket;
    if (event.kind === 'bookUpdate') market.update(event);
    else if (event.kind === 'bookSnapshot') market.snapshot(event);
    else if (event.kind === 'trades' && !event.snapshot) this.#trades(market, event);
    this.#liquidation?.moved(market);
    if (!desk.hasNews) return;
    this.#entry.settle();
    this.#happened(desk.take(), now);
  }

  execute(command: OrderCommand, now: Micros): readonly Outcome[] {
    this.#desk.now = now;
    if (command.kind === 'newOrder') this.#place(command.request);
    else if (command.kind === 'cancelOrder') this.#cancel(command.clientOrderId);
    else if (command.kind === 'replaceOrder') this.#replace(command);
    else placeList(this.#lists, command);
    this.#entry.settle();
    return this.#desk.take();
  }

  expire(now: Micros): readonly Outcome[] {
    const desk = this.#desk;
    desk.now = now;
    if (this.#funding?.settle(now) === true) {
      desk.touch();
      this.#liquidation?.settle();
      this.#entry.settle();
    }
    for (const order of desk.live.values())
      if (order.expiresAt !== 0 && order.expiresAt <= now) desk.end(order, 'expired');
    return desk.take();
  }

  nextExpiry(): Micros | undefined {
    let next = this.#funding?.due(this.#desk.now) ?? Number.POSITIVE_INFINITY;
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

  #trades(market: OwnMarket, event: TradesPrinted): void {
    market.executed(event);
    for (const trade of event.trades) {
      market.trade(trade);
      this.#desk.printed(event.instrument, trade.price);
      this.#entry.settle();
    }
  }

  /** A resting order executes, at its own price and as maker. One that has just ended does not; how much it was. */
  #filled(order: QueueOrder, lots: number): number {
    if (!order.isLive) return 0;
    const desk = this.#desk;
    if (order.remaining === lots) desk.market(order).own(order.request.side).remove(order);
    desk.execute(order, { price: order.price, lots }, false);
    return lots;
  }

  #place(request: OrderRequest): void {
    const desk = this.#desk;
    const fault = this.#faultOf(request);
    if (fault !== undefined) {
      desk.refuse(request.clientOrderId, fault.code, fault.why);
      return;
    }
    const order = this.#open(request);
    if (!this.#entry.fund(order)) {
      desk.refuse(request.clientOrderId, noFunds.code, noFunds.why);
      return;
    }
    desk.admit(order);
    this.#entry.begin(order, 'new');
  }

  #cancel(clientOrderId: string): void {
    const order = this.#desk.live.get(clientOrderId);
    if (order === undefined) this.#desk.refuse(clientOrderId, notFound.code, notFound.why);
    else this.#desk.end(order, 'canceled');
  }

  /** Cancel and new in one turn; what cannot be placed leaves the old order canceled. */
  #replace({ clientOrderId, newClientOrderId, quantity, price, stopPrice }: ReplaceOrderCommand): void {
    const desk = this.#desk;
    const old = desk.live.get(clientOrderId);
    if (old === undefined || old.list?.binds === true) {
      const { code, why } = old === undefined ? notFound : isBound;
      desk.refuse(clientOrderId, code, why);
      return;
    }
    const { request } = old;
    const next: OrderRequest = {
      ...request,
      clientOrderId: newClientOrderId,
      quantity,
      price: price ?? request.price,
      stopPrice: stopPrice ?? request.stopPrice,
    };
    // Time in force and expiry were checked when the old order came, and cannot be changed.
    const fault = faultOf({ ...next, timeInForce: 'IOC' }, desk.now) ?? this.#duplicate(newClientOrderId);
    if (fault !== undefined) {
      desk.refuse(clientOrderId, fault.code, fault.why);
      return;
    }
    const waits = old.state === 'suspended';
    const breaks = !waits && next.postOnly && crosses(desk.market(old).book, next.side, next.price);
    if (breaks || quantity <= old.cumulative) {
      desk.end(old, 'canceled');
      return;
    }
    desk.withdraw(old);
    const order = desk.succeed(old, next);
    if (this.#entry.fund(order)) {
      desk.admit(order);
      this.#entry.begin(order, 'replaced');
      return;
    }
    desk.refuse(newClientOrderId, noFunds.code, noFunds.why);
    old.state = 'canceled';
    desk.report(old, 'canceled', undefined);
  }

  #open(request: OrderRequest): QueueOrder {
    const order = this.#desk.open(request);
    if (needsStopPrice(request.type)) order.state = 'suspended';
    return order;
  }

  #faultOf(request: OrderRequest): Fault | undefined {
    return faultOf(request, this.#desk.now) ?? this.#duplicate(request.clientOrderId);
  }

  #duplicate(clientOrderId: ClientOrderId): Fault | undefined {
    if (!this.#desk.live.has(clientOrderId)) return undefined;
    return {
      code: 'DUPLICATE_CLIENT_ORDER_ID',
      why: `the client order id ${clientOrderId} belongs to an active order`,
    };
  }
}
