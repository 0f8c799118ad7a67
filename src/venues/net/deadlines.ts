import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { micros } from '../../core/base/clock.ts';

/**
 * One deadline for many calls that all have the same time to live: insertion order is due order, so one timer is
 * enough, and nothing is allocated per call but the map entry.
 */
export class Deadlines<Key> {
  readonly #clock: Clock;
  readonly #life: Micros;
  readonly #expired: (key: Key) => void;
  readonly #due = new Map<Key, number>();
  #cancel: Cancel | undefined;

  constructor(clock: Clock, life: Micros, expired: (key: Key) => void) {
    this.#clock = clock;
    this.#life = life;
    this.#expired = expired;
  }

  /** How many calls wait. */
  get size(): number {
    return this.#due.size;
  }

  /** Begins the time of `key`. */
  start(key: Key): void {
    this.#due.set(key, this.#clock.uptime() + this.#life);
    if (this.#cancel === undefined) this.#arm(this.#life);
  }

  /** `key` was answered. False when it was not waiting. */
  stop(key: Key): boolean {
    return this.#due.delete(key);
  }

  /** Forgets all, and their timer. */
  clear(): void {
    this.#due.clear();
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #arm(delay: Micros): void {
    this.#cancel = this.#clock.after(delay, () => {
      this.#cancel = undefined;
      this.#fire();
    });
  }

  #fire(): void {
    const now = this.#clock.uptime();
    const late: Key[] = [];
    for (const [key, due] of this.#due) {
      if (due > now) break;
      late.push(key);
    }
    for (const key of late) if (this.#due.delete(key)) this.#expired(key);
    if (this.#cancel !== undefined) return;
    for (const due of this.#due.values()) {
      this.#arm(micros(Math.max(1, due - this.#clock.uptime())));
      return;
    }
  }
}
