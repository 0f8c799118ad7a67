import { AscendingIds } from '../base/ascending-ids.ts';
import type { Micros } from '../base/clock.ts';
import type { CarriedFills } from '../model/carried-state.ts';
import type { OwnTrade } from '../model/event.ts';
import { slotOf } from './order-index.ts';

/** A fill that was booked. */
interface Booked {
  readonly slot: number;
  readonly tradeId: string;
  readonly time: Micros;
}

/**
 * Remembers which fills were booked, by symbol, side and trade number (a trade with ourselves has one number and
 * two sides). What was evicted counts as booked: a fill is never booked twice.
 */
export class BookedFills {
  /** Trade numbers by symbol and side: a text made of all three would be hashed anew for every look. */
  readonly #known: AscendingIds[] = [];
  /** Oldest first, from `#first` on. */
  #booked: Booked[] = [];
  #first = 0;
  readonly #sizeMax: number;
  /** Fills up to here may have been forgotten. */
  #horizon = -1 as Micros;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  /** Whether `fill` is new; from now on it is not. */
  add(fill: OwnTrade): boolean {
    if (this.knows(fill)) return false;
    this.#add({ slot: slotOf(fill.instrument, fill.side), tradeId: fill.tradeId, time: fill.time });
    return true;
  }

  /** Whether `fill` was booked, or may have been. */
  knows(fill: OwnTrade): boolean {
    return (
      this.#known[slotOf(fill.instrument, fill.side)]?.has(fill.tradeId) === true ||
      fill.time <= this.#horizon
    );
  }

  /** A fill was never executed: a report or a row of it that comes later is booked again. */
  remove(fill: OwnTrade): void {
    const slot = slotOf(fill.instrument, fill.side);
    if (this.#known[slot]?.delete(fill.tradeId) !== true) return;
    const at = this.#booked.findIndex((one) => one.slot === slot && one.tradeId === fill.tradeId);
    if (at >= 0) this.#booked.splice(at, 1);
  }

  /** The last `max` of them; what is left out counts as forgotten. */
  carry(max: number): CarriedFills {
    const kept = this.#booked.slice(Math.max(this.#first, this.#booked.length - max));
    let horizon = this.#horizon;
    for (let i = this.#first; i < this.#booked.length - kept.length; i++)
      horizon = Math.max(horizon, (this.#booked[i] as Booked).time) as Micros;
    return {
      keys: kept.map(({ slot, tradeId }) => `${slot}:${tradeId}`),
      times: kept.map(({ time }) => time),
      horizon,
    };
  }

  takeFills({ keys, times, horizon }: CarriedFills): void {
    this.#horizon = horizon;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      const colon = key.indexOf(':');
      const tradeId = key.slice(colon + 1);
      this.#add({ slot: Number(key.slice(0, colon)), tradeId, time: times[i] as Micros });
    }
  }

  #add(fill: Booked): void {
    (this.#known[fill.slot] ??= new AscendingIds()).add(fill.tradeId);
    this.#booked.push(fill);
    if (this.#booked.length - this.#first > this.#sizeMax) this.#evict();
  }

  #evict(): void {
    const { slot, tradeId, time } = this.#booked[this.#first] as Booked;
    this.#known[slot]?.delete(tradeId);
    if (time > this.#horizon) this.#horizon = time;
    this.#first += 1;
    if (this.#first * 4 < this.#sizeMax) return;
    this.#booked = this.#booked.slice(this.#first);
    this.#first = 0;
  }
}
