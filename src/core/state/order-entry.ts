import type { Micros } from '../base/clock.ts';
import type { ReplaceOrderCommand } from '../model/command.ts';
import type { Lots, Ticks } from '../model/instrument.ts';
import { isTerminal } from '../model/order-life.ts';
import type { Order, OrderRequest, VenueOrder } from '../model/order.ts';
import { paidFrom } from '../model/order.ts';

/** An order and what the store needs to know beside it. */
export class OrderEntry {
  /** Replaced as a whole on every change, so that a kept reference never changes. */
  order: Order;
  /** Lots of fills booked under this id. */
  booked = 0;
  /** Lots executed before this id carried them: under the replaced id, or before we knew of the order. */
  inherited = 0;
  /** The venue has reported it, so its `cumulative` counts what was inherited. */
  reported = false;
  /** The order this one shall replace, while that is open. */
  replaces: OrderEntry | undefined;
  /** The order that replaces this one. */
  replacement: OrderEntry | undefined;
  /** End of it by the venue, where executions that it may not have had made it filled. */
  endsAs: 'canceled' | 'expired' | undefined;
  /** When it became terminal, by the time of that event's arrival. */
  endedAt = 0 as Micros;

  // What `OrderIndex` has counted of it.
  live = false;
  unknown = false;
  working = 0;
  resting: Ticks | undefined;
  /** Its place among the closed orders, -1 when it has none. */
  slot = -1;

  constructor(order: Order) {
    this.order = order;
  }

  get ended(): boolean {
    return isTerminal(this.order.state);
  }

  /** Executed lots that no booked fill explains: a trade report was lost. */
  get missing(): Lots {
    return Math.max(0, this.order.cumulative - this.inherited - this.booked) as Lots;
  }
}

/** An order of ours that our controls have just accepted. */
function placedOrder(request: OrderRequest, strategy: string, time: Micros): Order {
  const order = plainOrder(request, strategy, time);
  const { alias } = request;
  const isPlain =
    request.margin === undefined &&
    request.takeRate === undefined &&
    request.makeRate === undefined &&
    alias === undefined;
  return isPlain ? order : { ...order, ...paidFrom(request), ...(alias !== undefined && { alias }) };
}

/** Without what only some orders have: they share one shape. */
function plainOrder(request: OrderRequest, strategy: string, time: Micros): Order {
  return {
    clientOrderId: request.clientOrderId,
    instrument: request.instrument,
    side: request.side,
    type: request.type,
    timeInForce: request.timeInForce,
    quantity: request.quantity,
    price: request.price,
    stopPrice: request.stopPrice,
    expireTime: request.expireTime,
    postOnly: request.postOnly,
    strategy,
    state: 'pending',
    cumulative: 0 as Lots,
    venueOrderId: undefined,
    originalClientOrderId: undefined,
    createdAt: time,
    updatedAt: time,
    code: undefined,
    why: undefined,
    cancelPending: false,
    replacePending: undefined,
  };
}

/** As `placedOrder`, for an order that may stand in a list. */
export function listedOrder(request: OrderRequest, strategy: string, time: Micros): Order {
  const order = placedOrder(request, strategy, time);
  return request.list === undefined ? order : { ...order, list: request.list };
}

/** A replacement of ours that our controls have just accepted: what the command does not say is inherited. */
export function replacementOrder(original: Order, command: ReplaceOrderCommand, time: Micros): Order {
  const { newClientOrderId, quantity, alias } = command;
  const request = { ...original, clientOrderId: newClientOrderId, quantity, alias };
  const order = placedOrder(request, original.strategy, time);
  return {
    ...order,
    price: command.price,
    stopPrice: command.stopPrice,
    originalClientOrderId: command.clientOrderId,
  };
}

/** An order that the venue reported first. Its state is set by the market data event that brought it. */
export function foundOrder(found: VenueOrder, strategy: string): Order {
  return {
    ...placedOrder(found, strategy, found.createdAt),
    originalClientOrderId: found.originalClientOrderId,
  };
}
