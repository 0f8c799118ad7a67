import type { Cancel, Clock, DueQueue, Micros } from '../../core/base/clock.ts';
import type { VirtualClock } from '../../core/base/virtual-clock.ts';

/**
 * A clock whose timers run behind everything else that is due at their moment. What is received at that very time is known
 * when they run: market data and answers come first, decisions and samples last.
 */
export class LateClock implements Clock, DueQueue {
  readonly #inner: VirtualClock;
  /** Timers whose time is now. While there are any, this is the last queue that the inner clock asks. */
  readonly #due: (() => void)[] = [];
  #detach: Cancel | undefined;
  nextTime = Number.POSITIVE_INFINITY;

  constructor(inner: VirtualClock) {
    this.#inner = inner;
  }

  now(): Micros {
    return this.#inner.now();
  }

  uptime(): Micros {
    return this.#inner.uptime();
  }

  after(delay: Micros, task: () => void): Cancel {
    let cancelled = false;
    const cancel = this.#inner.after(delay, () =>
      this.#put(() => {
        if (!cancelled) task();
      }),
    );
    return () => {
      cancelled = true;
      cancel();
    };
  }

  /** Runs one: what comes of it at this very time comes before the next. */
  handOver(): void {
    const task = this.#due.shift();
    if (this.#due.length === 0) {
      this.#detach?.();
      this.nextTime = Number.POSITIVE_INFINITY;
    }
    task?.();
  }

  #put(task: () => void): void {
    this.#due.push(task);
    if (this.#due.length > 1) return;
    this.nextTime = this.#inner.uptime();
    this.#detach = this.#inner.attach(this);
  }
}
