import type { FeedRequest } from '../strategy/feed-request.ts';
import type { StateView } from '../state/view.ts';
import type { LoadedStrategy } from './strategy-plans.ts';

/** What strategies asked to hear and the data never told, a sentence for each strategy and symbol: such a run says nothing. */
export function unheardFeeds(loaded: readonly LoadedStrategy[], view: StateView): readonly string[] {
  return loaded.flatMap(({ plan, feeds }) =>
    feeds.flatMap((request) => {
      const missing = missingOf(request, view);
      if (missing.length === 0) return [];
      const { symbol } = request;
      return `strategy ${plan.name} asked for the ${missing.join(', ')} of ${symbol}: the data told none`;
    }),
  );
}

function missingOf({ symbol, book, trades, ticker, candles = [] }: FeedRequest, view: StateView): string[] {
  const instrument = view.instruments.find(symbol);
  if (instrument === undefined) return [];
  const { id } = instrument;
  const missing: string[] = [];
  if (book === true && view.book(id).status === 'empty') missing.push('book');
  if (trades === true && view.lastTrade(id) === undefined) missing.push('trades');
  if (ticker === true && view.ticker(id) === undefined) missing.push('ticker');
  for (const period of candles)
    if (view.candle(id, period, 0) === undefined) missing.push(`candles ${period}`);
  return missing;
}
