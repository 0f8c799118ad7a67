import type { Clock } from '../../../../core/base/clock.ts';
import { micros } from '../../../../core/base/clock.ts';
import type { PathBudgets, PathSlot, RateRow } from '../../budgets/path.ts';
import type { Lane } from '../../../../core/model/command.ts';
import { pause } from '../../../../core/base/pause.ts';
import type { CallGate } from '../../client/index.ts';

export interface TurnDeps {
  readonly budgets: PathBudgets;
  readonly clock: Clock;
  /** The rows the call counts against. */
  readonly rows: readonly RateRow[];
  readonly lane: Lane;
  readonly signal: AbortSignal | undefined;
}

/** The turns of one call under its limits: the first one, and one more for each repetition of a read. */
export class TypedTurn implements CallGate {
  readonly #setup: TurnDeps;
  #slot: PathSlot | undefined;

  constructor(setup: TurnDeps) {
    this.#setup = setup;
  }

  /** Waits until every limit has room. False: the signal was aborted first. */
  async enter(): Promise<boolean> {
    const { budgets, clock, rows, lane, signal } = this.#setup;
    for (;;) {
      if (signal?.aborted === true) return false;
      this.#slot = budgets.takeSlot(rows, lane);
      if (this.#slot !== undefined) return true;
      await pause(clock, micros(Math.max(1, budgets.wait(rows, lane))), signal);
    }
  }

  first(limited: boolean): void {
    this.leave(limited);
  }

  leave(limited: boolean): void {
    this.#slot?.settle(limited);
    this.#slot = undefined;
  }
}
