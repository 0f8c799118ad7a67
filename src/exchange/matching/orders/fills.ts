import type { Lots, Ticks } from '../../../core/model/instrument.ts';
import type { MarginPosition } from '../accounts/index.ts';
import type { ContingentList } from './contingent-list.ts';
import type { OrderRecord } from './record.ts';

/** What stood on the way of a walk and will be changed by it. Most walks meet neither: both are made at their first use. */
export class Met {
  #lists: Set<ContingentList<OrderRecord>> | undefined;
  #closable: Map<MarginPosition, number> | undefined;

  /** Lists of which an order was met: of an exclusive list only the first executes. */
  get lists(): Set<ContingentList<OrderRecord>> {
    this.#lists ??= new Set();
    return this.#lists;
  }

  /** How much of positions orders that may only reduce can still close. */
  get closable(): Map<MarginPosition, number> {
    this.#closable ??= new Map();
    return this.#closable;
  }

  copy(): Met {
    const copy = new Met();
    if (this.#lists !== undefined) copy.#lists = new Set(this.#lists);
    if (this.#closable !== undefined) copy.#closable = new Map(this.#closable);
    return copy;
  }
}

/**
 * How orders of one instrument execute, and nothing else: admission, funds, lists, expiry and reports are the same for
 * all. Whatever executes goes through `settleExecution`.
 */
export interface Fills {
  /** Whether an order would execute at least one lot now. */
  wouldTake(record: OrderRecord): boolean;
  /** Visits what an order would execute now, best price first. Changes nothing but `met`. */
  visit(record: OrderRecord, met: Met, each: (price: Ticks, lots: Lots) => void): void;
  /** Executes an order that has arrived as far as it goes. */
  takeOrder(record: OrderRecord): void;
  /** What is left of an order begins to rest. */
  restOrder(record: OrderRecord): void;
  /** Whether a market order that cannot execute now waits for a price; it expires where this is left out. */
  waits?(record: OrderRecord): boolean;
  /** A resting order goes without having been filled. */
  leaveBook(record: OrderRecord): void;
}
