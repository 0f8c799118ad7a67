import type { VenueOrder } from '../../../core/model/order.ts';

/** An order as the exchange keeps it: with its number instead of a text. */
export interface NumberedOrder extends Omit<VenueOrder, 'venueOrderId' | 'list'> {
  readonly number: number;
}

/** The order as it is now, in the form in which a venue reports it; later changes do not reach it. */
export function venueOrderOf(order: NumberedOrder): VenueOrder {
  return {
    clientOrderId: order.clientOrderId,
    instrument: order.instrument,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    quantity: order.quantity,
    price: order.price,
    stopPrice: order.stopPrice,
    expireTime: order.expireTime,
    postOnly: order.postOnly,
    venueOrderId: String(order.number),
    state: order.state,
    cumulative: order.cumulative,
    originalClientOrderId: order.originalClientOrderId,
    orderListId: order.orderListId,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
}
