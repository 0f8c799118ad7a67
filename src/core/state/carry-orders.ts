import type { CarriedOrder } from '../model/carried-state.ts';
import type { ClientOrderId } from '../model/order.ts';
import { OrderEntry } from './order-entry.ts';

/** Finds the entry of an id among those that are known. */
type Find = (clientOrderId: ClientOrderId | undefined) => OrderEntry | undefined;

/** An entry as it is carried. What the index has counted of it is counted anew. */
export function carryOrder(entry: OrderEntry, find: Find): CarriedOrder {
  const { order, booked, inherited, reported, replaces, replacement, endsAs, endedAt } = entry;
  return {
    order,
    booked,
    inherited,
    told: reported,
    replaces: idOf(replaces, find),
    replacement: idOf(replacement, find),
    ...(endsAs !== undefined && { endsAs }),
    endedAt,
  };
}

/** The entry that was carried; `linkOrder` ties it to others once all are known. */
export function takeOrder({ order, booked, inherited, told, endsAs, endedAt }: CarriedOrder): OrderEntry {
  const entry = new OrderEntry(order);
  entry.booked = booked;
  entry.inherited = inherited;
  entry.reported = told;
  entry.endsAs = endsAs;
  entry.endedAt = endedAt;
  return entry;
}

export function linkOrder(entry: OrderEntry, carried: CarriedOrder, find: Find): void {
  entry.replaces = find(carried.replaces);
  entry.replacement = find(carried.replacement);
}

/** Nothing for an entry that was forgotten: nothing can happen to it any more. */
function idOf(entry: OrderEntry | undefined, find: Find): ClientOrderId | undefined {
  // Nearly every one: the turn that carries a state does this for each of its orders.
  if (entry === undefined) return undefined;
  const id = entry.order.clientOrderId;
  return find(id) === entry ? id : undefined;
}
