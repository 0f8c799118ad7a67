import type { Clock, Micros } from '../../core/base/clock.ts';

/**
 * Spins the event loop while messages come often, because waking costs more than an order does: caches and branch predictors
 * have gone cold. It ends after `quiet` without a message, and begins again with the next one.
 */
export class KeepAwake {
  readonly #clock: Clock;
  readonly #quiet: Micros;
  /** Something came since the last look. */
  #active = false;
  #activeAt = 0 as Micros;
  #awake = false;
  #ended = false;
  readonly #lookAtClock = (): void => {
    if (this.#active) {
      this.#active = false;
      this.#activeAt = this.#clock.uptime();
    } else if (this.#ended || this.#clock.uptime() - this.#activeAt >= this.#quiet) {
      this.#awake = false;
      return;
    }
    setImmediate(this.#lookAtClock);
  };

  constructor(clock: Clock, quiet: Micros) {
    this.#clock = clock;
    this.#quiet = quiet;
  }

  /** A message came. */
  noteActivity(): void {
    this.#active = true;
    if (this.#awake || this.#ended) return;
    this.#awake = true;
    setImmediate(this.#lookAtClock);
  }

  /** Ends for good. */
  end(): void {
    this.#ended = true;
    this.#active = false;
  }
}
