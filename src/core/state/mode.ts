import type { CarriedMode } from '../model/carried-state.ts';
import type {
  MarginFound,
  ModeChanged,
  OperatorActed,
  StrategyStarted,
  StrategyStopped,
  TradingMode,
} from '../model/event.ts';
import type { ChangedParams } from '../model/operator.ts';
import type { MarginProductName } from '../model/product.ts';

/** The trading mode, and which strategies have been stopped. Active until something says otherwise. */
export class ModeStore {
  mode: TradingMode = 'active';
  why = '';
  /** Whether only an operator may clear the mode. */
  latched = false;
  readonly #stopped = new Map<string, string>();
  /** By strategy, or by `undefined` when all are; it holds over a restart. */
  readonly #paused = new Map<string | undefined, string>();
  /** Strategies that an operator stopped; it holds over a restart. */
  readonly #off = new Map<string, string>();
  readonly #params = new Map<string, ChangedParams>();
  /** Products of which a position did not agree with the venue; it holds over a restart. */
  readonly #halted = new Map<MarginProductName, string>();

  /** A new run: what was not latched is over, and strategies start afresh but for those that an operator stopped. */
  begin(): void {
    this.#stopped.clear();
    for (const [strategy, why] of this.#off) this.#stopped.set(strategy, why);
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
    // Only an operator makes trading active again, and clears all halts at once.
    if (event.mode === 'active') this.#halted.clear();
  }

  applyFinding({ halts, account, why }: MarginFound): void {
    if (halts && !this.#halted.has(account.product)) this.#halted.set(account.product, why);
  }

  /** Why no new order of a product leaves, or `undefined`. */
  productHalted(product: MarginProductName): string | undefined {
    return this.#halted.size === 0 ? undefined : this.#halted.get(product);
  }

  applyStop(event: StrategyStopped): void {
    if (this.#stopped.has(event.strategy)) return;
    this.#stopped.set(event.strategy, this.#off.get(event.strategy) ?? event.why);
  }

  applyStart(event: StrategyStarted): void {
    this.#stopped.delete(event.strategy);
  }

  applyOperator({ act, who, why }: OperatorActed): void {
    const reason = why === '' ? `by ${who}` : `${why}, by ${who}`;
    switch (act.act) {
      case 'pause':
      case 'flatten':
        this.#paused.set(act.strategy, reason);
        return;
      case 'resume':
        if (act.strategy === undefined) this.#paused.clear();
        else this.#paused.delete(act.strategy);
        return;
      case 'stopStrategy':
        this.#off.set(act.strategy, reason);
        return;
      case 'startStrategy':
        this.#off.delete(act.strategy);
        return;
      case 'setParams':
      case 'promote': {
        const { strategy, params, configured, promoted } = act;
        this.#params.set(strategy, { params, configured, ...(promoted !== undefined && { promoted }) });
        return;
      }
      default:
    }
  }

  /** Why an operator stopped `strategy`; `undefined` while none has. */
  off(strategy: string): string | undefined {
    return this.#off.size === 0 ? undefined : this.#off.get(strategy);
  }

  /** The parameters that an operator gave `strategy` last. */
  changedParams(strategy: string): ChangedParams | undefined {
    return this.#params.get(strategy);
  }

  /** Why an operator paused `strategy`, or all of them; `undefined` while it is not paused. */
  paused(strategy: string): string | undefined {
    return this.#paused.size === 0 ? undefined : (this.#paused.get(strategy) ?? this.#paused.get(undefined));
  }

  carry(): CarriedMode {
    const { mode, why, latched } = this;
    const stopped = [...this.#stopped].map(([strategy, reason]) => ({ strategy, why: reason }));
    const paused = [...this.#paused].map(([strategy, reason]) => ({ strategy, why: reason }));
    const off = [...this.#off].map(([strategy, reason]) => ({ strategy, why: reason }));
    const params = [...this.#params].map(([strategy, changed]) => ({ strategy, ...changed }));
    const halted = [...this.#halted].map(([product, reason]) => ({ product, why: reason }));
    return {
      mode,
      why,
      latched,
      stopped,
      ...(paused.length > 0 && { paused }),
      ...(off.length > 0 && { off }),
      ...(params.length > 0 && { params }),
      ...(halted.length > 0 && { halted }),
    };
  }

  take({ mode, why, latched, stopped, paused = [], off = [], params = [], halted = [] }: CarriedMode): void {
    for (const one of off) this.#off.set(one.strategy, one.why);
    for (const { strategy, ...changed } of params) this.#params.set(strategy, changed);
    for (const one of halted) this.#halted.set(one.product, one.why);
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
