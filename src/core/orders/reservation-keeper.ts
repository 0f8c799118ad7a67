import { subtract, zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { ReplaceOrderCommand } from '../model/command.ts';
import type { BalancesChanged, MarginAccountChanged, OrderReport, ReadAnswered } from '../model/event.ts';
import type { Lots, Ticks } from '../model/instrument.ts';
import { marginKeyOf, marginNameOf } from '../model/margin.ts';
import type { Balance } from '../model/market.ts';
import { mayBeLive } from '../model/order-life.ts';
import type { ClientOrderId, ListPlace, Order } from '../model/order.ts';
import type { StateView } from '../state/index.ts';
import { ourTime, worstPrice } from './base/candidate.ts';
import { reservesInList } from './base/list-shares.ts';
import type { Memory } from './base/memory.ts';
import type { Reservation, Reservations } from './base/reservations.ts';
import { costOf, isUnanswered } from './base/reservations.ts';
import { accountAsIs, drawsOn, marginNeedAt, marginTaken, marginPayer } from './margin/index.ts';

/**
 * Keeps the reservations in step with the orders: called with the id of every order that something happened to. A margin order
 * reserves of its margin account, and of the balance that it draws on while the venue has not answered. Once it has, the money is in
 * the account, which its next reports show.
 */
export class OrderReservations {
  readonly #view: StateView;
  readonly #memory: Memory;

  constructor(view: StateView, memory: Memory) {
    this.#view = view;
    this.#memory = memory;
  }

  /** Sets what an order reserves by what the state says of it now. */
  refresh(id: ClientOrderId): void {
    const order = this.#view.order(id);
    if (order === undefined) return;
    this.#set(order);
    if (order.list !== undefined) this.#setOthers(order.list, id);
    const replacement = order.replacePending ?? this.#view.inFlight.replacementOf(id)?.clientOrderId;
    const next = replacement === undefined ? undefined : this.#view.order(replacement);
    if (next !== undefined) this.#set(next);
  }

  /** Sets what the other orders of a list reserve: it changes with what happens to one. */
  #setOthers({ orders }: ListPlace, id: ClientOrderId): void {
    for (const other of orders) {
      const mate = other === id ? undefined : this.#view.order(other);
      if (mate !== undefined) this.#set(mate);
    }
  }

  /** A replacement went out: until it is answered it reserves what it needs beyond the order it replaces. */
  replacing(command: ReplaceOrderCommand): void {
    const { clientOrderId, newClientOrderId, quantity } = command;
    const original = this.#view.order(clientOrderId);
    const price = command.price ?? command.stopPrice;
    if (original === undefined || price === undefined) return;
    const reservations = this.#reservationsOf(original);
    const lots = (quantity - original.cumulative) as Lots;
    const need = beyond(this.#needOf(original, lots, price, true), reservations.of(clientOrderId));
    reservations.set(newClientOrderId, need);
    if (original.margin !== undefined) this.#draw(newClientOrderId, original, need);
  }

  /** The order never came to be. */
  gone(id: ClientOrderId): void {
    const order = this.#view.order(id);
    if (order !== undefined && mayBeLive(order.state)) return;
    const { reservations, marginReservations } = this.#memory;
    reservations.spot.set(id, undefined);
    reservations.futures.set(id, undefined);
    marginReservations.margin.set(id, undefined);
    marginReservations.futures.set(id, undefined);
  }

  /** A fill came: what it took is gone until balances or the margin account show it. */
  filled({ fill, order }: OrderReport): void {
    if (fill === undefined) return;
    const { reservations, marginReservations, uptime } = this.#memory;
    const instrument = this.#view.instruments.at(order.instrument);
    const own = this.#view.order(order.clientOrderId);
    const time = ourTime(fill.time, this.#view);
    if (own?.margin !== undefined) {
      const key = marginKeyOf(instrument, own.margin.mode);
      const taken = marginTaken(own, fill, this.#view, this.#memory);
      marginReservations[key.product].takeSpent(marginNameOf(key), taken, time, uptime);
      return;
    }
    const { currency, amount } = costOf(order, instrument, fill.price, fill.quantity);
    reservations.spot.takeSpent(currency, amount, time, uptime);
    if (instrument.feesInThird && fill.fee > zero)
      reservations.spot.takeSpent(instrument.spec.feeCurrency, fill.fee, time, uptime);
  }

  /** Takes balances, which include every fill up to the venue's time of them, or up to their arrival where they bear none. */
  balancesCame({ wallet, balances, exchangeTime, receiveTime }: BalancesChanged): void {
    const isStamped = exchangeTime !== receiveTime;
    this.#shown(wallet, balances, isStamped ? ourTime(exchangeTime, this.#view) : receiveTime);
  }

  /** Takes a report of a margin account, with the venue's time of its last change. */
  accountCame({ product, account, exchangeTime }: MarginAccountChanged): void {
    const time = ourTime(exchangeTime, this.#view);
    this.#memory.marginReservations[product].update(marginNameOf({ product, ...account }), time);
  }

  /** Takes an answer, which includes every fill up to when it was asked for. */
  readCame({ what, askedAt, balances }: ReadAnswered): void {
    if (what.of === 'balances') this.#shown(what.product, balances, askedAt);
    if (what.of === 'marginAccounts') this.#memory.marginReservations[what.product].updateAll(askedAt);
  }

  #shown(wallet: 'spot' | 'futures' | undefined, balances: readonly Balance[], time: Micros): void {
    for (const { currency } of balances) this.#memory.reservations[wallet ?? 'spot'].update(currency, time);
  }

  #set(order: Order): void {
    const { clientOrderId: id, originalClientOrderId: original, list } = order;
    const reservations = this.#reservationsOf(order);
    const held = reservations.of(id);
    if (!mayBeLive(order.state) || (list !== undefined && !reservesInList(order, list, this.#view))) {
      if (held === undefined) return;
      reservations.set(id, undefined);
    } else {
      const price = worstPrice(order, this.#view, this.#memory);
      const isReplacing = order.state === 'pending' && original !== undefined;
      // It takes over what its original has executed, also what that executes while the replacement is on its way.
      const done = (isReplacing ? this.#view.order(original)?.cumulative : undefined) ?? order.cumulative;
      const lots = (order.quantity - done) as Lots;
      const inFlight = isUnanswered(order);
      // Most of what happens to an order changes neither its lots nor its price. A market order keeps what it reserves when the book
      // gives no price any more.
      const isSame = held?.lots === lots && held.price === price && original === undefined;
      if (held !== undefined && (isSame || price === undefined)) reservations.turn(id, held, inFlight);
      else {
        const need = this.#needOf(order, lots, price, inFlight);
        reservations.set(id, isReplacing ? beyond(need, reservations.of(original)) : need);
      }
    }
    if (order.margin !== undefined) this.#draw(id, order, reservations.of(id));
  }

  /** Amount that lots of an order reserve at a price it cannot exceed: of its currency, or of its margin account. */
  #needOf(order: Order, lots: Lots, price: Ticks | undefined, inFlight: boolean): Reservation | undefined {
    const instrument = this.#view.instruments.at(order.instrument);
    const { strategy } = order;
    if (order.margin === undefined) {
      if (!(lots > 0) || (price === undefined && order.side === 'buy')) return undefined;
      const { currency, amount } = costOf(order, instrument, price ?? (0 as Ticks), lots);
      return { account: currency, strategy, amount, inFlight, lots, price };
    }
    if (price === undefined) return undefined;
    const key = marginKeyOf(instrument, order.margin.mode);
    const account = accountAsIs(key, this.#view, this.#memory);
    const parts = { lots: Math.max(0, lots), price, account, memory: this.#memory };
    return { account: marginNameOf(key), strategy, amount: marginNeedAt(order, instrument, parts), inFlight };
  }

  /** Draws what the balance behind a margin account may lose while the order is not answered, and has lost when it is. */
  #draw(id: ClientOrderId, order: Order, need: Reservation | undefined): void {
    const key = marginKeyOf(this.#view.instruments.at(order.instrument), order.margin?.mode ?? 'isolated');
    const { reservations } = marginPayer(key, this.#view, this.#memory);
    if (need?.inFlight === true && drawsOn(order, key, this.#view.marginAccount(key))) {
      const { strategy, amount } = need;
      reservations.set(id, { account: key.currency, strategy, amount, inFlight: true });
      return;
    }
    const drawn = reservations.of(id);
    if (drawn === undefined) return;
    reservations.set(id, undefined);
    if (need !== undefined || order.cumulative > 0)
      reservations.takeSpent(
        drawn.account,
        drawn.amount,
        ourTime(order.updatedAt, this.#view),
        this.#memory.uptime,
      );
  }

  /** The reservations of spot money, or of the margin accounts of a product. */
  #reservationsOf({ margin, instrument }: Order): Reservations {
    const { reservations, marginReservations } = this.#memory;
    if (margin === undefined) return reservations.spot;
    const isContract = this.#view.instruments.at(instrument).spec.type === 'futures';
    return isContract ? marginReservations.futures : marginReservations.margin;
  }
}

/** Amount that a reservation takes beyond that of the order it replaces. */
function beyond(need: Reservation | undefined, held: Reservation | undefined): Reservation | undefined {
  if (need === undefined || held === undefined || held.account !== need.account) return need;
  const more = subtract(need.amount, held.amount);
  const { account, strategy } = need;
  return { account, strategy, amount: more > zero ? more : zero, inFlight: true };
}
