import type { InstrumentId } from './instrument.ts';
import type { ClientOrderId } from './order.ts';

/** Third part of the ids of orders by which an operator closes positions. No strategy may have it as its tag. */
export const operatorTag = 'op';

/** What a strategy or the whole account is asked to do; all strategies when `strategy` is `undefined`. */
interface Scoped {
  readonly strategy: string | undefined;
}

/**
 * What an operator may ask of a trader.
 *
 * `pause`: strategies go on, their new orders and replacements are denied, live orders stay. `flatten`: as `pause`; live orders are
 * canceled, and positions closed by orders that only reduce. `reduce` and `halt` hold until `clear`. `clear` ends them, and
 * limits on loss that were reached.
 */
export type OperatorAct =
  | (Scoped & { readonly act: 'pause' | 'resume' | 'flatten' })
  | { readonly act: 'reduce' | 'halt' | 'clear' }
  | { readonly act: 'cancel'; readonly clientOrderId: ClientOrderId }
  | (Scoped & { readonly act: 'cancelAll'; readonly instrument: InstrumentId | undefined });
