import type { DenialCode } from '../model/denial.ts';
import type { Event, OrderReport } from '../model/event.ts';
import { isTerminal } from '../model/order-life.ts';
import type { ClientOrderId, Side } from '../model/order.ts';
import { needsStopPrice } from '../model/order.ts';
import type { InstrumentId } from '../model/instrument.ts';

/** What became of orders and messages. Every order that was placed is in exactly one of the outcomes, or open. */
export interface OrderCounts {
  /** Accepted by our controls: new orders and replacements. */
  readonly placed: number;
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
  filled: boolean;
  ended: boolean;
}

/** Ended orders are remembered for late fills, this many. */
const endedMax = 50_000;

/** Follows our own orders from verdict to end. */
export class OrderTally {
  readonly #known = new Map<ClientOrderId, Known>();
  readonly #ended: ClientOrderId[] = [];
  #endedAt = 0;
  /** Stop and take-profit orders that were placed, by instrument; without replacements. */
  readonly stops = new Map<InstrumentId, number>();
  readonly denials = new Map<DenialCode, number>();
  placed = 0;
  denied = 0;
  rejected = 0;
  canceled = 0;
  expired = 0;
  filled = 0;
  replaced = 0;
  endedWithFill = 0;
  cancels = 0;
  unknown = 0;
  open = 0;

  observe(event: Event): void {
    switch (event.kind) {
      case 'orderPending': {
        const { clientOrderId, instrument, side, type } = event.command.request;
        this.#place(clientOrderId, instrument, side);
        if (needsStopPrice(type)) this.stops.set(instrument, (this.stops.get(instrument) ?? 0) + 1);
        return;
      }
      case 'replacePending': {
        const { newClientOrderId, instrument, side } = event.command;
        this.#place(newClientOrderId, instrument, side);
        return;
      }
      case 'cancelPending':
        this.cancels += 1;
        return;
      case 'orderDenied':
        this.denied += 1;
        this.denials.set(event.denial.code, (this.denials.get(event.denial.code) ?? 0) + 1);
        if (event.action === 'place' || event.action === 'replace') this.#end(event.clientOrderId);
        return;
      case 'orderRejected':
        if (this.#end(event.clientOrderId)) this.rejected += 1;
        return;
      case 'orderProvenAbsent':
        if (this.#end(event.clientOrderId)) this.rejected += 1;
        return;
      case 'orderUnknown':
        this.unknown += 1;
        return;
      case 'orderReport':
        this.#report(event);
        return;
      case 'readAnswered':
        for (const order of event.orders) {
          if (isTerminal(order.state) && this.#end(order.clientOrderId)) this.#count(order.state);
        }
    }
  }

  /** Whether an order is ours, and if so on which side; marks it as filled. */
  fill(id: ClientOrderId): Known | undefined {
    const known = this.#known.get(id);
    if (known !== undefined) known.filled = true;
    return known;
  }

  counts(): OrderCounts {
    const { placed, denied, rejected, canceled, expired, filled } = this;
    const { replaced, open, endedWithFill, cancels, unknown } = this;
    return {
      placed,
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

  #report({ order, fill }: OrderReport): void {
    if (fill !== undefined) this.fill(order.clientOrderId);
    const original = order.originalClientOrderId;
    if (original !== undefined && this.#end(original)) this.replaced += 1;
    if (isTerminal(order.state) && this.#end(order.clientOrderId)) this.#count(order.state);
  }

  #count(state: OrderReport['order']['state']): void {
    if (state === 'canceled') this.canceled += 1;
    else if (state === 'expired') this.expired += 1;
    else if (state === 'filled') this.filled += 1;
  }

  #place(id: ClientOrderId, instrument: InstrumentId, side: Side): void {
    if (this.#known.has(id)) return;
    this.#known.set(id, { instrument, side, filled: false, ended: false });
    this.placed += 1;
    this.open += 1;
  }

  /** Ends an order once; returns whether it was open. */
  #end(id: ClientOrderId): boolean {
    const known = this.#known.get(id);
    if (known === undefined || known.ended) return false;
    known.ended = true;
    this.open -= 1;
    if (known.filled) this.endedWithFill += 1;
    const forgotten = this.#ended[this.#endedAt];
    if (forgotten !== undefined) this.#known.delete(forgotten);
    this.#ended[this.#endedAt] = id;
    this.#endedAt = (this.#endedAt + 1) % endedMax;
    return true;
  }
}
