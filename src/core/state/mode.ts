import type { CarriedMode } from '../model/carried-state.ts';
import type { ModeChanged, OperatorActed, StrategyStopped, TradingMode } from '../model/event.ts';

/** The trading mode, and which strategies have been stopped. Active until something says otherwise. */
export class ModeStore {
  mode: TradingMode = 'active';
  why = '';
  /** Whether only an operator may clear the mode. */
  latched = false;
  readonly #stopped = new Map<string, string>();
  /** By strategy, or by `undefined` when all are; it holds over a restart. */
  readonly #paused = new Map<string | undefined, string>();

  /** A new run: what was not latched is over, and strategies start afresh. */
  begin(): void {
    this.#stopped.clear();
    if (this.latched) return;
    this.mode = 'active';
    this.why = '';
  }

  /** A latched halt outlives the halt of a plain stop, its reason included. */
  applyMode(event: ModeChanged): void {
    if (this.latched && event.mode === 'halted' && !event.latched) return;
    this.mode = event.mode;
    this.why = event.why;
    this.latched = event.latched;
  }

  applyStop(event: StrategyStopped): void {
    if (!this.#stopped.has(event.strategy)) this.#stopped.set(event.strategy, event.why);
  }

  applyOperator({ act, who, why }: OperatorActed): void {
    if (act.act === 'pause' || act.act === 'flatten')
      this.#paused.set(act.strategy, why === '' ? `by ${who}` : `${why}, by ${who}`);
    else if (act.act === 'resume') {
      if (act.strategy === undefined) this.#paused.clear();
      else this.#paused.delete(act.strategy);
    }
  }

  /** Why an operator paused `strategy`, or all of them; `undefined` while it is not paused. */
  paused(strategy: string): string | undefined {
    return this.#paused.size === 0 ? undefined : (this.#paused.get(strategy) ?? this.#paused.get(undefined));
  }

  carry(): CarriedMode {
    const { mode, why, latched } = this;
    const stopped = [...this.#stopped].map(([strategy, reason]) => ({ strategy, why: reason }));
    const paused = [...this.#paused].map(([strategy, reason]) => ({ strategy, why: reason }));
    return { mode, why, latched, stopped, ...(paused.length > 0 && { paused }) };
  }

  take({ mode, why, latched, stopped, paused = [] }: CarriedMode): void {
    for (const one of paused) this.#paused.set(one.strategy, one.why);
    this.mode = mode;
    this.why = why;
    this.latched = latched;
    for (const one of stopped) this.#stopped.set(one.strategy, one.why);
  }

  /** Why `strategy` was stopped (the first reason), or `undefined`. */
  stopped(strategy: string): string | undefined {
    return this.#stopped.size === 0 ? undefined : this.#stopped.get(strategy);
  }
}
