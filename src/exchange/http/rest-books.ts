import type { Amount } from '../../core/base/amount.ts';
import type { Instrument, Lots } from '../../core/model/instrument.ts';
import type { Level } from '../../core/model/market.ts';
import { orderBook } from '../../venues/hitbtc/wire/resources/book.ts';
import type { AppSetup } from '../app-setup.ts';
import { Refusal } from '../refusal.ts';
import { bySymbol, lotsFor, ofSymbol, v2BySymbol, withV2Instrument } from './instruments.ts';
import type { RestRoute } from './rest-route.ts';
import { v2Route, v3Route } from './rest-route.ts';

/** Order books. Source: API v2, "Market data"; v3-gaps, section 4.1. */
export function bookRoutes(app: AppSetup): readonly RestRoute[] {
  return [...v3BookRoutes(app), ...v2BookRoutes(app)];
}

function v3BookRoutes({ world: { core } }: AppSetup): RestRoute[] {
  const bookOf = (instrument: Instrument, depth: number) => {
    const { book } = core.market(instrument.id);
    return orderBook.v3.write(
      {
        time: book.liveTime,
        asks: book.liveLevels('sell', depth),
        bids: book.liveLevels('buy', depth),
      },
      instrument,
    );
  };
  const bookForVolume = (instrument: Instrument, volume: string) => {
    const lots = lotsFor(instrument, volume);
    if (lots instanceof Refusal) return lots;
    const { book } = core.market(instrument.id);
    return orderBook.v3.write(
      {
        time: book.liveTime,
        asks: book.liveLevelsForVolume('sell', lots),
        bids: book.liveLevelsForVolume('buy', lots),
      },
      instrument,
    );
  };
  return [
    v3Route('publicOrderBooks', ({ symbols, depth }) =>
      bySymbol(core, symbols, (instrument) => bookOf(instrument, depth)),
    ),
    v3Route('publicOrderBook', ({ symbol, depth, volume }) =>
      ofSymbol(core, symbol, (instrument) =>
        volume === undefined ? bookOf(instrument, depth) : bookForVolume(instrument, volume),
      ),
    ),
  ];
}

function v2BookRoutes({ world: { core } }: AppSetup): RestRoute[] {
  const bookOf = (instrument: Instrument, limit: number) => {
    const { book } = core.market(instrument.id);
    return orderBook.v2.write(
      {
        symbol: instrument.symbol,
        time: book.liveTime,
        asks: book.liveLevels('sell', limit),
        bids: book.liveLevels('buy', limit),
      },
      instrument,
    );
  };
  const bookForVolume = (instrument: Instrument, volume: string) => {
    const lots = lotsFor(instrument, volume);
    if (lots instanceof Refusal) return lots;
    const { book } = core.market(instrument.id);
    const asks = book.liveLevelsForVolume('sell', lots);
    const bids = book.liveLevelsForVolume('buy', lots);
    return orderBook.v2.write(
      {
        symbol: instrument.symbol,
        time: book.liveTime,
        asks,
        bids,
        askAverage: averageForVolume(instrument, asks, lots) ?? null,
        bidAverage: averageForVolume(instrument, bids, lots) ?? null,
      },
      instrument,
    );
  };
  return [
    v2Route('publicOrderBooks', ({ symbols, limit }) =>
      v2BySymbol(core, symbols, (instrument) => bookOf(instrument, limit)),
    ),
    v2Route('publicOrderBook', ({ symbol, limit, volume }) =>
      withV2Instrument(core, symbol, (instrument) =>
        volume === undefined ? bookOf(instrument, limit) : bookForVolume(instrument, volume),
      ),
    ),
  ];
}

/**
 * What one unit costs on average when `lots` are taken off these levels, best first; of all there is when they
 * hold less. Undefined when there is nothing. Cut below 10^-24.
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
