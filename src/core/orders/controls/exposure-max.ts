import type { Amount } from '../../base/amount.ts';
import { formatAmount, zero } from '../../base/amount.ts';
import type { Instrument, Lots, Ticks } from '../../model/instrument.ts';
import type { StateView } from '../../state/view.ts';
import type { Candidate, Control } from '../candidate.ts';
import { deny, releasedLots, worstPrice } from '../candidate.ts';

/**
 * Gross exposure in one quote currency: for every symbol the larger of both directions if its working orders
 * execute, valued at mid, and this order at its worst price. Checked only when a limit is set.
 */
export const exposureMax: Control = (candidate, view, memory) => {
  const { instrument, request, lots } = candidate;
  const most = memory.instruments[instrument.id]?.exposureMax;
  if (most === undefined) return undefined;
  const currency = instrument.spec.quoteCurrency;
  const price = worstPrice(request, view, memory);
  if (price === undefined) {
    return deny('REFERENCE_PRICE_MISSING', `there is no price of ${instrument.symbol} to value the order at`);
  }
  let total = zero;
  for (const other of view.instruments.all) {
    if (other.spec.quoteCurrency !== currency) continue;
    const exposed = exposedLots(view, other, candidate, 0);
    const withOrder = other === instrument ? exposedLots(view, other, candidate, lots) : exposed;
    if (withOrder === 0) continue;
    const value = valueOf(view, other, other === instrument ? price : undefined);
    if (value === undefined) {
      return deny('REFERENCE_PRICE_MISSING', `there is no price of ${other.symbol} to value its position at`);
    }
    if (other === instrument && withOrder <= exposed && releasedLots(candidate) === 0) {
      // The order shrinks what is exposed; it must pass however large the rest is.
      return undefined;
    }
    total = (total + other.notional(value, withOrder as Lots)) as Amount;
  }
  return total <= most
    ? undefined
    : deny(
        'EXPOSURE_MAX',
        `expected a gross exposure of at most ${formatAmount(most)} ${currency}, found ${formatAmount(total)}`,
      );
};

function exposedLots(view: StateView, instrument: Instrument, candidate: Candidate, added: number): number {
  const net = view.netPosition(instrument.id);
  const { side } = candidate.request;
  const here = instrument === candidate.instrument;
  const change = here ? added - (added > 0 ? releasedLots(candidate) : 0) : 0;
  const long = net + view.workingLots(instrument.id, 'buy') + (side === 'buy' ? change : 0);
  const short = -net + view.workingLots(instrument.id, 'sell') + (side === 'sell' ? change : 0);
  return Math.max(long, short, 0);
}

/** The larger of mid and `least`; the last trade when a side of the book is empty. */
function valueOf(view: StateView, instrument: Instrument, least: Ticks | undefined): Ticks | undefined {
  const { bestBid, bestAsk } = view.book(instrument.id);
  const mid =
    bestBid !== undefined && bestAsk !== undefined
      ? Math.ceil((bestBid + bestAsk) / 2)
      : view.lastTrade(instrument.id)?.price;
  if (mid === undefined) return least;
  return Math.max(mid, least ?? 0) as Ticks;
}
