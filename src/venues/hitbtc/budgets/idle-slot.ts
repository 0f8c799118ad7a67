import type { Clock, Micros } from '../../../core/base/clock.ts';
import { pause } from '../../../core/base/pause.ts';
import type { ApiBudgets, Scope } from './api.ts';

/** Part of a limit beyond whose use a call that can wait does wait: what trading needs goes before it. */
const usedMax = 0.5;

export interface IdleSlotDeps {
  readonly clock: Clock;
  /** Time between two looks at the limit. */
  readonly lookEvery: Micros;
  /** Longest it waits; as long as it takes when left out. */
  readonly waitMax?: Micros;
  readonly signal?: AbortSignal;
}

/** Takes a slot under a limit once at most half of it is used. Resolves with -1 when it has waited for too long, or `signal` ends the wait. */
export async function takeIdleSlot(
  budgets: ApiBudgets,
  scope: Scope,
  { clock, lookEvery, waitMax, signal }: IdleSlotDeps,
): Promise<number> {
  const begun = clock.uptime();
  for (;;) {
    if (signal?.aborted === true) return -1;
    const { inUse, capacity } = budgets.usageOf(scope);
    const slot = inUse <= capacity * usedMax ? budgets.takeCall(scope) : -1;
    if (slot >= 0) return slot;
    if (waitMax !== undefined && clock.uptime() - begun >= waitMax) return -1;
    await pause(clock, lookEvery, signal);
  }
}
