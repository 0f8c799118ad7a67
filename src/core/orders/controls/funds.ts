import { add, formatAmount, zero } from '../../base/amount.ts';
import type { Ticks } from '../../model/instrument.ts';
import type { Control } from '../candidate.ts';
import { deny, worstPrice } from '../candidate.ts';
import { costOf } from '../holds.ts';

/**
 * A buy needs more than price x quantity and the worst fee; a sell needs its quantity. What our other orders may
 * still take, and the venue may not have reserved yet, counts as gone. Source: API v3, "Funds rule".
 */
export const funds: Control = ({ instrument, request, lots, replaces }, view, memory) => {
  const price = worstPrice(request, view, memory);
  if (price !== undefined && replaces === undefined) {
    const { side } = request;
    const { quoteCurrency, baseCurrency } = instrument.spec;
    const rough = (memory.instruments[instrument.id]?.roughCost[side] ?? Number.NaN) * lots;
    const balance = view.balance(side === 'buy' ? quoteCurrency : baseCurrency);
    if (memory.holds.plainlyCover(side === 'buy' ? rough * price : rough, balance, memory.uptime))
      return undefined;
  }
  if (price === undefined && request.side === 'buy') {
    return deny('REFERENCE_PRICE_MISSING', `there is no price of ${instrument.symbol} to value the order at`);
  }
  const cost = costOf(instrument, request.side, price ?? (0 as Ticks), lots);
  const balance = view.balance(cost.currency);
  const released = replaces === undefined ? zero : (memory.holds.of(replaces.clientOrderId)?.amount ?? zero);
  const free = add(memory.holds.free(balance, memory.uptime), released);
  if (request.side === 'buy' ? free > cost.amount : free >= cost.amount) return undefined;
  return deny(
    'FUNDS',
    `expected ${request.side === 'buy' ? 'more than' : 'at least'} ${formatAmount(cost.amount)} ${cost.currency} free, found ${formatAmount(free)}`,
  );
};
