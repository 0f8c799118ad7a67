import type { CarriedLosses } from '../model/carried-state.ts';
import type { LossLimitCleared, LossLimitReached, ProfitMarked } from '../model/event.ts';
import type { Closing, LossLatch, LossScope, ProfitMark } from '../model/loss.ts';

/** Part of the store that others may see. */
export type LossView = Pick<LossStore, 'latches' | 'mark' | 'losingTrades'>;

/** Base of limits on loss: from where losses count, how many trades in a row lost, and which limits were reached. */
export class LossStore {
  readonly #marks = new Map<string, ProfitMark>();
  readonly #latches = new Map<string, LossLatch>();
  /** Round trips in a row that lost, by scope, before those of `#closings`. */
  readonly #losing = new Map<string, number>();
  /** Round trips that a correction may still change, by number. */
  #closings: Closing[] = [];
  /** Number of the last round trip that counts no more, by scope. */
  readonly #forgiven = new Map<string, number>();

  get latches(): readonly LossLatch[] {
    return this.#latches.size === 0 ? none : [...this.#latches.values()];
  }

  mark(scope: LossScope): ProfitMark | undefined {
    return this.#marks.get(keyOf(scope));
  }

  losingTrades(scope: LossScope): number {
    const key = keyOf(scope);
    let losing = this.#losing.get(key) ?? 0;
    if (this.#closings.length === 0) return losing;
    const forgiven = this.#forgiven.get(key) ?? -1;
    for (const one of this.#closings)
      if (isOf(scope, one) && one.order > forgiven) losing = countedOn(losing, one.result);
    return losing;
  }

  /**
   * A position came back to flat, or turned over. Its result counts for its strategy and for the account. `openFrom`: number of the first
   * booking that may still be corrected.
   */
  closed(closing: Closing, openFrom: number): void {
    if (openFrom > closing.order && this.#closings.length === 0) {
      if (closing.result === 0n) return;
      this.#settle(closing);
      this.#forgiven.clear();
      return;
    }
    if (closing.result === 0n && openFrom > closing.order) return;
    this.#closings.push(closing);
    const settled = this.#closings.findIndex(({ order }) => order >= openFrom);
    const most = this.#closings.length - closingsMax;
    this.#settleMarks(Math.max(settled < 0 ? this.#closings.length : settled, most));
  }

  /** A correction booked a position anew from number `from` on: its round trips since are those of now. */
  recounted(
    { strategy, instrument, account }: Omit<Closing, 'order' | 'result'>,
    from: number,
    closings: readonly Closing[],
  ): void {
    const others = this.#closings.filter(
      (one) =>
        one.order < from ||
        one.strategy !== strategy ||
        one.instrument !== instrument ||
        one.account !== account,
    );
    this.#closings = [...others, ...closings].toSorted((one, other) => one.order - other.order);
  }

  /** The first round trips will not change any more. */
  #settleMarks(count: number): void {
    for (const one of this.#closings.splice(0, count)) this.#settle(one);
    if (this.#closings.length === 0) this.#forgiven.clear();
  }

  /** Counts a round trip for its strategy and for the account. */
  #settle({ strategy, currency, order, result }: Closing): void {
    for (const key of [keyOf({ strategy, currency }), keyOf({ strategy: undefined, currency })]) {
      if (order <= (this.#forgiven.get(key) ?? -1)) continue;
      const losing = countedOn(this.#losing.get(key) ?? 0, result);
      if (losing === 0) this.#losing.delete(key);
      else this.#losing.set(key, losing);
    }
  }

  applyMark({ mark }: ProfitMarked): void {
    this.#marks.set(keyOf(mark), mark);
  }

  applyReached({ latch }: LossLimitReached): void {
    this.#latches.set(latchKey(latch), latch);
  }

  /** Losses count anew from where the profit stands, trades after booking number `order`: the last one, where some may still be corrected. */
  applyCleared({ limit, profit, recounted, ...scope }: LossLimitCleared, order: number | undefined): void {
    this.#latches.delete(latchKey({ ...scope, limit }));
    if (limit === 'losingTrades' && recounted !== true) {
      if (order === undefined) this.#settleMarks(this.#closings.length);
      this.#losing.delete(keyOf(scope));
      if (order !== undefined) this.#forgiven.set(keyOf(scope), order);
    }
    const mark = this.mark(scope);
    if (mark === undefined) return;
    if (limit === 'day') this.#marks.set(keyOf(scope), { ...mark, dayStart: profit });
    else if (limit === 'drawdown') this.#marks.set(keyOf(scope), { ...mark, peak: profit });
  }

  carryLosses(): CarriedLosses {
    const losing = [...this.#losing].map(([key, trades]) => ({ ...scopeOf(key), trades }));
    const forgiven = [...this.#forgiven].map(([key, order]) => ({ ...scopeOf(key), order }));
    return {
      marks: [...this.#marks.values()],
      latches: this.latches,
      losing,
      ...(this.#closings.length > 0 && { closings: [...this.#closings] }),
      ...(forgiven.length > 0 && { forgiven }),
    };
  }

  takeLosses({ marks, latches, losing, closings = [], forgiven = [] }: CarriedLosses): void {
    for (const mark of marks) this.#marks.set(keyOf(mark), mark);
    for (const latch of latches) this.#latches.set(latchKey(latch), latch);
    for (const { trades, ...scope } of losing) this.#losing.set(keyOf(scope), trades);
    this.#closings = [...closings];
    for (const { order, ...scope } of forgiven) this.#forgiven.set(keyOf(scope), order);
  }
}

/** More round trips than a minute of any run has; beyond, the oldest are taken for settled. */
const closingsMax = 10_000;

function isOf(scope: LossScope, { strategy, currency }: Closing): boolean {
  return currency === scope.currency && (scope.strategy === undefined || scope.strategy === strategy);
}

/** One more round trip: a gain ends a row of losses, and one that brought nothing is neither. */
function countedOn(losing: number, result: bigint): number {
  return result === 0n ? losing : result > 0n ? 0 : losing + 1;
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
