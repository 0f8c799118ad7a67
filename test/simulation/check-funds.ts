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

/** What executions took of a currency, as long as no balance shows it. */
interface Spent {
  amount: Amount;
  /** True time. */
  at: number;
  /** By the exchange's clock. */
  filledAt: number;
  knownTo: number;
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
  #spent = new Map<string, Spent>();
  #asked:
    | { readonly id: string; readonly currency: string; readonly original: Order | undefined }
    | undefined;

  constructor(parts: FundsParts) {
    this.#parts = parts;
  }

  restart(): void {
    this.#spent = new Map();
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    if (!this.#parts.isSpotAlone) return;
    switch (event.kind) {
      case 'orderReport':
        this.#executed(event);
        return;
      case 'balances':
        for (const { currency } of event.wallet === undefined ? event.balances : [])
          this.#shown(currency, event.exchangeTime);
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
        this.#admitted(id, this.#currencyOf(instrument, side), view);
        return;
      }
      case 'orderDenied':
        if (event.denial.code === 'FUNDS') this.#denied(event, view);
        return;
      default:
    }
  }

  #executed({ fill, order }: OrderReport): void {
    if (fill === undefined) return;
    const grid = this.#parts.instruments.at(order.instrument);
    this.#take(this.#currencyOf(order.instrument, order.side), {
      amount: costOf(order, grid, fill.price, fill.quantity),
      time: fill.time,
    });
    if (grid.feesInThird && fill.fee > zero)
      this.#take(grid.spec.feeCurrency, { amount: fill.fee, time: fill.time });
  }

  #take(currency: string, { amount, time }: { readonly amount: Amount; readonly time: number }): void {
    const spent = this.#of(currency);
    if (spent.knownTo >= time) return;
    const now = this.#parts.time.now();
    spent.amount = add(now - spent.at > spentMax ? zero : spent.amount, amount);
    spent.at = now;
    spent.filledAt = Math.max(spent.filledAt, time);
  }

  #shown(currency: string, time: number): void {
    const spent = this.#of(currency);
    spent.knownTo = Math.max(spent.knownTo, time);
    if (spent.knownTo >= spent.filledAt) spent.amount = zero;
  }

  #of(currency: string): Spent {
    const known = this.#spent.get(currency);
    if (known !== undefined) return known;
    const spent = { amount: zero, at: Number.NEGATIVE_INFINITY, filledAt: 0, knownTo: 0 };
    this.#spent.set(currency, spent);
    return spent;
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

  #admitted(id: string, currency: string, view: StateView): void {
    const free = this.#free(currency, view);
    if (free === undefined) return;
    this.#parts.marks.hit('branch/funds of an order reckoned anew');
    if (free < zero)
      this.#breach(`order ${id} was admitted, and ${formatAmount(free)} ${currency} are free with it`);
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
    const spent = this.#of(currency);
    const shown = subtract(available, inFlight);
    const reckoned = subtract(add(available, reserved), all);
    const least = shown < reckoned ? shown : reckoned;
    return this.#parts.time.now() - spent.at > spentMax ? least : subtract(least, spent.amount);
  }

  /** What each order that may be live takes of a currency, by id; a replacement without an answer: beyond its original. */
  #needs(
    currency: string,
    view: StateView,
  ): ReadonlyMap<ClientOrderId, { readonly order: Order; readonly amount: Amount | undefined }> {
    const needs = new Map<ClientOrderId, { order: Order; amount: Amount | undefined }>();
    for (const order of view.openOrders()) {
      if (order.margin !== undefined || this.#currencyOf(order.instrument, order.side) !== currency) continue;
      const { price, list, quantity, cumulative } = order;
      const grid = this.#parts.instruments.at(order.instrument);
      const isPlain = list === undefined && price !== undefined;
      const amount = isPlain ? costOf(order, grid, price, (quantity - cumulative) as Lots) : undefined;
      needs.set(order.clientOrderId, { order, amount });
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
