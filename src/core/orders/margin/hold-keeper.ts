import type { Amount } from '../../base/amount.ts';
import { add, multiply, negate, subtract, zero } from '../../base/amount.ts';
import type { ReplaceOrderCommand } from '../../model/command.ts';
import type { OrderReport } from '../../model/event.ts';
import type { Instrument, Lots, Ticks } from '../../model/instrument.ts';
import { orderMargin } from '../../model/margin-math.ts';
import type { MarginAccountKey } from '../../model/margin.ts';
import { marginKeyOf } from '../../model/margin.ts';
import { mayBeLive } from '../../model/order-life.ts';
import type { ClientOrderId, Order } from '../../model/order.ts';
import type { StateView } from '../../state/view.ts';
import { worstPrice } from '../base/candidate.ts';
import { reservesInList } from '../base/list-shares.ts';
import type { Memory } from '../base/memory.ts';
import { isUnanswered } from '../base/reservations.ts';
import type { MarginHold } from '../base/margin-holds.ts';
import { accountAsIs, drawsOn, marginNeed, termsOf, walletOf } from './power.ts';
import { isReduceOnly } from './reducing.ts';

/**
 * Keeps the holds of margin orders in step with them: on their margin account, and on the balance that it draws on while the venue
 * has not answered. Once it has, the money is in the account, which its next reports show.
 */
export class MarginHoldKeeper {
  readonly #view: StateView;
  readonly #memory: Memory;

  constructor(view: StateView, memory: Memory) {
    this.#view = view;
    this.#memory = memory;
  }

  /** Sets the hold of a margin order by what the state says of it now. */
  set(order: Order): void {
    const { marginHolds } = this.#memory;
    const id = order.clientOrderId;
    const held = marginHolds.of(id);
    const isHeld =
      mayBeLive(order.state) && (order.list === undefined || reservesInList(order, order.list, this.#view));
    const hold = isHeld ? this.#holdOf(order, held) : undefined;
    if (hold !== undefined || held !== undefined) marginHolds.set(id, hold);
    const key = hold?.key ?? held?.key;
    if (key !== undefined) this.#draw(order, key, hold);
  }

  /** A replacement went out: until it is answered it holds what it needs beyond the order it replaces. */
  replacing(command: ReplaceOrderCommand, original: Order): void {
    const price = command.price ?? command.stopPrice;
    if (price === undefined || isReduceOnly(original)) return;
    const request: Order = { ...original, clientOrderId: command.newClientOrderId, state: 'pending' };
    const lots = command.quantity - original.cumulative;
    const hold = this.#needOf(request, { lots, price, isInFlight: true });
    const held = this.#memory.marginHolds.of(original.clientOrderId);
    const beyond = held === undefined ? hold : { ...hold, amount: above(hold.amount, held.amount) };
    this.#memory.marginHolds.set(command.newClientOrderId, beyond);
    this.#draw(request, hold.key, beyond);
  }

  /** The order never came to be. */
  gone(id: ClientOrderId): void {
    const { marginHolds, futuresReservations } = this.#memory;
    if (marginHolds.of(id) === undefined) return;
    marginHolds.set(id, undefined);
    futuresReservations.set(id, undefined);
  }

  /** Notes what a fill took of the account, until a report of it shows that. */
  spend({ fill, order: { clientOrderId } }: OrderReport): void {
    const order = this.#view.order(clientOrderId);
    if (fill === undefined || order?.margin === undefined) return;
    const instrument = this.#view.instruments.at(order.instrument);
    const key = marginKeyOf(instrument, order.margin.mode);
    const volume = instrument.notional(fill.price, fill.quantity);
    const account = this.#view.marginAccount(key);
    const taken = isReduceOnly(order)
      ? add(this.#lossOf(order, instrument, fill), multiply(volume, instrument.takeRate))
      : orderMargin(volume, termsOf(order, instrument, account, this.#memory));
    this.#memory.marginHolds.spend(key, taken, fill.time, this.#memory.uptime);
  }

  #holdOf(order: Order, held: MarginHold | undefined): MarginHold | undefined {
    const price = worstPrice(order, this.#view, this.#memory);
    const isInFlight = isUnanswered(order);
    // A market order keeps the hold it had when the book gives no price any more.
    if (price === undefined) return held && { ...held, inFlight: isInFlight };
    const hold = this.#needOf(order, { lots: order.quantity - order.cumulative, price, isInFlight });
    const original =
      order.state === 'pending' && order.originalClientOrderId !== undefined
        ? this.#memory.marginHolds.of(order.originalClientOrderId)
        : undefined;
    return original === undefined ? hold : { ...hold, amount: above(hold.amount, original.amount) };
  }

  #needOf(
    order: Order,
    {
      lots,
      price,
      isInFlight,
    }: { readonly lots: number; readonly price: Ticks; readonly isInFlight: boolean },
  ): MarginHold {
    const instrument = this.#view.instruments.at(order.instrument);
    const key = marginKeyOf(instrument, order.margin?.mode ?? 'isolated');
    const account = accountAsIs(key, this.#view, this.#memory);
    const amount = marginNeed(order, instrument, {
      lots: Math.max(0, lots),
      price,
      account,
      memory: this.#memory,
    });
    return { key, amount, inFlight: isInFlight };
  }

  /** What the balance behind the account may lose while the order is not answered, and has lost when it is. */
  #draw(order: Order, key: MarginAccountKey, hold: MarginHold | undefined): void {
    const { reservations } = walletOf(key, this.#view, this.#memory);
    const id = order.clientOrderId;
    const drawn = reservations.of(id);
    if (hold?.inFlight === true && drawsOn(order, key, this.#view.marginAccount(key))) {
      reservations.set(id, { currency: key.currency, amount: hold.amount, inFlight: true });
      return;
    }
    if (drawn === undefined) return;
    reservations.set(id, undefined);
    if (hold !== undefined || order.cumulative > 0)
      reservations.take(drawn, order.updatedAt, this.#memory.uptime);
  }

  /** What an order that reduces loses by a fill against the price the position was entered at. */
  #lossOf(
    order: Order,
    instrument: Instrument,
    { price, quantity }: { readonly price: Ticks; readonly quantity: Lots },
  ): Amount {
    const entry = this.#view.venuePosition(order.instrument, order.margin?.mode ?? 'isolated')?.entry;
    if (entry === undefined || entry === zero) return zero;
    const { contract } = instrument;
    const gained = subtract(contract.worth(price, quantity), contract.worthAt(entry, quantity));
    const lost = order.side === 'sell' ? negate(gained) : gained;
    return lost > zero ? lost : zero;
  }
}

function above(amount: Amount, than: Amount): Amount {
  return amount > than ? subtract(amount, than) : zero;
}
