import { defineStrategy, z } from 'godwit/strategy';

const params = z.strictObject({
  symbol: z.string(),
  every: z.int().positive().default(8).describe('an order on every so manieth change of the book'),
});

/** Answers every so manieth change of the book with an order that ends at once: for benches of latency. */
export default defineStrategy({
  name: 'reactor',
  params,
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create({ params, orders }) {
    const { symbol, every } = params;
    let seen = 0;
    return {
      onBook(book) {
        seen += 1;
        if (seen % every !== 0 || book.bestBid === undefined) return;
        // No two of a second are equal: equal orders are refused.
        const quantity = 100 + ((seen / every) % 500);
        orders.place({ symbol, side: 'buy', quantity, price: book.bestBid, timeInForce: 'IOC' });
      },
    };
  },
});
