import type { Clock, Micros } from '../../../core/base/clock.ts';

/**
 * Spins the event loop while messages come often, because waking costs more than an order does: caches and branch predictors
 * have gone cold. It ends after `quiet` without a message, and begins again with the next one.
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

  /** A message came. */
  heard(): void {
    this.#heard = true;
    if (this.#awake || this.#ended) return;
    this.#awake = true;
    setImmediate(this.#look);
  }

  /** Ends for good. */
  end(): void {
    this.#ended = true;
    this.#heard = false;
  }
}
