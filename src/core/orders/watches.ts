import type { Micros } from '../base/clock.ts';
import { millis } from '../base/clock.ts';
import type { OrderReport } from '../model/event.ts';
import type { ClientOrderId, ListPlace } from '../model/order.ts';
import { slotOf } from '../state/index.ts';
import type { StateView } from '../state/index.ts';
import type { Cancels } from './base/cancels.ts';
import type { Clearing } from './clearing.ts';
import { unanswered } from './controls/index.ts';
import type { Memory } from './base/memory.ts';
import type { Outbox } from './base/outbox.ts';
import type { Reconciler } from './reconcile.ts';
import { Throttle } from './base/throttle.ts';

interface WatchDeps {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly cancels: Cancels;
  readonly reconciler: Reconciler;
  readonly clearing: Clearing;
}

/** Watches of what becomes of orders, which halt trading or stop a strategy. Either one cancels the orders concerned. */
export class Watches {
  readonly unknown: UnknownWatch;
  readonly #parts: WatchDeps;
  readonly #rejects: RejectWatch;
  readonly #executions: ExecutionWatch;

  constructor(parts: WatchDeps) {
    const { view, memory } = parts;
    this.#parts = parts;
    this.unknown = new UnknownWatch(view);
    this.#rejects = new RejectWatch(memory.options.rejects);
    this.#executions = new ExecutionWatch(memory.options.executions);
  }

  /** An order became unknown or doubtful. `isUrgent`: it must go, and a cancel of it has failed. */
  inDoubt(isUrgent = false): void {
    const { reconciler } = this.#parts;
    if (isUrgent) reconciler.lookAtOnce();
    else reconciler.lookSoon();
    this.haltIfLost();
  }

  /** The venue accepted or rejected an order of a strategy. */
  answered(strategy: string, rejected: boolean): void {
    this.#stopIf(strategy, this.#rejects.add(strategy, rejected));
  }

  /** An order of a strategy executed. */
  executed(strategy: string, report: OrderReport): void {
    this.#tellIfBoth(strategy, report);
    this.#stopIf(strategy, this.#executions.add(strategy, report, this.#parts.memory.uptime));
  }

  /** Says that an order begins to execute although another of its pair has: the venue ended that too late. */
  #tellIfBoth(strategy: string, { order, fill }: OrderReport): void {
    const { view, outbox } = this.#parts;
    const { list, instrument } = view.order(order.clientOrderId) ?? order;
    if (list === undefined || fill === undefined || order.cumulative !== fill.quantity) return;
    for (const other of pairOf(list)) {
      const executed = other === order.clientOrderId ? 0 : (view.order(other)?.cumulative ?? 0);
      if (executed === 0) continue;
      const { symbol } = view.instruments.at(instrument);
      const text = `both orders of a pair execute on ${symbol}: ${fill.quantity} lots of ${order.clientOrderId} after ${executed} of ${other}`;
      outbox.noteText(strategy, 'warn', `${text}; what is held is not what the pair was to leave`);
    }
  }

  /** A strategy begins anew: what its orders came to before does not stop it again. */
  forget(strategy: string): void {
    this.#rejects.forget(strategy);
    this.#executions.forget(strategy);
  }

  /** The venue refused a command: where it serves the key or the account no longer, trading is halted at once. */
  refused({ code, why }: { readonly code: number; readonly why: string }): void {
    const { view, outbox, reconciler, clearing } = this.#parts;
    if (!forbiddenCodes.has(code) || view.modeWithout('unread').mode === 'halted') return;
    const text = `the venue serves this key or its account no longer (${code}: ${why})`;
    outbox.haltUntil('forbidden', text);
    reconciler.forbidden();
    clearing.cancelRaising(text);
  }

  haltIfLost(): void {
    const { memory, outbox, reconciler, clearing } = this.#parts;
    const why = this.unknown.tooMany(unanswered.settings.of(memory.options).unknownOrdersMax);
    if (why === undefined) return;
    outbox.haltUntil('manyUnknown', why);
    reconciler.halted();
    clearing.cancelRaising(why);
  }

  #stopIf(strategy: string, why: string | undefined): void {
    const { view, outbox, cancels } = this.#parts;
    if (why === undefined || view.stopped(strategy) !== undefined) return;
    outbox.stopStrategy(strategy, why);
    cancels.requestAll(strategy);
  }
}

/**
 * Refusals of the key or the account, whatever the command was: authorization is required or failed (1001, 1002), a right is missing
 * (1003), the account is frozen or disabled (10021). Source: API v3, "Error codes"; v3-gaps, section 9.
 */
const forbiddenCodes: ReadonlySet<number> = new Set([1_001, 1_002, 1_003, 10_021]);

/** Orders of a list of which one is to end the others. */
function pairOf({ contingency, orders }: ListPlace): readonly ClientOrderId[] {
  if (contingency === 'oneCancelOther') return orders;
  return contingency === 'oneTriggerOneCancelOther' ? orders.slice(1) : [];
}

/**
 * Counts a strategy's orders that begin to fill on one side of one symbol. `add` returns why the strategy is to be
 * stopped when too many do inside the window. One order swept by many trades counts once. Source: faults, section
 * 6 (11).
 */
class ExecutionWatch {
  readonly #max: number;
  readonly #windowMs: number;
  /** Throttles by strategy, and of each by side of an instrument. */
  readonly #throttles = new Map<string, (Throttle | undefined)[]>();

  constructor(options: { readonly max: number; readonly windowMs: number }) {
    this.#max = options.max;
    this.#windowMs = options.windowMs;
  }

  add(strategy: string, { order, fill }: OrderReport, now: Micros): string | undefined {
    if (fill === undefined || order.cumulative !== fill.quantity) return undefined;
    const throttle = this.#throttleOf(strategy, slotOf(order.instrument, order.side));
    const admitted = throttle.admits(now);
    throttle.count(now);
    return admitted
      ? undefined
      : `more than ${this.#max} of its ${order.side} orders on one symbol began to fill inside ${this.#windowMs} ms`;
  }

  forget(strategy: string): void {
    this.#throttles.delete(strategy);
  }

  #throttleOf(strategy: string, slot: number): Throttle {
    let throttles = this.#throttles.get(strategy);
    if (throttles === undefined) {
      throttles = [];
      this.#throttles.set(strategy, throttles);
    }
    return (throttles[slot] ??= new Throttle(this.#max, millis(this.#windowMs)));
  }
}

/** The last outcomes of one strategy: a ring of whether each was a rejection, and how many were. */
class Outcomes {
  readonly #rejected: Uint8Array;
  #next = 0;
  #seen = 0;
  rejections = 0;

  constructor(size: number) {
    this.#rejected = new Uint8Array(size);
  }

  /** Whether as many as the ring holds were added. */
  get isFull(): boolean {
    return this.#seen === this.#rejected.length;
  }

  add(rejected: boolean): void {
    const now = rejected ? 1 : 0;
    this.rejections += now - (this.#rejected[this.#next] as number);
    this.#rejected[this.#next] = now;
    this.#next = this.#next + 1 === this.#rejected.length ? 0 : this.#next + 1;
    if (!this.isFull) this.#seen += 1;
  }
}

/**
 * The last outcomes of each strategy's orders at the venue. `add` returns why the strategy is to be stopped once
 * more than the allowed share of them are rejections. Source: faults, section 6 (17).
 */
export class RejectWatch {
  readonly #of: number;
  readonly #percentMax: number;
  readonly #outcomes = new Map<string, Outcomes>();

  constructor(options: { readonly of: number; readonly percentMax: number }) {
    this.#of = options.of;
    this.#percentMax = options.percentMax;
  }

  add(strategy: string, rejected: boolean): string | undefined {
    let outcomes = this.#outcomes.get(strategy);
    if (outcomes === undefined) {
      outcomes = new Outcomes(this.#of);
      this.#outcomes.set(strategy, outcomes);
    }
    outcomes.add(rejected);
    const { isFull, rejections } = outcomes;
    if (!isFull || rejections * 100 <= this.#of * this.#percentMax) return undefined;
    return `the venue rejected ${rejections} of its last ${this.#of} orders`;
  }

  forget(strategy: string): void {
    this.#outcomes.delete(strategy);
  }
}

/** Answers remembered: more than the venue takes orders in the time after which silence is noticed. */
const answersMax = 16_384;

/**
 * Unknown orders by the outage that made them so. Orders that became unknown belong to one outage when no order sent between
 * them was answered: they count as one. Those that become unknown while others are answered count one by one.
 * Source: faults, section 6 (16), and I24.
 */
class UnknownWatch {
  readonly #view: StateView;
  /** The number of its outage, by unknown order. Bounded by the limits of open orders. */
  readonly #outages = new Map<ClientOrderId, number>();
  /** When orders were sent that were answered, by `uptime`; a ring. */
  readonly #answered = new Float64Array(answersMax).fill(Number.NEGATIVE_INFINITY);
  #next = 0;
  #outage = 0;
  #lastSentAt = Number.NEGATIVE_INFINITY;

  constructor(view: StateView) {
    this.#view = view;
  }

  /** An order that was sent at `sentAt` was answered. */
  answered(sentAt: Micros): void {
    this.#answered[this.#next] = sentAt;
    this.#next = this.#next + 1 === answersMax ? 0 : this.#next + 1;
  }

  /** An order that was sent at `sentAt` became unknown. */
  add(clientOrderId: ClientOrderId, sentAt: Micros): void {
    const from = Math.min(this.#lastSentAt, sentAt);
    const to = Math.max(this.#lastSentAt, sentAt);
    if (this.#answered.some((time) => time > from && time < to)) this.#outage += 1;
    this.#lastSentAt = sentAt;
    this.#outages.set(clientOrderId, this.#outage);
  }

  /** Why trading is to be halted because too many orders are unknown. */
  tooMany(unknownOrdersMax: number): string | undefined {
    const count = this.#view.unknownCount();
    // A halt for an unreadable message may be over before these are settled.
    if (count <= unknownOrdersMax || this.#view.modeWithout('unread').mode === 'halted') return undefined;
    const outages = new Set<number>();
    for (const [id, outage] of this.#outages) {
      if (this.#view.order(id)?.state === 'unknown') outages.add(outage);
      else this.#outages.delete(id);
    }
    // Those of an earlier run ended with it, all at once.
    const events = outages.size + (count > this.#outages.size ? 1 : 0);
    if (events <= unknownOrdersMax) return undefined;
    return `${count} orders are unknown by ${events} events, more than the ${unknownOrdersMax} allowed`;
  }
}
