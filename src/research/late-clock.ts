import type { Cancel, Clock, Micros } from '../base/clock.ts';

/**
 * A clock whose timers run behind everything else that is due at their moment. What is told at that very time is known
 * when they run: facts and answers come first, decisions and samples last.
 */
export class LateClock implements Clock {
  readonly #inner: Clock;

  constructor(inner: Clock) {
    this.#inner = inner;
  }

  now(): Micros {
    return this.#inner.now();
  }

  uptime(): Micros {
    return this.#inner.uptime();
  }

  after(delay: Micros, task: () => void): Cancel {
    let cancel: Cancel = this.#inner.after(delay, () => {
      cancel = this.#inner.after(0 as Micros, task);
    });
    return () => cancel();
  }
}
