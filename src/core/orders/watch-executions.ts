import type { Micros } from '../base/clock.ts';
import { millis } from '../base/clock.ts';
import type { OrderReport } from '../model/event.ts';
import { slotOf } from '../state/order-index.ts';
import { Throttle } from './throttle.ts';

/**
 * Counts a strategy's orders that begin to fill on one side of one symbol. `add` returns why the strategy is to be
 * stopped when too many do inside the window. One order swept by many trades counts once. Source: faults, section
 * 6 (11).
 */
export class ExecutionWatch {
  readonly #max: number;
  readonly #windowMs: number;
  /** By strategy, and of each by side of an instrument. */
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

  #throttleOf(strategy: string, slot: number): Throttle {
    let throttles = this.#throttles.get(strategy);
    if (throttles === undefined) {
      throttles = [];
      this.#throttles.set(strategy, throttles);
    }
    return (throttles[slot] ??= new Throttle(this.#max, millis(this.#windowMs)));
  }
}
