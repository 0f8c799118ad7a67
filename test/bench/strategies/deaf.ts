import { defineStrategy, z } from 'godwit/strategy';

/** Hears tickers only, of which there are none in the recordings: what the corridor costs without a strategy. */
export default defineStrategy({
  name: 'deaf',
  params: z.strictObject({ symbol: z.string() }),
  feeds: ({ symbol }) => [{ symbol, ticker: true }],
  create: () => ({}),
});
