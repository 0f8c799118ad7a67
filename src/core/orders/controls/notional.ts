import { formatAmount } from '../../base/amount.ts';
import type { Control } from '../candidate.ts';
import { deny, worstPrice } from '../candidate.ts';

/** Price times quantity of one order, at the worst price it may be charged: our own maximum and the venue's minimum. */
export const notional: Control = ({ instrument, request }, view, memory) => {
  const limits = memory.instruments[instrument.id];
  const most = limits?.notionalMax;
  const least = limits?.notionalMin;
  if (most === undefined && least === undefined) return undefined;
  const price = worstPrice(request, view, memory);
  if (price === undefined) {
    return deny('REFERENCE_PRICE_MISSING', `there is no price of ${instrument.symbol} to value the order at`);
  }
  const found = instrument.notional(price, request.quantity);
  const { quoteCurrency } = instrument.spec;
  if (most !== undefined && found > most) {
    return deny(
      'NOTIONAL_MAX',
      `expected at most ${formatAmount(most)} ${quoteCurrency}, found ${formatAmount(found)}`,
    );
  }
  if (least === undefined || found >= least) return undefined;
  return deny(
    'NOTIONAL_MIN',
    `expected at least ${formatAmount(least)} ${quoteCurrency}, which the venue demands, found ${formatAmount(found)}`,
  );
};
