import type { DenialCode } from '../../../core/model/denial.ts';
import type { Event, OrderDenied, OrderReport } from '../../../core/model/event.ts';
import { isTerminal } from '../../../core/model/order-life.ts';
import type { Intent } from '../../../core/model/intent.ts';
import type {
  ClientOrderId,
  Order,
  OrderRequest,
  OrderType,
  Side,
  VenueOrder,
} from '../../../core/model/order.ts';
import { needsStopPrice } from '../../../core/model/order.ts';
import type { InstrumentId, Lots } from '../../../core/model/instrument.ts';
import { OrderTable } from '../../../core/model/order-table.ts';

/** What became of orders and messages. Every order that was placed or brought is in exactly one of the outcomes, or open. */
export interface OrderCounts {
  /** Accepted by our controls: new orders and replacements. */
  readonly placed: number;
  /** Own orders of earlier sessions that were still live in this one. */
  readonly brought: number;
  readonly denied: number;
  readonly rejected: number;
  readonly canceled: number;
  readonly expired: number;
  readonly filled: number;
  /** Gave way to a replacement. */
  readonly replaced: number;
  readonly open: number;
  /** Orders that ended with at least one fill. */
  readonly endedWithFill: number;
  readonly cancels: number;
  /** Sent without an answer, so far in the run. */
  readonly unknown: number;
}

interface Known {
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly quantity: Lots;
  /** What was booked of it, and of the orders it replaced. */
  executed: number;
  filled: boolean;
  ended: boolean;
  /** Of an earlier session. */
  readonly brought: boolean;
  /** What its end was counted as. */
  outcome: Outcome | undefined;
}

/** Whether a denial was of an order that was to close a position. */
type DeniedExits = (event: OrderDenied) => boolean;

type Outcome = 'rejected' | 'canceled' | 'expired' | 'filled' | 'replaced';

/** Ended orders are remembered for late fills, this many. */
const endedMax = 50_000;

/** Follows our own orders from verdict to end. */
export class OrderTally {
  readonly #own: ((id: ClientOrderId) => Order | undefined) | undefined;
  /** Whether a denial was of an exit. */
  isDeniedExit: DeniedExits;
  readonly #known = new OrderTable<Known>();
  readonly #ended: ClientOrderId[] = [];
  #endedAt = 0;
  /** Stop and take-profit orders that were placed, by instrument; without replacements. */
  readonly stops = new Map<InstrumentId, number>();
  readonly denials = new Map<DenialCode, number>();
  /** Of these, the ones of orders that were to close a position. */
  readonly deniedExits = new Map<DenialCode, number>();
  /** Types of the orders that strategies asked for, denied or not. */
  readonly asked = new Set<OrderType>();
  /** The strategies that asked for an order, denied or not, and of which instruments. */
  readonly askers = new Map<string, Set<InstrumentId>>();
  placed = 0;
  brought = 0;
  denied = 0;
  /** Of the denied those that were placed: they count on both sides. */
  deniedAtGate = 0;
  rejected = 0;
  canceled = 0;
  expired = 0;
  filled = 0;
  replaced = 0;
  endedWithFill = 0;
  cancels = 0;
  unknown = 0;
  open = 0;

  /**
   * `own`: an order of ours as the state knows it, `undefined` of those of others; without it nothing is brought. `isDeniedExit`:
   * whether a denial was of an exit; without it none is.
   */
  constructor(own?: (id: ClientOrderId) => Order | undefined, isDeniedExit: DeniedExits = () => false) {
    this.#own = own;
    this.isDeniedExit = isDeniedExit;
  }

  /** Own orders of an earlier session that may be live: they count as brought, and what becomes of them as that of others. */
  bring(orders: readonly Order[]): void {
    for (const { clientOrderId, instrument, side, quantity, cumulative } of orders) {
      if (this.#known.has(clientOrderId)) continue;
      const filled = cumulative > 0;
      const known = {
        instrument,
        side,
        quantity,
        executed: cumulative,
        filled,
        ended: false,
        brought: true,
        outcome: undefined,
      };
      this.#known.set(clientOrderId, known);
      this.brought += 1;
      this.open += 1;
    }
  }

  observe(event: Event): void {
    switch (event.kind) {
      case 'intent':
        this.#ask(event.intent);
        return;
      case 'orderPending': {
        const { clientOrderId, instrument, type } = event.command.request;
        this.#asker(event.command.strategy, instrument);
        this.#place(clientOrderId, event.command.request);
        if (needsStopPrice(type)) this.stops.set(instrument, (this.stops.get(instrument) ?? 0) + 1);
        return;
      }
      case 'replacePending':
        this.#place(event.command.newClientOrderId, event.command);
        return;
      case 'cancelPending':
        this.cancels += 1;
        return;
      case 'orderDenied':
        this.denied += 1;
        count(this.denials, event.denial.code);
        if (this.isDeniedExit(event)) count(this.deniedExits, event.denial.code);
        if (event.action === 'place' || event.action === 'replace')
          this.deniedAtGate += this.#end(event.clientOrderId) ? 1 : 0;
        return;
      case 'orderRejected':
      case 'orderProvenAbsent':
        this.#end(event.clientOrderId, 'rejected');
        return;
      case 'orderFoundAlive':
        this.#reopen(event.clientOrderId);
        return;
      case 'orderUnknown':
        this.unknown += 1;
        return;
      case 'orderReport':
        this.#report(event);
        return;
      case 'readAnswered':
        for (const order of event.orders) this.#count(order);
        // The end of an order that traded between sessions may be in its trades alone.
        for (const { clientOrderId: id } of event.fills) {
          const known = this.#known.get(id);
          if (known !== undefined && known.executed >= known.quantity) this.#end(id, 'filled');
        }
    }
  }

  /** Whether an order is ours, and if so on which side; marks it as filled. */
  fill(id: ClientOrderId): Known | undefined {
    const known = this.#known.get(id);
    if (known !== undefined) known.filled = true;
    return known;
  }

  /** Whether an order of ours was placed and has not ended. */
  isOpen(id: ClientOrderId): boolean {
    return this.#known.get(id)?.ended === false;
  }

  /** A fill of an order of ours that was new. */
  booked(id: ClientOrderId, lots: Lots): void {
    const known = this.#known.get(id);
    if (known !== undefined) known.executed += lots;
  }

  counts(): OrderCounts {
    const { placed, brought, denied, rejected, canceled, expired, filled } = this;
    const { replaced, open, endedWithFill, cancels, unknown } = this;
    return {
      placed,
      brought,
      denied,
      rejected,
      canceled,
      expired,
      filled,
      replaced,
      open,
      endedWithFill,
      cancels,
      unknown,
    };
  }

  #ask(intent: Intent): void {
    const requests =
      intent.action === 'place' ? [intent.request] : intent.action === 'placeList' ? intent.requests : [];
    for (const { type, instrument } of requests) {
      this.asked.add(type);
      this.#asker(intent.strategy, instrument);
    }
  }

  #asker(strategy: string, instrument: InstrumentId): void {
    const asked = this.askers.get(strategy);
    if (asked === undefined) this.askers.set(strategy, new Set([instrument]));
    else asked.add(instrument);
  }

  #report({ order, fill }: OrderReport): void {
    if (fill !== undefined) this.fill(order.clientOrderId);
    this.#count(order);
  }

  /** The venue reported an order: the order it replaced has ended, and it may have ended itself. */
  #count({ clientOrderId: id, originalClientOrderId: original, state }: VenueOrder): void {
    this.#adopt(id, state);
    if (original !== undefined && this.#end(original, 'replaced'))
      this.booked(id, (this.#known.get(original)?.executed ?? 0) as Lots);
    if (state === 'canceled' || state === 'expired' || state === 'filled') this.#end(id, state);
  }

  /** One of ours that was not placed in this run: an earlier one left it. */
  #adopt(id: ClientOrderId, state: VenueOrder['state']): void {
    if (this.#own === undefined || this.#known.has(id) || isTerminal(state)) return;
    const order = this.#own(id);
    if (order !== undefined && !isTerminal(order.state)) this.bring([order]);
  }

  #place(
    id: ClientOrderId,
    { instrument, side, quantity }: Pick<OrderRequest, 'instrument' | 'side' | 'quantity'>,
  ): void {
    if (this.#known.has(id)) return;
    this.#known.set(id, {
      instrument,
      side,
      quantity,
      executed: 0,
      filled: false,
      ended: false,
      brought: false,
      outcome: undefined,
    });
    this.placed += 1;
    this.open += 1;
  }

  /** Ends an order once and counts how; returns whether it was open. */
  #end(id: ClientOrderId, outcome?: Outcome): boolean {
    const known = this.#known.get(id);
    if (known === undefined || known.ended) return false;
    known.ended = true;
    known.outcome = outcome;
    if (outcome !== undefined) this[outcome] += 1;
    this.open -= 1;
    if (known.filled) this.endedWithFill += 1;
    const forgotten = this.#ended[this.#endedAt];
    if (forgotten !== undefined && !this.isOpen(forgotten)) this.#known.delete(forgotten);
    this.#ended[this.#endedAt] = id;
    this.#endedAt = (this.#endedAt + 1) % endedMax;
    return true;
  }

  /** Its reported end was wrong. */
  #reopen(id: ClientOrderId): void {
    const known = this.#known.get(id);
    if (known === undefined || !known.ended) return;
    known.ended = false;
    this.open += 1;
    if (known.filled) this.endedWithFill -= 1;
    if (known.outcome !== undefined) this[known.outcome] -= 1;
  }
}

function count(counts: Map<DenialCode, number>, code: DenialCode): void {
  counts.set(code, (counts.get(code) ?? 0) + 1);
}
