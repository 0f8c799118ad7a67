import { ownerOf } from './client-order-id.ts';
import type { InstrumentId } from './instrument.ts';
import type { ClientOrderId } from './order.ts';

/** Third part of the ids of orders by which an operator closes positions. No strategy may have it as its tag. */
export const operatorTag = 'op';

/** Whether an order is one by which an operator closes a position, whatever became of the strategy that holds it. */
export function isOperatorOrder(id: ClientOrderId): boolean {
  return ownerOf(id)?.tag === operatorTag;
}

/** Scope of an act: a strategy, or the whole account; all strategies when `strategy` is `undefined`. */
interface Scoped {
  readonly strategy: string | undefined;
}

/** Parameters of a strategy that an operator changed. Both are JSON texts: a journal has no word for null. */
export interface ChangedParams {
  readonly params: string;
  /** Text of the configuration at that time. Once it says something else, it rules again. */
  readonly configured: string;
  /** Other changes of a promotion, as JSON text; not there before the first one. */
  readonly promoted?: string | undefined;
}

/**
 * Act that an operator may ask of a trader.
 *
 * `pause`: strategies go on, their new orders and replacements are denied, live orders stay. `flatten`: as `pause`; live orders are
 * canceled, and positions closed by orders that only reduce. `reduce` and `halt` hold until `clear`. `clear` ends them, and
 * limits on loss that were reached. `stopStrategy` ends a strategy as the end of a run does, and it stays stopped over a restart
 * until `startStrategy`. `setParams` holds over a restart; a strategy that runs is started again with them at once. `promote` does
 * the same with the parameters, and the code, of the shadow of a strategy. `reload`: the configuration was read again. `changed`
 * says which settings differ, `limits` is the JSON of the `LimitSettings` that hold for the rest of the run; the next run reads its own.
 */
export type OperatorAct =
  | (Scoped & { readonly act: 'pause' | 'resume' | 'flatten' })
  | { readonly act: 'reduce' | 'halt' | 'clear' }
  | { readonly act: 'cancel'; readonly clientOrderId: ClientOrderId }
  | (Scoped & { readonly act: 'cancelAll'; readonly instrument: InstrumentId | undefined })
  | { readonly act: 'startStrategy' | 'stopStrategy'; readonly strategy: string }
  | (ChangedParams & { readonly act: 'setParams' | 'promote'; readonly strategy: string })
  | { readonly act: 'reload'; readonly changed: string; readonly limits: string };
