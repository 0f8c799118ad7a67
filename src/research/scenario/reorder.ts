import type { MarketEvent } from '../../core/model/event.ts';
import { TimedRing } from '../../sim/timed-ring.ts';

/** More market data than this inside one window say that the window is far too long. */
const heldMax = 8_000_000;

/**
 * Puts market data that come in the order they were received into the order in which they happened, as long as they are out
 * of it by no more than a window. Equal exchange times keep the order of receipt.
 */
export class Reorder {
  readonly #windowMicros: number;
  readonly #held = new TimedRing<MarketEvent>(heldMax);
  #latest = 0;
  #count = 0;

  constructor(windowMicros: number) {
    this.#windowMicros = windowMicros;
  }

  push(event: MarketEvent): void {
    this.#count += 1;
    this.#held.push(event.exchangeTime, event, this.#count);
    if (event.exchangeTime > this.#latest) this.#latest = event.exchangeTime;
  }

  /** Which in the order of receipt the next fact was, from 1 on; to be read before `take`. */
  get nextOrder(): number {
    return this.#held.nextOrder;
  }

  /** The next fact in the order of exchange times, `undefined` until it is sure; with `all`, whatever is left. */
  take(all = false): MarketEvent | undefined {
    return this.#held.takeDue(all ? Number.POSITIVE_INFINITY : this.#latest - this.#windowMicros);
  }
}
