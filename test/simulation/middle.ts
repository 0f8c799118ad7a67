import type { InstrumentId } from '../../src/core/model/instrument.ts';
import type { StateView } from '../../src/core/state/view.ts';

/** The sum of best bid and ask, twice the bid of a crossed book, or twice the last trade when a side is empty, in ticks. */
export function middleOf(id: InstrumentId, view: StateView): number | undefined {
  const { bestBid, bestAsk } = view.book(id);
  if (bestBid !== undefined && bestAsk !== undefined) return bestBid + Math.max(bestBid, bestAsk);
  const last = view.lastTrade(id)?.price;
  return last === undefined ? undefined : 2 * last;
}
