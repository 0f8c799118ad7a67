import type { FeedWish } from '../../venues/hitbtc/client/market-protocol.ts';
import type { Config } from '../config/schema.ts';
import type { Instrument, Instruments } from '../../core/model/instrument.ts';
import type { CandlePeriod } from '../../core/model/market.ts';
import type { FeedRequest } from '../../core/strategy/feed-request.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';

/** What strategies want, joined by instrument. The price collar needs trades wherever a book is traded on. */
export function feedWishes(requests: readonly FeedRequest[], instruments: Instruments): readonly FeedWish[] {
  const wishes = new Map<string, FeedWish>();
  for (const request of requests) {
    const { id } = instruments.get(request.symbol);
    const had = wishes.get(request.symbol);
    const candles: readonly CandlePeriod[] = [
      ...new Set([...(had?.candles ?? []), ...(request.candles ?? [])]),
    ];
    const book = had?.book === true || request.book === true;
    wishes.set(request.symbol, {
      instrument: id,
      book,
      trades: had?.trades === true || request.trades === true || book,
      ticker: had?.ticker === true || request.ticker === true,
      candles,
    });
  }
  return [...wishes.values()];
}

/**
 * What strategies declare, with the book of every symbol that the one that declares it may trade: no order leaves without a
 * live book of its symbol. A strategy hears of a book only where it declares the book itself.
 */
export function requestsOf(
  loaded: readonly LoadedStrategy[],
  { symbols }: Pick<Config['orders'], 'symbols'>,
  instruments: Instruments,
): readonly FeedRequest[] {
  return loaded.flatMap(({ plan, feeds }) => {
    const mayTrade = ({ symbol, spec }: Instrument): boolean =>
      spec.type === 'spot' && [symbols, plan.limits.symbols].every((list) => list?.includes(symbol) ?? true);
    return feeds.map((feed) => (mayTrade(instruments.get(feed.symbol)) ? { ...feed, book: true } : feed));
  });
}
