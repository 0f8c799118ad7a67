import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { micros } from '../../core/base/clock.ts';
import { pause } from '../../core/base/pause.ts';

/** Slots for calls under named limits, as the budgets of a venue hand them out. */
export interface CallSlots<Scope> {
  /** Takes a slot under `scope`. Returns it, or -1: not now. */
  takeCall(scope: Scope): number;
  /** Time until `takeCall(scope)` may succeed if nothing else happens; 0 when it would now. */
  waitCall(scope: Scope): Micros;
}

/** Source of messages to send, one per turn. */
export interface Sender {
  hasMore(): boolean;
  /** Sends one message and settles `slot` when its answer is there. */
  sendNext(slot: number): void;
}

/**
 * The turns of one session under one limit: the sender is called whenever a message may leave, as
 * long as it has more to send.
 */
export class RequestSlots<Scope> {
  readonly #budgets: CallSlots<Scope>;
  readonly #scope: Scope;
  readonly #clock: Clock;
  readonly #sender: Sender;
  #cancel: Cancel | undefined;

  constructor(budgets: CallSlots<Scope>, scope: Scope, clock: Clock, sender: Sender) {
    this.#budgets = budgets;
    this.#scope = scope;
    this.#clock = clock;
    this.#sender = sender;
  }

  /** There may be something to send. */
  wake(): void {
    if (this.#cancel !== undefined) return;
    while (this.#sender.hasMore()) {
      const slot = this.#budgets.takeCall(this.#scope);
      if (slot < 0) {
        this.#later(this.#budgets.waitCall(this.#scope));
        return;
      }
      this.#sender.sendNext(slot);
    }
  }

  /** Nothing more is sent until the next `wake`. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #later(wait: Micros): void {
    this.#cancel = this.#clock.after(micros(Math.max(1, wait)), () => {
      this.#cancel = undefined;
      this.wake();
    });
  }
}

/**
 * Takes a slot under `scope` as soon as one is free. Returns the slot, or -1 when `signal` was aborted first, or when none was free for
 * `waitMax`.
 */
export async function takeRequestSlot<Scope>(
  budgets: CallSlots<Scope>,
  scope: Scope,
  clock: Clock,
  signal: AbortSignal,
  waitMax = Number.POSITIVE_INFINITY,
): Promise<number> {
  const begun = clock.uptime();
  for (;;) {
    if (signal.aborted) return -1;
    const slot = budgets.takeCall(scope);
    if (slot >= 0) return slot;
    if (clock.uptime() - begun >= waitMax) return -1;
    await pause(clock, micros(Math.max(1, budgets.waitCall(scope))), signal);
  }
}
