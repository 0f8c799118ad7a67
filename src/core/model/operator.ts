import { timeText } from '../base/clock.ts';
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

/** Result of an act of a sentinel beside the daemon: it cancelled orders while the daemon was gone, stood still, or was killed by a file. */
export interface SentinelResult {
  /** Wall time at which it began, microseconds. */
  readonly at: number;
  /** Orders that it cancelled and then saw gone; `orders` names them, up to a bound. */
  readonly canceled: number;
  readonly orders: readonly string[];
  /** Own orders that stayed because they only reduce. */
  readonly kept: number;
  /** Client ids of orders that it could not see gone. */
  readonly unresolved: readonly string[];
}

/** The act of a sentinel in a sentence. */
export function sentinelText({ at, canceled, kept, unresolved }: SentinelResult, why: string): string {
  const stays = kept === 0 ? '' : `; ${kept} that only reduce stayed`;
  const left = unresolved.length === 0 ? '' : `; may be live: ${unresolved.join(', ')}`;
  return `The sentinel cancelled ${canceled} ${canceled === 1 ? 'order' : 'orders'} at ${timeText(at)} because ${why}${stays}${left}.`;
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
 * `kill`: a halt by the kill file, which cancels what its sentinel does: with `raising`, orders that only reduce stay. `sentinel`: what a
 * sentinel did is recorded, and nothing follows from it.
 */
export type OperatorAct =
  | (Scoped & { readonly act: 'pause' | 'resume' | 'flatten' })
  | { readonly act: 'reduce' | 'halt' | 'clear' }
  | { readonly act: 'cancel'; readonly clientOrderId: ClientOrderId }
  | (Scoped & { readonly act: 'cancelAll'; readonly instrument: InstrumentId | undefined })
  | { readonly act: 'startStrategy' | 'stopStrategy'; readonly strategy: string }
  | (ChangedParams & { readonly act: 'setParams' | 'promote'; readonly strategy: string })
  | { readonly act: 'reload'; readonly changed: string; readonly limits: string }
  | { readonly act: 'kill'; readonly cancel: 'raising' | 'all' }
  | (SentinelResult & { readonly act: 'sentinel' });

/** Flag of the halt that an act begins, where own orders that only reduce stay. */
export function keptBy(act: OperatorAct): 'keepsExits' | undefined {
  return act.act === 'kill' && act.cancel === 'raising' ? 'keepsExits' : undefined;
}
