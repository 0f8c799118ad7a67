import { defineStrategy, z } from 'godwit/strategy';

/** Listens to books and trades, and does nothing. */
export default defineStrategy({
  name: 'watcher',
  params: z.strictObject({ symbol: z.string() }),
  feeds: ({ symbol }) => [{ symbol, book: true, trades: true }],
  create: () => ({}),
});
