import { assert } from './assert.ts';
import type { Cancel, Clock, DueQueue, Micros } from './clock.ts';
import { Timers } from './timers.ts';

/**
 * A clock that moves only in `advanceTo`. Timers fire at their own times, ties in call order; attached queues are asked at
 * theirs, after the timers of that time.
 */
export class VirtualClock implements Clock {
  readonly #timers = new Timers();
  #queues: readonly DueQueue[] = [];
  #now = 0 as Micros;

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

  attach(queue: DueQueue): Cancel {
    this.#queues = [...this.#queues, queue];
    return () => {
      this.#queues = this.#queues.filter((other) => other !== queue);
    };
  }

  /** When the earliest timer or queue is due, or `undefined`. */
  nextTime(): Micros | undefined {
    const timer = this.#timers.nextTime() ?? Number.POSITIVE_INFINITY;
    const next = Math.min(timer, this.#firstQueue()?.nextTime ?? Number.POSITIVE_INFINITY);
    return next === Number.POSITIVE_INFINITY ? undefined : (next as Micros);
  }

  /** Moves to `time`; whatever is due at or before it happens first, each at its own time. */
  advanceTo(time: Micros): void {
    const timers = this.#timers;
    for (;;) {
      const queue = this.#firstQueue();
      const due = queue === undefined ? Number.POSITIVE_INFINITY : queue.nextTime;
      const until = due < time ? (due as Micros) : time;
      if (timers.notBefore <= until && this.#fire(until)) continue;
      if (queue === undefined || due > time) break;
      if (due > this.#now) this.#now = due as Micros;
      queue.handOver();
    }
    if (time > this.#now) this.#now = time;
  }

  /** Moves on by `delay`. */
  advance(delay: Micros): void {
    this.advanceTo((this.#now + delay) as Micros);
  }

  /**
   * Moves on until nothing waits or `limit` is reached; returns whether nothing waits.
   * A task may add timers, so the limit is a time, not a count.
   */
  drain(limit: Micros): boolean {
    for (let next = this.nextTime(); next !== undefined; next = this.nextTime()) {
      if (next > limit) return false;
      this.advanceTo(next);
    }
    return true;
  }

  /** Runs the earliest timer due at or before `time`, if there is one. */
  #fire(time: Micros): boolean {
    const timer = this.#timers.takeDue(time);
    if (timer === undefined) return false;
    if (timer.time > this.#now) this.#now = timer.time;
    timer.task();
    return true;
  }

  /** The queue that is due first; of equal ones the one attached first. */
  #firstQueue(): DueQueue | undefined {
    const queues = this.#queues;
    let first = queues[0];
    for (let i = 1; i < queues.length; i++) {
      const other = queues[i] as DueQueue;
      if (first === undefined || other.nextTime < first.nextTime) first = other;
    }
    return first;
  }
}
