import type { Amount } from '../../core/base/amount.ts';
import { add, zero } from '../../core/base/amount.ts';
import type { Lots } from '../../core/model/instrument.ts';
import { opposite } from '../../core/model/order.ts';
import type { Desk } from './desk.ts';
import type { Position } from './margin-account.ts';
import type { Market } from './market.ts';
import { keyOf, priceOf } from './order-book.ts';
import type { OrderList } from './order-list.ts';
import { none } from './order-pool.ts';
import type { OrderRecord } from './order-record.ts';
import { capOf, closable, isReducing } from './reducing.ts';

/** What stood on the way of a walk and will be changed by it. */
export interface Met {
  /** Lists of which an order was met: of an exclusive list only the first executes. */
  readonly lists: Set<OrderList<OrderRecord>>;
  /** How much of positions orders that may only reduce can still close. */
  readonly closable: Map<Position, number>;
}

export function newMet(): Met {
  return { lists: new Set(), closable: new Map() };
}

export function copyOf(met: Met | undefined): Met {
  return { lists: new Set(met?.lists), closable: new Map(met?.closable) };
}

/** The worst key of the other side that an order may take from. */
export function limitKey(record: OrderRecord): number {
  const { side, price } = record;
  return price === undefined ? Number.NEGATIVE_INFINITY : keyOf(opposite(side), price);
}

/** Whether an order would meet at least one lot now. */
export function wouldTake(market: Market, record: OrderRecord): boolean {
  const { bestKey } = market.book.queue(opposite(record.side)).levels;
  return bestKey !== Number.NEGATIVE_INFINITY && bestKey >= limitKey(record);
}

/**
 * Whether an order can be executed to its end at once. Adds the lists it would decide to `met`, and does not count
 * on orders that such a decision ends.
 */
export function isFillable(desk: Desk, market: Market, record: OrderRecord, met: Met = newMet()): boolean {
  const { levels } = market.book.queue(opposite(record.side));
  const limit = limitKey(record);
  let left: number = record.remaining;
  if (desk.exclusiveCount > 0 && capOf(record) < left) return false;
  for (let slot = levels.best; slot !== none && left > 0; slot = levels.worse(slot)) {
    if ((levels.key[slot] as number) < limit) break;
    left -= takeableAt(desk, market, record, { slot, left, met });
  }
  return left <= 0;
}

/** What buying an order's quantity at market costs with the worst fee; less when the book has less. */
export function walkCost(desk: Desk, market: Market, record: OrderRecord, met: Met): Amount {
  const { levels } = market.book.asks;
  const { terms } = record.seat;
  let left: number = record.remaining;
  let cost = zero;
  for (let slot = levels.best; slot !== none && left > 0; slot = levels.worse(slot)) {
    const lots = takeableAt(desk, market, record, { slot, left, met }) as Lots;
    cost = add(cost, terms.need(priceOf('sell', levels.key[slot] as number), lots));
    left -= lots;
  }
  return cost;
}

/** The volume of an order's quantity at market; less when the book has less. */
export function walkVolume(desk: Desk, market: Market, record: OrderRecord, met: Met): Amount {
  const side = opposite(record.side);
  const { levels } = market.book.queue(side);
  let left: number = record.remaining;
  let volume = zero;
  for (let slot = levels.best; slot !== none && left > 0; slot = levels.worse(slot)) {
    const lots = takeableAt(desk, market, record, { slot, left, met }) as Lots;
    volume = add(volume, record.seat.terms.volume(priceOf(side, levels.key[slot] as number), lots));
    left -= lots;
  }
  return volume;
}

/** How much of what an order still wants it would find at a level. */
function takeableAt(
  desk: Desk,
  market: Market,
  record: OrderRecord,
  at: { readonly slot: number; readonly left: number; readonly met: Met },
): number {
  const queue = market.book.queue(opposite(record.side));
  const { slot, left, met } = at;
  if (desk.exclusiveCount === 0) return Math.min(left, queue.totalOf(slot));
  let found = 0;
  for (let handle = queue.headOf(slot); handle !== none && found < left; handle = queue.after(handle)) {
    const standing = queue.quantityOf(handle);
    const maker = desk.recordAt(handle);
    found += maker === undefined ? standing : executable(record, maker, left - found, met);
  }
  return Math.min(left, found);
}

/** How much of a resting order would execute. */
function executable(record: OrderRecord, maker: OrderRecord, wanted: number, met: Met): number {
  const { list } = maker;
  if (list?.exclusive === true) {
    if (list === record.list || met.lists.has(list)) return 0;
    met.lists.add(list);
  }
  const position = maker.seat.margin?.positions.get(maker.instrument);
  const before = position === undefined ? 0 : (met.closable.get(position) ?? closable(maker));
  const lots = Math.min(maker.remaining, wanted, isReducing(maker) ? before : Number.POSITIVE_INFINITY);
  if (position !== undefined) met.closable.set(position, Math.max(0, before - lots));
  return lots;
}
