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
}

/** What an order may cost beyond its price and quantity, fees included, in percent. */
const beyondPercent = 2n;
/** So long after an execution its sums may still be held back. */
const spentMax = 5_000_000;

/** Funds hold an order back only where they are short: what has ended holds nothing. I19. */
export class DeniedCheck {
  readonly #parts: DeniedParts;
  #asked: OrderRequest | undefined;
  #executedAt = 0;

  constructor(parts: DeniedParts) {
    this.#parts = parts;
  }

  /** The trader has taken this event in. */
  after(event: Event, view: StateView): void {
    if (event.kind === 'orderDenied' && event.denial.why.startsWith('the control failed'))
      this.#parts.breaches.add('I19', `of order ${event.clientOrderId} ${event.denial.why}`);
    if (event.kind === 'intent')
      this.#asked = event.intent.action === 'place' ? event.intent.request : undefined;
    else if (event.kind === 'orderReport' && event.fill !== undefined) this.#executedAt = event.receiveTime;
    else if (event.kind === 'orderDenied' && event.denial.code === 'FUNDS') {
      const asked = this.#asked;
      if (asked?.clientOrderId === event.clientOrderId && event.receiveTime - this.#executedAt > spentMax)
        this.#checkFunds(asked, view);
    }
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
