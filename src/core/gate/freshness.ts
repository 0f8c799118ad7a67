import type { Micros } from '../base/clock.ts';
import type { Denial } from '../model/denial.ts';
import type { InstrumentId } from '../model/instrument.ts';
import { lateMarket } from '../state/market-lag.ts';
import type { StateView } from '../state/view.ts';

/**
 * Whether an exposure-raising command may leave on what is known: the trading session is up and every book its
 * strategy declared is live, not crossed and delivered in time. `undefined` means yes. Source: faults, I9 and control 14.
 */
export function staleInput(
  view: StateView,
  inputs: readonly InstrumentId[],
  marketLagMax: Micros,
): Denial | undefined {
  if (!view.sessionUp('trading')) {
    return {
      code: 'SESSION_DOWN',
      why: 'expected the trading session to be up when the order was to leave; it is down',
    };
  }
  const late = lateMarket(view, marketLagMax);
  if (late !== undefined) return { code: 'INPUT_STALE', why: late };
  for (const id of inputs) {
    const book = view.book(id);
    if (book.status !== 'live' || book.crossed) {
      const found = book.status === 'live' ? 'crossed' : book.status;
      return {
        code: 'INPUT_STALE',
        why: `expected the book of ${view.instruments.at(id).symbol} to be live when the order was to leave; it is ${found}`,
      };
    }
  }
  return undefined;
}
