import { amountToNumber } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { Event } from '../../core/model/event.ts';
import type { Instrument, Instruments } from '../../core/model/instrument.ts';
import type { Fill, OrderState } from '../../core/model/order.ts';

/** One own fill. */
export interface LoggedFill {
  /** When it happened at the exchange, and when we heard of it; microseconds. */
  readonly time: number;
  readonly told: number;
  readonly order: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly quantity: number;
  readonly fee: number;
  readonly taker: boolean;
}

/** One own order, with every state it was reported in. */
export interface OrderTimeline {
  readonly id: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly type: string;
  readonly price: number | null;
  readonly quantity: number;
  readonly asked: number;
  readonly states: { readonly time: number; readonly state: OrderState; readonly why?: string }[];
}

const ordersMax = 10_000;
const fillsMax = 1_000_000;

/** Log of what became of our orders, in the order we heard of it. Bounded: later orders are counted, not kept. */
export class FillLog {
  readonly fills: LoggedFill[] = [];
  readonly #instruments: Instruments;
  readonly #orders = new Map<string, OrderTimeline>();
  #left = 0;

  constructor(instruments: Instruments) {
    this.#instruments = instruments;
  }

  get orders(): readonly OrderTimeline[] {
    return [...this.#orders.values()];
  }

  /** How many orders and fills were not kept. */
  get left(): number {
    return this.#left;
  }

  observe(event: Event): void {
    switch (event.kind) {
      case 'orderPending':
        this.#asked(event.command.request, event.receiveTime);
        return;
      case 'orderDenied':
        // A denied cancel ends no order.
        if (event.action !== 'cancel')
          this.#state(event.clientOrderId, event.receiveTime, 'denied', event.denial.why);
        return;
      case 'orderRejected':
        this.#state(event.clientOrderId, event.receiveTime, 'rejected', event.why);
        return;
      case 'orderReport':
        this.#report(event);
        return;
      default:
    }
  }

  #asked(request: Extract<Event, { kind: 'orderPending' }>['command']['request'], time: Micros): void {
    if (this.#orders.size >= ordersMax) {
      this.#left += 1;
      return;
    }
    const instrument = this.#instruments.at(request.instrument);
    const { clientOrderId: id, side, type, price, quantity } = request;
    this.#orders.set(id, {
      id,
      symbol: instrument.symbol,
      side,
      type,
      price: price === undefined ? null : Number(instrument.priceText(price)),
      quantity: Number(instrument.quantityText(quantity)),
      asked: time,
      states: [],
    });
  }

  #state(id: string, time: Micros, state: OrderState, why?: string): void {
    this.#orders.get(id)?.states.push({ time, state, ...(why === undefined ? {} : { why }) });
  }

  #report({ order, fill, receiveTime }: Extract<Event, { kind: 'orderReport' }>): void {
    this.#state(order.clientOrderId, receiveTime, order.state);
    if (fill === undefined) return;
    if (this.fills.length >= fillsMax) {
      this.#left += 1;
      return;
    }
    const instrument = this.#instruments.at(order.instrument);
    this.fills.push(
      loggedFill(fill, { instrument, order: order.clientOrderId, side: order.side, told: receiveTime }),
    );
  }
}

/** A fill in plain numbers. */
export function loggedFill(
  fill: Fill,
  of: {
    readonly instrument: Instrument;
    readonly order: string;
    readonly side: 'buy' | 'sell';
    readonly told: number;
  },
): LoggedFill {
  const { instrument, order, side, told } = of;
  return {
    time: fill.time,
    told,
    order,
    symbol: instrument.symbol,
    side,
    price: Number(instrument.priceText(fill.price)),
    quantity: Number(instrument.quantityText(fill.quantity)),
    fee: amountToNumber(fill.fee),
    taker: fill.taker,
  };
}
