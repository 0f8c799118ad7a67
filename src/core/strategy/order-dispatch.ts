import { SmallMap } from '../base/small-map.ts';
import type { Denial } from '../model/denial.ts';
import type { AccountEvent, OrderReport, ReadAnswered, VerdictEvent } from '../model/event.ts';
import type { InstrumentId, Lots } from '../model/instrument.ts';
import { isTerminal } from '../model/order-life.ts';
import type { ClientOrderId, Fill, Order, OrderState } from '../model/order.ts';
import type { StateView } from '../state/view.ts';

/** Receives what happens to own orders. */
export interface OrderListener {
  order(order: Order, denial: Denial | undefined): void;
  fill(fill: Fill, order: Order): void;
  position(instrument: InstrumentId): void;
}

interface Delivered {
  readonly state: OrderState;
  readonly cumulative: Lots;
}

const seenFillsMax = 10_000;

/** Sorts account market data and verdicts: which concern this strategy's orders, and which fills are new. */
export class OrderDispatch {
  readonly #strategy: string;
  readonly #state: StateView;
  readonly #listener: OrderListener;
  /** Own orders that may be live, as last passed on. */
  readonly #delivered = new SmallMap<ClientOrderId, Delivered>();
  /** Fills booked by instrument: the state books each trade once, so growth means a new one. */
  readonly #fillCounts: Float64Array;
  /** Trade numbers by instrument; of each the latest. */
  readonly #seenFills: Set<string>[] = [];

  constructor(strategy: string, state: StateView, listener: OrderListener) {
    this.#strategy = strategy;
    this.#state = state;
    this.#listener = listener;
    this.#fillCounts = new Float64Array(state.instruments.all.length);
  }

  /** Takes what is known at the start as passed on. */
  begin(): void {
    for (const position of this.#state.positions()) {
      if (position.strategy === this.#strategy) this.#fillCounts[position.instrument] = position.fillCount;
    }
    for (const order of this.#state.openOrders(this.#strategy)) this.#remember(order);
  }

  verdict(event: VerdictEvent): void {
    switch (event.kind) {
      case 'orderPending':
        if (event.command.strategy !== this.#strategy) return;
        this.#deliver(event.command.request.clientOrderId);
        return;
      case 'cancelPending':
        this.#cancelReported(event.command.clientOrderId);
        this.#deliver(event.command.clientOrderId);
        return;
      case 'replacePending':
        if (event.command.strategy !== this.#strategy) return;
        this.#deliver(event.command.newClientOrderId);
        return;
      case 'orderDenied': {
        if (event.strategy !== this.#strategy) return;
        const id = event.clientOrderId;
        const order = this.#state.order(id);
        this.#cancelReported(id);
        if (order !== undefined) this.#deliverOrder(order, event.denial);
        return;
      }
      case 'orderUnknown':
      case 'orderProvenAbsent':
      case 'orderFoundAlive':
        this.#deliver(event.clientOrderId);
        return;
      case 'readPending':
        return;
    }
  }

  account(event: Exclude<AccountEvent, { kind: 'balances' }>): void {
    switch (event.kind) {
      case 'orderReport':
        this.#report(event);
        return;
      case 'orderRejected':
        this.#deliver(event.clientOrderId);
        if (event.originalClientOrderId !== undefined) this.#deliver(event.originalClientOrderId);
        return;
      case 'cancelRejected':
        this.#cancelReported(event.clientOrderId);
        this.#deliver(event.clientOrderId);
        return;
      case 'readAnswered':
        this.#read(event);
        return;
      case 'commandSettled':
        return;
    }
  }

  #report(event: OrderReport): void {
    const id = event.order.clientOrderId;
    const order = this.#own(id);
    if (order !== undefined) {
      const filled = event.fill !== undefined && this.#booked(order.instrument) > 0;
      if (filled && event.fill !== undefined) this.#fill(event.fill, order);
      this.#deliverOrder(order, undefined);
      if (filled) this.#listener.position(order.instrument);
    }
    const original = event.order.originalClientOrderId;
    if (original !== undefined) this.#deliverIfChanged(original);
  }

  /** A read may settle orders and book fills that were not reported. */
  #read(event: ReadAnswered): void {
    const grown = new Map<InstrumentId, number>();
    for (const { instrument } of event.fills) {
      if (!grown.has(instrument)) grown.set(instrument, this.#booked(instrument));
    }
    const fresh = event.fills.filter(
      ({ instrument, tradeId }) =>
        grown.get(instrument) !== 0 && this.#seenFills[instrument]?.has(tradeId) !== true,
    );
    for (const fill of fresh) {
      const left = grown.get(fill.instrument) ?? 0;
      const order = this.#own(fill.clientOrderId);
      if (left <= 0 || order === undefined) continue;
      grown.set(fill.instrument, left - 1);
      this.#fill(fill, order);
      this.#listener.position(fill.instrument);
    }
    for (const id of this.#delivered.keys()) this.#deliverIfChanged(id);
  }

  #fill(fill: Fill, order: Order): void {
    const seen = (this.#seenFills[order.instrument] ??= new Set());
    if (seen.size >= seenFillsMax) {
      for (const oldest of seen) {
        seen.delete(oldest);
        break;
      }
    }
    seen.add(fill.tradeId);
    this.#listener.fill(fill, order);
  }

  /** How many fills were booked since the last look. */
  #booked(instrument: InstrumentId): number {
    const count = this.#state.position(instrument, this.#strategy).fillCount;
    const grown = count - (this.#fillCounts[instrument] ?? 0);
    this.#fillCounts[instrument] = count;
    return grown;
  }

  /** The strategy may ask for the cancel again. */
  #cancelReported(id: ClientOrderId): void {
    this.#state.inFlight.cancelReported(this.#strategy, id);
  }

  #own(id: ClientOrderId): Order | undefined {
    const order = this.#state.order(id);
    return order?.strategy === this.#strategy ? order : undefined;
  }

  #deliver(id: ClientOrderId): void {
    const order = this.#own(id);
    if (order !== undefined) this.#deliverOrder(order, undefined);
  }

  #deliverIfChanged(id: ClientOrderId): void {
    const delivered = this.#delivered.get(id);
    const order = this.#own(id);
    if (delivered === undefined || order === undefined) return;
    if (delivered.state !== order.state || delivered.cumulative !== order.cumulative)
      this.#deliverOrder(order, undefined);
  }

  #deliverOrder(order: Order, denial: Denial | undefined): void {
    this.#remember(order);
    this.#listener.order(order, denial);
  }

  #remember(order: Order): void {
    if (isTerminal(order.state)) {
      this.#delivered.delete(order.clientOrderId);
      this.#cancelReported(order.clientOrderId);
    } else {
      this.#delivered.set(order.clientOrderId, { state: order.state, cumulative: order.cumulative });
    }
  }
}
