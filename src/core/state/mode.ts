import type { Micros } from '../base/clock.ts';
import { micros } from '../base/clock.ts';
import type { CarriedHold, CarriedMode } from '../model/carried-state.ts';
import type {
  MarginFound,
  ModeChanged,
  OperatorActed,
  StrategyStarted,
  StrategyStopped,
  TradingMode,
} from '../model/event.ts';
import type { EvidenceHalt } from '../model/evidence-halt.ts';
import { evidenceHaltOf } from '../model/evidence-halt.ts';
import type { ChangedParams } from '../model/operator.ts';
import type { MarginProductName } from '../model/product.ts';

/** Why something is held back, and since when by wall time; 0 where that is not known. */
interface Hold {
  readonly why: string;
  readonly since: Micros;
}

/** Hold of a mode, product or strategy. */
export interface ModeHold extends Hold {
  readonly kind: EvidenceHalt | 'halted' | 'reducing' | 'productHalted' | 'paused' | 'strategyStopped';
  /** A product or strategy; `account` of all. */
  readonly subject: string;
  /** Whether only an operator ends it. */
  readonly latched: boolean;
}

/** The trading mode, and which strategies have been stopped. Active until something says otherwise. */
export class ModeStore {
  #mode: TradingMode = 'active';
  #why = '';
  #latched = false;
  #since = micros(0);
  /** Halts that evidence ends: over with the run, for the next one reads all before it trades. */
  readonly #evidence = new Map<EvidenceHalt, Hold>();
  readonly #stopped = new Map<string, Hold>();
  /** Pauses by strategy, or by `undefined` when all are paused; they hold over a restart. */
  readonly #paused = new Map<string | undefined, Hold>();
  /** Strategies that an operator stopped; it holds over a restart. */
  readonly #off = new Map<string, Hold>();
  readonly #params = new Map<string, ChangedParams>();
  /** Products of which a position did not agree with the venue; it holds over a restart. */
  readonly #halted = new Map<MarginProductName, Hold>();

  get mode(): TradingMode {
    return this.#evidence.size === 0 ? this.#mode : 'halted';
  }

  get why(): string {
    const [hold] = this.#evidence.values();
    return hold === undefined || this.#mode === 'halted' ? this.#why : hold.why;
  }

  /** Whether only an operator may clear the mode. */
  get latched(): boolean {
    return this.#latched && (this.#evidence.size === 0 || this.#mode === 'halted');
  }

  /** Why trading waits for evidence; `undefined` while it does not wait for that. */
  awaits(halt: EvidenceHalt): string | undefined {
    return this.#evidence.get(halt)?.why;
  }

  /** The mode that holds once the evidence has come that a halt waits for. */
  without(halt: EvidenceHalt): Pick<ModeChanged, 'mode' | 'why' | 'latched'> {
    if (this.#mode !== 'halted')
      for (const [other, { why }] of this.#evidence)
        if (other !== halt) return { mode: 'halted', why, latched: false };
    return this.#beneath;
  }

  get #beneath(): Pick<ModeChanged, 'mode' | 'why' | 'latched'> {
    return { mode: this.#mode, why: this.#why, latched: this.#latched };
  }

  /** A new run: what was not latched is over, and strategies start afresh but for those that an operator stopped. */
  beginRun(): void {
    this.#stopped.clear();
    for (const [strategy, hold] of this.#off) this.#stopped.set(strategy, hold);
    this.#evidence.clear();
    if (this.#latched) return;
    this.#mode = 'active';
    this.#why = '';
  }

  /** A latched halt outlives the halt of a plain stop, its reason included. */
  applyMode(event: ModeChanged): void {
    const evidence = evidenceHaltOf(event);
    if (evidence !== undefined) {
      const { halt, begins } = evidence;
      const since = this.#evidence.get(halt)?.since ?? event.receiveTime;
      if (begins) this.#evidence.set(halt, { why: event.why, since });
      else this.#evidence.delete(halt);
      return;
    }
    if (this.#latched && event.mode === 'halted' && !event.latched) return;
    this.#mode = event.mode;
    this.#why = event.why;
    this.#latched = event.latched;
    this.#since = event.receiveTime;
    // Only an operator makes trading active again, and clears all halts at once.
    if (event.mode === 'active') this.#halted.clear();
  }

  applyFinding({ halts, account, why, receiveTime }: MarginFound): void {
    if (halts && !this.#halted.has(account.product))
      this.#halted.set(account.product, { why, since: receiveTime });
  }

  /** Why no new order of a product leaves, or `undefined`. */
  productHalted(product: MarginProductName): string | undefined {
    return this.#halted.size === 0 ? undefined : this.#halted.get(product)?.why;
  }

  applyStop({ strategy, why, receiveTime }: StrategyStopped): void {
    if (this.#stopped.has(strategy)) return;
    this.#stopped.set(strategy, this.#off.get(strategy) ?? { why, since: receiveTime });
  }

  applyStart(event: StrategyStarted): void {
    this.#stopped.delete(event.strategy);
  }

  applyOperator({ act, who, why, receiveTime: since }: OperatorActed): void {
    const hold = { why: why === '' ? `by ${who}` : `${why}, by ${who}`, since };
    switch (act.act) {
      case 'pause':
      case 'flatten':
        this.#paused.set(act.strategy, hold);
        return;
      case 'resume':
        if (act.strategy === undefined) this.#paused.clear();
        else this.#paused.delete(act.strategy);
        return;
      case 'stopStrategy':
        this.#off.set(act.strategy, hold);
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
    return this.#off.size === 0 ? undefined : this.#off.get(strategy)?.why;
  }

  /** The parameters that an operator gave `strategy` last. */
  changedParams(strategy: string): ChangedParams | undefined {
    return this.#params.get(strategy);
  }

  /** Why an operator paused `strategy`, or all of them; `undefined` while it is not paused. */
  paused(strategy: string): string | undefined {
    return this.#paused.size === 0
      ? undefined
      : (this.#paused.get(strategy) ?? this.#paused.get(undefined))?.why;
  }

  carry(): CarriedMode {
    const { mode, why, latched } = this.#beneath;
    const stopped = [...this.#stopped].map(([strategy, hold]) => ({ strategy, ...carriedHold(hold) }));
    const paused = [...this.#paused].map(([strategy, hold]) => ({ strategy, ...carriedHold(hold) }));
    const off = [...this.#off].map(([strategy, hold]) => ({ strategy, ...carriedHold(hold) }));
    const params = [...this.#params].map(([strategy, changed]) => ({ strategy, ...changed }));
    const halted = [...this.#halted].map(([product, hold]) => ({ product, ...carriedHold(hold) }));
    return {
      mode,
      why,
      latched,
      ...(mode !== 'active' && this.#since > 0 && { since: this.#since }),
      stopped,
      ...(paused.length > 0 && { paused }),
      ...(off.length > 0 && { off }),
      ...(params.length > 0 && { params }),
      ...(halted.length > 0 && { halted }),
    };
  }

  takeMode(carried: CarriedMode): void {
    const { mode, why, latched, since, stopped, paused = [], off = [], params = [], halted = [] } = carried;
    for (const one of off) this.#off.set(one.strategy, holdOf(one));
    for (const { strategy, ...changed } of params) this.#params.set(strategy, changed);
    for (const one of halted) this.#halted.set(one.product, holdOf(one));
    for (const one of paused) this.#paused.set(one.strategy, holdOf(one));
    this.#mode = mode;
    this.#why = why;
    this.#latched = latched;
    this.#since = since ?? micros(0);
    for (const one of stopped) this.#stopped.set(one.strategy, holdOf(one));
  }

  /** Why `strategy` was stopped (the first reason), or `undefined`. */
  stopped(strategy: string): string | undefined {
    return this.#stopped.size === 0 ? undefined : this.#stopped.get(strategy)?.why;
  }

  /** All that is held back: the mode first. */
  holds(): readonly ModeHold[] {
    const { mode, why, latched } = this.#beneath;
    const holds: ModeHold[] = [];
    for (const [kind, hold] of this.#evidence)
      holds.push({ kind, subject: 'account', ...hold, latched: false });
    if (mode !== 'active') holds.push({ kind: mode, subject: 'account', why, since: this.#since, latched });
    for (const [subject, hold] of this.#halted)
      holds.push({ kind: 'productHalted', subject, ...hold, latched: true });
    for (const [subject = 'account', hold] of this.#paused)
      holds.push({ kind: 'paused', subject, ...hold, latched: true });
    for (const [subject, hold] of this.#stopped)
      holds.push({ kind: 'strategyStopped', subject, ...hold, latched: true });
    return holds;
  }
}

function holdOf({ why, since }: CarriedHold): Hold {
  return { why, since: since ?? micros(0) };
}

function carriedHold({ why, since }: Hold): CarriedHold {
  return since > 0 ? { why, since } : { why };
}
