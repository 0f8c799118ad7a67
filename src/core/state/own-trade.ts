import type { OwnTrade } from '../model/event.ts';
import type { Fill, VenueOrder } from '../model/order.ts';

/** The fill of a report in the shape of a row of the trade history. */
export function ownTrade(order: VenueOrder, fill: Fill): OwnTrade {
  return {
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
}
