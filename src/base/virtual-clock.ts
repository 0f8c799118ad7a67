import { assert } from './assert.ts';
import type { Cancel, Clock, Micros } from './clock.ts';
import { Timers } from './timers.ts';

/** A clock that moves only when told. Timers fire at their own times, ties in call order. */
export class VirtualClock implements Clock {
  readonly #timers = new Timers();
  #now: Micros;

  constructor(start: Micros) {
    this.#now = start;
  }

  now(): Micros {
    return this.#now;
  }

  uptime(): Micros {
    return this.#now;
  }

  /** How many timers wait. */
  get pending(): number {
    return this.#timers.size;
  }

  after(delay: Micros, task: () => void): Cancel {
    assert(delay >= 0, 'a timer was asked to fire in the past');
    const timer = this.#timers.add((this.#now + delay) as Micros, task);
    return () => this.#timers.cancel(timer);
  }

  /** When the earliest timer is due, or `undefined`. */
  nextTime(): Micros | undefined {
    return this.#timers.nextTime();
  }

  /** Moves to `time`; whatever is due at or before it fires first, each at its own time. */
  advanceTo(time: Micros): void {
    const timers = this.#timers;
    while (timers.notBefore <= time) {
      const timer = timers.takeDue(time);
      if (timer === undefined) break;
      if (timer.time > this.#now) this.#now = timer.time;
      timer.task();
    }
    if (time > this.#now) this.#now = time;
  }

  /** Moves on by `delay`. */
  advance(delay: Micros): void {
    this.advanceTo((this.#now + delay) as Micros);
  }

  /**
   * Fires timers until none waits or `limit` is reached; returns whether none waits.
   * A task may add timers, so the limit is a time, not a count.
   */
  drain(limit: Micros): boolean {
    for (let next = this.#timers.nextTime(); next !== undefined; next = this.#timers.nextTime()) {
      if (next > limit) return false;
      this.advanceTo(next);
    }
    return true;
  }
}
