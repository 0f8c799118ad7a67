import { AscendingIds } from '../base/ascending-ids.ts';
import { Recent } from '../base/recent.ts';
import { SmallMap } from '../base/small-map.ts';
import type { Denial } from '../model/denial.ts';
import type {
  AccountEvent,
  Event,
  ExecutionCorrected,
  OrderReport,
  OwnTrade,
  ReadAnswered,
  VerdictEvent,
} from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { PositionAccount } from '../model/margin.ts';
import { accountOf } from '../model/margin.ts';
import { isTerminal } from '../model/order-life.ts';
import { OrderTable } from '../model/order-table.ts';
import type { ClientOrderId, Fill, Order } from '../model/order.ts';
import type { StateView } from '../state/index.ts';

/** Receives what happens to own orders. */
export interface OrderListener {
  order(order: Order, denial: Denial | undefined): void;
  fill(fill: Fill, order: Order): void;
  position(instrument: InstrumentId, account: PositionAccount): void;
}

type Delivered = Pick<Order, 'state' | 'cumulative' | 'quantity' | 'price' | 'stopPrice'>;

const seenFillsLeast = 10_000;
/** So many orders that ended are remembered: the second report of an end comes soon after the first. */
const endedLeast = 1_000;

/** Sorts account market data and verdicts: which concern this strategy's orders, and which fills are new. */
export class OrderDispatch {
  readonly #strategy: string;
  readonly #state: StateView;
  readonly #listener: OrderListener;
  /** Own orders that may be live, as last passed on. */
  readonly #delivered = new SmallMap<ClientOrderId, Delivered>();
  /** Own orders that ended, the latest ones. */
  readonly #ended = new Recent<ClientOrderId, Delivered>(endedLeast, () => new OrderTable());
  /** Fills booked by account and instrument: the state books each trade once, so growth means a new one. */
  readonly #fillCounts: Readonly<Record<PositionAccount, Float64Array>>;
  /** Trade numbers by instrument; of each the latest. */
  readonly #seenFills: Recent<string, true>[] = [];

  constructor(strategy: string, state: StateView, listener: OrderListener) {
    this.#strategy = strategy;
    this.#state = state;
    this.#listener = listener;
    const counts = (): Float64Array => new Float64Array(state.instruments.all.length);
    this.#fillCounts = { spot: counts(), isolated: counts(), cross: counts() };
  }

  /** Takes what is known at the start as passed on. */
  beginOrders(): void {
    for (const { strategy, account, instrument, fillCount } of this.#state.positions()) {
      if (strategy === this.#strategy) this.#fillCounts[account][instrument] = fillCount;
    }
    for (const order of this.#state.openOrders(this.#strategy)) this.#remember(order);
  }

  /** Sorts an event. Returns whether it was a verdict; what is of no order is left alone. */
  take(event: Event): boolean {
    switch (event.kind) {
      case 'orderReport':
      case 'orderRejected':
      case 'cancelRejected':
      case 'readAnswered':
      case 'commandSettled':
        this.#account(event);
        return false;
      case 'orderPending':
      case 'cancelPending':
      case 'replacePending':
      case 'readPending':
      case 'orderDenied':
      case 'orderUnknown':
      case 'orderProvenAbsent':
      case 'orderFoundAlive':
      case 'orderAssigned':
        this.#verdict(event);
        return true;
      case 'executionCorrected':
        this.#corrected(event);
        return false;
      default:
        return false;
    }
  }

  #verdict(event: VerdictEvent): void {
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
      case 'orderAssigned':
        this.#deliver(event.clientOrderId);
        return;
      case 'readPending':
        return;
    }
  }

  #account(event: Exclude<AccountEvent, { kind: 'balances' }>): void {
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

  /** An execution never was, or is of other terms: a later confirmation of it is passed on as new. */
  #corrected({ correction: { strategy, trade, holds } }: ExecutionCorrected): void {
    if (strategy !== this.#strategy) return;
    const { instrument, marginMode: account = 'spot' } = trade;
    if (holds === undefined) this.#seenFills[instrument]?.delete(trade.tradeId);
    this.#fillCounts[account][instrument] = this.#state.position(instrument, strategy, account).fillCount;
    const order = this.#own(trade.clientOrderId);
    if (order !== undefined && this.#isNews(order)) this.#deliverOrder(order, undefined);
    this.#listener.position(instrument, account);
  }

  #report(event: OrderReport): void {
    const id = event.order.clientOrderId;
    const order = this.#own(id);
    if (order !== undefined) {
      const account = accountOf(order);
      const filled = event.fill !== undefined && this.#booked(order.instrument, account) > 0;
      if (filled && event.fill !== undefined) this.#fill(event.fill, order);
      // A venue says the same in a notification and in the answer to the request.
      if (this.#isNews(order)) this.#deliverOrder(order, undefined);
      if (filled) this.#listener.position(order.instrument, account);
    }
    const original = event.order.originalClientOrderId;
    if (original !== undefined) this.#deliverIfChanged(original);
  }

  /** A read may settle orders and book fills that were not reported. */
  #read(event: ReadAnswered): void {
    const grown = this.#grownBy(event.fills);
    const fresh = event.fills.filter(
      (fill) =>
        grown.get(holdingOf(fill)) !== 0 && this.#seenFills[fill.instrument]?.has(fill.tradeId) !== true,
    );
    for (const fill of fresh) {
      const key = holdingOf(fill);
      const left = grown.get(key) ?? 0;
      const order = this.#own(fill.clientOrderId);
      // A trade of a margin account may have reduced what we hold though no order of ours made it.
      const isForeign = order === undefined && fill.marginMode !== undefined;
      if (left <= 0 || (order === undefined && !isForeign)) continue;
      grown.set(key, left - 1);
      if (order !== undefined) this.#fill(fill, order);
      this.#listener.position(fill.instrument, fill.marginMode ?? 'spot');
    }
    for (const id of this.#delivered.keys()) this.#deliverIfChanged(id);
  }

  /** How many fills were booked since the last look, of each position that the trades may belong to. */
  #grownBy(fills: readonly OwnTrade[]): Map<string, number> {
    const grown = new Map<string, number>();
    for (const fill of fills) {
      const key = holdingOf(fill);
      if (!grown.has(key)) grown.set(key, this.#booked(fill.instrument, fill.marginMode ?? 'spot'));
    }
    return grown;
  }

  #fill(fill: Fill, order: Order): void {
    const seen = (this.#seenFills[order.instrument] ??= new Recent(seenFillsLeast, () => new AscendingIds()));
    seen.set(fill.tradeId, true);
    this.#listener.fill(fill, order);
  }

  /** How many fills were booked since the last look. */
  #booked(instrument: InstrumentId, account: PositionAccount): number {
    const counts = this.#fillCounts[account];
    const count = this.#state.position(instrument, this.#strategy, account).fillCount;
    const grown = count - (counts[instrument] ?? 0);
    counts[instrument] = count;
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

  #isNews(order: Order): boolean {
    let last = this.#delivered.get(order.clientOrderId);
    if (last === undefined && isTerminal(order.state)) last = this.#ended.get(order.clientOrderId);
    return (
      last === undefined ||
      last.state !== order.state ||
      last.cumulative !== order.cumulative ||
      last.quantity !== order.quantity ||
      last.price !== order.price ||
      last.stopPrice !== order.stopPrice
    );
  }

  #deliverOrder(order: Order, denial: Denial | undefined): void {
    this.#remember(order);
    this.#listener.order(order, denial);
  }

  #remember(order: Order): void {
    const { clientOrderId, state, cumulative, quantity, price, stopPrice } = order;
    const delivered = { state, cumulative, quantity, price, stopPrice };
    if (isTerminal(state)) {
      this.#delivered.delete(clientOrderId);
      this.#cancelReported(clientOrderId);
      this.#ended.set(clientOrderId, delivered);
    } else {
      this.#delivered.set(clientOrderId, delivered);
    }
  }
}

/** The position that a trade belongs to. */
function holdingOf({ instrument, marginMode }: OwnTrade): string {
  return `${instrument} ${marginMode ?? 'spot'}`;
}
