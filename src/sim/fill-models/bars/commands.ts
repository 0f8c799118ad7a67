import type { Clock, Micros } from '../../../core/base/clock.ts';
import type {
  Command,
  NewOrderCommand,
  NewOrderListCommand,
  ReadCommand,
  ReplaceOrderCommand,
} from '../../../core/model/command.ts';
import { refusalNumbers } from '../../../exchange/matching/refusal-numbers.ts';
import { laneOf, listIdOf } from '../../../core/model/command.ts';
import type { Event } from '../../../core/model/event.ts';
import type { ClientOrderId, OrderRequest } from '../../../core/model/order.ts';
import type { BarAccount } from './account.ts';
import type { BarOrderManager } from './order-manager.ts';
import type { BarEntry, BarRefusal } from './entry.ts';
import { placeBarList } from './lists.ts';
import type { BarMarket } from './market.ts';
import { BarOrder } from './order.ts';
import type { AccountHistory } from '../../account-history.ts';
import { boundByList } from '../../../exchange/matching/replace.ts';

export interface BarCommandParts {
  readonly clock: Clock;
  readonly account: BarAccount;
  readonly history: AccountHistory;
  readonly manager: BarOrderManager;
  readonly entry: BarEntry;
  /** By instrument. */
  readonly markets: readonly BarMarket[];
  readonly publish: (event: Event) => void;
}

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
        this.#placeList(command);
        return;
      case 'cancelOrder': {
        const market = this.#parts.markets[command.instrument] as BarMarket;
        const refusal = this.#cancel(market, command.clientOrderId);
        if (refusal !== undefined) {
          const { clientOrderId } = command;
          const { code, why } = refusal;
          this.#publish({
            kind: 'cancelRejected',
            clientOrderId,
            code: refusalNumbers[code],
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
    const refusal = this.#parts.entry.enter(market, this.#order(market, request, undefined), undefined);
    this.#refused(request.clientOrderId, undefined, refusal);
    this.#settled(command, request.clientOrderId, refusal);
  }

  #placeList(command: NewOrderListCommand): void {
    const { account, manager, entry, markets } = this.#parts;
    const open = (request: OrderRequest): BarOrder =>
      this.#order(markets[request.instrument] as BarMarket, request, undefined);
    const refusal = placeBarList({ account, manager, entry, markets, open }, command);
    for (const { clientOrderId } of command.requests) this.#refused(clientOrderId, undefined, refusal);
    this.#settled(command, listIdOf(command), refusal);
  }

  #replace(command: ReplaceOrderCommand): void {
    const { clientOrderId, newClientOrderId, quantity, price, stopPrice } = command;
    const { manager, entry, markets } = this.#parts;
    const market = markets[command.instrument] as BarMarket;
    const old = market.orders.find(clientOrderId);
    let refusal: BarRefusal | undefined = old === undefined ? notFound(clientOrderId) : undefined;
    if (old?.list?.binds === true) refusal = boundByList;
    if (old !== undefined && refusal === undefined) {
      const request: OrderRequest = {
        ...old.request,
        clientOrderId: newClientOrderId,
        quantity,
        price,
        stopPrice,
      };
      manager.withdraw(market, old, 'canceled');
      const order = this.#order(market, request, clientOrderId);
      // A stop that has triggered stays a limit order.
      if (old.triggered && !order.triggered) order.trigger();
      refusal = entry.enter(market, order, old);
    }
    this.#refused(newClientOrderId, clientOrderId, refusal);
    this.#settled(command, newClientOrderId, refusal);
  }

  #cancel(market: BarMarket, id: ClientOrderId): BarRefusal | undefined {
    const order = market.orders.find(id);
    if (order === undefined) return notFound(id);
    this.#parts.manager.end(market, order, 'canceled');
    return undefined;
  }

  #read(command: ReadCommand): void {
    const { account, history, markets } = this.#parts;
    const { commandId, what } = command;
    const orders =
      what.of === 'activeOrders'
        ? markets.flatMap((market) => market.orders.all().map((order) => order.toVenueOrder()))
        : what.of === 'orderHistory'
          ? history.orders(what.clientOrderId)
          : [];
    const fills = what.of === 'tradeHistory' ? history.trades(what.since) : [];
    const balances = what.of === 'balances' ? account.balances() : [];
    const askedAt = this.#parts.clock.now();
    this.#publish({
      kind: 'readAnswered',
      commandId,
      what,
      askedAt,
      orders,
      fills,
      balances,
      ...this.#times(),
    });
    this.#settled(command, undefined, undefined);
  }

  #order(market: BarMarket, request: OrderRequest, original: ClientOrderId | undefined): BarOrder {
    this.#orders += 1;
    const now = this.#parts.clock.now();
    return new BarOrder(request, market.instrument, String(this.#orders), { now, original });
  }

  #refused(id: ClientOrderId, original: ClientOrderId | undefined, refusal: BarRefusal | undefined): void {
    if (refusal === undefined) return;
    this.#publish({
      kind: 'orderRejected',
      clientOrderId: id,
      originalClientOrderId: original,
      code: refusalNumbers[refusal.code],
      why: refusal.why,
      ...this.#times(),
    });
  }

  #settled(command: Command, id: ClientOrderId | undefined, refusal: BarRefusal | undefined): void {
    this.#publish({
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

  #publish(event: Event): void {
    this.#parts.publish(event);
  }
}

function notFound(id: ClientOrderId): BarRefusal {
  return { code: 'ORDER_NOT_FOUND', why: `there is no live order ${id}` };
}
