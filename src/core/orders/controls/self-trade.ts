import { opposite } from '../../model/order.ts';
import type { Control } from '../candidate.ts';
import { deny } from '../candidate.ts';

/**
 * An order that would cross one of ours is refused, whichever strategy owns that. A market type crosses whatever
 * stands on the other side. Source: faults, section 6 (13).
 */
export const selfTrade: Control = ({ instrument, request }, view, memory) => {
  if (memory.options.selfTrades) return undefined;
  const { side, price } = request;
  const other = view.bestOwnPrice(instrument.id, opposite(side));
  if (other === undefined) return undefined;
  if (price !== undefined && (side === 'buy' ? price < other : price > other)) return undefined;
  return deny(
    'SELF_TRADE',
    `the order would trade with an own ${opposite(side)} order at ${instrument.priceText(other)}`,
  );
};
