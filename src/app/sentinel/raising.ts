import type { Amount } from '../../core/base/amount.ts';
import { zero } from '../../core/base/amount.ts';
import type { Lots } from '../../core/model/instrument.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { PositionView } from '../../core/model/margin.ts';
import { accountOf } from '../../core/model/margin.ts';
import type { VenueOrder } from '../../core/model/order.ts';
import type { MarginProductName, Product } from '../../core/model/product.ts';
import { productOf } from '../../core/model/product.ts';

/** The positions of each product, as far as they are known. */
export type KnownPositions = Readonly<Partial<Record<MarginProductName, readonly PositionView[]>>>;

/**
 * The orders that can raise exposure, of all that are live. What a fill can do to the account decides, since a sentinel knows no strategy:
 *
 * - On spot a purchase raises. A sale is of what the account holds, so it only reduces.
 * - On margin and of contracts an order that the venue lets reduce alone never raises. Any other raises unless it closes a position, or a
 *   part of one, that is left when every order before it has executed: those that only reduce, then in the order of their creation,
 *   orders of others among them. Of the orders of one list on one side the largest counts, as one alone executes.
 * - Where positions are not known, every such order may raise.
 */
export function raisingOrders(
  live: readonly VenueOrder[],
  positions: KnownPositions,
  instruments: Instruments,
): readonly VenueOrder[] {
  const raising: VenueOrder[] = [];
  const accounts = Map.groupBy(live, (order) => {
    const product = productIn(order, instruments);
    return product === 'spot' ? product : `${product} ${accountOf(order)} ${order.instrument} ${order.side}`;
  });
  for (const [account, orders] of accounts) {
    if (account === 'spot') raising.push(...orders.filter(({ side }) => side === 'buy'));
    else raising.push(...raisingOfPosition(orders, positions, instruments));
  }
  return raising;
}

/** The product of a live order. */
export function productIn({ instrument, margin }: VenueOrder, instruments: Instruments): Product {
  return productOf(instruments.at(instrument), margin);
}

/** Those of one side of one position. */
function raisingOfPosition(
  orders: readonly VenueOrder[],
  positions: KnownPositions,
  instruments: Instruments,
): readonly VenueOrder[] {
  const [first] = orders;
  if (first === undefined) return [];
  const free = orders.filter((order) => !isBound(order));
  const known = positions[productIn(first, instruments) === 'futures' ? 'futures' : 'margin'];
  if (known === undefined) return free;
  const held = known
    .filter(({ instrument, mode }) => instrument === first.instrument && mode === accountOf(first))
    .reduce((sum, { quantity }) => (sum + quantity) as Amount, zero);
  const open = first.side === 'buy' ? -held : held;
  if (open <= zero) return free;
  const working = new Map<string, bigint>();
  const total = (): bigint => [...working.values()].reduce((sum, one) => sum + one, 0n);
  const take = (order: VenueOrder): bigint => {
    const list = order.orderListId ?? order.list?.orders[0] ?? order.clientOrderId;
    const before = working.get(list) ?? 0n;
    const left =
      order.margin?.closePosition === true
        ? open
        : instruments.at(order.instrument).quantityAmount((order.quantity - order.cumulative) as Lots);
    working.set(list, left > before ? left : before);
    return before;
  };
  for (const order of orders) if (isBound(order)) take(order);
  return free.toSorted(byCreation).filter((order) => {
    const list = order.orderListId ?? order.list?.orders[0] ?? order.clientOrderId;
    const before = take(order);
    if (total() <= open) return false;
    // It is to go: others may have its place.
    working.set(list, before);
    return true;
  });
}

/** Whether the venue sees to it that an order only reduces. */
function isBound({ margin }: VenueOrder): boolean {
  return margin?.reduceOnly === true || margin?.closePosition === true;
}

function byCreation(one: VenueOrder, other: VenueOrder): number {
  return one.createdAt - other.createdAt || (one.clientOrderId < other.clientOrderId ? -1 : 1);
}
