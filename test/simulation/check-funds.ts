import type { Amount } from '../../src/core/base/amount.ts';
import { add, formatAmount, multiply, parseAmount, subtract, zero } from '../../src/core/base/amount.ts';
import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Event, OrderReport } from '../../src/core/model/event.ts';
import type { Instrument, Instruments, Lots } from '../../src/core/model/instrument.ts';
import type { ClientOrderId, Order, Side } from '../../src/core/model/order.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { Marks } from './marks.ts';

export interface FundsParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly marks: Marks;
  readonly instruments: Instruments;
  /** Whether spot is all that is traded: what margin accounts draw on a wallet is not reckoned here. */
  readonly isSpotAlone: boolean;
}

/** What an execution took of a currency that no balance shows yet. */
interface Spent {
  readonly currency: string;
  readonly amount: Amount;
  /** By the trader's clock, as far as the exchange's was measured. */
  readonly filledAt: number;
  /** True time at which it was reported. */
  readonly at: number;
}

/** So long what an execution took counts although no balance shows it. */
const spentMax = 5_000_000;
const denialText = /found (-?[\d.]+)$/;

/**
 * What is free of a currency of spot, reckoned anew from the orders that may be live, from executions and from balances: an order that is
 * admitted is paid for by it, fees included, and one that is denied finds exactly so much. I19.
 */
export class FundsCheck {
  readonly #parts: FundsParts;
  #spent: readonly Spent[] = [];
  /** Up to when each currency is known, by the trader's clock. */
  #knownTo = new Map<string, number>();
  #asked:
    | { readonly id: string; readonly currency: string; readonly original: Order | undefined }
    | undefined;

  constructor(parts: FundsParts) {
    this.#parts = parts;
  }

  restart(): void {
    this.#spent = [];
    this.#knownTo = new Map();
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    if (!this.#parts.isSpotAlone) return;
    switch (event.kind) {
      case 'orderReport':
        this.#executed(event, view.clockOffset ?? 0);
        return;
      case 'balances':
        for (const { currency } of event.wallet === undefined ? event.balances : [])
          this.#shown(currency, event.receiveTime);
        return;
      case 'readAnswered':
        if (event.what.of === 'balances')
          for (const { currency } of event.balances) this.#shown(currency, event.askedAt);
        return;
      case 'intent':
        this.#asks(event, view);
        return;
      case 'orderPending':
      case 'replacePending': {
        const { command } = event;
        const { instrument, side } = command.kind === 'newOrder' ? command.request : command;
        if (command.kind === 'newOrder' && command.request.list !== undefined) return;
        const id = command.kind === 'newOrder' ? command.request.clientOrderId : command.newClientOrderId;
        const original = command.kind === 'newOrder' ? undefined : command.clientOrderId;
        this.#admitted({ id, original }, this.#currencyOf(instrument, side), view);
        return;
      }
      case 'orderDenied':
        if (event.denial.code === 'FUNDS') this.#denied(event, view);
        return;
      default:
    }
  }

  #executed({ fill, order }: OrderReport, offset: number): void {
    if (fill === undefined) return;
    const time = fill.time - offset;
    const grid = this.#parts.instruments.at(order.instrument);
    this.#take(this.#currencyOf(order.instrument, order.side), {
      amount: costOf(order, grid, fill.price, fill.quantity),
      time,
    });
    if (grid.feesInThird && fill.fee > zero) this.#take(grid.spec.feeCurrency, { amount: fill.fee, time });
  }

  #take(currency: string, { amount, time }: { readonly amount: Amount; readonly time: number }): void {
    if ((this.#knownTo.get(currency) ?? 0) >= time) return;
    this.#spent = [...this.#recent(), { currency, amount, filledAt: time, at: this.#parts.time.now() }];
  }

  #recent(): readonly Spent[] {
    return this.#spent.filter(({ at }) => this.#parts.time.now() - at <= spentMax);
  }

  #shown(currency: string, time: number): void {
    const knownTo = Math.max(this.#knownTo.get(currency) ?? 0, time);
    this.#knownTo.set(currency, knownTo);
    this.#spent = this.#spent.filter((one) => one.currency !== currency || one.filledAt > knownTo);
  }

  #asks({ intent }: Extract<Event, { kind: 'intent' }>, view: StateView): void {
    this.#asked = undefined;
    if (intent.action === 'place') {
      const { clientOrderId: id, instrument, side } = intent.request;
      this.#asked = { id, currency: this.#currencyOf(instrument, side), original: undefined };
    } else if (intent.action === 'replace') {
      const original = view.order(intent.clientOrderId);
      if (original === undefined) return;
      const currency = this.#currencyOf(original.instrument, original.side);
      this.#asked = { id: intent.newClientOrderId, currency, original };
    }
  }

  #admitted(
    { id, original }: { readonly id: ClientOrderId; readonly original: ClientOrderId | undefined },
    currency: string,
    view: StateView,
  ): void {
    const left = this.#free(currency, view);
    if (left === undefined) return;
    const free = original === undefined ? left : add(left, this.#givesBack(id, original, view));
    this.#parts.marks.hit('branch/funds of an order reckoned anew');
    // A replacement that takes no more than its original leaves things as they are.
    const isMore = this.#needs(currency, view).get(id as ClientOrderId)?.amount !== zero;
    if (free < zero && isMore)
      this.#breach(`order ${id} was admitted, and ${formatAmount(free)} ${currency} are free with it`);
  }

  /** What a replacement takes less than its original, which holds it until the venue has answered. */
  #givesBack(id: ClientOrderId, original: ClientOrderId, view: StateView): Amount {
    const held = this.#costOf(view.order(original), view);
    const taken = this.#costOf(view.order(id), view);
    return held === undefined || taken === undefined || taken > held ? zero : subtract(held, taken);
  }

  #denied({ clientOrderId: id, denial }: Extract<Event, { kind: 'orderDenied' }>, view: StateView): void {
    const asked = this.#asked;
    const found = denialText.exec(denial.why)?.[1];
    if (asked?.id !== id || found === undefined) return;
    const free = this.#free(asked.currency, view);
    if (free === undefined) return;
    this.#parts.marks.hit('branch/denial for funds reckoned anew');
    const { original } = asked;
    const released =
      original === undefined
        ? zero
        : (this.#needs(asked.currency, view).get(original.clientOrderId)?.amount ?? zero);
    const right = add(free, released);
    if (parseAmount(found) !== right)
      this.#breach(
        `order ${id} was denied as ${found} ${asked.currency} were free, and it is ${formatAmount(right)}`,
      );
  }

  /** Of a currency; `undefined` where something has no price or stands in a list. */
  #free(currency: string, view: StateView): Amount | undefined {
    const { available, reserved } = view.balance(currency);
    let all = zero;
    let inFlight = zero;
    for (const { order, amount } of this.#needs(currency, view).values()) {
      if (amount === undefined) return undefined;
      all = add(all, amount);
      if (order.state === 'pending' || order.state === 'unknown') inFlight = add(inFlight, amount);
    }
    const shown = subtract(available, inFlight);
    const reckoned = subtract(add(available, reserved), all);
    const least = shown < reckoned ? shown : reckoned;
    return this.#recent()
      .filter((one) => one.currency === currency)
      .reduce((left, { amount: spent }) => subtract(left, spent), least);
  }

  /** What each order that may be live takes of a currency, by id; a replacement without an answer: beyond its original. */
  #needs(
    currency: string,
    view: StateView,
  ): ReadonlyMap<ClientOrderId, { readonly order: Order; readonly amount: Amount | undefined }> {
    const needs = new Map<ClientOrderId, { order: Order; amount: Amount | undefined }>();
    for (const order of view.openOrders()) {
      if (order.margin !== undefined || this.#currencyOf(order.instrument, order.side) !== currency) continue;
      needs.set(order.clientOrderId, { order, amount: this.#costOf(order, view) });
    }
    for (const need of needs.values()) {
      const { state, originalClientOrderId: original } = need.order;
      const held = original === undefined ? undefined : needs.get(original)?.amount;
      if (state !== 'pending' || held === undefined || need.amount === undefined) continue;
      const more = subtract(need.amount, held);
      need.amount = more > zero ? more : zero;
    }
    return needs;
  }

  /**
   * What the rest of an order takes; `undefined` where it has no price or stands in a list. What a replacement takes over of its original
   * is executed already.
   */
  #costOf(order: Order | undefined, view: StateView): Amount | undefined {
    if (order?.price === undefined || order.list !== undefined) return undefined;
    const { originalClientOrderId: original, state, quantity, cumulative } = order;
    const before =
      state === 'pending' && original !== undefined ? view.order(original)?.cumulative : undefined;
    const rest = (quantity - (before ?? cumulative)) as Lots;
    return costOf(order, this.#parts.instruments.at(order.instrument), order.price, rest);
  }

  #currencyOf(instrument: number, side: Side): string {
    const { spec } = this.#parts.instruments.at(instrument as never);
    return side === 'buy' ? spec.quoteCurrency : spec.baseCurrency;
  }

  #breach(why: string): void {
    this.#parts.breaches.add('I19', why);
  }
}

/** A sale takes its quantity, a buy what it is worth and the larger fee where that is of the same currency. */
function costOf(
  { side, takeRate, makeRate }: Pick<Order, 'side' | 'takeRate' | 'makeRate'>,
  grid: Instrument,
  price: NonNullable<Order['price']>,
  lots: Lots,
): Amount {
  if (side === 'sell') return grid.quantityAmount(lots);
  const worth = grid.notional(price, lots);
  if (grid.spec.feeCurrency !== grid.spec.quoteCurrency) return worth;
  const rates = [
    zero,
    add(grid.takeRate, takeRate !== undefined && takeRate > zero ? takeRate : zero),
    add(grid.makeRate, makeRate !== undefined && makeRate > zero ? makeRate : zero),
  ];
  return add(
    worth,
    multiply(
      worth,
      rates.reduce((most, rate) => (rate > most ? rate : most)),
    ),
  );
}
