import type { Micros } from '../base/clock.ts';
import type { CarriedExecutions } from '../model/carried-state.ts';
import type { Correction, OpenExecution } from '../model/difference.ts';
import { executionKey } from '../model/difference.ts';
import type { OwnTrade } from '../model/event.ts';

/** More executions than a minute of any run has; beyond, the oldest is taken for confirmed. */
const openMax = 10_000;
/** Executions that were withdrawn and may be confirmed late; beyond, the oldest is forgotten. */
const withdrawnMax = 200;
/** Corrections that a report tells. */
const correctionsMax = 20;

/**
 * Executions that a report brought and no trade history has shown yet, and those that were withdrawn because none ever did. An execution
 * is confirmed by a row of the same terms; a row of other terms leaves it open, for a correction.
 */
export class OpenExecutions {
  readonly #open = new Map<string, OpenExecution>();
  readonly #withdrawn = new Map<string, OpenExecution>();
  readonly #corrections: Correction[] = [];
  /** Whether executions of reports stay open until a history confirms them. */
  #isKept = false;

  get isKept(): boolean {
    return this.#isKept;
  }

  /**
   * A run begins at `time`. A backtest has no other witness than itself: it keeps none. Executions of an earlier run count from now: the
   * clock may have been set since, and its wall time would call them absent too early, or too late.
   */
  beginRun(isCompared: boolean, time: Micros): void {
    this.#isKept = isCompared;
    for (const [key, one] of this.#open) this.#open.set(key, { ...one, since: time });
    for (const [key, one] of this.#withdrawn)
      if (one.since > time) this.#withdrawn.set(key, { ...one, since: time });
  }

  get all(): readonly OpenExecution[] {
    return this.#open.size === 0 ? none : [...this.#open.values()];
  }

  /** Those that were withdrawn, the oldest first. `since` is then the time of the withdrawal. */
  get withdrawn(): readonly OpenExecution[] {
    return this.#withdrawn.size === 0 ? none : [...this.#withdrawn.values()];
  }

  /** Returns the execution that is taken for confirmed because there are too many. */
  add(key: string, execution: OpenExecution): OpenExecution | undefined {
    this.#withdrawn.delete(key);
    this.#open.set(key, execution);
    if (this.#open.size <= openMax) return undefined;
    const [first] = this.#open.values();
    if (first !== undefined) this.#open.delete(executionKey(first.trade));
    return first;
  }

  /** Takes a row of the trade history. Returns the execution that it confirms. */
  confirm(row: OwnTrade): OpenExecution | undefined {
    if (this.#open.size === 0) return undefined;
    const key = executionKey(row);
    const open = this.#open.get(key);
    if (open === undefined || !hasSameTerms(open.trade, row)) return undefined;
    this.#open.delete(key);
    return open;
  }

  isWithdrawn(trade: OwnTrade): boolean {
    return this.#withdrawn.size > 0 && this.#withdrawn.has(executionKey(trade));
  }

  /** The strategy of an execution that was withdrawn; it is no longer withdrawn from now on. */
  restore(key: string): string | undefined {
    if (this.#withdrawn.size === 0) return undefined;
    const strategy = this.#withdrawn.get(key)?.strategy;
    this.#withdrawn.delete(key);
    return strategy;
  }

  /** An execution is corrected, and so final. */
  close(key: string, correction: Correction): void {
    this.#open.delete(key);
    this.#corrections.push(correction);
    if (this.#corrections.length > correctionsMax) this.#corrections.shift();
  }

  /** The last corrections of this run, the oldest first. */
  get corrections(): readonly Correction[] {
    return this.#corrections;
  }

  withdraw(key: string, execution: OpenExecution): void {
    this.#withdrawn.set(key, execution);
    if (this.#withdrawn.size > withdrawnMax)
      this.#withdrawn.delete(this.#withdrawn.keys().next().value as string);
  }

  carry(): CarriedExecutions | undefined {
    if (!this.#isKept) return undefined;
    return { open: this.all, withdrawn: this.withdrawn };
  }

  takeExecutions({ open, withdrawn }: CarriedExecutions): void {
    this.#isKept = true;
    for (const one of open) this.#open.set(executionKey(one.trade), one);
    for (const one of withdrawn) this.#withdrawn.set(executionKey(one.trade), one);
  }
}

const none: readonly OpenExecution[] = Object.freeze([]);

/** Whether a row of the history tells an execution as it was booked. */
export function hasSameTerms(booked: OwnTrade, row: OwnTrade): boolean {
  return booked.price === row.price && booked.quantity === row.quantity && booked.fee === row.fee;
}
