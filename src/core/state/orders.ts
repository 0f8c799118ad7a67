import type { Micros } from '../base/clock.ts';
import type { CarriedFills, CarriedOrders } from '../model/carried-state.ts';
import type {
  CancelPending,
  CancelRejected,
  CommandSettled,
  ExecutionCorrected,
  IntentDeclared,
  OrderAssigned,
  OrderDenied,
  OrderFoundAlive,
  OrderPending,
  OrderProvenAbsent,
  OrderRejected,
  OrderReport,
  OrderUnknown,
  OwnTrade,
  ReadAnswered,
  ReplacePending,
} from '../model/event.ts';
import type { Lots } from '../model/instrument.ts';
import type { Intent } from '../model/intent.ts';
import type { MarginMode } from '../model/margin.ts';
import type { OrderHappening } from '../model/order-life.ts';
import type { ClientOrderId, Fill, Order, OrderRequest, VenueOrder } from '../model/order.ts';
import { needsPrice } from '../model/order.ts';
import { BookedFills } from './booked-fills.ts';
import { InFlightOrders } from './in-flight.ts';
import { externalStrategy } from '../ledger/index.ts';
import { OrderEntry, foundOrder, listedOrder, replacementOrder } from './order-entry.ts';
import type { OrderIndex } from './order-index.ts';
import { KeptOrders } from './kept-orders.ts';

/** Fields that tell whose an order is that none of ours made. */
export interface ForeignOrder extends Pick<
  OwnTrade,
  'clientOrderId' | 'instrument' | 'side' | 'marginMode'
> {}

export interface OrderStoreOptions {
  readonly closedOrdersMax: number;
  readonly fillsRememberedMax: number;
  /** Called once for every fill, with the strategy it belongs to, and when a report brought it if no row of the history did. */
  readonly onFill: (fill: OwnTrade, strategy: string, reportedAt?: Micros) => void;
  /** The strategy of an order, or of a trade, that no intent of ours explains. */
  readonly strategyOf: (executed: ForeignOrder) => string;
  /** The mode of the margin account that a position belongs to. */
  readonly modeOf: (positionId: number) => MarginMode;
}

/**
 * All orders, folded from verdicts and market data by the transition table (`core/model/order-life.ts`).
 *
 * Facts may come twice, late and in any order: fills are booked once by trade number, the cumulative quantity
 * never falls, terminal states never revert, and an older snapshot undoes nothing. There are two exceptions. A violation:
 * an order that was called dead turns out to live; it is taken up again, to be cancelled, and `takeViolation` says so. And
 * the verdict that the venue's lists prove an ended order alive.
 */
export class OrderStore {
  readonly inFlight = new InFlightOrders();
  readonly #kept: KeptOrders;
  readonly #bookedFills: BookedFills;
  readonly #options: OrderStoreOptions;

  constructor(options: OrderStoreOptions) {
    this.#options = options;
    this.#bookedFills = new BookedFills(options.fillsRememberedMax);
    this.#kept = new KeptOrders(options.closedOrdersMax, this.inFlight);
  }

  /** Live orders, counts and sums. */
  get index(): OrderIndex {
    return this.#kept.index;
  }

  get(clientOrderId: ClientOrderId): Order | undefined {
    return this.#kept.find(clientOrderId)?.order;
  }

  knows(clientOrderId: ClientOrderId): boolean {
    return this.#kept.knows(clientOrderId);
  }

  /** The latest order to which a program gave that id. */
  named(strategy: string, alias: string): Order | undefined {
    return this.#kept.findNamed(strategy, alias)?.order;
  }

  /** Orders with executed lots that no booked fill explains: their trade history must be read. */
  missingFills(): readonly Order[] {
    return this.#kept.missing();
  }

  missingLots(clientOrderId: ClientOrderId): Lots {
    return this.#kept.find(clientOrderId)?.missing ?? (0 as Lots);
  }

  /** Takes the violation since the last call, if there was one. */
  takeViolation(): string | undefined {
    return this.#kept.takeViolation();
  }

  applyIntent(event: IntentDeclared): void {
    this.inFlight.declare(event.intent);
  }

  applyPending({ command, receiveTime }: OrderPending): void {
    const { request, strategy } = command;
    this.#kept.place(this.inFlight.accept(request, strategy, receiveTime));
  }

  applyCancelPending({ command }: CancelPending): void {
    this.inFlight.answer('cancel', command.clientOrderId);
    const entry = this.#kept.find(command.clientOrderId);
    if (entry?.ended === false) this.#kept.changeOrder(entry, { cancelPending: true });
  }

  applyReplacePending({ command, receiveTime }: ReplacePending): void {
    this.inFlight.answer('replace', command.newClientOrderId);
    const original = this.#kept.find(command.clientOrderId);
    if (original === undefined) {
      this.#kept.violation(
        `a replacement was accepted for order ${command.clientOrderId}, which is not known`,
      );
      return;
    }
    const entry = new OrderEntry(replacementOrder(original.order, command, receiveTime));
    entry.replaces = original;
    entry.inherited = original.order.cumulative;
    if (!this.#kept.insert(entry)) return;
    this.#kept.link(original, entry);
    this.#kept.changeOrder(original, { replacePending: command.newClientOrderId });
  }

  applyDenied(event: OrderDenied): void {
    const proposal = this.inFlight.find(event.clientOrderId);
    const intent = this.inFlight.answer(event.action, event.clientOrderId);
    // Its cancel has no verdict of its own where the order was held back before it was pending.
    if (event.denial.code === 'CANCELED_UNSENT') this.inFlight.answer('cancel', event.clientOrderId);
    const entry = this.#kept.find(event.clientOrderId);
    if (intent !== undefined && entry === undefined) this.#keepDenied(event, intent, proposal?.request);
    // What was denied at our controls changes no order, and a reused id is the id of another order.
    if (intent !== undefined || event.denial.code === 'ID_REUSED' || entry === undefined) return;
    if (event.action === 'place' || event.action === 'replace') {
      this.#kept.endUnrested(entry, 'denied', event.receiveTime, event.denial);
    } else {
      this.#kept.changeOrder(entry, { cancelPending: false });
    }
  }

  applyRejected(event: OrderRejected): void {
    const entry = this.#kept.find(event.clientOrderId);
    if (entry === undefined) return;
    this.#kept.endUnrested(entry, 'rejected', event.receiveTime, {
      code: String(event.code),
      why: event.why,
    });
  }

  applyCancelRejected(event: CancelRejected): void {
    this.#cancelDone(event.clientOrderId);
  }

  /** A cancel that the venue did not take may be asked for again. */
  applySettled(event: CommandSettled): void {
    if (event.lane === 'cancel' && event.outcome !== 'acknowledged') this.#cancelDone(event.clientOrderId);
  }

  applyUnknown(event: OrderUnknown): void {
    const entry = this.#kept.find(event.clientOrderId);
    if (entry !== undefined) this.#kept.moveOrder(entry, 'unanswered', event.receiveTime);
  }

  applyProvenAbsent(event: OrderProvenAbsent): void {
    const entry = this.#kept.find(event.clientOrderId);
    if (entry?.ended === false) this.#kept.bury(entry, event.receiveTime);
  }

  applyFoundAlive({ clientOrderId, state, receiveTime }: OrderFoundAlive): void {
    const entry = this.#kept.find(clientOrderId);
    if (entry?.ended !== true) return;
    // Nothing has taken its place: what was to replace it counts in full beside it.
    entry.replacement = undefined;
    this.#kept.become(entry, state, receiveTime);
  }

  /** An order of others has another strategy from now on. */
  applyAssigned({ clientOrderId, strategy }: OrderAssigned): void {
    const entry = this.#kept.find(clientOrderId);
    if (entry !== undefined) this.#kept.assign(entry, strategy);
  }

  applyReport(event: OrderReport): void {
    const { order, fill } = event;
    const known = this.#kept.find(order.clientOrderId);
    const entry = known ?? this.#found(order, order.cumulative - (fill?.quantity ?? 0));
    if (fill !== undefined) {
      const trade = ownTrade(order, fill, (order.margin ?? entry.order.margin)?.mode);
      const booked = this.#book(trade, entry, event.receiveTime);
      if (!booked && known === undefined) entry.inherited = order.cumulative;
    }
    this.#applyVenueOrder(
      entry,
      order,
      event.reportType === 'rejected' ? 'rejected' : order.state,
      event.receiveTime,
    );
  }

  /** An execution is of other lots, or never was: its order has executed so much less, and one that it filled has ended otherwise. */
  applyCorrected({ correction: { trade, holds }, receiveTime }: ExecutionCorrected): void {
    if (holds === undefined) this.#bookedFills.remove(trade);
    const entry = this.#kept.find(trade.clientOrderId);
    const less = trade.quantity - (holds?.quantity ?? 0);
    if (entry === undefined || less === 0) return;
    entry.booked -= less;
    const cumulative = Math.max(0, entry.order.cumulative - less) as Lots;
    this.#kept.changeOrder(entry, { cumulative });
    if (entry.order.state === 'filled' && cumulative < entry.order.quantity)
      this.#kept.become(entry, entry.endsAs ?? 'canceled', receiveTime);
    else if (entry.order.state === 'partiallyFilled' && cumulative === 0)
      this.#kept.become(entry, 'new', receiveTime);
  }

  applyRead(event: ReadAnswered): void {
    for (const fill of event.fills) this.#bookHistory(fill, event.receiveTime);
    for (const order of event.orders) {
      const entry = this.#kept.find(order.clientOrderId) ?? this.#found(order, order.cumulative);
      this.#applyVenueOrder(entry, order, order.state, event.receiveTime);
    }
  }

  carryOrders(closedMax: number): CarriedOrders {
    return { ...this.#kept.carryOrders(closedMax), unjudged: this.inFlight.intents() };
  }

  carryFills(max: number): CarriedFills {
    return this.#bookedFills.carry(max);
  }

  takeOrders(orders: CarriedOrders, fills: CarriedFills): void {
    this.#kept.takeOrders(orders);
    this.#bookedFills.takeFills(fills);
    for (const intent of orders.unjudged) this.inFlight.declare(intent);
  }

  /** Kept so that a strategy can look up what it was denied. */
  #keepDenied(event: OrderDenied, intent: Intent, proposed: OrderRequest | undefined): void {
    const { strategy, receiveTime, originalClientOrderId } = event;
    const request = intent.action === 'place' ? intent.request : (proposed ?? this.#requestOf(intent));
    if (request === undefined) return;
    const order = listedOrder(request, strategy, receiveTime);
    const entry = new OrderEntry({ ...order, originalClientOrderId });
    this.#kept.add(entry);
    this.#kept.endUnrested(entry, 'denied', event.receiveTime, event.denial);
  }

  /** Request of a replacement: what its intent does not say is that of the order it replaces, but for the id of a program. */
  #requestOf(intent: Intent): OrderRequest | undefined {
    if (intent.action !== 'replace') return undefined;
    const { newClientOrderId: clientOrderId, quantity, price, stopPrice, alias } = intent;
    const original = this.#kept.find(intent.clientOrderId)?.order;
    return original && { ...original, clientOrderId, quantity, price, stopPrice, alias };
  }

  #cancelDone(clientOrderId: ClientOrderId | undefined): void {
    const entry = this.#kept.find(clientOrderId);
    if (entry !== undefined) this.#kept.changeOrder(entry, { cancelPending: false });
  }

  /** An order of no known strategy, unless it replaces one that is known or liquidates what one strategy holds. */
  #found(order: VenueOrder, executedBefore: number): OrderEntry {
    const original = this.#kept.find(order.originalClientOrderId)?.order;
    const { clientOrderId, instrument, side, margin } = order;
    const strategy =
      original?.strategy ??
      this.#options.strategyOf({ clientOrderId, instrument, side, marginMode: margin?.mode });
    const found = foundOrder(order, strategy);
    const entry = new OrderEntry(original?.adopted === true ? { ...found, adopted: true } : found);
    // What it executed before we knew of it is not ours to book.
    entry.inherited = original?.cumulative ?? executedBefore;
    this.#kept.add(entry);
    return entry;
  }

  /** The venue reports an order. */
  #applyVenueOrder(entry: OrderEntry, reported: VenueOrder, happening: OrderHappening, time: Micros): void {
    const first = !entry.reported;
    const merged = mergeReport(entry, reported);
    entry.reported = true;
    this.#kept.report(entry, merged, happening, time);
    const original = this.#kept.find(reported.originalClientOrderId);
    if (original === undefined || !first || happening === 'rejected') return;
    // The venue places a replacement only after it has cancelled the original (v3-gaps, section 10).
    entry.inherited = original.order.cumulative;
    this.#kept.link(original, entry);
    this.#kept.moveOrder(original, 'canceled', time);
    this.#kept.settleOrder(entry);
  }

  #book(fill: OwnTrade, entry: OrderEntry | undefined, reportedAt?: Micros): boolean {
    if (!this.#bookedFills.add(fill)) return false;
    if (entry !== undefined) entry.booked += fill.quantity;
    this.#options.onFill(fill, entry?.order.strategy ?? this.#holderOf(fill), reportedAt);
    return true;
  }

  /** A trade of an order that is not known: on spot nobody's, of a margin account perhaps a position's of ours. */
  #holderOf(fill: OwnTrade): string {
    return fill.marginMode === undefined ? externalStrategy : this.#options.strategyOf(fill);
  }

  /** Rows of the trade history name a position, not the mode of its account. */
  #placed(fill: OwnTrade, entry: OrderEntry | undefined): OwnTrade {
    const { positionId, marginMode } = fill;
    if (marginMode !== undefined) return fill;
    const mode =
      entry?.order.margin?.mode ?? (positionId === undefined ? undefined : this.#options.modeOf(positionId));
    return mode === undefined ? fill : { ...fill, marginMode: mode };
  }

  /** A row of the trade history: evidence that the order lived and executed at least this much. */
  #bookHistory(fill: OwnTrade, time: Micros): void {
    if (this.#bookedFills.knows(fill)) return;
    const entry = this.#kept.find(fill.clientOrderId);
    if (!this.#book(this.#placed(fill, entry), entry) || entry === undefined) return;
    const { order } = entry;
    const cumulative = Math.max(order.cumulative, entry.booked) as Lots;
    entry.order = { ...order, cumulative, venueOrderId: order.venueOrderId ?? fill.venueOrderId };
    // Only an order that inherits nothing is known to be filled by its fills alone, and what closes a position names no quantity.
    const isWhole = order.quantity > 0 && order.originalClientOrderId === undefined;
    const filled = isWhole && cumulative >= order.quantity;
    this.#kept.moveOrder(entry, filled ? 'filled' : 'partiallyFilled', time);
  }
}

/** The fill of a report in the shape of a row of the trade history. */
function ownTrade(order: VenueOrder, fill: Fill, marginMode: MarginMode | undefined): OwnTrade {
  const trade: OwnTrade = {
    tradeId: fill.tradeId,
    price: fill.price,
    quantity: fill.quantity,
    fee: fill.fee,
    taker: fill.taker,
    time: fill.time,
    instrument: order.instrument,
    clientOrderId: order.clientOrderId,
    venueOrderId: order.venueOrderId,
    side: order.side,
  };
  return marginMode === undefined ? trade : { ...trade, marginMode, positionId: fill.positionId };
}

/**
 * The order with what the venue reports of it, its state left alone. An older fact (by `updatedAt`, then by executed
 * quantity) fills only what is not known yet; the executed quantity never falls. What a venue leaves out is as it was asked for: an
 * order does not lose its stop or its end by a report without them.
 */
function mergeReport(entry: OrderEntry, reported: VenueOrder): Order {
  const { order } = entry;
  const cumulative = Math.max(order.cumulative, reported.cumulative, entry.booked) as Lots;
  const later = reported.updatedAt > order.updatedAt;
  const newer =
    !entry.reported ||
    later ||
    (reported.updatedAt === order.updatedAt && reported.cumulative >= order.cumulative);
  return {
    ...order,
    cumulative,
    venueOrderId: newer ? reported.venueOrderId : order.venueOrderId,
    originalClientOrderId: order.originalClientOrderId ?? reported.originalClientOrderId,
    // Until the venue speaks, `updatedAt` is our own clock's, which must not be compared with the venue's.
    updatedAt: !entry.reported || later ? reported.updatedAt : order.updatedAt,
    quantity: newer ? reported.quantity : order.quantity,
    // The history of a market order shows its execution price, which was not asked for.
    price: newer && needsPrice(order.type) ? (reported.price ?? order.price) : order.price,
    stopPrice: newer ? (reported.stopPrice ?? order.stopPrice) : order.stopPrice,
    expireTime: newer ? (reported.expireTime ?? order.expireTime) : order.expireTime,
  };
}
