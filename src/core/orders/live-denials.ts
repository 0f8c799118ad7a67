import type { DenialCode } from '../model/denial.ts';
import type { StateView } from '../state/index.ts';
import type { Candidate } from './base/candidate.ts';
import type { TableRow } from './controls/index.ts';
import { judgeCandidate } from './controls/index.ts';
import type { Memory } from './base/memory.ts';
import type { OrderOptions } from './options.ts';

/** One order of a list and the controls it is asked, or a single order, which is asked all. */
export interface JudgedOrder {
  readonly candidate: Candidate;
  readonly table?: readonly TableRow[];
}

/**
 * Count of the orders that live trading would have denied, in a run whose own controls are open. Nothing else comes of it. Each order is judged as it was sent; what a strategy would have done after a denial is
 * not known.
 */
export class LiveDenials {
  readonly options: OrderOptions;
  /** Orders that were looked at: new ones and replacements. */
  orders = 0;
  readonly denials = new Map<DenialCode, number>();
  #memory: Memory | undefined;

  constructor(options: OrderOptions) {
    this.options = options;
  }

  /** How many of `orders` would have been denied. */
  get denied(): number {
    let sum = 0;
    for (const count of this.denials.values()) sum += count;
    return sum;
  }

  /** Orders that are about to be recorded as pending: a list, or a single one. One denial denies a list. */
  judge(orders: readonly JudgedOrder[], view: StateView, memory: Memory): void {
    const strict = (this.#memory ??= memory.under(this.options));
    this.orders += orders.length;
    for (const { candidate, table } of orders) {
      const denial = judgeCandidate(candidate, view, strict, table);
      if (denial === undefined) continue;
      this.#count(denial.code, 1);
      if (orders.length > 1) this.#count('LIST_ORDER_DENIED', orders.length - 1);
      return;
    }
  }

  #count(code: DenialCode, count: number): void {
    this.denials.set(code, (this.denials.get(code) ?? 0) + count);
  }
}
