import type { Cancel, Clock, Micros } from '../base/clock.ts';
import type { Event } from '../model/event.ts';

/**
 * A strategy's timers on the host's clock. A due timer is published as `strategyTimer`, so that it has its place
 * among the events and a replay needs no clock.
 */
export class HostTimers {
  readonly #strategy: string;
  readonly #clock: Clock;
  readonly #publish: (event: Event) => void;
  readonly #cancels = new Map<number, Cancel>();

  constructor(strategy: string, clock: Clock, publish: (event: Event) => void) {
    this.#strategy = strategy;
    this.#clock = clock;
    this.#publish = publish;
  }

  /** How many timers are set. */
  get size(): number {
    return this.#cancels.size;
  }

  /** Fires once after `delay`, or with a `period` again and again, at whole periods; periods missed are skipped. */
  arm(timerId: number, delay: Micros, period: Micros | undefined): void {
    this.disarm(timerId);
    this.#set(timerId, delay, period, this.#clock.uptime() + delay);
  }

  disarm(timerId: number): void {
    this.#cancels.get(timerId)?.();
    this.#cancels.delete(timerId);
  }

  close(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }

  #set(timerId: number, delay: Micros, period: Micros | undefined, due: number): void {
    const fire = (): void => {
      this.#cancels.delete(timerId);
      if (period !== undefined) {
        const uptime = this.#clock.uptime();
        const missed = Math.max(0, Math.floor((uptime - due) / period));
        const next = due + (missed + 1) * period;
        this.#set(timerId, (next - uptime) as Micros, period, next);
      }
      const now = this.#clock.now();
      this.#publish({
        kind: 'strategyTimer',
        exchangeTime: now,
        receiveTime: now,
        strategy: this.#strategy,
        timerId,
      });
    };
    this.#cancels.set(timerId, this.#clock.after(delay, fire));
  }
}
