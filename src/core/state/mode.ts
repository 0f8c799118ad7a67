import type { CarriedMode } from '../model/carried-state.ts';
import type { ModeChanged, StrategyStopped, TradingMode } from '../model/event.ts';

/** The trading mode, and which strategies have been stopped. Active until something says otherwise. */
export class ModeStore {
  mode: TradingMode = 'active';
  why = '';
  /** Whether only an operator may clear the mode. */
  latched = false;
  readonly #stopped = new Map<string, string>();

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

  carry(): CarriedMode {
    const { mode, why, latched } = this;
    const stopped = [...this.#stopped].map(([strategy, reason]) => ({ strategy, why: reason }));
    return { mode, why, latched, stopped };
  }

  take({ mode, why, latched, stopped }: CarriedMode): void {
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
