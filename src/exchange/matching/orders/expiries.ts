import type { Micros } from '../../../core/base/clock.ts';
import { microsPerSecond } from '../../../core/base/clock.ts';
import type { OrderRecord } from './record.ts';

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
