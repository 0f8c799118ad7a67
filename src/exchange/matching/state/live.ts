import type { OrderRequest } from '../../../core/model/order.ts';
import { firesRising } from '../../../core/model/order.ts';
import { assert } from '../../../core/base/assert.ts';
import type { Ticks } from '../../../core/model/instrument.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { microsPerSecond } from '../../../core/base/clock.ts';
import type { OrderOrigin } from './record.ts';
import { OrderRecord } from './record.ts';
import type { OrderPool } from '../book/index.ts';
import { grown, none, OrderQueue } from '../book/index.ts';
import type { AccountInstrument } from '../accounts/index.ts';

/** Gives out order records, and takes them back once the command in which their order ended is over. */
export class OrderRecords {
  /** Every record there is, by its index. */
  readonly all: OrderRecord[] = [];
  /** By twice the index, which live order of the same account is the next older one; after it the next younger. */
  chain = new Int32Array(2 * 64);
  readonly #free: OrderRecord[] = [];
  readonly #ended: OrderRecord[] = [];
  #freeCount = 0;
  #endedCount = 0;

  /** A record for a new order. */
  open(request: OrderRequest, context: AccountInstrument, origin: OrderOrigin): OrderRecord {
    if (this.#freeCount === 0) {
      const record = new OrderRecord(request, context, origin);
      record.index = this.all.length;
      this.all.push(record);
      if (2 * this.all.length > this.chain.length)
        this.chain = grown(new Int32Array(2 * this.chain.length), this.chain);
      return record;
    }
    this.#freeCount -= 1;
    const record = this.#free[this.#freeCount] as OrderRecord;
    record.beginOrder(request, context, origin);
    return record;
  }

  /** The order has ended, or never came to be; within this command its record may still be read. */
  close(record: OrderRecord): void {
    this.#ended[this.#endedCount] = record;
    this.#endedCount += 1;
  }

  /** The command is over. */
  reclaim(): void {
    for (let i = 0; i < this.#endedCount; i++) {
      this.#free[this.#freeCount] = this.#ended[i] as OrderRecord;
      this.#freeCount += 1;
    }
    this.#endedCount = 0;
  }
}

/** Live orders of one account in order of creation: a chain through the records of all accounts. */
export class LiveOrders {
  readonly #records: OrderRecords;
  #oldest = none;
  #newest = none;

  constructor(records: OrderRecords) {
    this.#records = records;
  }

  /** Those that live when their turn comes; what ends meanwhile is left out. */
  *all(): Generator<OrderRecord, void> {
    const records = this.#records;
    for (let index = this.#oldest; index !== none; index = records.chain[2 * index + 1] as number) {
      const record = records.all[index] as OrderRecord;
      if (record.isLive) yield record;
    }
  }

  add({ index }: OrderRecord): void {
    const { chain } = this.#records;
    const newest = this.#newest;
    chain[2 * index] = newest;
    chain[2 * index + 1] = none;
    if (newest === none) this.#oldest = index;
    else chain[2 * newest + 1] = index;
    this.#newest = index;
  }

  /** Its own links stay, so that an iteration that stands at it can go on. */
  remove({ index }: OrderRecord): void {
    const { chain } = this.#records;
    const older = chain[2 * index] as number;
    const newer = chain[2 * index + 1] as number;
    if (older === none) this.#oldest = newer;
    else chain[2 * older + 1] = newer;
    if (newer === none) this.#newest = older;
    else chain[2 * newer] = older;
  }
}

const windowTicks = 1_024;

/**
 * Suspended orders of one instrument, by stop price, then by time.
 *
 * `falling` fires when the last price is at or below the stop price, highest stop first; `rising` when it is at or
 * above, lowest stop first. Source: v3-gaps, section 10 ("Stop orders").
 */
export class Triggers {
  /** Each is made for its first order: most markets never have one, and each trade asks for what is due. */
  #falling: OrderQueue | undefined = undefined;
  #rising: OrderQueue | undefined = undefined;
  readonly #pool: OrderPool;

  constructor(pool: OrderPool) {
    this.#pool = pool;
  }

  add(record: OrderRecord): void {
    const { stopPrice, type, side } = record;
    assert(stopPrice !== undefined, 'an order without a stop price was to wait for a trigger');
    const rising = firesRising(type, side);
    const key = rising ? -stopPrice : stopPrice;
    record.handle = this.#queue(rising).append(key, record.remaining, record.index);
    record.where = 'triggers';
  }

  remove(record: OrderRecord): void {
    const rising = firesRising(record.type, record.side);
    this.#queue(rising).remove(record.handle);
    record.handle = none;
    record.where = 'nowhere';
  }

  /** The handle of the order that fires first at this last price, or `none`. */
  due(last: Ticks): number {
    const rising = this.#rising?.levels;
    if (rising !== undefined && rising.best !== none && (rising.key[rising.best] as number) >= -last)
      return rising.head[rising.best] as number;
    const falling = this.#falling?.levels;
    if (falling !== undefined && falling.best !== none && (falling.key[falling.best] as number) >= last)
      return falling.head[falling.best] as number;
    return none;
  }

  #queue(rising: boolean): OrderQueue {
    if (rising) return (this.#rising ??= new OrderQueue(this.#pool, windowTicks));
    return (this.#falling ??= new OrderQueue(this.#pool, windowTicks));
  }
}

const microsPerDay = 86_400 * microsPerSecond;
/** Day orders stay until 23:59 UTC. Source: API v3, "Spot order", time in force. */
const dayEnd = microsPerDay - 60 * microsPerSecond;

/** When a Day order placed at `now` expires: the next 23:59 UTC after it. */
export function endOfDay(now: Micros): Micros {
  const today = now - (now % microsPerDay) + dayEnd;
  return (today > now ? today : today + microsPerDay) as Micros;
}

/** Which order expires when. Records are used again, so an entry knows the number of its order. */
interface Entry {
  readonly record: OrderRecord;
  readonly number: number;
  readonly time: number;
}

/** Live orders that expire by themselves: a heap by time, then by order number. Ended ones are dropped lazily. */
export class Expiries {
  #heap: Entry[] = [];
  #ended = 0;

  /** The order expires at its `expiresAt`. */
  add(record: OrderRecord): void {
    this.#push({ record, number: record.number, time: record.expiresAt });
  }

  #push(entry: Entry): void {
    this.#heap.push(entry);
    this.#rise(this.#heap.length - 1);
  }

  /** An order of this heap has ended some other way. */
  forget(): void {
    this.#ended += 1;
    if (this.#ended <= 64 || this.#ended * 2 <= this.#heap.length) return;
    const live = this.#heap.filter(isLive);
    this.#heap = [];
    this.#ended = 0;
    for (const entry of live) this.#push(entry);
  }

  /** When the next live order expires. */
  next(): Micros | undefined {
    for (let first = this.#heap[0]; first !== undefined; first = this.#heap[0]) {
      if (isLive(first)) return first.time as Micros;
      this.#pop();
      this.#ended -= 1;
    }
    return undefined;
  }

  /** Takes out the order that expires first, if it is due at `now`. */
  takeDue(now: Micros): OrderRecord | undefined {
    const next = this.next();
    if (next === undefined || next > now) return undefined;
    const first = this.#heap[0];
    this.#pop();
    return first?.record;
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink();
  }

  #rise(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!sooner(heap[at] as Entry, heap[parent] as Entry)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ;) {
      let least = at;
      for (let child = 2 * at + 1; child <= 2 * at + 2 && child < heap.length; child++) {
        if (sooner(heap[child] as Entry, heap[least] as Entry)) least = child;
      }
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #swap(a: number, b: number): void {
    const entry = this.#heap[a] as Entry;
    this.#heap[a] = this.#heap[b] as Entry;
    this.#heap[b] = entry;
  }
}

function isLive({ record, number }: Entry): boolean {
  return record.number === number && record.isLive;
}

function sooner(a: Entry, b: Entry): boolean {
  return a.time < b.time || (a.time === b.time && a.number < b.number);
}
