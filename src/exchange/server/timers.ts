import type { Cancel, Clock } from '../../core/base/clock.ts';
import { micros, seconds } from '../../core/base/clock.ts';
import type { Core } from '../base/index.ts';

/** The wall clock is read this often at least, so that a step of it delays an expiry or a period by no more. */
const waitMax = seconds(1);

/** Has the core expire GTD and Day orders when they are due. */
export class ExpiryTimer {
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

/** Has the core take interest at every full multiple of the period, by the wall clock. */
export class InterestTimer {
  readonly #core: Core;
  readonly #clock: Clock;
  readonly #period: number;
  #due = 0;
  #cancel: Cancel = () => {};

  constructor(core: Core, clock: Clock, minutes: number) {
    this.#core = core;
    this.#clock = clock;
    this.#period = seconds(60 * minutes);
    this.#due = this.#after(clock.now());
  }

  start(): void {
    const wait = Math.min(waitMax, this.#due - this.#clock.now());
    // A millisecond at least, so that a clock that stands still is no busy loop.
    this.#cancel = this.#clock.after(micros(Math.max(1_000, wait)), () => {
      const now = this.#clock.now();
      if (now >= this.#due) {
        this.#core.handle({ kind: 'takeInterest' });
        this.#due = this.#after(now);
      }
      this.start();
    });
  }

  stop(): void {
    this.#cancel();
  }

  #after(now: number): number {
    return (Math.floor(now / this.#period) + 1) * this.#period;
  }
}
