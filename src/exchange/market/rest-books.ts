import type { Amount } from '../../core/base/amount.ts';
import type { Instrument, Lots } from '../../core/model/instrument.ts';
import type { Level } from '../../core/model/market.ts';
import type { Side } from '../../core/model/order.ts';
import type { WireVersion } from '../../venues/hitbtc/wire/index.ts';
import { orderBook } from '../../venues/hitbtc/wire/resources/index.ts';
import type { Markets } from '../base/index.ts';
import { Refusal } from '../base/index.ts';
import {
  bySymbol,
  lotsFor,
  ofSymbol,
  v2BySymbol,
  withV2Instrument,
  v2Route,
  v3Route,
} from '../http/index.ts';
import type { RestRoute } from '../http/index.ts';

/** Order books. Source: API v2, "Market data"; v3-gaps, section 4.1. */
export function bookRoutes(core: Markets): readonly RestRoute[] {
  const bookOf = (version: WireVersion, depth: number, volume?: string) => (instrument: Instrument) => {
    const lots = volume === undefined ? undefined : lotsFor(instrument, volume);
    if (lots instanceof Refusal) return lots;
    const { book } = core.market(instrument.id);
    const sideOf = (side: Side) =>
      lots === undefined ? book.liveLevels(side, depth) : book.liveLevelsForVolume(side, lots);
    const asks = sideOf('sell');
    const bids = sideOf('buy');
    const averages = lots !== undefined && {
      askAverage: averageForVolume(instrument, asks, lots) ?? null,
      bidAverage: averageForVolume(instrument, bids, lots) ?? null,
    };
    const seen = { symbol: instrument.symbol, time: book.liveTime, asks, bids, ...averages };
    return orderBook[version].write(seen, instrument);
  };
  return [
    v3Route('publicOrderBooks', ({ symbols, depth }) => bySymbol(core, symbols, bookOf('v3', depth))),
    v3Route('publicOrderBook', ({ symbol, depth, volume }) =>
      ofSymbol(core, symbol, bookOf('v3', depth, volume)),
    ),
    v2Route('publicOrderBooks', ({ symbols, depth }) => v2BySymbol(core, symbols, bookOf('v2', depth))),
    v2Route('publicOrderBook', ({ symbol, depth, volume }) =>
      withV2Instrument(core, symbol, bookOf('v2', depth, volume)),
    ),
  ];
}

/**
 * Average price of one unit when `lots` are taken off these levels, best first; of all there is when they hold less. Undefined when there is nothing. Cut below 10^-24.
 */
function averageForVolume(
  instrument: Instrument,
  levels: readonly Level[],
  lots: number,
): Amount | undefined {
  let left = lots;
  let cost = 0n;
  for (const { price, quantity } of levels) {
    if (left <= 0) break;
    const taken = Math.min(left, quantity);
    cost += instrument.notional(price, taken as Lots);
    left -= taken;
  }
  const taken = lots - left;
  if (taken <= 0) return undefined;
  // Cost is in units of 10^-24, and so is the increment: their quotient is scaled back by it.
  return ((cost * scale) / instrument.quantityAmount(taken as Lots)) as Amount;
}

const scale = 10n ** 24n;
