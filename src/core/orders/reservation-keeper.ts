import { subtract, zero } from '../base/amount.ts';
import type { ReplaceOrderCommand } from '../model/command.ts';
import type { OrderReport } from '../model/event.ts';
import type { Lots } from '../model/instrument.ts';
import { mayBeLive } from '../model/order-life.ts';
import type { ClientOrderId, ListPlace, Order } from '../model/order.ts';
import type { StateView } from '../state/view.ts';
import { worstPrice } from './base/candidate.ts';
import { reservesInList } from './base/list-shares.ts';
import { MarginHoldKeeper } from './margin/hold-keeper.ts';
import type { Memory } from './base/memory.ts';
import type { Reservation } from './base/reservations.ts';
import { costOf, isUnanswered, reservationOf } from './base/reservations.ts';

/** Keeps the reservations in step with the orders: called with the id of every order that something happened to. */
export class OrderReservations {
  readonly #view: StateView;
  readonly #memory: Memory;
  readonly #margin: MarginHoldKeeper;

  constructor(view: StateView, memory: Memory) {
    this.#view = view;
    this.#memory = memory;
    this.#margin = new MarginHoldKeeper(view, memory);
  }

  /** Sets the hold of an order by what the state says of it now. */
  refresh(id: ClientOrderId): void {
    const order = this.#view.order(id);
    if (order === undefined) return;
    this.#set(order);
    if (order.list !== undefined) this.#setOthers(order.list, id);
    const replacement = order.replacePending ?? this.#view.inFlight.replacementOf(id)?.clientOrderId;
    const next = replacement === undefined ? undefined : this.#view.order(replacement);
    if (next !== undefined) this.#set(next);
  }

  /** What happens to one order of a list changes what the others hold. */
  #setOthers({ orders }: ListPlace, id: ClientOrderId): void {
    for (const other of orders) {
      const mate = other === id ? undefined : this.#view.order(other);
      if (mate !== undefined) this.#set(mate);
    }
  }

  /** A replacement went out: until it is answered it reserves what it needs beyond the order it replaces. */
  replacing(command: ReplaceOrderCommand): void {
    const { reservations } = this.#memory;
    const original = this.#view.order(command.clientOrderId);
    if (original === undefined) return;
    if (original.margin !== undefined) {
      this.#margin.replacing(command, original);
      return;
    }
    const price = command.price ?? command.stopPrice;
    if (price === undefined) return;
    const lots = (command.quantity - original.cumulative) as Lots;
    const cost = costOf(original, this.#view.instruments.at(command.instrument), price, lots);
    reservations.set(
      command.newClientOrderId,
      this.#beyond({ ...cost, inFlight: true }, command.clientOrderId),
    );
  }

  /** The order never came to be. */
  gone(id: ClientOrderId): void {
    const order = this.#view.order(id);
    if (order !== undefined && mayBeLive(order.state)) return;
    this.#memory.reservations.set(id, undefined);
    this.#margin.gone(id);
  }

  /** A fill came: what it took is gone until balances or the margin account show it. */
  filled(report: OrderReport): void {
    const { order } = report;
    if (this.#view.order(order.clientOrderId)?.margin !== undefined) this.#margin.spend(report);
    else {
      const { reservations, uptime } = this.#memory;
      reservations.spend(report, this.#view.instruments.at(order.instrument), uptime);
    }
  }

  #set(order: Order): void {
    if (order.margin !== undefined) {
      this.#margin.set(order);
      return;
    }
    const { reservations } = this.#memory;
    const held = reservations.of(order.clientOrderId);
    if (
      !mayBeLive(order.state) ||
      (order.list !== undefined && !reservesInList(order, order.list, this.#view))
    ) {
      if (held !== undefined) reservations.set(order.clientOrderId, undefined);
      return;
    }
    const price = worstPrice(order, this.#view, this.#memory);
    const original = order.originalClientOrderId;
    // A market order keeps the hold it had when the book gives no price any more. Most of what happens to an order changes neither
    // its lots nor its price.
    if (
      held !== undefined &&
      (price === undefined ||
        (held.lots === order.quantity - order.cumulative && held.price === price && original === undefined))
    ) {
      reservations.turn(order.clientOrderId, held, isUnanswered(order));
      return;
    }
    const hold = reservationOf(order, this.#view.instruments.at(order.instrument), price);
    reservations.set(
      order.clientOrderId,
      order.state === 'pending' && hold !== undefined && original !== undefined
        ? this.#beyond(hold, original)
        : hold,
    );
  }

  /** What a hold takes beyond that of the order it replaces. */
  #beyond(hold: Reservation, original: ClientOrderId): Reservation {
    const held = this.#memory.reservations.of(original);
    if (held === undefined || held.currency !== hold.currency) return hold;
    const more = subtract(hold.amount, held.amount);
    return { currency: hold.currency, amount: more > 0n ? more : zero, inFlight: true };
  }
}
