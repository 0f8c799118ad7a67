import type { Instruments } from '../../core/model/instrument.ts';
import type { ListMark } from '../../core/model/order-list.ts';
import type { ClientOrderId, Order, VenueOrder } from '../../core/model/order.ts';
import type { Product } from '../../core/model/product.ts';
import { productOf } from '../../core/model/product.ts';
import type { StateView } from '../../core/state/index.ts';
import type { WireVersion } from '../../venues/hitbtc/wire/index.ts';
import { MarginObjects, spellingOf } from '../../venues/hitbtc/wire/resources/index.ts';
import type { VenueKnownOrder } from './waits.ts';

// Orders of a program as it knows them: under its own ids, with the list that they belong to.

/** An order under the ids that its program knows; the id of its list is that of the first order of the list. */
export function programOrder(order: VenueKnownOrder, state: StateView): VenueOrder {
  const nameOfId = (id: ClientOrderId | undefined): ClientOrderId | undefined => {
    const known = id === undefined ? undefined : state.order(id);
    return known === undefined ? id : nameOf(known);
  };
  return {
    ...order,
    clientOrderId: nameOf(order),
    venueOrderId: order.venueOrderId ?? '0',
    originalClientOrderId: nameOfId(order.originalClientOrderId),
    orderListId: nameOfId(order.list?.orders[0]),
  };
}

/** The list that an order belongs to; one that waits for the first order to be filled is inactive. */
export function listMarkOf({ clientOrderId, list }: Order, state: StateView): ListMark | undefined {
  if (list === undefined) return undefined;
  const { contingency, orders } = list;
  const [first] = orders;
  const waits = contingency === 'oneTriggerOther' || contingency === 'oneTriggerOneCancelOther';
  const isSecondary = waits && first !== undefined && first !== clientOrderId;
  return { contingency, inactive: isSecondary && state.order(first)?.state !== 'filled' };
}

/** Members that margin adds to an order of version 3; of a spot order none. */
export function marginMembersOf({ instrument, margin }: Order, { instruments }: StateView): object {
  if (margin === undefined) return {};
  const product = productOf(instruments.at(instrument), margin);
  return marginObjects('v3', product, instruments).orderMembers(margin);
}

/** Accounts and positions of a product as a version prints them. */
export function marginObjects(
  version: WireVersion,
  product: Product,
  instruments: Instruments,
): MarginObjects {
  return new MarginObjects(
    version,
    instruments,
    product === 'futures' ? spellingOf.futures : spellingOf.margin,
  );
}

function nameOf({ alias, clientOrderId }: Order): ClientOrderId {
  return (alias ?? clientOrderId) as ClientOrderId;
}
