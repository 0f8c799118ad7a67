import type { Clock, Micros } from '../base/clock.ts';
import type { RefusalCode } from '../matching/outcome.ts';
import type { Command, NewOrderCommand, ReadCommand, ReplaceOrderCommand } from '../model/command.ts';
import { laneOf, listIdOf } from '../model/command.ts';
import type { Event } from '../model/event.ts';
import type { ClientOrderId, OrderRequest } from '../model/order.ts';
import { needsPrice } from '../model/order.ts';
import type { BarAccount } from './bar-account.ts';
import type { BarDesk } from './bar-desk.ts';
import type { BarMarket } from './bar-market.ts';
import { BarOrder } from './bar-order.ts';
import type { OwnHistory } from './own-history.ts';
import { noLists } from './queue-admission.ts';
import { rejectionCodes } from './rejection-codes.ts';

export interface BarCommandParts {
  readonly clock: Clock;
  readonly account: BarAccount;
  readonly history: OwnHistory;
  readonly desk: BarDesk;
  /** By instrument. */
  readonly markets: readonly BarMarket[];
  readonly tell: (event: Event) => void;
}

type Refusal = { readonly code: RefusalCode; readonly why: string };

/** Carries out commands at a bar venue; the answer to each comes last, as at the real one. */
export class BarCommands {
  readonly #parts: BarCommandParts;
  #orders = 0;

  constructor(parts: BarCommandParts) {
    this.#parts = parts;
  }

  carryOut(command: Command): void {
    switch (command.kind) {
      case 'newOrder':
        this.#place(command);
        return;
      case 'newOrderList':
        for (const { clientOrderId } of command.requests) this.#refused(clientOrderId, undefined, noLists);
        this.#settled(command, listIdOf(command), noLists);
        return;
      case 'cancelOrder': {
        const market = this.#parts.markets[command.instrument] as BarMarket;
        const refusal = this.#cancel(market, command.clientOrderId);
        if (refusal !== undefined) {
          const { clientOrderId } = command;
          const { code, why } = refusal;
          this.#tell({
            kind: 'cancelRejected',
            clientOrderId,
            code: rejectionCodes[code],
            why,
            ...this.#times(),
          });
        }
        this.#settled(command, command.clientOrderId, refusal);
        return;
      }
      case 'replaceOrder':
        this.#replace(command);
        return;
      case 'read':
        this.#read(command);
    }
  }

  #place(command: NewOrderCommand): void {
    const { request } = command;
    const market = this.#parts.markets[request.instrument] as BarMarket;
    const refusal = this.#enter(market, this.#order(market, request, undefined), undefined);
    this.#refused(request.clientOrderId, undefined, refusal);
    this.#settled(command, request.clientOrderId, refusal);
  }

  #replace(command: ReplaceOrderCommand): void {
    const { clientOrderId, newClientOrderId, quantity, price, stopPrice } = command;
    const { account, markets } = this.#parts;
    const market = markets[command.instrument] as BarMarket;
    const old = market.orders.find(clientOrderId);
    let refusal: Refusal | undefined = notFound(clientOrderId);
    if (old !== undefined) {
      const request: OrderRequest = {
        ...old.request,
        clientOrderId: newClientOrderId,
        quantity,
        price,
        stopPrice,
      };
      market.orders.remove(old);
      account.release(old);
      old.state = 'canceled';
      const order = this.#order(market, request, clientOrderId);
      // A stop that has triggered stays a limit order.
      if (old.triggered && !order.triggered) order.trigger();
      refusal = this.#enter(market, order, old);
    }
    this.#refused(newClientOrderId, clientOrderId, refusal);
    this.#settled(command, newClientOrderId, refusal);
  }

  /** Lets an order into its market: it executes, rests, expires at once, or is refused. */
  #enter(market: BarMarket, order: BarOrder, replaced: BarOrder | undefined): Refusal | undefined {
    const { account, desk } = this.#parts;
    const { request } = order;
    const acts = market.live && order.actsAt(market.price, false);
    const rests = !acts || !order.triggered;
    if (Number.isNaN(market.ticks) && request.type === 'market')
      return { code: 'SYMBOL_NOT_WORKING', why: `${market.instrument.symbol} has no price yet` };
    if (rests && request.type !== 'market' && !account.hold(order)) {
      if (replaced !== undefined) desk.report(replaced, 'canceled');
      return { code: 'INSUFFICIENT_FUNDS', why: 'the account cannot hold back what the order may take' };
    }
    if (replaced !== undefined) desk.report(order, 'replaced');
    else if (request.type !== 'market' || !acts) desk.report(order, order.triggered ? 'new' : 'suspended');
    const { timeInForce, postOnly } = request;
    const atOnce = needsPrice(request.type) && (timeInForce === 'IOC' || timeInForce === 'FOK');
    if (order.triggered && ((acts && postOnly) || (!acts && atOnce))) {
      account.release(order);
      order.state = 'expired';
      desk.report(order, 'expired');
    } else if (acts && order.triggered) {
      desk.execute(market, order, true);
    } else {
      market.orders.add(order);
      if (acts) desk.act(market, order);
    }
    return undefined;
  }

  #cancel(market: BarMarket, id: ClientOrderId): Refusal | undefined {
    const order = market.orders.find(id);
    if (order === undefined) return notFound(id);
    market.orders.remove(order);
    this.#parts.account.release(order);
    order.state = 'canceled';
    this.#parts.desk.report(order, 'canceled');
    return undefined;
  }

  #read(command: ReadCommand): void {
    const { account, history, markets } = this.#parts;
    const { commandId, what } = command;
    const orders =
      what.of === 'activeOrders'
        ? markets.flatMap((market) => market.orders.all().map((order) => order.told()))
        : what.of === 'orderHistory'
          ? history.orders(what.clientOrderId)
          : [];
    const fills = what.of === 'tradeHistory' ? history.trades(what.since) : [];
    const balances = what.of === 'balances' ? account.balances() : [];
    const askedAt = this.#parts.clock.now();
    this.#tell({ kind: 'readAnswered', commandId, what, askedAt, orders, fills, balances, ...this.#times() });
    this.#settled(command, undefined, undefined);
  }

  #order(market: BarMarket, request: OrderRequest, original: ClientOrderId | undefined): BarOrder {
    this.#orders += 1;
    const now = this.#parts.clock.now();
    return new BarOrder(request, market.instrument, String(this.#orders), { now, original });
  }

  #refused(id: ClientOrderId, original: ClientOrderId | undefined, refusal: Refusal | undefined): void {
    if (refusal === undefined) return;
    this.#tell({
      kind: 'orderRejected',
      clientOrderId: id,
      originalClientOrderId: original,
      code: rejectionCodes[refusal.code],
      why: refusal.why,
      ...this.#times(),
    });
  }

  #settled(command: Command, id: ClientOrderId | undefined, refusal: Refusal | undefined): void {
    this.#tell({
      kind: 'commandSettled',
      commandId: command.commandId,
      lane: laneOf(command),
      outcome: refusal === undefined ? 'acknowledged' : 'refused',
      clientOrderId: id,
      ...this.#times(),
    });
  }

  #times(): { readonly exchangeTime: Micros; readonly receiveTime: Micros } {
    const now = this.#parts.clock.now();
    return { exchangeTime: now, receiveTime: now };
  }

  #tell(event: Event): void {
    this.#parts.tell(event);
  }
}

function notFound(id: ClientOrderId): Refusal {
  return { code: 'ORDER_NOT_FOUND', why: `there is no live order ${id}` };
}
