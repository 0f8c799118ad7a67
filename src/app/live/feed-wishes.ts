import type { FeedWish } from '../../client/market-protocol.ts';
import type { Instruments } from '../../model/instrument.ts';
import type { CandlePeriod } from '../../model/market.ts';
import type { FeedRequest } from '../../strategy/feed-request.ts';

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
