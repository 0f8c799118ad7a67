import { timeText } from '../core/base/clock.ts';
import type { SafeState } from '../core/model/safe-state.ts';
import type { LossLatch } from '../core/model/loss.ts';
import type { ShownDifference, StateView } from '../core/state/index.ts';
import { profitsOf } from './profits.ts';
import type { DriftState, OperatedSentinel } from './run.ts';
import type { Status } from './schemas.ts';
import type { HeldRow } from './views/positions.ts';

/** A limit on loss that was reached. */
export function latchRow(latch: LossLatch): Status['lossLimits'][number] {
  const { strategy, currency, limit, action, why, since, until } = latch;
  return {
    strategy: strategy ?? null,
    currency,
    limit,
    action,
    why,
    since: timeText(since),
    until: until === undefined ? null : timeText(until),
  };
}

/** The mode of trading, and what holds beside it: a limit on the loss of the account halts or reduces all trading, too. */
export function tradingRow(view: StateView): Status['trading'] {
  const { mode, modeWhy: why, modeLatched: latched } = view;
  const all = [
    { action: mode, why },
    ...view.losses.latches.filter(({ strategy }) => strategy === undefined),
  ];
  const strictest = (['halted', 'reducing'] as const).find((one) => all.some(({ action }) => action === one));
  const holds = strictest ?? 'active';
  const causes = all.flatMap((one) => (one.action === holds && one.why !== '' ? [one.why] : []));
  return { mode, why, latched, holds, causes: causes.join('; ') };
}

/** A safe state, in text. */
export function safeStateRow({ since, nextLook, code, ...state }: SafeState): Status['safeStates'][number] {
  return {
    ...state,
    code: code ?? null,
    since: since === 0 ? null : timeText(since),
    nextLook: nextLook === undefined ? null : timeText(nextLook),
  };
}

/** Other Godwits on the account, the one seen first first. */
export function otherGodwitRows(differences: readonly ShownDifference[]): Status['otherGodwits'] {
  return differences
    .filter(({ kind }) => kind === 'otherGodwit')
    .map(({ cause, since }) => ({ cause, since: timeText(since) }));
}

/** The last day beside its backtest; `null` where nothing is compared. */
export function driftRow(state: DriftState | undefined): Status['drift'] {
  if (state === undefined) return null;
  const { running, limit, result, endedAt, why, failures } = state;
  return {
    running,
    score: result?.score ?? null,
    limit,
    from: result === undefined ? null : timeText(result.from),
    to: result === undefined ? null : timeText(result.to),
    endedAt: endedAt === undefined ? null : timeText(endedAt),
    why,
    failures,
  };
}

/** The sentinel, in text; `null` where there is to be none. */
export function sentinelRow(sentinel: OperatedSentinel | undefined): Status['sentinel'] {
  if (sentinel === undefined) return null;
  const { isUp: up, pid, stage, since, lastLook, waitsFor, trouble, acts, canceled } = sentinel;
  return {
    up,
    pid: pid ?? null,
    stage,
    since: since === undefined ? null : timeText(since),
    lastLook: lastLook === undefined ? null : timeText(lastLook),
    waitsFor,
    trouble,
    acts,
    canceled,
  };
}

/** Profit of a strategy by quote currency. */
export function profitByCurrency(rows: readonly HeldRow[], strategy: string): Record<string, number> {
  const own = rows.filter((row) => row.strategy === strategy);
  return Object.fromEntries(profitsOf(own, 'live').map(({ currency, profit }) => [currency, profit]));
}

/** How many executions a strategy has had, those of earlier runs of the journal counted. */
export function fillsOf(view: Pick<StateView, 'positions'>, strategy: string): number {
  return view
    .positions()
    .filter((one) => one.strategy === strategy)
    .reduce((sum, { fillCount }) => sum + fillCount, 0);
}
