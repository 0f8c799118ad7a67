import { defineStrategy, z } from 'godwit/strategy';

const params = z.strictObject({ symbol: z.string() });

/** Answers every change of the book with an order that ends at once: for benches of latency. */
export default defineStrategy({
  name: 'reactor',
  params,
  feeds: ({ symbol }) => [{ symbol, book: true }],
  create({ params, orders }) {
    const { symbol } = params;
    return {
      onBook(book) {
        if (book.bestBid === undefined) return;
        // The bench reads from it which change is answered. No two of a quarter of a second are equal: equal orders are refused.
        const quantity = 100 + (book.sequence % 500);
        orders.place({ symbol, side: 'buy', quantity, price: book.bestBid, timeInForce: 'IOC' });
      },
    };
  },
});
