import type { Lots, Ticks } from '../../core/model/instrument.ts';
import type { MarginPosition } from './margin-account.ts';
import type { ContingentList } from './contingent-list.ts';
import type { OrderRecord } from './order-record.ts';

/** What stood on the way of a walk and will be changed by it. */
export interface Met {
  /** Lists of which an order was met: of an exclusive list only the first executes. */
  readonly lists: Set<ContingentList<OrderRecord>>;
  /** How much of positions orders that may only reduce can still close. */
  readonly closable: Map<MarginPosition, number>;
}

/**
 * How orders of one instrument execute, and nothing else: admission, funds, lists, expiry and reports are the same for
 * all. Whatever executes goes through `settle`.
 */
export interface Fills {
  /** Whether an order would execute at least one lot now. */
  wouldTake(record: OrderRecord): boolean;
  /** Visits what an order would execute now, best price first. Changes nothing but `met`. */
  visit(record: OrderRecord, met: Met, each: (price: Ticks, lots: Lots) => void): void;
  /** Executes an order that has arrived as far as it goes. */
  take(record: OrderRecord): void;
  /** What is left of an order begins to rest. */
  rest(record: OrderRecord): void;
  /** A resting order goes without having been filled. */
  leave(record: OrderRecord): void;
}

export function newMet(): Met {
  return { lists: new Set(), closable: new Map() };
}

export function copyOf(met: Met | undefined): Met {
  return { lists: new Set(met?.lists), closable: new Map(met?.closable) };
}
