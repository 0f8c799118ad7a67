import type { Clock } from '../../core/base/clock.ts';
import { millis, seconds } from '../../core/base/clock.ts';
import type { CommandBudgets } from '../../core/gate/index.ts';
import { ApiBudgets } from '../../venues/hitbtc/budgets/api.ts';
import type { Scope } from '../../venues/hitbtc/budgets/api.ts';
import { takeIdleSlot } from '../../venues/hitbtc/budgets/idle-slot.ts';

/** A request of a program waits so long for its place in a limit. */
const waitMax = seconds(2);
const lookEvery = millis(20);

/** The venue's limits as the run has them: what is passed on for programs counts beside the daemon's own requests, and behind them. */
export class SharedBudgets {
  readonly #clock: Clock;
  #budgets: ApiBudgets | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts in the budgets of a run from now on. */
  beginRun(budgets: CommandBudgets): void {
    this.#budgets = budgets instanceof ApiBudgets ? budgets : undefined;
  }

  /**
   * Takes a place under a limit for a request that leaves now, and resolves with what gives it back once that was answered; with
   * `undefined` where none was free for two seconds, or no run has begun.
   */
  async takeSlot(scope: Scope): Promise<((limited: boolean) => void) | undefined> {
    const budgets = this.#budgets;
    if (budgets === undefined) return undefined;
    const slot = await takeIdleSlot(budgets, scope, { clock: this.#clock, lookEvery, waitMax });
    return slot < 0 ? undefined : (limited) => budgets.settle(slot, limited ? 'limited' : 'acknowledged');
  }
}
