import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { micros } from '../../core/base/clock.ts';
import type { VirtualClock } from '../../core/base/virtual-clock.ts';

/** Difference of one machine's clock from the true time. */
export interface ClockError {
  /** Wall time ahead of the truth, microseconds. */
  offset: number;
  /** Its pace: 1 is right, 1.01 gains a hundredth. */
  readonly rate: number;
}

/**
 * The clock of one process on the one true time of the simulation. Its timers die with the process. `touched` is
 * called for every timer that fires, since promises may wait to be run after it.
 */
export class PartyClock implements Clock {
  readonly error: ClockError;
  readonly #time: VirtualClock;
  readonly #begun: number;
  readonly #touched: () => void;
  #dead = false;
  #pending = 0;

  constructor(time: VirtualClock, error: ClockError, touched: () => void = () => {}) {
    this.#time = time;
    this.error = error;
    this.#begun = time.now();
    this.#touched = touched;
  }

  now(): Micros {
    return micros(this.uptime() + this.error.offset);
  }

  uptime(): Micros {
    const since = this.#time.now() - this.#begun;
    return micros(this.#begun + Math.floor(since * this.error.rate));
  }

  /** Number of timers that wait. */
  get pending(): number {
    return this.#pending;
  }

  after(delay: Micros, task: () => void): Cancel {
    let waits = true;
    this.#pending += 1;
    const over = (): void => {
      if (waits) this.#pending -= 1;
      waits = false;
    };
    const cancel = this.#time.after(micros(Math.ceil(delay / this.error.rate)), () => {
      over();
      if (this.#dead) return;
      this.#touched();
      task();
    });
    return () => {
      over();
      cancel();
    };
  }

  /** The process is gone: none of its timers fires any more. */
  kill(): void {
    this.#dead = true;
  }
}
