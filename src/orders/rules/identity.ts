import { isClientOrderId, ownerOf } from '../../model/client-order-id.ts';
import type { Denial } from '../../model/denial.ts';
import type { StateView } from '../../state/view.ts';
import { deny, shown } from '../candidate.ts';
import type { Memory, StrategyMemory } from '../memory.ts';

/**
 * An id must be well formed, carry our prefix, this run and the strategy, and be new. Judged before all else, so
 * that an id in use is never denied under another code. Source: API v3, "Spot trading"; faults, section 6 (2, 21).
 */
export function identity(
  id: string,
  strategy: StrategyMemory | undefined,
  view: StateView,
  memory: Memory,
): Denial | undefined {
  if (typeof id !== 'string' || !isClientOrderId(id)) {
    return deny('ID_MALFORMED', `expected 8 to 32 of A-Za-z0-9_-, found ${JSON.stringify(shown(id))}`);
  }
  if (view.order(id) !== undefined) return deny('ID_REUSED', `order ${id} exists already`);
  if (strategy === undefined) return undefined;
  const owner = ownerOf(id);
  const { options, run } = memory;
  if (owner?.prefix !== options.idPrefix || owner.run !== run || owner.tag !== strategy.limits.tag) {
    return deny(
      'ID_MALFORMED',
      `expected an id that begins with ${options.idPrefix}-${run}-${strategy.limits.tag}-, found ${id}`,
    );
  }
  return undefined;
}
