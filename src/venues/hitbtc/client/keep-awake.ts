import type { Clock, Micros } from '../../../core/base/clock.ts';

/**
 * Keeps the event loop from sleeping while news come often, because waking costs more than an order does: caches and
 * branch predictors have gone cold. After `quiet` without news it lets go, and begins again with the next.
 */
export class KeepAwake {
  readonly #clock: Clock;
  readonly #quiet: Micros;
  /** Something came since the last look. */
  #heard = false;
  #heardAt = 0 as Micros;
  #awake = false;
  #ended = false;
  readonly #look = (): void => {
    if (this.#heard) {
      this.#heard = false;
      this.#heardAt = this.#clock.uptime();
    } else if (this.#ended || this.#clock.uptime() - this.#heardAt >= this.#quiet) {
      this.#awake = false;
      return;
    }
    setImmediate(this.#look);
  };

  constructor(clock: Clock, quiet: Micros) {
    this.#clock = clock;
    this.#quiet = quiet;
  }

  /** News came. */
  heard(): void {
    this.#heard = true;
    if (this.#awake || this.#ended) return;
    this.#awake = true;
    setImmediate(this.#look);
  }

  /** Lets go for good. */
  end(): void {
    this.#ended = true;
    this.#heard = false;
  }
}
