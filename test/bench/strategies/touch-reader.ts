import { defineStrategy, z } from 'godwit/strategy';

/** What the reader saw, for the bench in the same process. */
export const seen = { calls: 0, bid: 0, ask: 0, sum: 0 };

/** Reads best bid and best ask on every change of the book and does nothing else: for benches. */
export default defineStrategy({
  name: 'touch-reader',
  params: z.strictObject({ symbol: z.string() }),
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create: () => ({
    onBook(book) {
      seen.calls += 1;
      seen.bid = book.bestBid ?? 0;
      seen.ask = book.bestAsk ?? 0;
      seen.sum += seen.bid + seen.ask;
    },
  }),
});
