import type { Lots } from '../model/instrument.ts';
import { needsPrice } from '../model/order.ts';
import type { Order, VenueOrder } from '../model/order.ts';
import type { OrderEntry } from './order-entry.ts';

/**
 * The order with what the venue tells of it, its state left alone. An older fact (by `updatedAt`, then by executed
 * quantity) fills only what is not known yet; the executed quantity never falls.
 */
export function tellOrder(entry: OrderEntry, told: VenueOrder): Order {
  const { order } = entry;
  const cumulative = Math.max(order.cumulative, told.cumulative, entry.booked) as Lots;
  const later = told.updatedAt > order.updatedAt;
  const newer =
    !entry.told || later || (told.updatedAt === order.updatedAt && told.cumulative >= order.cumulative);
  return {
    ...order,
    cumulative,
    venueOrderId: newer ? told.venueOrderId : order.venueOrderId,
    originalClientOrderId: order.originalClientOrderId ?? told.originalClientOrderId,
    // Until the venue speaks, `updatedAt` is our own clock's, which must not be compared with the venue's.
    updatedAt: !entry.told || later ? told.updatedAt : order.updatedAt,
    quantity: newer ? told.quantity : order.quantity,
    // The history of a market order shows its execution price, which nobody asked for.
    price: newer && needsPrice(order.type) ? told.price : order.price,
    stopPrice: newer ? told.stopPrice : order.stopPrice,
    expireTime: newer ? told.expireTime : order.expireTime,
  };
}
