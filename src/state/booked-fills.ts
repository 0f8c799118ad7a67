import type { Micros } from '../base/clock.ts';
import type { CarriedFills } from '../model/carried-state.ts';
import type { OwnTrade } from '../model/event.ts';

/**
 * Remembers which fills were booked, by symbol, side and trade number (a trade with ourselves has one number and
 * two sides). What was forgotten for want of room counts as booked: a fill is never booked twice.
 */
export class BookedFills {
  readonly #times = new Map<string, Micros>();
  readonly #sizeMax: number;
  /** Fills up to here may have been forgotten. */
  #horizon = -1 as Micros;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  /** Whether `fill` is new; from now on it is not. */
  add(fill: OwnTrade): boolean {
    const key = `${fill.instrument * 2 + (fill.side === 'buy' ? 0 : 1)}:${fill.tradeId}`;
    if (this.#times.has(key) || fill.time <= this.#horizon) return false;
    this.#times.set(key, fill.time);
    if (this.#times.size > this.#sizeMax) this.#evict();
    return true;
  }

  /** The last `max` of them; what is left out counts as forgotten. */
  carry(max: number): CarriedFills {
    const keys = [...this.#times.keys()];
    const times = [...this.#times.values()];
    let horizon = this.#horizon;
    const left = Math.max(0, keys.length - max);
    for (let i = 0; i < left; i++) horizon = Math.max(horizon, times[i] as Micros) as Micros;
    return { keys: keys.slice(left), times: times.slice(left), horizon };
  }

  take({ keys, times, horizon }: CarriedFills): void {
    this.#horizon = horizon;
    for (let i = 0; i < keys.length; i++) {
      this.#times.set(keys[i] as string, times[i] as Micros);
      if (this.#times.size > this.#sizeMax) this.#evict();
    }
  }

  #evict(): void {
    for (const [key, time] of this.#times) {
      this.#times.delete(key);
      if (time > this.#horizon) this.#horizon = time;
      return;
    }
  }
}
