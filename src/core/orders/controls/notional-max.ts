import { formatAmount } from '../../base/amount.ts';
import type { Control } from '../candidate.ts';
import { deny, worstPrice } from '../candidate.ts';

/** The largest price times quantity of one order, at the worst price it may be charged. */
export const notionalMax: Control = ({ instrument, request }, view, memory) => {
  const most = memory.instruments[instrument.id]?.notionalMax;
  if (most === undefined) return undefined;
  const price = worstPrice(request, view, memory);
  if (price === undefined) {
    return deny('REFERENCE_PRICE_MISSING', `there is no price of ${instrument.symbol} to value the order at`);
  }
  const found = instrument.notional(price, request.quantity);
  if (found <= most) return undefined;
  return deny(
    'NOTIONAL_MAX',
    `expected at most ${formatAmount(most)} ${instrument.spec.quoteCurrency}, found ${formatAmount(found)}`,
  );
};
