import type { Event } from '../../src/core/model/event.ts';
import type { Instruments, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { OrderRequest } from '../../src/core/model/order.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { SimExchange } from './sim-exchange.ts';

export interface DeniedParts {
  readonly breaches: Breaches;
  readonly instruments: Instruments;
  readonly exchange: SimExchange;
  /** Wall time of the exchange. */
  readonly exchangeNow: () => number;
}

/** What an order may cost beyond its price and quantity, fees included, in percent. */
const beyondPercent = 2n;
/** So old a last trade may be at least, µs. */
const referenceMax = 1_800_000_000;
/** So long after an execution its sums may still be held back. */
const spentMax = 5_000_000;
/** So long a change of a margin account that nobody answered may still be made, with what evidence of it takes, µs. */
const changeMax = 110_000_000;

/** Funds hold an order back only where they are short, and prices only where none is recent. I19. */
export class DeniedCheck {
  readonly #parts: DeniedParts;
  #asked: OrderRequest | undefined;
  #executedAt = 0;
  /** Changes of margin accounts on their way. */
  readonly #changes = new Set<number>();
  /** So long what a change takes may be held back, by the trader's clock. */
  #changedTo = 0;

  constructor(parts: DeniedParts) {
    this.#parts = parts;
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    if (event.kind === 'orderDenied' && event.denial.why.startsWith('the control failed'))
      this.#parts.breaches.add('I19', `of order ${event.clientOrderId} ${event.denial.why}`);
    this.#follow(event);
    if (event.kind === 'intent')
      this.#asked = event.intent.action === 'place' ? event.intent.request : undefined;
    else if (event.kind === 'orderReport' && event.fill !== undefined) this.#executedAt = event.receiveTime;
    else if (event.kind === 'orderDenied' && event.denial.code === 'FUNDS') {
      const asked = this.#asked;
      const isSettled =
        event.receiveTime - this.#executedAt > spentMax && event.receiveTime > this.#changedTo;
      if (asked?.clientOrderId === event.clientOrderId && isSettled) this.#checkFunds(asked, view);
    } else if (event.kind === 'orderDenied' && event.denial.code === 'REFERENCE_PRICE_MISSING')
      this.#checkReference(event, view);
  }

  /** A change that nobody answered, or whose answer the process before did not take in, may be made yet. */
  #follow(event: Event): void {
    if (event.kind === 'marginPending') this.#changes.add(event.command.commandId);
    else if (event.kind === 'commandSettled' && this.#changes.delete(event.commandId)) {
      if (event.outcome === 'unanswered') this.#changedTo = event.receiveTime + changeMax;
    } else if (event.kind === 'runStarted') {
      if (this.#changes.size > 0 || this.#changedTo > 0) this.#changedTo = event.receiveTime + changeMax;
      this.#changes.clear();
    }
  }

  /** By the exchange's clock a price of half an hour ago is a reference, whatever the machine's own clock shows. */
  #checkReference({ clientOrderId: id }: Extract<Event, { kind: 'orderDenied' }>, view: StateView): void {
    const { breaches, exchangeNow } = this.#parts;
    const asked = this.#asked;
    if (asked?.clientOrderId !== id || view.clockOffset === undefined) return;
    const { bestBid, bestAsk } = view.book(asked.instrument);
    const last = view.lastTrade(asked.instrument);
    if (bestBid === undefined || bestAsk === undefined || last === undefined) return;
    const age = exchangeNow() - last.time;
    if (age < referenceMax)
      breaches.add(
        'I19',
        `order ${id} was denied for want of a reference, and a trade is ${age / 1_000} ms old`,
      );
  }

  #checkFunds(
    { clientOrderId: id, instrument, side, quantity, price, margin }: OrderRequest,
    view: StateView,
  ): void {
    const { instruments, exchange, breaches } = this.#parts;
    if (margin !== undefined || price === undefined || view.marginChanges.length > 0) return;
    const { spec } = instruments.at(instrument);
    const currency = side === 'buy' ? spec.quoteCurrency : spec.baseCurrency;
    const known = view.balance(currency);
    const held = exchange.world.core.exchange
      .balances(exchange.account)
      .find((balance) => balance.currency === currency);
    if (held?.available !== known.available || held.reserved !== known.reserved) return;
    const cost = (of: number, ticks: Ticks, lots: number): bigint => {
      const grid = instruments.at(of as never);
      const own = side === 'buy' ? grid.spec.quoteCurrency : grid.spec.baseCurrency;
      if (own !== currency) return 0n;
      return side === 'buy' ? grid.notional(ticks, lots as Lots) : grid.quantityAmount(lots as Lots);
    };
    let sum = cost(instrument, price, quantity);
    // A replacement may wait for the end of its order.
    if (
      view
        .openOrders()
        .some(({ cancelPending, replacePending }) => cancelPending || replacePending !== undefined)
    )
      return;
    for (const order of view.openOrders()) {
      if (order.margin !== undefined || order.side !== side) continue;
      // What no answer has shown yet is held back beside the balances, though the exchange may have it.
      if (order.venueOrderId !== undefined && exchange.isActive(order.clientOrderId)) continue;
      // What it may cost is not known here.
      if (order.price === undefined) return;
      sum += cost(order.instrument, order.price, order.quantity);
    }
    if ((sum * (100n + beyondPercent)) / 100n < known.available)
      breaches.add(
        'I19',
        `order ${id} was denied for funds: with all that is on its way it takes ${sum} of ${known.available}`,
      );
  }
}
