import type { Micros } from '../base/clock.ts';
import type { InstrumentId } from './instrument.ts';
import type { MarketTrade } from './market.ts';

/** Trades that are remembered of an instrument: more than a history that is sent on subscription. */
const knownMax = 2_048;

interface Known {
  /** The greatest id, as a number; a trade above it is new. */
  greatest: number;
  readonly ids: string[];
  readonly times: Micros[];
  next: number;
}

/**
 * Public trades that were delivered: a venue repeats some in an update, and many in the history that it sends on subscription.
 * Trades are the same when id and time are: ids need not come in order, and a venue may begin them anew.
 */
export class KnownTrades {
  readonly #known: (Known | undefined)[] = [];

  /** Those of `trades` that were not delivered yet; the same list when all are new. They count as delivered from here on. */
  fresh(instrument: InstrumentId, trades: readonly MarketTrade[]): readonly MarketTrade[] {
    const known = (this.#known[instrument] ??= { greatest: -1, ids: [], times: [], next: 0 });
    let fresh: MarketTrade[] | undefined;
    for (let i = 0; i < trades.length; i++) {
      const trade = trades[i] as MarketTrade;
      if (isNew(known, trade)) fresh?.push(trade);
      else fresh ??= trades.slice(0, i);
    }
    return fresh ?? trades;
  }
}

function isNew(known: Known, { tradeId, time }: MarketTrade): boolean {
  const number = Number(tradeId);
  if (number > known.greatest) known.greatest = number;
  else if (known.times.some((one, at) => one === time && known.ids[at] === tradeId)) return false;
  known.ids[known.next] = tradeId;
  known.times[known.next] = time;
  known.next = known.next + 1 === knownMax ? 0 : known.next + 1;
  return true;
}
