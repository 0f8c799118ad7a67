import type { CarriedLosses } from '../model/carried-state.ts';
import type { LossLimitCleared, LossLimitReached, ProfitMarked } from '../model/event.ts';
import type { LossLatch, LossScope, ProfitMark } from '../model/loss.ts';

/** What others may see of it. */
export type LossView = Pick<LossStore, 'latches' | 'mark' | 'losingTrades'>;

/** What limits on loss build on: from where losses count, how many trades in a row lost, and which limits were reached. */
export class LossStore {
  readonly #marks = new Map<string, ProfitMark>();
  readonly #latches = new Map<string, LossLatch>();
  /** Round trips in a row that lost, by scope. */
  readonly #losing = new Map<string, number>();

  get latches(): readonly LossLatch[] {
    return this.#latches.size === 0 ? none : [...this.#latches.values()];
  }

  mark(scope: LossScope): ProfitMark | undefined {
    return this.#marks.get(keyOf(scope));
  }

  losingTrades(scope: LossScope): number {
    return this.#losing.get(keyOf(scope)) ?? 0;
  }

  /** A position came back to flat, or turned over. Its result counts for its strategy and for the account. */
  closed(strategy: string, currency: string, result: bigint): void {
    if (result === 0n) return;
    for (const scope of [
      { strategy, currency },
      { strategy: undefined, currency },
    ]) {
      if (result > 0n) this.#losing.delete(keyOf(scope));
      else this.#losing.set(keyOf(scope), this.losingTrades(scope) + 1);
    }
  }

  applyMark({ mark }: ProfitMarked): void {
    this.#marks.set(keyOf(mark), mark);
  }

  applyReached({ latch }: LossLimitReached): void {
    this.#latches.set(latchKey(latch), latch);
  }

  /** Losses count anew from where the profit stands. */
  applyCleared({ limit, profit, ...scope }: LossLimitCleared): void {
    this.#latches.delete(latchKey({ ...scope, limit }));
    if (limit === 'losingTrades') this.#losing.delete(keyOf(scope));
    const mark = this.mark(scope);
    if (mark === undefined) return;
    if (limit === 'day') this.#marks.set(keyOf(scope), { ...mark, dayStart: profit });
    else if (limit === 'drawdown') this.#marks.set(keyOf(scope), { ...mark, peak: profit });
  }

  carry(): CarriedLosses {
    const losing = [...this.#losing].map(([key, trades]) => ({ ...scopeOf(key), trades }));
    return { marks: [...this.#marks.values()], latches: this.latches, losing };
  }

  take({ marks, latches, losing }: CarriedLosses): void {
    for (const mark of marks) this.#marks.set(keyOf(mark), mark);
    for (const latch of latches) this.#latches.set(latchKey(latch), latch);
    for (const { trades, ...scope } of losing) this.#losing.set(keyOf(scope), trades);
  }
}

const none: readonly LossLatch[] = Object.freeze([]);

/** Neither strategies nor currencies have a blank in their names. */
function keyOf({ strategy = '', currency }: LossScope): string {
  return `${strategy} ${currency}`;
}

function scopeOf(key: string): LossScope {
  const [strategy = '', currency = ''] = key.split(' ');
  return { strategy: strategy === '' ? undefined : strategy, currency };
}

function latchKey({ limit, ...scope }: Pick<LossLatch, 'strategy' | 'currency' | 'limit'>): string {
  return `${keyOf(scope)} ${limit}`;
}
