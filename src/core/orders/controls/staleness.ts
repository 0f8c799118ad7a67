import type { InstrumentId } from '../../model/instrument.ts';
import type { Denial } from '../../model/denial.ts';
import { lateMarket } from '../../state/market-lag.ts';
import type { StateView } from '../../state/view.ts';
import type { Control } from '../candidate.ts';
import { deny } from '../candidate.ts';

/**
 * The order's own book and every declared input must be live, uncrossed and delivered in time. The gate asks
 * again at the last moment. Live, the book of a symbol is followed for the strategies that declare it: in a backtest, where every book of
 * the data is there, the same holds. Source: faults, I9.
 */
export const staleness: Control = ({ instrument, strategy }, view, memory) => {
  const { name, declared } = strategy.limits;
  if (declared[instrument.id] !== true) {
    return deny(
      'INPUT_STALE',
      `expected feeds() of strategy ${name} to name ${instrument.symbol}, because its book is followed only then`,
    );
  }
  const late = lateMarket(view, memory.marketLagMax);
  if (late !== undefined) return deny('INPUT_STALE', late);
  const own = staleBook(instrument.id, view);
  if (own !== undefined) return own;
  for (const input of strategy.limits.inputs) {
    const denial = staleBook(input, view);
    if (denial !== undefined) return denial;
  }
  return undefined;
};

function staleBook(instrument: InstrumentId, view: StateView): Denial | undefined {
  const book = view.book(instrument);
  if (book.status === 'live' && !book.crossed) return undefined;
  const found = book.status === 'live' ? 'crossed' : book.status;
  return deny(
    'INPUT_STALE',
    `expected a live book of ${view.instruments.at(instrument).symbol}, found ${found}`,
  );
}
