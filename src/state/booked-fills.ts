import type { Micros } from '../base/clock.ts';
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

  #evict(): void {
    for (const [key, time] of this.#times) {
      this.#times.delete(key);
      if (time > this.#horizon) this.#horizon = time;
      return;
    }
  }
}
