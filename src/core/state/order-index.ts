import { SmallMap } from '../base/small-map.ts';
import type { InstrumentId, Lots, Ticks } from '../model/instrument.ts';
import type { PositionAccount } from '../model/margin.ts';
import { accountOf } from '../model/margin.ts';
import type { ClientOrderId, Order, Side } from '../model/order.ts';
import type { OrderEntry } from './order-entry.ts';

type Live = SmallMap<ClientOrderId, OrderEntry>;

/** Live orders by instrument and strategy, with running counts and sums: every question is answered without a scan. */
export class OrderIndex {
  readonly #all: Live = new SmallMap();
  readonly #byInstrument = new Map<InstrumentId, Live>();
  readonly #byStrategy = new Map<string, Live>();
  readonly #working = { spot: new WorkingLots(), isolated: new WorkingLots(), cross: new WorkingLots() };
  /** Best own resting price by instrument and side; a slot that is missing must be looked for. */
  readonly #best = new Map<number, Ticks | undefined>();
  #unknown = 0;

  /** Brings the counts in line with the entry as it now is. Called after every change of it. */
  settle(entry: OrderEntry): void {
    const { order } = entry;
    freezeOrder(order);
    const live = !entry.ended;
    if (live !== entry.live) {
      entry.live = live;
      for (const group of this.#groupsOf(order)) {
        if (live) group.set(order.clientOrderId, entry);
        else group.delete(order.clientOrderId);
      }
    }
    const unknown = order.state === 'unknown';
    if (unknown !== entry.unknown) {
      entry.unknown = unknown;
      this.#unknown += unknown ? 1 : -1;
    }
    this.#settleWorking(entry);
    this.#settleResting(entry);
  }

  /** The entry is of another strategy from now on. */
  assign(entry: OrderEntry, order: Order): void {
    const { strategy, clientOrderId, instrument, side } = entry.order;
    this.#byStrategy.get(strategy)?.delete(clientOrderId);
    this.#working[accountOf(order)].add(slotOf(instrument, side), strategy, -entry.working);
    entry.working = 0;
    entry.order = order;
    if (entry.live) groupIn(this.#byStrategy, order.strategy).set(clientOrderId, entry);
    this.settle(entry);
  }

  get count(): number {
    return this.#all.size;
  }

  get unknownCount(): number {
    return this.#unknown;
  }

  countOf(instrument: InstrumentId): number {
    return this.#byInstrument.get(instrument)?.size ?? 0;
  }

  countBy(strategy: string): number {
    return this.#byStrategy.get(strategy)?.size ?? 0;
  }

  /** The live entry of that id: a small table, which stays in the caches. */
  find(id: ClientOrderId): OrderEntry | undefined {
    return this.#all.get(id);
  }

  /** Live entries in order of creation. */
  entries(): readonly OrderEntry[] {
    return this.#all.values();
  }

  /** Live orders in order of creation, the first `most` of them. */
  list(
    strategy: string | undefined,
    instrument: InstrumentId | undefined,
    most = Number.POSITIVE_INFINITY,
  ): readonly Order[] {
    const group = this.#smallest(strategy, instrument);
    if (group === undefined) return [];
    const orders: Order[] = [];
    for (const { order } of group.values()) {
      if (strategy !== undefined && order.strategy !== strategy) continue;
      if (instrument !== undefined && order.instrument !== instrument) continue;
      orders.push(order);
      if (orders.length >= most) break;
    }
    return orders;
  }

  working(
    instrument: InstrumentId,
    side: Side,
    strategy: string | undefined,
    account: PositionAccount,
  ): Lots {
    return this.#working[account].of(slotOf(instrument, side), strategy);
  }

  best(instrument: InstrumentId, side: Side): Ticks | undefined {
    const slot = slotOf(instrument, side);
    if (this.#best.has(slot)) return this.#best.get(slot);
    let best: Ticks | undefined;
    for (const { order, resting } of this.#byInstrument.get(instrument)?.values() ?? []) {
      if (order.side === side && better(side, resting, best)) best = resting;
    }
    this.#best.set(slot, best);
    return best;
  }

  /** Live orders of a side that rest at `price` or better; all that rest when it is left out. */
  resting(instrument: InstrumentId, side: Side, price: Ticks | undefined): readonly Order[] {
    const found: Order[] = [];
    for (const { order, resting } of this.#byInstrument.get(instrument)?.values() ?? []) {
      if (order.side !== side || resting === undefined) continue;
      if (price === undefined || (side === 'buy' ? resting >= price : resting <= price)) found.push(order);
    }
    return found;
  }

  #groupsOf(order: Order): readonly Live[] {
    return [
      this.#all,
      groupIn(this.#byInstrument, order.instrument),
      groupIn(this.#byStrategy, order.strategy),
    ];
  }

  #smallest(strategy: string | undefined, instrument: InstrumentId | undefined): Live | undefined {
    if (strategy === undefined && instrument === undefined) return this.#all;
    const mine = strategy === undefined ? undefined : this.#byStrategy.get(strategy);
    const here = instrument === undefined ? undefined : this.#byInstrument.get(instrument);
    if (strategy === undefined) return here;
    if (instrument === undefined || mine === undefined || here === undefined) return mine;
    return mine.size < here.size ? mine : here;
  }

  #settleWorking(entry: OrderEntry): void {
    const change = workingOf(entry) - entry.working;
    if (change === 0) return;
    entry.working += change;
    const { order } = entry;
    this.#working[accountOf(order)].add(slotOf(order.instrument, order.side), order.strategy, change);
  }

  #settleResting(entry: OrderEntry): void {
    const before = entry.resting;
    const now = restingPrice(entry);
    if (now === before) return;
    entry.resting = now;
    const { instrument, side } = entry.order;
    const slot = slotOf(instrument, side);
    if (!this.#best.has(slot)) return;
    const best = this.#best.get(slot);
    if (before !== undefined && before === best) this.#best.delete(slot);
    else if (better(side, now, best)) this.#best.set(slot, now);
  }
}

/** Lots of one account that may still execute, by instrument and side: of all strategies and of each. */
class WorkingLots {
  readonly #all: number[] = [];
  readonly #by = new Map<string, number[]>();

  of(slot: number, strategy: string | undefined): Lots {
    const sums = strategy === undefined ? this.#all : this.#by.get(strategy);
    return (sums?.[slot] ?? 0) as Lots;
  }

  add(slot: number, strategy: string, change: number): void {
    let own = this.#by.get(strategy);
    if (own === undefined) {
      own = [];
      this.#by.set(strategy, own);
    }
    own[slot] = (own[slot] ?? 0) + change;
    this.#all[slot] = (this.#all[slot] ?? 0) + change;
  }
}

/** Strategies are handed the order itself. */
function freezeOrder(order: Order): void {
  Object.freeze(order);
  if (order.margin !== undefined) Object.freeze(order.margin);
  if (order.list === undefined) return;
  Object.freeze(order.list);
  Object.freeze(order.list.orders);
}

/**
 * Lots of an order that may still execute. While a replacement is on its way and its original lives, only what it adds
 * to the original counts: the venue cancels one before it places the other. Once the replacement is unknown, both
 * count in full.
 */
function workingOf(entry: OrderEntry): number {
  const { order, replaces } = entry;
  if (entry.ended) return 0;
  if (order.state === 'pending' && replaces?.live === true) {
    return Math.max(0, order.quantity - replaces.order.quantity);
  }
  return Math.max(0, order.quantity - (entry.reported ? order.cumulative : entry.inherited + entry.booked));
}

/** The price at which an order rests, or may already rest. An untriggered stop rests nowhere. */
function restingPrice(entry: OrderEntry): Ticks | undefined {
  const { order } = entry;
  if (entry.ended || order.price === undefined || order.state === 'suspended') return undefined;
  const waits = order.state === 'pending' || order.state === 'unknown';
  return waits && order.stopPrice !== undefined ? undefined : order.price;
}

function better(side: Side, price: Ticks | undefined, than: Ticks | undefined): boolean {
  if (price === undefined) return false;
  if (than === undefined) return true;
  return side === 'buy' ? price > than : price < than;
}

/** A number for each side of each instrument. */
export function slotOf(instrument: InstrumentId, side: Side): number {
  return instrument * 2 + (side === 'buy' ? 0 : 1);
}

function groupIn<Key>(groups: Map<Key, Live>, key: Key): Live {
  let group = groups.get(key);
  if (group === undefined) {
    group = new SmallMap();
    groups.set(key, group);
  }
  return group;
}
