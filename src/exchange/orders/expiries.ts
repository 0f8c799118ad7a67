import type { Cancel, Clock } from '../../core/base/clock.ts';
import { micros } from '../../core/base/clock.ts';
import type { Core } from '../core.ts';

/** Orders are looked at this often at least, so that a step of the wall clock delays an expiry by no more. */
const waitMax = 1_000_000;

/** Has the core expire GTD and Day orders when they are due. */
export class Expiries {
  readonly #core: Core;
  readonly #clock: Clock;
  #cancel: Cancel = () => {};

  constructor(core: Core, clock: Clock) {
    this.#core = core;
    this.#clock = clock;
  }

  start(): void {
    const due = this.#core.exchange.nextExpiry();
    const wait = due === undefined ? waitMax : Math.min(waitMax, Math.max(0, due - this.#clock.now()));
    // A millisecond at least: an expiry that the core does not take yet must not turn into a busy loop.
    this.#cancel = this.#clock.after(micros(Math.max(1_000, wait)), () => {
      const next = this.#core.exchange.nextExpiry();
      if (next !== undefined && next <= this.#clock.now()) this.#core.handle({ kind: 'expire' });
      this.start();
    });
  }

  stop(): void {
    this.#cancel();
  }
}
