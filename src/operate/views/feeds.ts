import { formatAmount } from '../../core/base/amount.ts';
import { microsPerMilli } from '../../core/base/clock.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { BookView } from '../../core/model/market.ts';
import type { ViewRowOf, ViewedRun } from './view.ts';
import { count, decimal, number, oneOf, orNull, priceCurrency, priceText, view, word } from './view.ts';

const fields = {
  symbol: word(),
  status: oneOf(['live', 'stale', 'empty']),
  reason: orNull(word()),
  bid: orNull(decimal()),
  ask: orNull(decimal()),
  currency: priceCurrency,
  middle: orNull(decimal(), 'of both; null where a side is empty'),
  sequence: number(),
  ageMs: orNull(number(), 'since the last message of the book arrived'),
  gaps: count('sequence gaps since the start'),
};

export type FeedRow = ViewRowOf<typeof fields>;

export const feedsView = view({
  name: 'feeds',
  command: 'feeds',
  text: 'every feed with its age',
  empty: 'no feeds',
  fields,
  columns: ['symbol', 'status', 'bid', 'ask', 'currency', 'ageMs', 'gaps'],
  card: {
    order: 90,
    title: 'Feeds',
    kind: 'table',
    key: ['symbol'],
    columns: [
      'symbol',
      { field: 'status', title: 'status', with: [': ', 'reason'], tones: { live: 'good', '*': 'bad' } },
      'bid',
      'ask',
      { field: 'ageMs', title: 'age', type: 'age' },
      { field: 'gaps', title: 'gaps', tones: { '+': 'bad' } },
      'sequence',
    ],
  },
  rows: (run) => [...feedRows(run)],
  long: feedRows,
  // The clock is not part of a state: one in which nothing else changed is not sent again.
  live: function* (run) {
    for (const { ageMs: _age, ...feed } of feedRows(run)) yield feed;
  },
});

/** Books to show first, in text. A row is made when it is its turn. */
export function* feedRows(run: ViewedRun): Generator<FeedRow, void> {
  for (const { instrument, book, ageMs, gaps } of shownFeeds(run)) {
    const { bestBid, bestAsk } = book;
    yield {
      symbol: instrument.symbol,
      status: book.status,
      reason: book.unfit ?? null,
      bid: priceText(instrument, bestBid),
      ask: priceText(instrument, bestAsk),
      currency: instrument.spec.quoteCurrency,
      middle:
        bestBid === undefined || bestAsk === undefined
          ? null
          : formatAmount(instrument.midAmount(bestBid, bestAsk)),
      sequence: book.sequence,
      ageMs,
      gaps,
    };
  }
}

/** A feed as it is read. */
interface Feed {
  readonly instrument: Instrument;
  readonly book: BookView;
  /** Milliseconds since the last message arrived; `null` before the first one. */
  readonly ageMs: number | null;
  /** Sequence gaps since the start. */
  readonly gaps: number;
}

/** Feeds of the books to show. */
export function* shownFeeds({ trader, clock, shown, gaps }: ViewedRun): Generator<Feed, void> {
  for (const id of shown()) {
    const instrument = trader.instruments.at(id);
    const book = trader.view.book(id);
    const ageMs = book.receiveTime > 0 ? Math.round((clock.now() - book.receiveTime) / microsPerMilli) : null;
    yield { instrument, book, ageMs, gaps: gaps.get(instrument.symbol) ?? 0 };
  }
}
