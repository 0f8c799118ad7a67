import type { Clock, Micros } from '../../../core/base/clock.ts';
import type { Lane } from '../../../core/model/command.ts';
import { LaneBudget } from '../../../core/budgets/lanes.ts';
import type { BudgetOptions } from './options.ts';

/** A row of a table of limits: calls that count together. */
export interface RateRow {
  readonly rate: number;
  readonly burst: number;
}

/** A slot taken for one call under every row it counts against. Settled once. */
export class PathSlot {
  readonly #taken: readonly { readonly budget: LaneBudget; readonly slot: number }[];
  #settled = false;

  constructor(taken: readonly { readonly budget: LaneBudget; readonly slot: number }[]) {
    this.#taken = taken;
  }

  /** The call ended, in any way; `limited`: the venue refused it for its rate. Later calls do nothing. */
  settle(limited: boolean): void {
    if (this.#settled) return;
    this.#settled = true;
    for (const { budget, slot } of this.#taken) budget.settle(slot, limited);
  }
}

/**
 * Budgets of calls that count against several rows of the documents' tables at once, such as one per address and
 * one per account: all have room, or nothing leaves. One instance serves all connections of an account on an
 * address. Source: API v3, "Limits"; API v2, "Limits".
 */
export class PathBudgets {
  readonly #options: Pick<BudgetOptions, 'mode' | 'share' | 'guard'>;
  readonly #clock: Clock;
  readonly #budgets = new Map<RateRow, LaneBudget>();

  constructor(options: Pick<BudgetOptions, 'mode' | 'share' | 'guard'>, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** How long until `takeSlot` may succeed if nothing else happens; 0 when it would now. */
  wait(rows: readonly RateRow[], lane: Lane): Micros {
    return Math.max(0, ...rows.map((row) => this.#of(row).wait(lane))) as Micros;
  }

  /** Takes a slot for a call that leaves now; `undefined` when some row has none. */
  takeSlot(rows: readonly RateRow[], lane: Lane): PathSlot | undefined {
    if (this.wait(rows, lane) > 0) return undefined;
    return new PathSlot(
      rows.map((row) => {
        const budget = this.#of(row);
        return { budget, slot: budget.takeSlot(lane) };
      }),
    );
  }

  #of(row: RateRow): LaneBudget {
    let budget = this.#budgets.get(row);
    if (budget === undefined) {
      const { mode, share, guard } = this.#options;
      const { rate, burst } = row;
      const reserved = { cancel: 0, read: 0 };
      budget = new LaneBudget({ rate, burst, mode, share, guard, reserved }, this.#clock);
      this.#budgets.set(row, budget);
    }
    return budget;
  }
}
