import type { Clock } from '../../core/base/clock.ts';
import { micros } from '../../core/base/clock.ts';
import { pause } from '../../core/base/pause.ts';
import { LaneBudget } from '../../core/budgets/lanes.ts';

/** Turns of requests, of which no more than `rate` in a second may leave. */
export class Pace {
  readonly #clock: Clock;
  readonly #budget: LaneBudget;

  constructor(rate: number, clock: Clock) {
    const reserved = { cancel: 0, read: 0 };
    this.#clock = clock;
    this.#budget = new LaneBudget({ rate, burst: 0, mode: 'both', reserved, share: 1, guard: 0 }, clock);
  }

  /** Makes a request when its turn has come; `undefined` when `signal` was aborted first. Rejects with what the request rejects with. */
  async run<Value>(signal: AbortSignal, request: () => Promise<Value>): Promise<Value | undefined> {
    while (!signal.aborted) {
      const slot = this.#budget.takeSlot('read');
      if (slot >= 0) return await request().finally(() => this.#budget.settle(slot, false));
      await pause(this.#clock, micros(Math.max(1, this.#budget.wait('read'))), signal);
    }
    return undefined;
  }
}
